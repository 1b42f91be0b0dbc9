//! Every point against every query, in tiles.

use ndarray::ArrayView2;

use super::Neighbor;
use super::best::Best;
use crate::numerics::distances::Panels;

/// Points that a group of queries meets before the next ones are loaded: with 16 to 100 dimensions
/// they stay in the second-level cache.
const TILE: usize = 512;

/// No index at all: in many dimensions every box of a tree touches every ball anyhow.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    panels: Panels,
}

impl Scan {
    pub(super) fn new(points: ArrayView2<'_, f64>) -> Self {
        Self {
            panels: Panels::new(points),
        }
    }

    pub(super) fn copy_point(&self, row: usize, out: &mut [f64]) {
        self.panels.copy_point(row, out);
    }

    /// Offers every point to every query's best.
    pub(super) fn nearest(&self, queries: &[f64], best: &mut [Best]) {
        let mut tile = vec![0.0; best.len() * TILE];
        for start in (0..self.panels.len()).step_by(TILE) {
            let columns = start..(start + TILE).min(self.panels.len());
            let width = columns.len();
            let tile = &mut tile[..best.len() * width];
            self.panels.dist_sq(queries, columns, tile);
            for (row, best) in tile.chunks_exact(width).zip(best.iter_mut()) {
                best.offer_all(|j| start + j, row);
            }
        }
    }

    pub(super) fn visit_within(
        &self,
        query: &[f64],
        radius_sq: f64,
        mut visit: impl FnMut(Neighbor),
    ) {
        let mut tile = [0.0; TILE];
        for start in (0..self.panels.len()).step_by(TILE) {
            let columns = start..(start + TILE).min(self.panels.len());
            let tile = &mut tile[..columns.len()];
            self.panels.dist_sq(query, columns, tile);
            for (j, &dist_sq) in tile.iter().enumerate() {
                if dist_sq <= radius_sq {
                    let index = start + j;
                    visit(Neighbor { index, dist_sq });
                }
            }
        }
    }
}
