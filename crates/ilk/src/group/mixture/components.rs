//! Weights, means and covariances, and the densities of points under them.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::params::CovarianceType;
use crate::Result;
use crate::numerics::exp::exp_in_place;
use crate::numerics::linalg::{Cholesky, inverse_lower, product_into};

/// Rows that are handled together.
const BLOCK: usize = 256;

/// The normal distributions of a mixture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// The share π of each.
    pub weights: Vec<f64>,
    /// The mean μ of each, one row a component.
    pub means: Array2<f64>,
    /// The covariance Σ of each.
    pub covariances: Covariances,
}

/// The covariances of all components.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Covariances {
    /// A matrix each.
    Full(Vec<Array2<f64>>),
    /// A variance for every coordinate, one row a component.
    Diag(Array2<f64>),
    /// One variance each.
    Spherical(Vec<f64>),
}

impl Covariances {
    /// Their kind.
    pub fn kind(&self) -> CovarianceType {
        match self {
            Self::Full(_) => CovarianceType::Full,
            Self::Diag(_) => CovarianceType::Diag,
            Self::Spherical(_) => CovarianceType::Spherical,
        }
    }

    fn select(&self, order: &[usize]) -> Self {
        match self {
            Self::Full(each) => Self::Full(order.iter().map(|&c| each[c].clone()).collect()),
            Self::Diag(each) => Self::Diag(each.select(Axis(0), order)),
            Self::Spherical(each) => Self::Spherical(order.iter().map(|&c| each[c]).collect()),
        }
    }
}

impl Components {
    /// Number of components.
    #[allow(clippy::len_without_is_empty, reason = "a mixture has a component")]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.means.ncols()
    }

    /// The same in another order.
    pub(super) fn select(&self, order: &[usize]) -> Self {
        Self {
            weights: order.iter().map(|&c| self.weights[c]).collect(),
            means: self.means.select(Axis(0), order),
            covariances: self.covariances.select(order),
        }
    }
}

/// Components made ready to tell densities.
pub(super) struct Densities<'a> {
    components: &'a Components,
    whitening: Whitening,
    /// log π - log sqrt(det 2πΣ).
    offsets: Vec<f64>,
}

/// What takes x - μ to a vector whose squared length is (x - μ)ᵀ Σ⁻¹ (x - μ).
enum Whitening {
    /// L⁻ᵀ of Σ = L Lᵀ, to be multiplied from the right.
    Product(Vec<Array2<f64>>),
    /// 1 / sqrt(variance), one row a component.
    Scales(Array2<f64>),
}

