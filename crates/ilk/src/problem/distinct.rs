//! A problem over the distinct rows of its points.
//!
//! A point that is given twice means the same as one that is given once with weight 2. A parameter
//! that is estimated from the data must not depend on which of the two forms was given, so it is
//! estimated from the distinct rows: the weights of equal rows are added, and a constraint on a point
//! becomes a constraint on its distinct row.

use crate::problem::{Constraints, Input, Points, Problem};
use crate::{Result, numerics::distinct_rows::DistinctRows, problem::aggregate::Combine};

impl Points {
    /// Which rows are equal.
    pub(crate) fn distinct_rows(&self) -> DistinctRows {
        DistinctRows::new(self.view())
    }

    /// Each distinct row once, in the order of first appearance.
    pub(crate) fn distinct(&self) -> Self {
        self.select(&self.distinct_rows().first)
    }
}

impl Problem {
    /// The problem over the distinct rows of its points. `None` where no two rows are equal or the
    /// input is no points.
    pub(crate) fn distinct(&self) -> Result<Option<(Self, DistinctRows)>> {
        let Input::Points(points) = self.input() else {
            return Ok(None);
        };
        let rows = points.distinct_rows();
        if rows.are_all_distinct() {
            return Ok(None);
        }
        Ok(Some((self.over_distinct_rows(points, &rows)?, rows)))
    }

    /// The problem over the distinct rows of `points`, with the sum of the weights of equal rows.
    pub(crate) fn over_distinct_rows(&self, points: &Points, rows: &DistinctRows) -> Result<Self> {
        let constraints = constraints_over_rows(self.constraints(), rows)?;
        Self::new(points.select(&rows.first), constraints)?
            .with_weights(rows.weights(self.weights()))
    }
}

/// Constraints on points as constraints on distinct rows. A pair of equal rows is left out, since it
/// cannot separate anything; of several labels of one row the first counts.
pub(crate) fn constraints_over_rows(
    constraints: &Constraints,
    rows: &DistinctRows,
) -> Result<Constraints> {
    constraints.on_sets(&rows.distinct_row_of, rows.len(), Combine::Keep)
}
