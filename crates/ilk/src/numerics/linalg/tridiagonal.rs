//! The decomposition of a large symmetric matrix in steps between which it may be cancelled.
//!
//! A = Q T Qᵀ with T tridiagonal and Q a product of Householder reflections H = I - τ v vᵀ, a panel of them at a time
//! (Dongarra, Sorensen and Hammarling 1989); T = Z Λ Zᵀ by divide and conquer; the eigenvectors of A are Q Z. faer does
//! the same in one call, which cannot be cancelled.

use faer::diag::{DiagMut, DiagRef};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{
    ComputeEigenvectors, self_adjoint_evd_scratch, tridiagonal_self_adjoint_evd,
};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, s};
use rayon::prelude::*;

use super::{parallelism, product, rows_of, rows_of_mut, times_both_ways};
use crate::{Error, Result};

/// Asks whether to go on; an error ends the work.
pub(crate) type Ask<'a> = &'a (dyn Fn() -> Result<()> + Sync + 'a);

/// Reflections of a panel.
const PANEL: usize = 32;

/// Pieces of a product with the matrix, whatever the number of threads, so that sums do not depend on it.
const PIECES: usize = 8;

/// Rows that are updated, or eigenvectors that are turned back, at a time.
const ROWS: usize = 64;

/// All eigenvalues of a symmetric matrix, ascending, and the eigenvectors of the `k` largest, in rows, the largest last.
/// Only the lower half of the matrix is read.
///
/// # Errors
/// Those of `ask`, and [`Error::NoConvergence`].
pub(super) fn eigen_in_steps(
    a: Array2<f64>,
    k: usize,
    ask: Ask<'_>,
) -> Result<(Vec<f64>, Array2<f64>)> {
    let n = a.nrows();
    let reduced = Tridiagonal::new(a, ask)?;
    let mut values = vec![0.0; n];
    let mut vectors = Array2::zeros((n, n));
    let scratch = self_adjoint_evd_scratch::<f64>(
        n,
        ComputeEigenvectors::Yes,
        parallelism(),
        faer::Spec::default(),
    );
    tridiagonal_self_adjoint_evd(
        DiagRef::from_slice(&reduced.diagonal),
        DiagRef::from_slice(&reduced.beside),
        DiagMut::from_slice_mut(&mut values),
        Some(MatMut::from_column_major_slice_mut(rows_of_mut(&mut vectors), n, n)),
        parallelism(),
        MemStack::new(&mut MemBuffer::new(scratch)),
        faer::Spec::default(),
    )
    .map_err(|_| Error::NoConvergence)?;
    let mut vectors = vectors.slice_move(s![n - k.., ..]).as_standard_layout().into_owned();
    reduced.turn_back(&mut vectors, ask)?;
    Ok((values, vectors))
}

/// A tridiagonal matrix T, and the reflections that lead to it.
struct Tridiagonal {
    diagonal: Vec<f64>,
    /// The entries beside the diagonal; the last is 0.
    beside: Vec<f64>,
    /// v of reflection j in row j, from column j + 1 on.
    reflections: Array2<f64>,
    /// τ of every reflection.
    taus: Vec<f64>,
}

impl Tridiagonal {
    /// Reduces a symmetric matrix of which the lower half is read. Its upper half is where the reflections are kept.
    fn new(mut a: Array2<f64>, ask: Ask<'_>) -> Result<Self> {
        let n = a.nrows();
        let (mut diagonal, mut beside, mut taus) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for from in (0..n).step_by(PANEL) {
            let to = n.min(from + PANEL);
            // Rows v and w of the panel, from column `from` on: A is to lose Σ v wᵀ + w vᵀ.
            let mut v = Array2::<f64>::zeros((to - from, n - from));
            let mut w = Array2::<f64>::zeros((to - from, n - from));
            for j in from..to {
                ask()?;
                let (at, done) = (j - from, j - from);
                let mut column: Vec<f64> = a.slice(s![j.., j]).to_vec();
                for p in 0..done {
                    let (v_j, w_j) = (v[[p, at]], w[[p, at]]);
                    let both = v.row(p).slice_move(s![at..]).into_iter().zip(w.slice(s![p, at..]));
                    for (x, (v, w)) in column.iter_mut().zip(both) {
                        *x -= v * w_j + w * v_j;
                    }
                }
                diagonal[j] = column[0];
                let reflected = &mut column[1..];
                if reflected.is_empty() {
                    break;
                }
                (beside[j], taus[j]) = reflect(reflected);
                let tau = taus[j];
                let mut image = lower_times(&a, j + 1, reflected);
                for p in 0..done {
                    let (v, w) = (v.slice(s![p, at + 1..]), w.slice(s![p, at + 1..]));
                    let (mut along_v, mut along_w) = (0.0, 0.0);
                    for ((x, v), w) in reflected.iter().zip(&v).zip(&w) {
                        along_v += x * v;
                        along_w += x * w;
                    }
                    for ((y, v), w) in image.iter_mut().zip(&v).zip(&w) {
                        *y -= v * along_w + w * along_v;
                    }
                }
                let along: f64 = image.iter().zip(&*reflected).map(|(y, x)| tau * y * x).sum();
                for (y, x) in image.iter_mut().zip(&*reflected) {
                    *y = tau * (*y - 0.5 * along * x);
                }
                for (column, (&x, &y)) in (at + 1..).zip(reflected.iter().zip(&image)) {
                    v[[done, column]] = x;
                    w[[done, column]] = y;
                    a[[j, from + column]] = x;
                }
            }
            subtract_from_lower(&mut a, to, &v, &w, to - from);
        }
        Ok(Self { diagonal, beside, reflections: a, taus })
    }

    /// Turns eigenvectors of T, in rows, into those of the matrix: Q z, with Q the product of all reflections.
    fn turn_back(&self, vectors: &mut Array2<f64>, ask: Ask<'_>) -> Result<()> {
        let n = self.taus.len();
        let panels: Vec<usize> = (0..n).step_by(PANEL).collect();
        for &from in panels.iter().rev() {
            ask()?;
            let to = n.min(from + PANEL);
            // The reflections of a panel are I - V T Vᵀ with T upper triangular, V in rows here.
            let mut v = Array2::<f64>::zeros((to - from, n - from));
            for j in from..to {
                let reflection = self.reflections.slice(s![j, j + 1..]);
                v.slice_mut(s![j - from, j - from + 1..]).assign(&reflection);
            }
            let inner = product(v.view(), v.t());
            let mut t = Array2::<f64>::zeros((to - from, to - from));
            for p in 0..to - from {
                let tau = self.taus[from + p];
                let before = t.slice(s![..p, ..p]).dot(&inner.slice(s![..p, p]));
                t.slice_mut(s![..p, p]).assign(&(before * -tau));
                t[[p, p]] = tau;
            }
            // (I - V T Vᵀ) z is, of rows, z - (z V) Tᵀ Vᵀ.
            let turned = product(t.t(), v.view());
            rows_of_mut(vectors).par_chunks_mut(ROWS * n).for_each(|rows| {
                let (count, panel, length) = (rows.len() / n, to - from, n - from);
                let mut along = vec![0.0; count * panel];
                matmul(
                    MatMut::from_row_major_slice_mut(&mut along, count, panel),
                    Accum::Replace,
                    MatRef::from_row_major_slice(rows, count, n).subcols(from, length),
                    MatRef::from_row_major_slice(rows_of(&v), panel, length).transpose(),
                    1.0,
                    Par::Seq,
                );
                matmul(
                    MatMut::from_row_major_slice_mut(rows, count, n).subcols_mut(from, length),
                    Accum::Add,
                    MatRef::from_row_major_slice(&along, count, panel),
                    MatRef::from_row_major_slice(rows_of(&turned), panel, length),
                    -1.0,
                    Par::Seq,
                );
            });
        }
        Ok(())
    }
}

/// Replaces x by v with v_0 = 1, such that (I - τ v vᵀ) x is β along the first axis; returns β and τ.
fn reflect(x: &mut [f64]) -> (f64, f64) {
    let first = x[0];
    let rest_sq: f64 = x[1..].iter().map(|x| x * x).sum();
    x[0] = 1.0;
    if rest_sq == 0.0 {
        return (first, 0.0);
    }
    let beta = -first.signum() * (first * first + rest_sq).sqrt();
    for x in &mut x[1..] {
        *x /= first - beta;
    }
    (beta, (beta - first) / beta)
}

/// The product of the symmetric matrix of which this is the lower half, from row and column `from` on, with x.
fn lower_times(a: &Array2<f64>, from: usize, x: &[f64]) -> Vec<f64> {
    let n = x.len();
    // The rows of a piece have about an equal share of the half.
    let end = |piece: usize| (n as f64 * (piece as f64 / PIECES as f64).sqrt()).round() as usize;
    let parts: Vec<Vec<f64>> = (0..PIECES)
        .into_par_iter()
        .map(|piece| {
            let mut y = vec![0.0; end(piece + 1)];
            for i in end(piece)..end(piece + 1) {
                let row = a.slice(s![from + i, from..=from + i]);
                let (before, own) = rows_of(&row).split_at(i);
                y[i] += own[0] * x[i] + times_both_ways(before, &x[..i], x[i], &mut y[..i]);
            }
            y
        })
        .collect();
    let mut sum = vec![0.0; n];
    for part in parts {
        for (sum, y) in sum.iter_mut().zip(part) {
            *sum += y;
        }
    }
    sum
}

/// Subtracts v wᵀ + w vᵀ, summed over the rows of both, from the lower half of the matrix from row and column `start` on;
/// column `offset` of v and w belongs to it.
fn subtract_from_lower(
    a: &mut Array2<f64>,
    start: usize,
    v: &Array2<f64>,
    w: &Array2<f64>,
    offset: usize,
) {
    let (n, panel) = (a.nrows(), v.nrows());
    let length = v.ncols();
    rows_of_mut(a)[start * n..].par_chunks_mut(ROWS * n).enumerate().for_each(|(block, rows)| {
        let count = rows.len() / n;
        let before = block * ROWS;
        let width = before + count;
        let mut target = MatMut::from_row_major_slice_mut(rows, count, n).subcols_mut(start, width);
        for (left, right) in [(v, w), (w, v)] {
            let left = MatRef::from_row_major_slice(rows_of(left), panel, length);
            let right = MatRef::from_row_major_slice(rows_of(right), panel, length);
            matmul(
                target.as_mut(),
                Accum::Add,
                left.subcols(offset + before, count).transpose(),
                right.subcols(offset, width),
                -1.0,
                Par::Seq,
            );
        }
    });
}

#[cfg(test)]
mod tests;
