//! How much each neighbour of a point counts.

use crate::numerics::neighbors::Neighbor;

/// w_j = exp(-(d_j / d_k)²) for the `row` of a point's k neighbours, nearest first, scaled to sum 1.
///
/// Where the farthest neighbour is at distance 0 all count the same.
pub(super) fn weigh(row: &[Neighbor]) -> impl Iterator<Item = f64> {
    let reach_sq = row.last().map_or(0.0, |farthest| farthest.dist_sq);
    // Written so that 0/0 and ∞/∞ are the farthest neighbour's share, 1.
    let weight = move |neighbor: &Neighbor| {
        let share = if neighbor.dist_sq < reach_sq {
            neighbor.dist_sq / reach_sq
        } else {
            1.0
        };
        (-share).exp()
    };
    let total: f64 = row.iter().map(weight).sum();
    row.iter().map(move |neighbor| weight(neighbor) / total)
}
