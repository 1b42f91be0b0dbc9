//! The kernel while it is being learned, where it has far fewer dimensions than points.

use ndarray::{Array2, ArrayView2};

use super::comparison::Form;
use super::rows::Distances;
use crate::numerics::linalg::product;

/// C = F M F', with the features F fixed and M changed: of c points and r dimensions, a distance takes r²
/// multiplications and an update 3 r², whatever c.
#[derive(Debug, Clone)]
pub(super) struct Middle {
    features: Array2<f64>,
    /// M, row after row.
    inner: Vec<f64>,
    /// The largest diagonal entry of M at the last start.
    largest: f64,
    /// The largest diagonal entry of C at the last start: the size of what is rounded.
    scale: f64,
    /// Space for M u and M v.
    scratch: Vec<f64>,
}

impl Middle {
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

    /// Starts again at another M, of which the lower half is read.
    pub(super) fn reset(&mut self, middle: ArrayView2<'_, f64>) {
        let r = self.dims();
        for i in 0..r {
            for j in 0..r {
                self.inner[i * r + j] = middle[[i.max(j), i.min(j)]];
            }
        }
        self.largest = self.largest_of_middle();
        let diagonal = (0..self.len()).map(|i| self.value(i, i));
        self.scale = diagonal.fold(0.0, f64::max);
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.features.nrows()
    }

    /// The number of dimensions.
    pub(super) fn dims(&self) -> usize {
        self.features.ncols()
    }

    /// C.
    pub(super) fn current(&self) -> Array2<f64> {
        let r = self.dims();
        let middle = Array2::from_shape_fn((r, r), |(i, j)| self.inner[i * r + j]);
        let half = product(self.features.view(), middle.view());
        let gram = product(half.view(), self.features.t());
        (&gram + &gram.t()) / 2.0
    }

    /// How many times larger the largest value of M is than at the last start.
    pub(super) fn growth(&self) -> f64 {
        self.largest_of_middle() / self.largest.max(f64::MIN_POSITIVE)
    }

    fn largest_of_middle(&self) -> f64 {
        let diagonal = self.inner.iter().step_by(self.dims() + 1);
        diagonal.copied().fold(0.0, f64::max)
    }

    /// About how far off a distance may be by rounding.
    pub(super) fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * self.scale
    }

    /// One value of C.
    pub(super) fn value(&self, i: usize, j: usize) -> f64 {
        let (x, y) = (self.row(i), self.row(j));
        let rows = self.inner.chunks_exact(self.dims().max(1));
        x.iter().zip(rows).map(|(x, row)| x * dot(row, y)).sum()
    }

    fn row(&self, i: usize) -> &[f64] {
        let r = self.dims();
        self.features
            .as_slice()
            .map_or(&[], |all| &all[i * r..(i + 1) * r])
    }

    /// M (F_a - F_b).
    fn pulled(&self, a: usize, b: usize, out: &mut [f64]) {
        let (x, y) = (self.row(a), self.row(b));
        for (out, row) in out
            .iter_mut()
            .zip(self.inner.chunks_exact(self.dims().max(1)))
        {
            *out = row
                .iter()
                .zip(x.iter().zip(y))
                .map(|(m, (x, y))| m * (x - y))
                .sum();
        }
    }

    /// C += β (Cz)(Cz)' with z = e_a - e_b.
    pub(super) fn update_pair(&mut self, a: usize, b: usize, factor: f64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let w = &mut scratch[..self.features.ncols()];
        self.pulled(a, b, w);
        let r = w.len().max(1);
        for (row, &x) in self.inner.chunks_exact_mut(r).zip(&*w) {
            for (m, y) in row.iter_mut().zip(&*w) {
                *m += factor * x * y;
            }
        }
        self.scratch = scratch;
    }

    /// C += W Q W' with W = [Cu Cv], u = e_i - e_j, v = e_i - e_k and Q symmetric, given as
    /// (q11, q12, q22).
    pub(super) fn update_comparison(
        &mut self,
        [i, j, k]: [usize; 3],
        (q11, q12, q22): (f64, f64, f64),
    ) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (u, v) = scratch.split_at_mut(self.features.ncols());
        self.pulled(i, j, u);
        self.pulled(i, k, v);
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

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

impl Distances for Middle {
    fn dist_sq(&self, a: usize, b: usize) -> f64 {
        let (x, y) = (self.row(a), self.row(b));
        let rows = self.inner.chunks_exact(self.dims().max(1));
        let differences = || x.iter().zip(y).map(|(x, y)| x - y);
        rows.zip(differences())
            .map(|(row, d)| {
                d * row
                    .iter()
                    .zip(differences())
                    .map(|(m, d)| m * d)
                    .sum::<f64>()
            })
            .sum()
    }

    fn form(&self, i: usize, j: usize, k: usize) -> Form {
        // u - v = e_k - e_j.
        let (uu, vv) = (self.dist_sq(i, j), self.dist_sq(i, k));
        Form {
            uu,
            uv: (uu + vv - self.dist_sq(j, k)) / 2.0,
            vv,
        }
    }
}

#[cfg(test)]
mod tests;
