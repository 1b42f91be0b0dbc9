//! The largest eigenvalues of a symmetric operator: thick-restart block Lanczos.
//!
//! The basis Q grows by a block of b vectors at a time: A times the last block, made orthogonal to all of
//! Q. In the small matrix H = Qᵀ A Q live the Ritz values, the best guesses of eigenvalues that the basis
//! holds. When the basis is full the best Ritz vectors and the last block become the next one, and all
//! that was learnt about the top of the spectrum is kept (Wu and Simon 2000).
//!
//! All vectors are orthogonalised against all others, twice, so that no eigenvalue appears as a ghost
//! of one that was found. A start block of b random vectors finds up to b copies of a repeated
//! eigenvalue. Where more are wanted, what was found is put to the test before it is accepted: a new random
//! block, free of all that was found, must not lead above it.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::tall::{inner, norm, put, rotate, subtract_from, subtract_within};
use super::{Cholesky, Eigen, fix_sign, inverse_lower, product, standard, symmetric_eigen};
use crate::numerics::rng::{Rng, rng};
use crate::{Error, Result};

/// In the test for copies that were missed, the next pair need be known no better than this.
const TEST_TOLERANCE: f64 = 1e-8;

/// Of a random vector in n dimensions, less than this over √n lies along a given direction in one case
/// of a hundred.
const UNLIKELY: f64 = 0.01;

/// A vector of which less than this share of |A| remains is nothing but rounding.
const ROUNDING: f64 = 1e-14;

/// A vector of which less than this share of |A| remains is looked at alone.
const SHORT: f64 = 1e-9;

/// So is a block in which the sine of an angle is smaller than this.
const PARALLEL: f64 = 0.03;

/// Blocks by which the basis grows between two restarts.
const BLOCKS: usize = 5;

/// The sizes of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Eigenvalues wanted.
    wanted: usize,
    /// Vectors a block.
    block: usize,
    /// Vectors that survive a restart.
    kept: usize,
    /// Vectors at which the basis is full.
    full: usize,
}

impl Sizes {
    /// The sizes for `wanted` eigenvalues.
    pub(super) fn new(wanted: usize) -> Self {
        let block = wanted.clamp(4, 32);
        let kept = wanted + block / 2;
        Self { wanted, block, kept, full: kept + BLOCKS * block }
    }

    /// Whether a space of `n` dimensions has room for basis and next block.
    pub(super) fn fit(self, n: usize) -> bool {
        2 * (self.full + self.block) <= n
    }
}

/// What an iteration comes to.
pub(super) enum Outcome {
    /// The eigenvalues wanted.
    Found(Eigen),
    /// More products than allowed would be needed; what is known of the spectrum.
    Slow(Spectrum),
}

/// What an unfinished iteration knows of the spectrum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spectrum {
    /// The largest Ritz value.
    pub(super) highest: f64,
    /// A Ritz value below those wanted.
    pub(super) below_wanted: f64,
    /// The largest |eigenvalue| seen.
    pub(super) scale: f64,
}

/// The largest eigenvalues of the operator, unless more than `budget` vectors would have to be multiplied to find
/// them. A pair is accepted when |A v - λ v| is below the share `tolerance` of the largest |eigenvalue|.
pub(super) fn lanczos(
    n: usize,
    sizes: Sizes,
    tolerance: f64,
    budget: usize,
    apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
) -> Result<Outcome> {
    let mut basis = Basis::new(n, sizes);
    // The sum of the wanted eigenvalues when they were last put to the test.
    let mut tested = None;
    let mut spectrum = Spectrum { highest: 0.0, below_wanted: 0.0, scale: 0.0 };
    while basis.multiplied <= budget {
        basis.grow(&apply)?;
        let ritz = basis.ritz()?;
        let accepted = tolerance * basis.scale;
        let mut wanted = ritz.residuals.iter().take(sizes.wanted);
        if wanted.all(|&residual| residual <= accepted) {
            // With as many random vectors as eigenvalues no copy can have been missed.
            if sizes.wanted <= sizes.block {
                return basis.eigen(&ritz, &apply).map(Outcome::Found);
            }
            // Any vector that was missed would raise the sum, which is the largest of all.
            let sum = ritz.values.slice(s![..sizes.wanted]).sum();
            let allowed = sizes.wanted as f64 * accepted;
            if tested.is_none_or(|before| sum > before + allowed) {
                tested = Some(sum);
                basis.restart(&ritz, sizes.wanted);
                basis.draw_block();
                continue;
            }
            if passed(n, &ritz, sizes.wanted, basis.scale, tolerance) {
                return basis.eigen(&ritz, &apply).map(Outcome::Found);
            }
        }
        basis.restart(&ritz, sizes.kept);
        spectrum = Spectrum {
            highest: ritz.values[0],
            below_wanted: ritz.values[sizes.kept - 1],
            scale: basis.scale,
        };
    }
    Ok(Outcome::Slow(spectrum))
}

