//! How much each neighbour of a point counts.

use crate::numerics::neighbors::Neighbor;

/// w_j = exp(-(d_j / d_k)²), scaled to sum 1, for the `row` of a point's k neighbours, nearest first.
///
/// All weights are equal where the farthest neighbour is at distance 0.
pub(super) fn neighbor_weights(row: &[Neighbor]) -> impl Iterator<Item = f64> {
    let radius_sq = row.last().map_or(0.0, |farthest| farthest.dist_sq);
    let weight = move |neighbor: &Neighbor| {
        // The comparison gives 0 / 0 and ∞ / ∞ the value 1.
        let ratio_sq =
            if neighbor.dist_sq < radius_sq { neighbor.dist_sq / radius_sq } else { 1.0 };
        (-ratio_sq).exp()
    };
    let total: f64 = row.iter().map(weight).sum();
    row.iter().map(move |neighbor| weight(neighbor) / total)
}
