//! Leave out the constraints that others contradict, and report how many.

use std::borrow::Cow;

use crate::Result;
use crate::outcome::Chosen;
use crate::problem::Problem;
use crate::supervise::filter_inconsistent as supervise;

/// The problem without inconsistent pairs, and how many were left out.
pub(crate) fn filter_inconsistent(
    problem: &Problem,
    is_on: bool,
) -> Result<(Cow<'_, Problem>, Option<Chosen>)> {
    if !is_on {
        return Ok((Cow::Borrowed(problem), None));
    }
    let constraints = problem.constraints();
    let filtered = supervise::filter_inconsistent(constraints)?;
    let left_out = filtered.must_links.len() + filtered.cannot_links.len();
    if left_out == 0 {
        return Ok((Cow::Borrowed(problem), None));
    }
    let all = constraints.must_links().len() + constraints.cannot_links().len();
    let note = Chosen::new(
        "filter_inconsistent",
        format!("{left_out} of {all} pairs left out"),
        "the other answers",
    );
    let problem = problem.with_constraints(filtered.constraints)?;
    Ok((Cow::Owned(problem), Some(note)))
}
