//! The two steps of expectation maximisation.

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::components::{Components, Covariances, Densities};
use super::params::CovarianceType;
use crate::numerics::linalg::{Cholesky, product_into};
use crate::{Result, numerics::rows_of};

/// Rows per block.
const BLOCK: usize = 256;

/// Blocks whose products are held in memory at the same time, unless these are large.
const BLOCKS: usize = 16;

/// Numbers in all these products: 256 MiB, or one product.
const NUMBERS: usize = 1 << 25;

/// The rows in standard layout, with their weights.
pub(super) struct WeightedRows<'a> {
    pub(super) rows: &'a [f64],
    pub(super) dims: usize,
    pub(super) weights: &'a [f64],
}

/// The result of the E-step: responsibilities and log-likelihood.
pub(super) struct Expectation {
    /// The responsibility r of every component for every point, one row per point.
    pub(super) shares: Array2<f64>,
    /// Σ w log p(x).
    pub(super) log_likelihood: f64,
}

/// How covariances stay invertible.
pub(super) struct Regularisation {
    /// Added to the variance of each coordinate.
    pub(super) added: Vec<f64>,
    /// The smallest variance, relative to the variance of all points.
    pub(super) least: f64,
}

impl WeightedRows<'_> {
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn mass(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The E-step: the responsibility of every component for every point.
    pub(super) fn expect(&self, components: &Components) -> Result<Expectation> {
        let (shares, logs) = Densities::new(components)?.shares(self.rows);
        // Points of weight 0 are left out: 0 times a log-density of -∞ would be NaN.
        let points = self.weights.iter().zip(logs);
        let counted = points.filter(|(weight, _)| **weight > 0.0);
        Ok(Expectation { shares, log_likelihood: counted.map(|(weight, log)| weight * log).sum() })
    }

    /// The M-step: the components of highest likelihood given the responsibilities. A component without
    /// points stays as it was in `before`.
    pub(super) fn maximise(
        &self,
        shares: &Array2<f64>,
        before: Option<&Components>,
        kind: CovarianceType,
        regularisation: &Regularisation,
    ) -> Components {
        let k = shares.ncols();
        let total = self.mass();
        let masses = self.masses(shares);
        let has_points = |c: usize| masses[c] > 10.0 * f64::EPSILON * total;
        let mut means = self.means(shares, &masses);
        if let Some(before) = before {
            for c in (0..k).filter(|&c| !has_points(c)) {
                means.row_mut(c).assign(&before.means.row(c));
            }
        }
        let covariance = |c: usize| -> Option<Array2<f64>> {
            has_points(c).then(|| self.covariance(shares.column(c), means.row(c), masses[c]))
        };
        let variances = || self.variances(shares, &means, &masses);
        let covariances = match kind {
            CovarianceType::Full => Covariances::Full(
                (0..k)
                    .map(|c| match (covariance(c), before.map(|b| &b.covariances)) {
                        (Some(found), _) => regularisation.full(found),
                        (None, Some(Covariances::Full(before))) => before[c].clone(),
                        (None, _) => regularisation.full(Array2::zeros((self.dims, self.dims))),
                    })
                    .collect(),
            ),
            CovarianceType::Diag => {
                let mut found = variances();
                for mut row in found.rows_mut() {
                    let each = row.iter_mut().zip(&regularisation.added);
                    each.for_each(|(x, added)| *x = regularisation.least_of(*x + added));
                }
                if let Some(Covariances::Diag(before)) = before.map(|b| &b.covariances) {
                    for c in (0..k).filter(|&c| !has_points(c)) {
                        found.row_mut(c).assign(&before.row(c));
                    }
                }
                Covariances::Diag(found)
            }
            CovarianceType::Spherical => {
                let found = variances().mean_axis(Axis(1)).unwrap_or_default();
                let added = regularisation.added.iter().sum::<f64>() / self.dims as f64;
                let before = before.map(|b| &b.covariances);
                Covariances::Spherical(
                    (0..k)
                        .map(|c| match before {
                            Some(Covariances::Spherical(before)) if !has_points(c) => before[c],
                            _ => regularisation.least_of(found[c] + added),
                        })
                        .collect(),
                )
            }
        };
        Components { weights: masses.iter().map(|mass| mass / total).collect(), means, covariances }
    }

    /// Σ w r of every component.
    fn masses(&self, shares: &Array2<f64>) -> Vec<f64> {
        let k = shares.ncols();
        self.blocks(shares, k, |_, weights, shares, sums| {
            for (weight, shares) in weights.iter().zip(shares.chunks_exact(k)) {
                let each = sums.iter_mut().zip(shares);
                each.for_each(|(sum, share)| *sum += weight * share);
            }
        })
    }

    /// Sums over blocks of points, added in the order of the blocks: `visit(rows, weights, shares,
    /// sums)` adds one block.
    fn blocks(
        &self,
        shares: &Array2<f64>,
        size: usize,
        visit: impl Fn(&[f64], &[f64], &[f64], &mut [f64]) + Sync,
    ) -> Vec<f64> {
        let k = shares.ncols();
        let flat = rows_of(shares);
        let blocks: Vec<Vec<f64>> = self
            .rows
            .par_chunks(4 * BLOCK * self.dims)
            .zip(self.weights.par_chunks(4 * BLOCK))
            .zip(flat.par_chunks(4 * BLOCK * k))
            .map(|((rows, weights), shares)| {
                let mut sums = vec![0.0; size];
                visit(rows, weights, shares, &mut sums);
                sums
            })
            .collect();
        let mut sums = vec![0.0; size];
        for block in blocks {
            sums.iter_mut().zip(block).for_each(|(sum, x)| *sum += x);
        }
        sums
    }

    fn means(&self, shares: &Array2<f64>, masses: &[f64]) -> Array2<f64> {
        let (k, dims) = (shares.ncols(), self.dims);
        let sums = self.blocks(shares, k * dims, |rows, weights, shares, sums| {
            let points = rows.chunks_exact(dims).zip(weights).zip(shares.chunks_exact(k));
            for ((row, weight), shares) in points {
                for (sums, share) in sums.chunks_exact_mut(dims).zip(shares) {
                    let share = weight * share;
                    let each = sums.iter_mut().zip(row);
                    each.for_each(|(sum, x)| *sum += share * x);
                }
            }
        });
        averages(sums, dims, masses)
    }

    /// The variance of every coordinate, one row per component.
    fn variances(&self, shares: &Array2<f64>, means: &Array2<f64>, masses: &[f64]) -> Array2<f64> {
        let (k, dims) = means.dim();
        let centers = rows_of(means);
        let sums = self.blocks(shares, k * dims, |rows, weights, shares, sums| {
            let points = rows.chunks_exact(dims).zip(weights).zip(shares.chunks_exact(k));
            for ((row, weight), shares) in points {
                let each = sums.chunks_exact_mut(dims).zip(centers.chunks_exact(dims));
                for ((sums, center), share) in each.zip(shares) {
                    let share = weight * share;
                    for ((sum, x), center) in sums.iter_mut().zip(row).zip(center) {
                        *sum += share * (x - center) * (x - center);
                    }
                }
            }
        });
        averages(sums, dims, masses)
    }

    /// The covariance matrix of one component, Xᵀ X with rows scaled by the roots of their
    /// responsibilities.
    fn covariance(
        &self,
        shares: ArrayView1<'_, f64>,
        mean: ArrayView1<'_, f64>,
        mass: f64,
    ) -> Array2<f64> {
        let dims = self.dims;
        let shares = shares.to_vec();
        let mut covariance = vec![0.0; dims * dims];
        let points = self.rows.par_chunks(BLOCK * dims);
        let blocks: Vec<_> =
            points.zip(self.weights.par_chunks(BLOCK)).zip(shares.par_chunks(BLOCK)).collect();
        let at_once = (NUMBERS / (dims * dims)).clamp(1, BLOCKS);
        for blocks in blocks.chunks(at_once) {
            let products: Vec<Vec<f64>> = blocks
                .par_iter()
                .map(|((rows, weights), shares)| {
                    let mut scaled = Array2::zeros((weights.len(), dims));
                    let each = scaled.rows_mut().into_iter().zip(rows.chunks_exact(dims));
                    for ((mut scaled, row), (weight, share)) in
                        each.zip(weights.iter().zip(*shares))
                    {
                        let root = (weight * share / mass).sqrt();
                        for ((scaled, x), mean) in scaled.iter_mut().zip(row).zip(&mean) {
                            *scaled = root * (x - mean);
                        }
                    }
                    let turned = scaled.t().as_standard_layout().into_owned();
                    let mut product = vec![0.0; dims * dims];
                    product_into(rows_of(&turned), scaled.view(), &mut product);
                    product
                })
                .collect();
            for product in products {
                let each = covariance.iter_mut().zip(product);
                each.for_each(|(sum, x)| *sum += x);
            }
        }
        Array2::from_shape_vec((dims, dims), covariance).expect("one value per cell")
    }
}

/// Sums of every component, one row each, over the masses that are not 0.
fn averages(sums: Vec<f64>, dims: usize, masses: &[f64]) -> Array2<f64> {
    let sums = Array2::from_shape_vec((masses.len(), dims), sums);
    let mut averages = sums.expect("one value per cell");
    for (mut row, &mass) in averages.rows_mut().into_iter().zip(masses) {
        if mass > 0.0 {
            row /= mass;
        }
    }
    averages
}

impl Regularisation {
    fn least_of(&self, variance: f64) -> f64 {
        if variance > f64::MIN_POSITIVE { variance } else { self.least }
    }

    /// Adds to the diagonal, and multiplies what is added by 10 until the matrix is invertible.
    fn full(&self, mut covariance: Array2<f64>) -> Array2<f64> {
        covariance.diag_mut().iter_mut().zip(&self.added).for_each(|(x, added)| *x += added);
        let diagonal = covariance.diag();
        let mut more = diagonal.fold(self.least, |a, &b| a.max(1e-15 * b));
        while Cholesky::factor(covariance.view()).is_err() && more.is_finite() {
            covariance.diag_mut().mapv_inplace(|x| x + more);
            more *= 10.0;
        }
        covariance
    }
}