impl<'a> Densities<'a> {
    /// # Errors
    /// [`NotPositiveDefinite`](crate::Error::NotPositiveDefinite).
    pub(super) fn new(components: &'a Components) -> Result<Self> {
        let dims = components.dims();
        let (whitening, log_roots): (Whitening, Vec<f64>) = match &components.covariances {
            Covariances::Full(each) => {
                let mut factors = Vec::with_capacity(each.len());
                let mut log_roots = Vec::with_capacity(each.len());
                for covariance in each {
                    let factor = Cholesky::factor(covariance.view())?;
                    log_roots.push(factor.lower().diag().iter().map(|x| x.ln()).sum());
                    let inverse = inverse_lower(factor.lower());
                    factors.push(inverse.t().as_standard_layout().into_owned());
                }
                (Whitening::Product(factors), log_roots)
            }
            Covariances::Diag(each) => {
                let log_root = |row: ndarray::ArrayView1<'_, f64>| {
                    0.5 * row.iter().map(|variance| variance.ln()).sum::<f64>()
                };
                let log_roots = each.rows().into_iter().map(log_root).collect();
                (Whitening::Scales(each.mapv(|v| 1.0 / v.sqrt())), log_roots)
            }
            Covariances::Spherical(each) => {
                let scale = |(c, _): (usize, usize)| 1.0 / each[c].sqrt();
                let scales = Array2::from_shape_fn((each.len(), dims), scale);
                let log_roots = each.iter().map(|v| 0.5 * dims as f64 * v.ln()).collect();
                (Whitening::Scales(scales), log_roots)
            }
        };
        let constant = 0.5 * dims as f64 * (2.0 * std::f64::consts::PI).ln();
        let offsets = components.weights.iter().zip(log_roots);
        Ok(Self {
            offsets: offsets
                .map(|(weight, log_root)| weight.ln() - log_root - constant)
                .collect(),
            components,
            whitening,
        })
    }

    /// The share of every component in each of some rows, one after the other, and log p(x) of each.
    pub(super) fn shares(&self, rows: &[f64]) -> (Array2<f64>, Vec<f64>) {
        let (k, dims) = (self.components.len(), self.components.dims());
        let n = rows.len() / dims;
        let mut shares = vec![0.0; n * k];
        let mut logs = vec![0.0; n];
        shares
            .par_chunks_mut(BLOCK * k)
            .zip(rows.par_chunks(BLOCK * dims))
            .zip(logs.par_chunks_mut(BLOCK))
            .for_each_init(Vec::new, |buffer, ((shares, rows), logs)| {
                self.log_joint(rows, buffer, shares);
                self.share(shares, logs);
            });
        let shares = Array2::from_shape_vec((n, k), shares).unwrap_or_default();
        (shares, logs)
    }

    /// Writes log π_c N(x; μ_c, Σ_c) of some rows, one after the other, row by row.
    fn log_joint(&self, rows: &[f64], buffer: &mut Vec<f64>, out: &mut [f64]) {
        let (k, dims) = (self.components.len(), self.components.dims());
        let (differences, whitened) = {
            buffer.resize(2 * rows.len(), 0.0);
            buffer.split_at_mut(rows.len())
        };
        for (c, mean) in self.components.means.rows().into_iter().enumerate() {
            for (difference, row) in differences
                .chunks_exact_mut(dims)
                .zip(rows.chunks_exact(dims))
            {
                for ((difference, x), mean) in difference.iter_mut().zip(row).zip(&mean) {
                    *difference = x - mean;
                }
            }
            match &self.whitening {
                Whitening::Product(factors) => {
                    product_into(differences, factors[c].view(), whitened);
                }
                Whitening::Scales(scales) => {
                    let each = whitened.chunks_exact_mut(dims);
                    for (whitened, difference) in each.zip(differences.chunks_exact(dims)) {
                        let terms = whitened.iter_mut().zip(difference).zip(scales.row(c));
                        terms.for_each(|((whitened, x), scale)| *whitened = x * scale);
                    }
                }
            }
            for (out, whitened) in out.chunks_exact_mut(k).zip(whitened.chunks_exact(dims)) {
                let square: f64 = whitened.iter().map(|x| x * x).sum();
                out[c] = self.offsets[c] - 0.5 * square;
            }
        }
    }

    /// Turns the logarithms of some rows into shares that add up to 1, and writes the logarithm of
    /// their sum in each. A row that is unlikely beyond all numbers goes by the shares of the components.
    fn share(&self, rows: &mut [f64], logs: &mut [f64]) {
        let k = self.components.len();
        for (row, log) in rows.chunks_exact_mut(k).zip(logs.iter_mut()) {
            let largest = row.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            if largest.is_finite() {
                for value in row {
                    *value -= largest;
                }
                *log = largest;
            } else {
                let each = row.iter_mut().zip(&self.components.weights);
                each.for_each(|(value, weight)| *value = weight.ln());
                *log = f64::MIN;
            }
        }
        exp_in_place(rows);
        for (row, log) in rows.chunks_exact_mut(k).zip(logs) {
            let sum: f64 = row.iter().sum();
            for value in row {
                *value /= sum;
            }
            *log += sum.ln();
        }
    }
}
