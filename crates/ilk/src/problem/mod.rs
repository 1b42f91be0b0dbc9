//! What is asked: the data, and what a person said about it.
//!
//! Raw input becomes one validated value here and is trusted afterwards: [`Problem::new`] and the
//! constructors it builds on are the only places that look for NaN, bad indices or wrong shapes.

#[cfg(test)]
mod brute;
mod closure;
mod conflict;
mod constraints;
mod input;
mod rows;

pub use closure::Closure;
pub use conflict::{Check, Comparison, Conflict, Cycle, Link, Step};
pub use constraints::{Constraint, ConstraintKind, Constraints, Labelled, Pair, Triplet};
pub use input::{Graph, Input, InputKind, KernelMatrix, Points, SYMMETRY_TOLERANCE};

use crate::{Error, Result};

/// Data and supervision, checked to fit each other.
///
/// ```
/// use ilk::problem::{Constraints, Points, Problem};
///
/// let points = Points::from_rows(&[vec![0.0], vec![0.1], vec![5.0]])?;
/// let mut said = Constraints::new(3);
/// said.must_link(0, 1)?.cannot_link(1, 2)?;
/// let problem = Problem::new(points, said)?.with_weights(vec![1.0, 1.0, 2.5])?;
/// assert_eq!(problem.len(), 3);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    input: Input,
    constraints: Constraints,
    weights: Option<Vec<f64>>,
}

impl Problem {
    /// A problem over `input` with what was said in `constraints`.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn new(input: impl Into<Input>, constraints: Constraints) -> Result<Self> {
        let input = input.into();
        if constraints.n() != input.len() {
            return Err(Error::WrongLength {
                what: "the list of points of the constraints",
                found: constraints.n(),
                expected: input.len(),
            });
        }
        Ok(Self {
            input,
            constraints,
            weights: None,
        })
    }

    /// A problem about which nothing was said.
    pub fn unsupervised(input: impl Into<Input>) -> Self {
        let input = input.into();
        let constraints = Constraints::new(input.len());
        Self {
            input,
            constraints,
            weights: None,
        }
    }

    /// Gives every point a weight: it counts as that many points. Weights are positive and finite;
    /// a point that is to count for nothing is left out of the data instead.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::BadPointWeight`].
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        if weights.len() != self.len() {
            return Err(Error::WrongLength {
                what: "the list of point weights",
                found: weights.len(),
                expected: self.len(),
            });
        }
        let bad = |&weight: &f64| !(weight.is_finite() && weight > 0.0);
        if let Some(point) = weights.iter().position(bad) {
            return Err(Error::BadPointWeight {
                point: self.constraints.name_of(point),
                weight: weights[point],
            });
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// The same data with other things said about it.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn with_constraints(&self, constraints: Constraints) -> Result<Self> {
        let mut other = Self::new(self.input.clone(), constraints)?;
        other.weights.clone_from(&self.weights);
        Ok(other)
    }

    /// The data.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What was said.
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
