//! How much each neighbour of a point counts.

use crate::numerics::neighbors::Neighbor;

/// w_j = exp(-(d_j / d_k)²), scaled to sum 1, for the `row` of a point's k neighbours, nearest first.
///
/// All weights are equal where the farthest neighbour is at distance 0.
pub(crate) fn neighbor_weights(row: &[Neighbor]) -> impl Iterator<Item = f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_fall_with_distance() {
        let row = |dist_sq: &[f64]| -> Vec<f64> {
            let neighbor = |(index, &dist_sq): (usize, &f64)| Neighbor { index, dist_sq };
            let row: Vec<Neighbor> = dist_sq.iter().enumerate().map(neighbor).collect();
            neighbor_weights(&row).collect()
        };
        let weights = row(&[0.0, 1.0, 4.0]);
        let total = 1.0 + (-0.25_f64).exp() + (-1.0_f64).exp();
        assert!((weights[0] - 1.0 / total).abs() < 1e-15);
        assert!((weights[1] - (-0.25_f64).exp() / total).abs() < 1e-15);
        assert!((weights[2] - (-1.0_f64).exp() / total).abs() < 1e-15);
        assert_eq!(row(&[0.0; 4]), [0.25; 4]);
        assert_eq!(row(&[f64::INFINITY; 2]), [0.5; 2]);
        assert!(row(&[]).is_empty());
    }
}
