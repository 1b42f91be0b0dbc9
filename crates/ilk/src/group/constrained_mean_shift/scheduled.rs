//! A shift whose bandwidths and lengths follow from the points.

use super::fit::COINCIDENT;
use super::params::{ConstrainedMeanShift, EarlyStop};
use super::schedule::Schedule;
use crate::Result;
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::problem::{CannotLinkSets, Constraints, MustLinkPolicy, Points};

/// A constrained mean shift with the rules for what depends on the data.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduledShift {
    /// The rule for the bandwidths.
    pub bandwidth: Schedule,
    /// At most this many iterations.
    pub max_iter: usize,
    /// How must-links propagate cannot-links.
    pub must_links: MustLinkPolicy,
    /// Whether the lengths of `shift` are shares of the largest bandwidth; otherwise they are in units of the data.
    pub has_relative_lengths: bool,
    /// Everything else; its bandwidths are replaced by those of the rule.
    pub shift: ConstrainedMeanShift,
}

impl ScheduledShift {
    /// The numbers of the shift on these points.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter) for a bandwidth that is not above 0;
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn resolve(
        &self,
        points: &Points,
        observer: &dyn Observer,
    ) -> Result<ConstrainedMeanShift> {
        let bandwidths = self.bandwidth.resolve(points, self.max_iter, observer)?;
        let unit = if self.has_relative_lengths {
            bandwidths.iter().copied().fold(0.0, f64::max)
        } else {
            1.0
        };
        let in_units =
            |rule: EarlyStop| EarlyStop { min_movement: rule.min_movement * unit, ..rule };
        Ok(ConstrainedMeanShift {
            bandwidths,
            narrowest: self.shift.narrowest * unit,
            early_stop: self.shift.early_stop.map(in_units),
            ..self.shift.clone()
        })
    }

    /// The sets of points that these constraints separate.
    pub fn separated(&self, constraints: &Constraints) -> CannotLinkSets {
        CannotLinkSets::new(constraints, self.must_links)
    }
}

impl GroupingAlgorithm for ScheduledShift {
    type Input<'a> = GroupingInput<'a, &'a Points, &'a Constraints>;
    type Model = ();

    /// Moves a centre from every point; points whose centres end within [`COINCIDENT`] bandwidths of
    /// one another, by single linkage, are a cluster.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, ())> {
        let GroupingInput { data: points, weights, constraints } = input.into();
        let separated = self.separated(constraints);
        let shift = self.resolve(points, observer)?;
        let shifted = shift.shift(points, weights, &separated, None, observer)?;
        let labels = shifted.coincident(COINCIDENT).into_iter().map(Some).collect();
        Ok((shifted.into_grouping(labels), ()))
    }
}