/// Whether a test block has shown that no eigenvalue was missed.
///
/// Let (θ, y) be the best pair that the block led to and ρ its residual. Of an eigenvector that was
/// missed, whose eigenvalue is at least λ_k, y has at most ρ / (λ_k - θ). But y is the block through a
/// polynomial that grows towards the top of the spectrum, so it has at least as much of that vector as
/// the random start had, about 1/√n.
fn passed(n: usize, ritz: &Ritz, wanted: usize, scale: f64, tolerance: f64) -> bool {
    let gap = ritz.values[wanted - 1] - ritz.values[wanted];
    let residual = ritz.residuals[wanted];
    residual <= UNLIKELY / (n as f64).sqrt() * gap
        || residual <= TEST_TOLERANCE.max(tolerance) * scale
}

/// Ritz pairs: in the coordinates of the basis, the largest value first.
struct Ritz {
    values: Array1<f64>,
    /// In columns.
    vectors: Array2<f64>,
    /// |A v - λ v| of each.
    residuals: Vec<f64>,
}

struct Basis {
    sizes: Sizes,
    /// Orthonormal columns whose products with A are known.
    columns: Array2<f64>,
    /// How many there are.
    known: usize,
    /// The next block: orthonormal, and orthogonal to all that is known.
    next: Array2<f64>,
    /// H = Qᵀ A Q, of the known columns.
    projected: Array2<f64>,
    /// What A took of the last block out of the known columns, in terms of the next one.
    coupling: Array2<f64>,
    /// The largest |eigenvalue| seen.
    scale: f64,
    /// Vectors multiplied so far.
    multiplied: usize,
    rng: Rng,
}

impl Basis {
    /// A block of random vectors.
    fn new(n: usize, sizes: Sizes) -> Self {
        let mut basis = Self {
            sizes,
            columns: Array2::zeros((n, sizes.full)),
            known: 0,
            next: Array2::zeros((n, sizes.block)),
            projected: Array2::zeros((sizes.full, sizes.full)),
            coupling: Array2::zeros((sizes.block, sizes.block)),
            scale: 0.0,
            multiplied: 0,
            rng: rng(0x1a_2c05),
        };
        basis.draw_block();
        basis
    }

    /// Makes the next block random, free of all that is known.
    fn draw_block(&mut self) {
        for at in 0..self.sizes.block {
            self.draw(at);
        }
    }

    /// Multiplies one block after the other until the basis is full.
    fn grow(&mut self, apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>) -> Result<()> {
        let b = self.sizes.block;
        while self.known + b <= self.sizes.full {
            let image = apply(self.next.view())?;
            assert_eq!(image.dim(), self.next.dim(), "a product of another shape");
            self.multiplied += b;
            if image.iter().any(|x| !x.is_finite()) {
                return Err(Error::NoConvergence);
            }
            let (from, to) = (self.known, self.known + b);
            put(&mut self.columns, from, &self.next);
            self.known = to;
            self.next = standard(image);
            let lengths_sq = inner(&self.next, 0..b, &self.next, 0..b);
            for length_sq in lengths_sq.diag() {
                self.scale = self.scale.max(length_sq.sqrt());
            }
            let mut along = Array2::<f64>::zeros((to, b));
            for _ in 0..2 {
                along += &self.free_of_known(0..b);
            }
            // The halves of the diagonal block differ by rounding.
            let own = along.slice(s![from.., ..]).to_owned();
            along.slice_mut(s![from.., ..]).assign(&((&own + &own.t()) / 2.0));
            self.projected.slice_mut(s![..to, from..to]).assign(&along);
            self.projected.slice_mut(s![from..to, ..to]).assign(&along.t());
            let outside = self.next.clone();
            self.orthonormalise_block();
            self.coupling = inner(&self.next, 0..b, &outside, 0..b);
        }
        Ok(())
    }

    /// Makes columns of the next block orthogonal to all that is known, and returns what they had of it.
    fn free_of_known(&mut self, columns: Range<usize>) -> Array2<f64> {
        let known = 0..self.known;
        let along = inner(&self.columns, known.clone(), &self.next, columns.clone());
        subtract_from(&self.columns, known, along.view(), &mut self.next, columns);
        along
    }

    /// Makes the next block, which is orthogonal to all that is known, orthonormal.
    fn orthonormalise_block(&mut self) {
        if self.triangularise(SHORT * self.scale) {
            self.triangularise(0.0);
            return;
        }
        for at in 0..self.sizes.block {
            if !self.orthonormalise(at, ROUNDING * self.scale) {
                self.draw(at);
            }
        }
    }

