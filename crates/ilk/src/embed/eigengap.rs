//! The number of clusters by the largest gap in a spectrum.

use super::{AxisChoice, KernelAxes, LaplacianAxes};

/// Numbers of clusters above this are not proposed.
pub const MAX_EIGENGAP_CLUSTERS: usize = 15;

/// Added to the denominator of a ratio of kernel eigenvalues, as a share of their sum: a gap among small
/// eigenvalues is noise.
const KERNEL_FLOOR: f64 = 0.01;

/// Added to the denominator of a ratio of Laplacian eigenvalues, for the same reason.
const LAPLACIAN_FLOOR: f64 = 1e-3;

/// A number of clusters, from 2 to [`MAX_EIGENGAP_CLUSTERS`], by the largest ratio of successive axes:
///
/// ```text
/// ψ_k   / (ψ_k+1 + ε)   for the entropy
/// λ_k   / (λ_k+1 + ε)   for the variance, not centred
/// λ_k-1 / (λ_k   + ε)   for the variance, centred, where k groups span k - 1 axes
/// ```
///
/// with ε 1% of the sum of all.
pub fn kernel_eigengap(axes: &KernelAxes, choice: AxisChoice) -> usize {
    let falling: Vec<f64> = axes
        .order
        .iter()
        .map(|&at| match choice {
            AxisChoice::Entropy => axes.entropies[at],
            AxisChoice::Variance { .. } => axes.spectrum[at],
        })
        .collect();
    // With the mean at the origin, the ratio after the first value belongs to 2 clusters.
    let (from, offset) = match choice {
        AxisChoice::Variance { center: true } => (0, 2),
        _ => (1, 1),
    };
    let floor = KERNEL_FLOOR * falling.iter().sum::<f64>();
    let ratio = |at: usize| falling[at] / (falling[at + 1] + floor);
    largest_ratio(from, falling.len(), offset, ratio)
}

/// A number of clusters, from 2 to [`MAX_EIGENGAP_CLUSTERS`], by the largest ratio λ_k+1 / (λ_k + 0.001)
/// of the eigenvalues of a normalised Laplacian; at least the number of connected components of the graph.
pub fn laplacian_eigengap(axes: &LaplacianAxes) -> usize {
    let rising = axes.eigenvalues();
    let ratio = |at: usize| rising[at + 1] / (rising[at] + LAPLACIAN_FLOOR);
    let found = largest_ratio(1, rising.len(), 1, ratio);
    found.max(axes.n_connected_components().min(MAX_EIGENGAP_CLUSTERS))
}

/// The position with the largest ratio, from `from` to the last but one of `len`, plus `offset`.
fn largest_ratio(from: usize, len: usize, offset: usize, ratio: impl Fn(usize) -> f64) -> usize {
    let last = (MAX_EIGENGAP_CLUSTERS + 1 - offset).min(len.saturating_sub(1));
    let best = (from..last).reduce(|best, at| if ratio(at) > ratio(best) { at } else { best });
    best.map_or_else(|| len.clamp(1, 2), |at| at + offset)
}
