//! Constraints as a sparse matrix that is added to affinities.

use serde::{Deserialize, Serialize};

use crate::parameter::{Written, word_or_number};
use crate::{numerics::sparse::Sparse, problem::Constraints};

/// What a violated constraint costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Penalty {
    /// What the method takes by default.
    #[default]
    Auto,
    /// n / (k C) with n points, k clusters and C constraints, as in the paper: all constraints together
    /// weigh as much as the points of a cluster of mean size, so that each weighs less the more there are.
    Paper,
    /// This number.
    Fixed(f64),
}

impl Penalty {
    /// What a violated pair of weight 1 costs, where one point counts `unit`. `Auto` is read as `Paper`.
    pub fn cost(self, constraints: &Constraints, n_clusters: usize, unit: f64) -> f64 {
        let n_pairs = constraints.must_links().len() + constraints.cannot_links().len();
        match self {
            Self::Auto | Self::Paper => {
                unit * constraints.n() as f64 / (n_clusters.max(1) * n_pairs.max(1)) as f64
            }
            Self::Fixed(cost) => cost,
        }
    }

    /// The constraint matrix W of equations (3) and (7) to (9): W_ij = W_ji = w for a must-link, -w for
    /// a cannot-link, times the weight of the constraint, and 0 otherwise. A pair with both gets the
    /// sum. Labels and comparisons are not in it. `Auto` is read as `Paper`.
    ///
    /// Added to a kernel or to the edges of a graph it rewards clusters for the must-links and
    /// charges them for the cannot-links that they hold, each over the size of the cluster. Every
    /// pair stands in both halves, so that it counts twice in sums over a cluster, as every edge does.
    ///
    /// ```
    /// use ilk::problem::Constraints;
    /// use ilk::supervise::penalty::Penalty;
    ///
    /// let mut constraints = Constraints::new(12);
    /// constraints.must_link(0, 1)?.cannot_link(1, 2)?;
    /// let matrix = Penalty::Paper.matrix(&constraints, 3);
    /// assert_eq!(matrix.row(1), (&[0, 2][..], &[2.0, -2.0][..]));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn matrix(self, constraints: &Constraints, n_clusters: usize) -> Sparse {
        self.matrix_in(1.0, constraints, n_clusters)
    }

    /// As [`matrix`](Self::matrix), where one point counts `unit` in the objective.
    pub(crate) fn matrix_in(
        self,
        unit: f64,
        constraints: &Constraints,
        n_clusters: usize,
    ) -> Sparse {
        let cost = self.cost(constraints, n_clusters, unit);
        let pairs = constraints.signed_pairs();
        let entries = pairs.map(|([a, b], weight)| (a, b, cost * weight));
        Sparse::from_entries(constraints.n(), entries)
    }
}

word_or_number!(
    Penalty in "a number from 0, auto or paper", "penalty":
    Auto = "auto", Paper = "paper"; |cost| cost.is_finite() && cost >= 0.0
);
