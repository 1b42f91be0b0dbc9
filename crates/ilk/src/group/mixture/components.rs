//! Weights, means and covariances, and the densities of points under them.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::params::CovarianceType;
use crate::error::stored::{
    ensure, ensure_finite, ensure_len, ensure_not_negative, ensure_positive,
};
use crate::numerics::linalg::{Cholesky, inverse_lower, product_into};
use crate::{Result, numerics::exp::exp_in_place};

/// Rows per block.
const BLOCK: usize = 256;

/// The normal distributions of a mixture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// The mixing weight π of each.
    pub weights: Vec<f64>,
    /// The mean μ of each, one row per component.
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
    /// A variance for every coordinate, one row per component.
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
    /// Fails where a file holds components of different shapes.
    pub(super) fn check(&self) -> Result<()> {
        let (k, dims) = self.means.dim();
        ensure(k > 0 && dims > 0, || format!("it has {k} components with {dims} dimensions"))?;
        ensure_finite("a coordinate of a mean", &self.means)?;
        ensure_len("the list of shares", self.weights.len(), k)?;
        ensure_not_negative("the share of a component", &self.weights)?;
        match &self.covariances {
            Covariances::Full(each) => {
                ensure_len("the list of covariances", each.len(), k)?;
                for covariance in each {
                    let (rows, columns) = covariance.dim();
                    ensure((rows, columns) == (dims, dims), || {
                        format!("a covariance has {rows} rows and {columns} columns, not {dims}")
                    })?;
                    ensure_finite("an entry of a covariance", covariance)?;
                }
                Ok(())
            }
            Covariances::Diag(each) => {
                ensure(each.dim() == (k, dims), || {
                    format!("its variances are {:?}, not {:?}", each.dim(), (k, dims))
                })?;
                ensure_positive("a variance", each)
            }
            Covariances::Spherical(each) => {
                ensure_len("the list of variances", each.len(), k)?;
                ensure_positive("a variance", each)
            }
        }
    }

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

/// Components with the factors that their densities need.
pub(super) struct Densities {
    weights: Vec<f64>,
    means: Array2<f64>,
    whitening: Whitening,
    /// log π - log sqrt(det 2πΣ).
    offsets: Vec<f64>,
}

/// The map of x - μ to a vector whose squared length is (x - μ)ᵀ Σ⁻¹ (x - μ).
enum Whitening {
    /// L⁻ᵀ of Σ = L Lᵀ, to be multiplied from the right.
    Product(Vec<Array2<f64>>),
    /// 1 / sqrt(variance), one row per component.
    Scales(Array2<f64>),
}

impl Densities {
    /// # Errors
    /// [`NotPositiveDefinite`](crate::Error::NotPositiveDefinite).
    pub(super) fn new(components: &Components) -> Result<Self> {
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
            offsets: offsets.map(|(weight, log_root)| weight.ln() - log_root - constant).collect(),
            weights: components.weights.clone(),
            means: components.means.clone(),
            whitening,
        })
    }

    /// The responsibility of every component for each row, and log p(x) of each row.
    pub(super) fn shares(&self, rows: &[f64]) -> (Array2<f64>, Vec<f64>) {
        let (k, dims) = self.means.dim();
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
        let shares = Array2::from_shape_vec((n, k), shares).expect("one value per cell");
        (shares, logs)
    }

    /// Writes log π_c N(x; μ_c, Σ_c), row by row.
    fn log_joint(&self, rows: &[f64], buffer: &mut Vec<f64>, out: &mut [f64]) {
        let (k, dims) = self.means.dim();
        let (differences, whitened) = {
            buffer.resize(2 * rows.len(), 0.0);
            buffer.split_at_mut(rows.len())
        };
        for (c, mean) in self.means.rows().into_iter().enumerate() {
            for (difference, row) in differences.chunks_exact_mut(dims).zip(rows.chunks_exact(dims))
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

    /// Turns log-densities into responsibilities that add up to 1 per row, and writes the logarithm of
    /// each row's sum. A row whose densities all underflow gets the mixing weights.
    fn share(&self, rows: &mut [f64], logs: &mut [f64]) {
        let k = self.weights.len();
        for (row, log) in rows.chunks_exact_mut(k).zip(logs.iter_mut()) {
            let largest = row.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            if largest.is_finite() {
                for value in row {
                    *value -= largest;
                }
                *log = largest;
            } else {
                let each = row.iter_mut().zip(&self.weights);
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
