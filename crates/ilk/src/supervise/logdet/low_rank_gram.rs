//! The kernel during learning, where it has far fewer dimensions than points.

use ndarray::{Array2, ArrayView2};

use super::{comparison::Form, current_gram::CurrentGram, factor::GramAtDuals, rows::Distances};
use crate::numerics::{linalg::product, rows_of};

/// C = F M F', with the features F fixed and M changed: of c points and r dimensions, a distance takes r²
/// multiplications and an update 3 r², whatever c.
#[derive(Debug, Clone)]
pub(super) struct LowRankGram {
    features: Array2<f64>,
    /// M, row after row.
    inner: Vec<f64>,
    /// The largest diagonal entry of M at the last reset.
    largest: f64,
    /// The largest diagonal entry of C at the last reset.
    scale: f64,
    /// Space for M u and M v.
    scratch: Vec<f64>,
}

impl LowRankGram {
    /// The state at M = I.
    pub(super) fn new(features: Array2<f64>) -> Self {
        let r = features.ncols();
        let mut state = Self {
            features: features.as_standard_layout().into_owned(),
            inner: vec![0.0; r * r],
            largest: 0.0,
            scale: 0.0,
            scratch: vec![0.0; 2 * r],
        };
        state.reset(Array2::eye(r).view());
        state
    }

    /// Resets M to another matrix, of which the lower half is read.
    fn reset(&mut self, inner: ArrayView2<'_, f64>) {
        let r = self.dims();
        for i in 0..r {
            for j in 0..r {
                self.inner[i * r + j] = inner[[i.max(j), i.min(j)]];
            }
        }
        self.largest = self.largest_inner();
        let diagonal = (0..self.len()).map(|i| self.value(i, i));
        self.scale = diagonal.fold(0.0, f64::max);
    }

    /// The number of dimensions.
    fn dims(&self) -> usize {
        self.features.ncols()
    }

    fn largest_inner(&self) -> f64 {
        let diagonal = self.inner.iter().step_by(self.dims() + 1);
        diagonal.copied().fold(0.0, f64::max)
    }

    fn row(&self, i: usize) -> &[f64] {
        let r = self.dims();
        &rows_of(&self.features)[i * r..(i + 1) * r]
    }

    /// M (F_a - F_b).
    fn times_difference(&self, a: usize, b: usize, out: &mut [f64]) {
        let (x, y) = (self.row(a), self.row(b));
        let rows = self.inner.chunks_exact(self.dims().max(1));
        for (out, row) in out.iter_mut().zip(rows) {
            let entries = row.iter().zip(x.iter().zip(y));
            *out = entries.map(|(m, (x, y))| m * (x - y)).sum();
        }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

impl CurrentGram for LowRankGram {
    fn len(&self) -> usize {
        self.features.nrows()
    }

    fn work(&self) -> [f64; 2] {
        [1.0, 3.0].map(|factor| factor * (self.dims() * self.dims()) as f64)
    }

    fn reset_to(&mut self, learned: &GramAtDuals) {
        let inverse = learned.middle.solve(Array2::eye(self.dims()).view());
        self.reset(inverse.view());
    }

    fn current(&mut self) -> Array2<f64> {
        let r = self.dims();
        let middle = Array2::from_shape_fn((r, r), |(i, j)| self.inner[i * r + j]);
        let half = product(self.features.view(), middle.view());
        let gram = product(half.view(), self.features.t());
        (&gram + &gram.t()) / 2.0
    }

    fn value(&self, i: usize, j: usize) -> f64 {
        let (x, y) = (self.row(i), self.row(j));
        let rows = self.inner.chunks_exact(self.dims().max(1));
        x.iter().zip(rows).map(|(x, row)| x * dot(row, y)).sum()
    }

    fn growth(&self) -> f64 {
        self.largest_inner() / self.largest.max(f64::MIN_POSITIVE)
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn update_pair(&mut self, a: usize, b: usize, factor: f64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let w = &mut scratch[..self.features.ncols()];
        self.times_difference(a, b, w);
        let r = w.len().max(1);
        for (row, &x) in self.inner.chunks_exact_mut(r).zip(&*w) {
            for (m, y) in row.iter_mut().zip(&*w) {
                *m += factor * x * y;
            }
        }
        self.scratch = scratch;
    }

    fn update_comparison(&mut self, [i, j, k]: [usize; 3], (q11, q12, q22): (f64, f64, f64)) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (u, v) = scratch.split_at_mut(self.features.ncols());
        self.times_difference(i, j, u);
        self.times_difference(i, k, v);
        let r = u.len().max(1);
        for (row, (&x, &y)) in self.inner.chunks_exact_mut(r).zip(u.iter().zip(&*v)) {
            let (along_u, along_v) = (q11 * x + q12 * y, q12 * x + q22 * y);
            for (m, (u, v)) in row.iter_mut().zip(u.iter().zip(&*v)) {
                *m += along_u * u + along_v * v;
            }
        }
        self.scratch = scratch;
    }
}

impl Distances for LowRankGram {
    fn dist_sq(&self, a: usize, b: usize) -> f64 {
        let (x, y) = (self.row(a), self.row(b));
        let rows = self.inner.chunks_exact(self.dims().max(1));
        let differences = || x.iter().zip(y).map(|(x, y)| x - y);
        let along = |row: &[f64]| row.iter().zip(differences()).map(|(m, d)| m * d).sum::<f64>();
        rows.zip(differences()).map(|(row, d)| d * along(row)).sum()
    }

    fn form(&self, i: usize, j: usize, k: usize) -> Form {
        // u - v = e_k - e_j.
        let (uu, vv) = (self.dist_sq(i, j), self.dist_sq(i, k));
        Form { uu, uv: (uu + vv - self.dist_sq(j, k)) / 2.0, vv }
    }
}

#[cfg(test)]
mod tests;
