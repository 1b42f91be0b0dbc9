//! Every point against every query, in tiles. There is no index: in many dimensions every box of a
//! tree touches every ball anyhow.

use super::{Neighbor, k_nearest::KNearest};
use crate::numerics::distances::Panels;

/// Points that a group of queries meets before the next ones are loaded: with 16 to 100 dimensions
/// they stay in the second-level cache.
const TILE: usize = 512;

/// Offers every point to every query's best.
pub(super) fn nearest(points: &Panels, queries: &[f64], best: &mut [KNearest]) {
    let mut tile = vec![0.0; best.len() * TILE];
    for start in (0..points.len()).step_by(TILE) {
        let columns = start..(start + TILE).min(points.len());
        let width = columns.len();
        let tile = &mut tile[..best.len() * width];
        points.dist_sq(queries, columns, tile);
        for (row, best) in tile.chunks_exact(width).zip(best.iter_mut()) {
            best.offer_all(start, row);
        }
    }
}

/// Calls `visit` with every point within the radius.
pub(super) fn visit_within(
    points: &Panels,
    query: &[f64],
    radius_sq: f64,
    mut visit: impl FnMut(Neighbor),
) {
    let mut tile = [0.0; TILE];
    for start in (0..points.len()).step_by(TILE) {
        let columns = start..(start + TILE).min(points.len());
        let tile = &mut tile[..columns.len()];
        points.dist_sq(query, columns, tile);
        for (index, &dist_sq) in (start..).zip(tile.iter()) {
            if dist_sq <= radius_sq {
                visit(Neighbor { index, dist_sq });
            }
        }
    }
}
