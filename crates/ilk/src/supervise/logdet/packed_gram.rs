//! The kernel on the constrained points during learning, as a packed symmetric matrix.

use ndarray::{Array2, ArrayView2};

use super::{comparison::Form, current_gram::CurrentGram, factor::GramAtDuals, rows::Distances};
use crate::numerics::rank_updates::{LANES, PENDING, add_combination, add_rank_updates};

/// A symmetric matrix C that changes by many small-rank updates.
///
/// Only its lower half is stored, in panels of eight columns: panel b holds columns 8b to 8b + 7 of
/// the rows from 8b on, row after row, so that an update runs straight through memory. Up to
/// [`PENDING`] updates β w w' are kept as vectors, and every value that is read has them added; when
/// there is no room for another, all are added to the panels in one pass, eight multiplications a
/// number that is loaded and stored.
#[derive(Debug, Clone)]
pub(super) struct PackedGram {
    c: usize,
    /// c rounded up to whole panels.
    width: usize,
    panels: Vec<f64>,
    /// Where each panel starts.
    starts: Vec<usize>,
    /// Pending vectors w, each of `width`.
    vectors: Vec<f64>,
    /// Their factors β.
    factors: [f64; PENDING],
    n_pending: usize,
    /// β w of each pending update, interleaved: [`PENDING`] numbers a row.
    scaled: Vec<f64>,
    /// The largest diagonal entry at the last reset.
    scale: f64,
    /// Space for the two vectors of a comparison.
    scratch: Vec<f64>,
}

impl PackedGram {
    /// The state at a symmetric matrix, of which only the lower half is read.
    pub(super) fn new(gram: ArrayView2<'_, f64>) -> Self {
        let c = gram.nrows();
        let n_panels = c.div_ceil(LANES);
        let mut starts = Vec::with_capacity(n_panels);
        let mut size = 0;
        for panel in 0..n_panels {
            starts.push(size);
            size += (c - panel * LANES) * LANES;
        }
        let width = n_panels * LANES;
        let mut state = Self {
            c,
            width,
            panels: vec![0.0; size],
            starts,
            vectors: vec![0.0; PENDING * width],
            factors: [0.0; PENDING],
            n_pending: 0,
            scaled: vec![0.0; PENDING * width],
            scale: 0.0,
            scratch: vec![0.0; 2 * width],
        };
        state.reset(gram);
        state
    }

    /// Resets to another matrix of the same size.
    fn reset(&mut self, gram: ArrayView2<'_, f64>) {
        self.n_pending = 0;
        self.scale = gram.diag().iter().copied().fold(0.0, f64::max);
        for (panel, &start) in self.starts.iter().enumerate() {
            let first = panel * LANES;
            for i in first..self.c {
                for j in first..self.c.min(first + LANES) {
                    self.panels[start + (i - first) * LANES + j - first] =
                        gram[[i.max(j), i.min(j)]];
                }
            }
        }
    }

    fn stored(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        let panel = j / LANES;
        self.panels[self.starts[panel] + (i - panel * LANES) * LANES + j % LANES]
    }

    /// w_k[a] - w_k[b] of a pending vector.
    fn difference(&self, k: usize, a: usize, b: usize) -> f64 {
        let vector = &self.vectors[k * self.width..(k + 1) * self.width];
        vector[a] - vector[b]
    }

    /// w = C (e_a - e_b).
    fn times_difference(&self, a: usize, b: usize, w: &mut [f64]) {
        for panel in 0..self.starts.len() {
            let first = panel * LANES;
            let lanes = &mut w[first..first + LANES];
            let (from_a, from_b) = (self.lanes(panel, a), self.lanes(panel, b));
            for (lane, (x, y)) in lanes.iter_mut().zip(from_a.into_iter().zip(from_b)) {
                *lane = x - y;
            }
        }
        let mut along = [0.0; PENDING];
        for k in 0..self.n_pending {
            along[k] = self.factors[k] * self.difference(k, a, b);
        }
        add_combination(&self.vectors, &along[..self.n_pending], w);
    }

    /// Eight stored values of column `a`, from row 8 `panel` on; 0 beyond the last row.
    #[inline(always)]
    fn lanes(&self, panel: usize, a: usize) -> [f64; LANES] {
        let first = panel * LANES;
        let mut lanes = [0.0; LANES];
        if a >= first {
            let at = self.starts[panel] + (a - first) * LANES;
            lanes.copy_from_slice(&self.panels[at..at + LANES]);
        } else {
            let home = a / LANES;
            let at = self.starts[home] + (first - home * LANES) * LANES + a % LANES;
            let column = self.panels[at..].iter().step_by(LANES);
            for (lane, value) in lanes.iter_mut().zip(column.take(self.c - first)) {
                *lane = *value;
            }
        }
        lanes
    }

