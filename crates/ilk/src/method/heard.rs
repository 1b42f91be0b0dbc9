//! The answers that a method believes.

use std::borrow::Cow;

use crate::Result;
use crate::outcome::Chosen;
use crate::parameter::{ParameterInfo, Range};
use crate::problem::Problem;
use crate::supervise::doubt;

/// The parameter that says whether answers are doubted.
pub(super) const PARAMETER: ParameterInfo = ParameterInfo {
    name: "doubt",
    doc: "Whether pairs that other pairs outvote are left out.",
    range: Range::Flag,
    default: "true",
};

/// The problem with the answers that are believed, and a word on those that are not.
pub(super) fn heard(problem: &Problem, doubts: bool) -> Result<(Cow<'_, Problem>, Option<Chosen>)> {
    if !doubts {
        return Ok((Cow::Borrowed(problem), None));
    }
    let said = problem.constraints();
    let heard = doubt::heard(said)?;
    let left_out = heard.must_links.len() + heard.cannot_links.len();
    if left_out == 0 {
        return Ok((Cow::Borrowed(problem), None));
    }
    let all = said.must_links().len() + said.cannot_links().len();
    let note = Chosen::new(
        PARAMETER.name,
        format!("{left_out} of {all} pairs left out"),
        "the other answers",
    );
    let problem = problem.with_constraints(heard.said)?;
    Ok((Cow::Owned(problem), Some(note)))
}
