//! What was said as a sparse matrix that is added to affinities.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::numerics::sparse::Sparse;
use crate::parameter::{Written, written};
use crate::problem::{Constraints, Pair};
use crate::{Error, Result};

/// What a broken answer costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Penalty {
    /// n / (k C) with n points, k clusters and C answers, as in the paper: all answers together are
    /// worth as much as the points of a cluster of the usual size are.
    #[default]
    Auto,
    /// This number.
    Fixed(f64),
}

/// What a penalty may be.
pub(crate) const PENALTY_FORMS: &str = "a number from 0, or auto";

impl Penalty {
    /// Refuses numbers that are none, or below 0.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Fixed(penalty) if !(penalty.is_finite() && penalty >= 0.0) => {
                Err(bad(&penalty.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// What a broken pair of weight 1 costs, where one point is worth `unit`.
    pub fn cost(self, said: &Constraints, n_clusters: usize, unit: f64) -> f64 {
        let answers = said.must_links().len() + said.cannot_links().len();
        match self {
            Self::Auto => unit * said.n() as f64 / (n_clusters.max(1) * answers.max(1)) as f64,
            Self::Fixed(cost) => cost,
        }
    }

    /// The constraint matrix W of equations (3) and (7) to (9): W_ij = W_ji = w for a must-link, -w for
    /// a cannot-link, times the weight of the answer, and 0 otherwise. A pair about which both was
    /// said gets the sum. Labels and comparisons are not in it.
    ///
    /// Added to a kernel or to the edges of a graph it rewards clusters for the must-links and
    /// charges them for the cannot-links that they hold, each over the size of the cluster. Every
    /// pair stands in both halves, so that it counts twice in sums over a cluster, as every edge does.
    ///
    /// ```
    /// use ilk::problem::Constraints;
    /// use ilk::supervise::penalty::Penalty;
    ///
    /// let mut said = Constraints::new(12);
    /// said.must_link(0, 1)?.cannot_link(1, 2)?;
    /// let matrix = Penalty::Auto.matrix(&said, 3);
    /// assert_eq!(matrix.row(1), (&[0, 2][..], &[2.0, -2.0][..]));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn matrix(self, said: &Constraints, n_clusters: usize) -> Sparse {
        let cost = self.cost(said, n_clusters, 1.0);
        let entries = |pairs: &[Pair], sign: f64| {
            let each = pairs.iter();
            each.map(|pair| (pair.points[0], pair.points[1], sign * cost * pair.weight))
                .collect::<Vec<_>>()
        };
        let together = entries(said.must_links(), 1.0);
        let apart = entries(said.cannot_links(), -1.0);
        Sparse::from_entries(said.n(), together.into_iter().chain(apart))
    }
}

fn bad(value: &str) -> Error {
    Error::BadParameter {
        parameter: "penalty",
        value: value.to_owned(),
        expected: format!("it must be {PENALTY_FORMS}"),
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(penalty) => write!(f, "{penalty}"),
        }
    }
}

impl FromStr for Penalty {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            text => text.parse().map(Self::Fixed).map_err(|_| bad(text)),
        }
    }
}

written!(Penalty);
