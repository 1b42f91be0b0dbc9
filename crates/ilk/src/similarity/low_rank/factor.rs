//! The factor of a pivoted Cholesky, as it grows.

use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

use super::pivots::Leading;
use crate::numerics::linalg::{inverse_lower, product_into, subtract_product_into};
use crate::{numerics::rows_of_mut, similarity::KernelValues};

/// Rows that are handled together.
const CHUNK: usize = 1024;

/// Columns that are stored together.
const PANEL: usize = 64;

/// L, of which columns are added, and what it leaves of the diagonal.
///
/// Rows are in chunks and the columns of a chunk in panels, so that growing copies nothing and the
/// products that a new block of columns takes are between small dense matrices.
#[derive(Debug)]
pub(super) struct CholeskyFactor {
    /// The points whose columns are in the factor, in the order in which they were chosen.
    pub(super) pivots: Vec<usize>,
    /// d_i = k_ii - |l_i|², 0 for pivots.
    pub(super) residuals: Vec<f64>,
    chunks: Vec<Chunk>,
}

/// Panels of some rows, each with [`PANEL`] columns stored row by row.
#[derive(Debug, Default)]
struct Chunk {
    panels: Vec<Vec<f64>>,
}

impl CholeskyFactor {
    /// No columns yet.
    pub(super) fn new(diagonal: Vec<f64>) -> Self {
        let mut chunks = Vec::new();
        chunks.resize_with(diagonal.len().div_ceil(CHUNK), Chunk::default);
        Self { pivots: Vec::new(), residuals: diagonal, chunks }
    }

    /// Number of columns.
    pub(super) fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Copies the row of a point.
    pub(super) fn copy_row(&self, point: usize, out: &mut [f64]) {
        let chunk = &self.chunks[point / CHUNK];
        let at = point % CHUNK * PANEL;
        for (out, panel) in out.chunks_mut(PANEL).zip(&chunk.panels) {
            out.copy_from_slice(&panel[at..at + out.len()]);
        }
    }

    /// The rows of some points.
    pub(super) fn rows(&self, points: &[usize]) -> Array2<f64> {
        let mut rows = Array2::zeros((points.len(), self.rank()));
        if self.rank() > 0 {
            rows_of_mut(&mut rows)
                .par_chunks_mut(self.rank())
                .with_min_len(64)
                .zip(points)
                .for_each(|(out, &point)| self.copy_row(point, out));
        }
        rows
    }

    /// Adds the columns of the next pivots, and returns how much of the trace each takes.
    ///
    /// With P the pivots, T their rows in the new columns and L the columns so far, the new ones are
    /// (K_:P - L L_Pᵀ) T^-ᵀ.
    pub(super) fn extend(&mut self, values: &KernelValues<'_>, leading: &Leading) -> Vec<f64> {
        let (from, width) = (self.rank(), leading.pivots.len());
        let old = self.rows(&leading.pivots);
        let old = old.t();
        let inverse = inverse_lower(leading.rows.view());
        let inverse = inverse.t();
        let taken = values.with_columns(&leading.pivots, |fill| {
            self.chunks
                .par_iter_mut()
                .zip(self.residuals.par_chunks_mut(CHUNK))
                .enumerate()
                .map_init(Vec::new, |scratch, (at, (chunk, residuals))| {
                    let rows = at * CHUNK..at * CHUNK + residuals.len();
                    scratch.resize(2 * rows.len() * width, 0.0);
                    let (block, columns) = scratch.split_at_mut(rows.len() * width);
                    fill(rows.clone(), block);
                    chunk.subtract(old, block);
                    product_into(block, inverse, columns);
                    for (s, &pivot) in leading.pivots.iter().enumerate() {
                        if rows.contains(&pivot) {
                            let own = leading.rows.row(s);
                            let out = &mut columns[(pivot - rows.start) * width..][..width];
                            out.iter_mut().zip(own).for_each(|(out, own)| *out = *own);
                        }
                    }
                    chunk.push(from, width, columns);
                    let mut taken = vec![0.0; width];
                    for (residual, row) in residuals.iter_mut().zip(columns.chunks_exact(width)) {
                        for (taken, l) in taken.iter_mut().zip(row) {
                            *taken += l * l;
                            *residual -= l * l;
                        }
                    }
                    taken
                })
                .collect::<Vec<_>>()
        });
        for &pivot in &leading.pivots {
            self.residuals[pivot] = 0.0;
        }
        self.pivots.extend_from_slice(&leading.pivots);
        (0..width).map(|t| taken.iter().map(|taken| taken[t]).sum()).collect()
    }

    /// The features: L row by row. Every chunk is freed as soon as it is copied, so that there is
    /// never a second L.
    pub(super) fn into_features(self) -> Array2<f64> {
        let (n, rank) = (self.residuals.len(), self.rank());
        let mut features = Array2::zeros((n, rank));
        for (at, chunk) in self.chunks.into_iter().enumerate() {
            let rows = at * CHUNK..n.min((at + 1) * CHUNK);
            for (p, panel) in chunk.panels.iter().enumerate() {
                let columns = p * PANEL..rank.min((p + 1) * PANEL);
                if columns.is_empty() {
                    break;
                }
                let panel = ArrayView2::from_shape((rows.len(), PANEL), panel);
                let panel = panel.expect("a panel has whole rows");
                features
                    .slice_mut(s![rows.clone(), columns.clone()])
                    .assign(&panel.slice(s![.., ..columns.len()]));
            }
        }
        features
    }
}

impl Chunk {
    /// Subtracts the product of the rows so far with `right`, a row a column, from `block`.
    fn subtract(&self, right: ArrayView2<'_, f64>, block: &mut [f64]) {
        for (p, panel) in self.panels.iter().enumerate() {
            let columns = p * PANEL..right.nrows().min((p + 1) * PANEL);
            subtract_product_into(panel, PANEL, right.slice(s![columns, ..]), block);
        }
    }

    /// Appends columns, given row by row, to the `from` that there are.
    fn push(&mut self, from: usize, width: usize, columns: &[f64]) {
        let rows = columns.len() / width;
        let panels = (from + width).div_ceil(PANEL);
        self.panels.resize_with(panels, || vec![0.0; rows * PANEL]);
        for t in 0..width {
            let panel = &mut self.panels[(from + t) / PANEL];
            let column = (from + t) % PANEL;
            for i in 0..rows {
                panel[i * PANEL + column] = columns[i * width + t];
            }
        }
    }
}
