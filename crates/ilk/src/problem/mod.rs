//! The data and the constraints on it.
//!
//! Raw input becomes one validated value here and is trusted afterwards: [`Problem::new`] and the
//! constructors it builds on are the only places that look for NaN, bad indices or wrong shapes.

pub(crate) mod aggregate;
#[cfg(test)]
mod brute_force;
mod closure;
mod conflict;
mod constraints;
pub(crate) mod distinct;
mod input;
mod labels_as_pairs;

pub use aggregate::{CannotLinkSets, MustLinkPolicy};
pub use closure::Closure;
pub use conflict::{ChainLink, ChainStep, Check, Conflict, Cycle, DistanceComparison};
pub use constraints::{Constraint, ConstraintKind, Constraints, Labelled, Pair, Triplet};
pub use input::{
    Graph, Input, InputKind, KernelMatrix, Points, SYMMETRY_TOLERANCE, SparsePoints, to_unit_length,
};
pub use labels_as_pairs::with_labels_as_pairs;
pub(crate) use labels_as_pairs::with_some_labels_as_pairs;

use std::sync::Arc;

use crate::{Error, Result, error::check_length};

/// Data and constraints, checked to fit each other. A clone shares the data.
///
/// ```
/// use ilk::problem::{Constraints, Points, Problem};
///
/// let points = Points::from_rows(&[vec![0.0], vec![0.1], vec![5.0]])?;
/// let mut constraints = Constraints::new(3);
/// constraints.must_link(0, 1)?.cannot_link(1, 2)?;
/// let problem = Problem::new(points, constraints)?.with_weights(vec![1.0, 1.0, 2.5])?;
/// assert_eq!(problem.len(), 3);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    input: Input,
    constraints: Constraints,
    weights: Option<Arc<[f64]>>,
}

impl Problem {
    /// A problem over `input` with `constraints`.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn new(input: impl Into<Input>, constraints: Constraints) -> Result<Self> {
        Self::unsupervised(input).with_constraints(constraints)
    }

    /// A problem without constraints.
    pub fn unsupervised(input: impl Into<Input>) -> Self {
        let input = input.into();
        let constraints = Constraints::new(input.len());
        Self { input, constraints, weights: None }
    }

    /// Gives every point a weight: it counts as that many points. Weights are positive and finite;
    /// a point that is to count for nothing is left out of the data instead. Weights of which the largest is beyond
    /// 1e50 or below 1e-50 are divided by it: what matters of such weights is how they compare.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::BadPointWeight`].
    pub fn with_weights(mut self, mut weights: Vec<f64>) -> Result<Self> {
        check_length("the list of point weights", weights.len(), self.len())?;
        let bad = |&weight: &f64| !(weight.is_finite() && weight > 0.0);
        if let Some(point) = weights.iter().position(bad) {
            return Err(Error::BadPointWeight {
                point: self.constraints.name_of(point),
                weight: weights[point],
            });
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if !(1e-50..=1e50).contains(&largest) {
            for weight in &mut weights {
                // So small a share is nothing beside the largest, but weights are positive.
                *weight = (*weight / largest).max(1e-50);
            }
        }
        self.weights = Some(weights.into());
        Ok(self)
    }

    /// The same data, which is shared and not copied, with other constraints.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn with_constraints(&self, constraints: Constraints) -> Result<Self> {
        check_length("the list of points of the constraints", constraints.n(), self.len())?;
        Ok(Self { constraints, ..self.clone() })
    }

    /// The data.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The constraints.
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// The weights of the points, if they were given.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "a problem is never empty")]
    pub fn len(&self) -> usize {
        self.input.len()
    }
}
