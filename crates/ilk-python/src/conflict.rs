//! Contradictions between constraints, with their proofs.

use ilk::problem::{Check, Conflict};
use pyo3::prelude::*;

/// A contradiction: its kind, the points of what is contradicted, the proof, and all in words.
///
/// The proof of two points being linked is the chain of points between them; that of comparisons
/// is the chain of distances, a pair of points each, that ends where it began.
#[derive(IntoPyObject)]
pub(crate) struct Contradiction(&'static str, (usize, usize), Chain, String);

#[derive(IntoPyObject)]
enum Chain {
    Points(Vec<usize>),
    Distances(Vec<(usize, usize)>),
}

/// At most `limit` contradictions, conflicts of links and labels first.
pub(crate) fn list(check: &Check<'_>, limit: usize) -> Vec<Contradiction> {
    let conflicts = (0..check.n_conflicts()).filter_map(|index| conflict(check, index));
    let cycles = (0..check.cycles().len()).filter_map(|index| cycle(check, index));
    conflicts.chain(cycles).take(limit).collect()
}

fn conflict(check: &Check<'_>, index: usize) -> Option<Contradiction> {
    let chain = check.chain(index)?;
    let first = chain.first()?.from;
    let points: Vec<usize> =
        std::iter::once(first).chain(chain.iter().map(|step| step.to)).collect();
    let kind = match check.conflict(index)? {
        Conflict::CannotLink { .. } => "cannot_link",
        Conflict::Labels { .. } => "labels",
    };
    let ends = (first, *points.last()?);
    let explanation = check.explain(index)?;
    Some(Contradiction(kind, ends, Chain::Points(points), explanation))
}

fn cycle(check: &Check<'_>, index: usize) -> Option<Contradiction> {
    let steps = &check.cycles().get(index)?.steps;
    let [a, b] = steps.first()?.from;
    let distances =
        std::iter::once((a, b)).chain(steps.iter().map(|step| (step.to[0], step.to[1])));
    let chain = Chain::Distances(distances.collect());
    let explanation = check.explain_cycle(index)?;
    Some(Contradiction("comparisons", (a, b), chain, explanation))
}
