//! How well the clusters of a grouping are separated, by the data alone.

use ndarray::{Array2, ArrayRef2};

use crate::Result;
use crate::embed::{CLUSTERING_TOLERANCE, Laplacian, LaplacianAxes};
use crate::group::Label;
use crate::numerics::distances::dist_sq;
use crate::numerics::sparse::Sparse;
use crate::problem::{Graph, Points};

/// The mean silhouette of all points (Rousseeuw 1987): (b - a) / max(a, b), with a the mean distance to the other
/// points of the cluster, and b that to the points of the nearest other cluster. A point that is alone has 0, as has
/// one without a cluster. Points count by their weights.
pub(crate) fn silhouette(
    distances: &ArrayRef2<f64>,
    weights: Option<&[f64]>,
    labels: &[Label],
    k: usize,
) -> f64 {
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut masses = vec![0.0; k];
    for (i, label) in labels.iter().enumerate() {
        if let Some(cluster) = *label {
            masses[cluster] += weight(i);
        }
    }
    let (mut sum, mut mass) = (0.0, 0.0);
    for (i, label) in labels.iter().enumerate() {
        mass += weight(i);
        let Some(own) = *label else { continue };
        let mut sums = vec![0.0; k];
        for (j, (distance, label)) in distances.row(i).iter().zip(labels).enumerate() {
            if let Some(cluster) = *label {
                sums[cluster] += weight(j) * distance;
            }
        }
        let others = masses[own] - weight(i);
        // What is left of a sum after the only point of a cluster is taken from it may be a rounding error.
        if others <= 1e-12 * masses[own] {
            continue;
        }
        let within = sums[own] / others;
        let others = (0..k).filter(|&cluster| cluster != own && masses[cluster] > 0.0);
        let between = others.map(|c| sums[c] / masses[c]).fold(f64::INFINITY, f64::min);
        let larger = within.max(between);
        if between.is_finite() && larger > 0.0 {
            sum += weight(i) * (between - within) / larger;
        }
    }
    if mass > 0.0 { sum / mass } else { 0.0 }
}

/// The distances between points.
pub(crate) fn point_distances(points: &Points) -> Array2<f64> {
    let n = points.len();
    let mut distances = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..i {
            let distance = dist_sq(points.row(i), points.row(j)).sqrt();
            distances[[i, j]] = distance;
            distances[[j, i]] = distance;
        }
    }
    distances
}

/// The distances in the space of a kernel.
pub(crate) fn kernel_distances(kernel: &ArrayRef2<f64>) -> Array2<f64> {
    Array2::from_shape_fn(kernel.dim(), |(i, j)| {
        (kernel[[i, i]] + kernel[[j, j]] - 2.0 * kernel[[i, j]]).max(0.0).sqrt()
    })
}

/// Added to the denominator of a ratio of eigenvalues: a gap among tiny ones is noise.
const EIGENVALUE_FLOOR: f64 = 1e-3;

/// For 2 to `most` clusters, the gap λ_k+1 / (λ_k + 0.001) in the spectrum of the normalised Laplacian, as a share of the
/// largest one.
pub(super) fn eigengaps(graph: &Graph, most: usize) -> Result<Vec<f64>> {
    let count = (most + 1).min(graph.len());
    let axes = LaplacianAxes::new(graph, Laplacian::Sym, count, CLUSTERING_TOLERANCE)?;
    let values = axes.eigenvalues();
    let ratios: Vec<f64> =
        (2..values.len()).map(|k| values[k] / (values[k - 1] + EIGENVALUE_FLOOR)).collect();
    let largest = ratios.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    Ok(ratios.into_iter().map(|ratio| ratio / largest).collect())
}

/// The modularity of partitions of a graph (Newman and Girvan 2004).
pub(crate) struct Modularity<'a> {
    links: &'a Sparse,
    degrees: Vec<f64>,
    total: f64,
}

impl<'a> Modularity<'a> {
    pub(crate) fn new(links: &'a Sparse) -> Self {
        let degrees = links.row_sums();
        let total = degrees.iter().sum();
        Self { links, degrees, total }
    }

    /// The share of the links within clusters, less what it would be if nodes kept their degrees and were linked at
    /// random.
    pub(crate) fn of(&self, labels: &[Label], k: usize) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let (mut within, mut of_cluster) = (0.0, vec![0.0; k]);
        for (i, label) in labels.iter().enumerate() {
            let Some(cluster) = *label else { continue };
            of_cluster[cluster] += self.degrees[i];
            let inside = self.links.entries(i).filter(|&(j, _)| labels[j] == Some(cluster));
            within += inside.map(|(_, weight)| weight).sum::<f64>();
        }
        let expected: f64 = of_cluster.iter().map(|degree| (degree / self.total).powi(2)).sum();
        within / self.total - expected
    }
}