    /// W L^-ᵀ, with L Lᵀ the inner products of the next block W, has orthonormal columns as far as
    /// rounding lets it, and twice in a row to the last digit. False, and nothing done, where
    /// columns are at most `short` or nearly parallel.
    fn triangularise(&mut self, short: f64) -> bool {
        let b = self.sizes.block;
        let products = inner(&self.next, 0..b, &self.next, 0..b);
        let lengths = products.diag().mapv(f64::sqrt);
        if lengths.iter().any(|&length| length <= short) {
            return false;
        }
        let across = &products / &lengths / lengths.view().insert_axis(Axis(1));
        let Ok(factor) = Cholesky::factor(across.view()) else {
            return false;
        };
        if factor.lower().diag().iter().any(|&pivot| pivot < PARALLEL) {
            return false;
        }
        let inverse = inverse_lower(factor.lower()) / &lengths;
        rotate(&mut self.next, 0..b, inverse.t());
        true
    }

    /// Makes a column of the next block, which is orthogonal to all that is known, orthogonal to those
    /// before it too, and of length 1. False where nothing but rounding is left of it.
    fn orthonormalise(&mut self, at: usize, rounding: f64) -> bool {
        let mut length = norm(&self.next, at);
        for _ in 0..4 {
            let along = inner(&self.next, 0..at, &self.next, at..at + 1);
            subtract_within(&mut self.next, 0..at, along.view(), at..at + 1);
            let left = norm(&self.next, at);
            if left <= rounding {
                return false;
            }
            if left > 0.5 * length {
                self.next.column_mut(at).mapv_inplace(|x| x * (1.0 / left));
                return true;
            }
            // A vector that lost much of its length has rounding errors along all others.
            self.free_of_known(at..at + 1);
            length = left;
        }
        false
    }

    /// Makes a column of the next block random, orthogonal to all that is known and to those before it.
    fn draw(&mut self, at: usize) {
        // The space has twice as many dimensions as the basis, so much is left of the first draw.
        loop {
            for x in self.next.column_mut(at) {
                *x = self.rng.normal();
            }
            let length = norm(&self.next, at);
            self.next.column_mut(at).mapv_inplace(|x| x * (1.0 / length));
            self.free_of_known(at..at + 1);
            if self.orthonormalise(at, 0.01) {
                return;
            }
        }
    }

    /// The eigenpairs of H.
    fn ritz(&mut self) -> Result<Ritz> {
        let (known, b) = (self.known, self.sizes.block);
        let Eigen { values, vectors } =
            symmetric_eigen(self.projected.slice(s![..known, ..known]))?;
        self.scale = values.iter().fold(self.scale, |scale, v| scale.max(v.abs()));
        let outside = product(self.coupling.view(), vectors.slice(s![known - b.., ..]));
        let residuals = outside.columns().into_iter().map(|c| c.dot(&c).sqrt()).collect();
        Ok(Ritz { values, vectors, residuals })
    }

    /// Keeps the best `count` Ritz vectors alone, and the next block.
    fn restart(&mut self, ritz: &Ritz, count: usize) {
        let best = ritz.vectors.slice(s![.., ..count]);
        rotate(&mut self.columns, 0..self.known, best);
        self.projected.fill(0.0);
        self.projected.diag_mut().slice_mut(s![..count]).assign(&ritz.values.slice(s![..count]));
        self.known = count;
    }

    /// The eigenpairs wanted. What many restarts added in rounding is taken away: the vectors are made
    /// orthonormal once more, and multiplied once more for their values.
    fn eigen(
        mut self,
        ritz: &Ritz,
        apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
    ) -> Result<Eigen> {
        let k = self.sizes.wanted;
        self.restart(ritz, k);
        let mut vectors = standard(self.columns.slice(s![.., ..k]).to_owned());
        let factor = Cholesky::factor(inner(&vectors, 0..k, &vectors, 0..k).view())?;
        rotate(&mut vectors, 0..k, inverse_lower(factor.lower()).t());
        Ok(rayleigh_ritz(vectors, apply)?.0)
    }
}

/// The eigenpairs of the operator within the space of orthonormal columns, and the largest of their residuals
/// |A v - λ v|.
pub(super) fn rayleigh_ritz(
    mut vectors: Array2<f64>,
    apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
) -> Result<(Eigen, f64)> {
    let k = vectors.ncols();
    let mut image = standard(apply(vectors.view())?);
    let projected = inner(&vectors, 0..k, &image, 0..k);
    let projected = (&projected + &projected.t()) / 2.0;
    let Eigen { values, vectors: turn } = symmetric_eigen(projected.view())?;
    rotate(&mut vectors, 0..k, turn.view());
    rotate(&mut image, 0..k, turn.view());
    image -= &(&vectors * &values);
    let residual = (0..k).map(|at| norm(&image, at)).fold(0.0, f64::max);
    for column in vectors.columns_mut() {
        fix_sign(column);
    }
    Ok((Eigen { values, vectors }, residual))
}

#[cfg(test)]
mod tests;