    fn push(&mut self, factor: f64, w: &[f64]) {
        let k = self.n_pending;
        self.factors[k] = factor;
        self.vectors[k * self.width..(k + 1) * self.width].copy_from_slice(w);
        self.n_pending += 1;
    }

    fn make_room(&mut self, updates: usize) {
        if self.n_pending + updates > PENDING {
            self.flush();
        }
    }

    /// Adds the pending updates to the panels.
    fn flush(&mut self) {
        let n = self.n_pending;
        if n == 0 {
            return;
        }
        for (k, vector) in self.vectors.chunks_exact(self.width).enumerate() {
            let factor = if k < n { self.factors[k] } else { 0.0 };
            for (row, w) in self.scaled.chunks_exact_mut(PENDING).zip(vector) {
                row[k] = factor * w;
            }
        }
        add_rank_updates(&mut self.panels, &self.starts, &self.vectors, &self.scaled);
        self.n_pending = 0;
    }
}

impl CurrentGram for PackedGram {
    fn len(&self) -> usize {
        self.c
    }

    fn work(&self) -> [f64; 2] {
        [5.0, (self.c * self.c) as f64 / 2.0]
    }

    fn reset_to(&mut self, learned: &GramAtDuals) {
        self.reset(learned.gram.view());
    }

    fn current(&mut self) -> Array2<f64> {
        self.flush();
        Array2::from_shape_fn((self.c, self.c), |(i, j)| self.stored(i, j))
    }

    fn value(&self, i: usize, j: usize) -> f64 {
        let vectors = self.vectors.chunks_exact(self.width);
        let pending = vectors.zip(&self.factors).take(self.n_pending);
        self.stored(i, j) + pending.map(|(w, factor)| factor * w[i] * w[j]).sum::<f64>()
    }

    fn growth(&self) -> f64 {
        let largest = (0..self.c).map(|i| self.value(i, i)).fold(0.0, f64::max);
        largest / self.scale.max(f64::MIN_POSITIVE)
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn update_pair(&mut self, a: usize, b: usize, factor: f64) {
        self.make_room(1);
        let mut w = std::mem::take(&mut self.scratch);
        self.times_difference(a, b, &mut w[..self.width]);
        self.push(factor, &w[..self.width]);
        self.scratch = w;
    }

    fn update_comparison(&mut self, [i, j, k]: [usize; 3], q: (f64, f64, f64)) {
        self.make_room(2);
        let mut w = std::mem::take(&mut self.scratch);
        let (u, v) = w.split_at_mut(self.width);
        self.times_difference(i, j, u);
        self.times_difference(i, k, v);
        // Q = R diag(e) R' with a rotation R, so that two updates of rank one do it.
        let (values, cosine, sine) = rotation(q);
        for (u, v) in u.iter_mut().zip(v.iter_mut()) {
            (*u, *v) = (cosine * *u + sine * *v, cosine * *v - sine * *u);
        }
        self.push(values[0], u);
        self.push(values[1], v);
        self.scratch = w;
    }
}

impl Distances for PackedGram {
    fn dist_sq(&self, a: usize, b: usize) -> f64 {
        let mut p = self.stored(a, a) + self.stored(b, b) - 2.0 * self.stored(a, b);
        for k in 0..self.n_pending {
            let difference = self.difference(k, a, b);
            p += self.factors[k] * difference * difference;
        }
        p
    }

    fn form(&self, i: usize, j: usize, k: usize) -> Form {
        let own = self.stored(i, i);
        let (ij, ik, jk) = (self.stored(i, j), self.stored(i, k), self.stored(j, k));
        let mut form = Form {
            uu: own + self.stored(j, j) - 2.0 * ij,
            uv: own - ij - ik + jk,
            vv: own + self.stored(k, k) - 2.0 * ik,
        };
        for pending in 0..self.n_pending {
            let (u, v) = (self.difference(pending, i, j), self.difference(pending, i, k));
            let factor = self.factors[pending];
            form.uu += factor * u * u;
            form.uv += factor * u * v;
            form.vv += factor * v * v;
        }
        form
    }
}

/// Eigenvalues of [[q11, q12], [q12, q22]] and the cosine and sine of the rotation whose columns
/// (cosine, sine) and (-sine, cosine) are their vectors: one Jacobi step.
fn rotation((q11, q12, q22): (f64, f64, f64)) -> ([f64; 2], f64, f64) {
    if q12 == 0.0 {
        return ([q11, q22], 1.0, 0.0);
    }
    let slant = (q22 - q11) / (2.0 * q12);
    let tangent = slant.signum() / (slant.abs() + (1.0 + slant * slant).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = -tangent * cosine;
    ([q11 - tangent * q12, q22 + tangent * q12], cosine, sine)
}
