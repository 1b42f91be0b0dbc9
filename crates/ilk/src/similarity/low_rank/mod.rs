//! A kernel of low rank, as the dot products of explicit features.
//!
//! Both routes give an n x r matrix F with F Fᵀ near the kernel matrix, and a [`FeatureMap`] that
//! gives the same features to new points. Features and map belong together: extending a truncated
//! kernel to new points by any other formula is off by as much as the truncation left out.

mod cholesky;
mod eigen;
mod factor;
mod pivots;

pub use cholesky::pivoted_cholesky;
pub use eigen::eigen_truncation;

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::FeatureMap;
use crate::{Error, Result};

/// How many dimensions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truncation {
    /// The fewest that hold this share (0 to 1) of the sum of the positive eigenvalues.
    Trace(f64),
    /// The fewest that hold this share (0 to 1) of the Frobenius norm of the matrix without its
    /// negative part, ‖K_r‖ >= share ‖K‖. It counts squares and so keeps far fewer than the trace at the
    /// same share.
    Frobenius(f64),
    /// This many, at least 1.
    Dimensions(usize),
}

impl Truncation {
    fn check(self) -> Result<()> {
        let (parameter, value, expected) = match self {
            Self::Trace(share) if !(share > 0.0 && share <= 1.0) => {
                ("trace", share.to_string(), "above 0, at most 1")
            }
            Self::Frobenius(share) if !(share > 0.0 && share <= 1.0) => {
                ("frobenius", share.to_string(), "above 0, at most 1")
            }
            Self::Dimensions(0) => ("dimensions", 0.to_string(), "at least 1"),
            _ => return Ok(()),
        };
        let expected = format!("it must be {expected}");
        Err(Error::bad_parameter(parameter, value, expected))
    }
}

/// A kernel of low rank.
///
/// The rank is at least 1: a kernel that is 0 everywhere has one feature, of zeros.
#[derive(Debug, Clone, PartialEq)]
pub struct LowRank {
    /// The features of the training points, one row each: n x r.
    pub features: Array2<f64>,
    /// The same features for new points.
    pub map: FeatureMap,
    /// The share of the sum of the positive eigenvalues, which is the trace of a positive
    /// semi-definite kernel, that the features hold. Of a kernel with negative ones, an eigen
    /// truncation by a number of dimensions knows only that it is not more than this.
    pub trace_share: f64,
}

#[cfg(test)]
mod tests;
