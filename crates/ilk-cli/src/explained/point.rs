//! Why a point is where it is, as text.

use ilk::explain::{ConcerningConstraint, PointExplanation, RunnerUp};
use ilk::problem::Constraints;

use super::Words;
use crate::text::{count, counted, number, short};

/// Constraints that are listed.
const MAX_CONSTRAINTS: usize = 20;
/// Features whose change is listed.
const MAX_SHIFTS: usize = 3;

/// One point for people.
pub(crate) fn point_text(
    words: &Words<'_>,
    constraints: &Constraints,
    found: &PointExplanation,
) -> String {
    let id = short(&words.ids[found.point], 40);
    let mut text = vec![format!("{id} is in {}\n\nnearest rows\n", words.cluster(found.cluster))];
    for near in &found.nearest {
        let id = short(&words.ids[near.row], 40);
        let (distance, cluster) = (number(near.distance), words.cluster(near.cluster));
        text.push(format!("  {id}, at {distance}, in {cluster}\n"));
    }
    let next = found.runner_up.as_ref();
    let own = found.cluster.zip(found.distance);
    let own = own.map(|(cluster, distance)| (words.cluster(Some(cluster)), distance));
    let next_to =
        next.map(|next| (words.cluster(Some(next.cluster)) + ", the runner-up", next.distance));
    text.push("\nmean distance to the nearest rows\n".to_owned());
    for (name, distance) in own.into_iter().chain(next_to) {
        text.push(format!("  of {name}: {}\n", number(distance)));
    }
    text.push(constraint_lines(constraints, &found.constraints));
    if let Some(next) = next {
        text.push(changes(words, constraints, found, next));
    }
    text.concat()
}

/// The constraints that concern the point.
fn constraint_lines(constraints: &Constraints, concerning: &[ConcerningConstraint]) -> String {
    if concerning.is_empty() {
        return String::new();
    }
    let mut text = vec!["\nanswers that concern it\n".to_owned()];
    for it in concerning.iter().take(MAX_CONSTRAINTS) {
        let kept = if it.is_kept { "kept" } else { "broken" };
        let via = if it.is_direct { "" } else { ", names a point that it must be with" };
        let sentence = constraints.describe(it.kind, it.entry).unwrap_or_default();
        text.push(format!("  {sentence} ({kept}{via})\n"));
    }
    if concerning.len() > MAX_CONSTRAINTS {
        let more = count(concerning.len() - MAX_CONSTRAINTS);
        text.push(format!("  and {more} more\n"));
    }
    text.concat()
}

/// What would bring the point to the runner-up.
fn changes(
    words: &Words<'_>,
    constraints: &Constraints,
    found: &PointExplanation,
    next: &RunnerUp,
) -> String {
    let other = words.cluster(Some(next.cluster));
    let mut text = vec![format!("\nwhat would bring it to {other}\n")];
    let row = short(&words.ids[next.nearest_row], 40);
    text.push(format!("  a must-link with {row}, its nearest row there\n"));
    let against = found.constraints.iter().filter(|it| it.is_against_runner_up);
    let against: Vec<String> =
        against.filter_map(|it| constraints.describe(it.kind, it.entry)).collect();
    if !against.is_empty() {
        text.push("  after taking back\n".to_owned());
        for sentence in against.iter().take(MAX_CONSTRAINTS) {
            text.push(format!("    {sentence}\n"));
        }
        if against.len() > MAX_CONSTRAINTS {
            let more = counted(against.len() - MAX_CONSTRAINTS, "more answer");
            text.push(format!("    and {more}\n"));
        }
    }
    if found.cluster.is_some() && next.shifts.is_empty() {
        text.push(format!("  it is nearer to the mean of {other} already\n"));
    }
    for it in next.shifts.iter().take(MAX_SHIFTS) {
        text.push(format!(
            "  {} = {} instead of {} ({:+.2} sd): then it is as near to the mean of {other}\n",
            short(&words.features[it.feature], 40),
            number(words.in_units(it.feature, it.needed)),
            number(words.in_units(it.feature, it.value)),
            it.shift,
        ));
    }
    text.concat()
}
