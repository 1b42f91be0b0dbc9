//! Shortest chains of must-links and shared labels.

use std::collections::{HashMap, HashSet};

use super::super::Constraints;
use crate::numerics::ragged::RaggedRows;

/// Why two points belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainLink {
    /// By a must-link, an index into [`Constraints::must_links`].
    MustLink(usize),
    /// By having the same label, an index into [`Constraints::label_names`].
    SharedLabel(usize),
}

/// One link of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainStep {
    /// The point it starts at.
    pub from: usize,
    /// The point it leads to.
    pub to: usize,
    /// Why they belong together.
    pub link: ChainLink,
}

/// Must-links by point and points by label.
///
/// A label of m points is a hub with m spokes rather than m² edges; a step through it counts as
/// one.
#[derive(Debug)]
pub(super) struct LinkGraph {
    must_links: RaggedRows,
    pub(super) labelled: RaggedRows,
}

impl LinkGraph {
    pub(super) fn new(constraints: &Constraints) -> Self {
        let must_links = constraints.must_links().iter().enumerate();
        let must_links = must_links.flat_map(|(entry, pair)| pair.points.map(|p| (p, entry)));
        let labelled = constraints.labels().iter();
        let labelled = labelled.map(|labelled| (labelled.label, labelled.point));
        Self {
            must_links: RaggedRows::new(constraints.n(), must_links),
            labelled: RaggedRows::new(constraints.label_names().len(), labelled),
        }
    }

    /// A chain of the fewest steps from any of `sources` to any of `targets`, which share no point;
    /// `None` where there is none.
    ///
    /// Breadth first from both ends, a level at a time, always on the side with the smaller
    /// frontier. As long as the two sides are disjoint after i and j levels, no chain is shorter
    /// than i + j + 1, and the first meeting gives one of that length.
    pub(super) fn shortest_chain(
        &self,
        constraints: &Constraints,
        sources: &[usize],
        targets: &[usize],
    ) -> Option<Vec<ChainStep>> {
        let mut forward = Side::new(sources);
        let mut backward = Side::new(targets);
        let meeting = loop {
            if forward.frontier.is_empty() || backward.frontier.is_empty() {
                return None;
            }
            let met = if forward.frontier.len() <= backward.frontier.len() {
                forward.advance(self, constraints, &backward)
            } else {
                backward.advance(self, constraints, &forward)
            };
            if let Some(point) = met {
                break point;
            }
        };
        let mut chain = forward.steps_back_from(meeting);
        chain.reverse();
        let rest = backward.steps_back_from(meeting).into_iter();
        chain.extend(rest.map(|ChainStep { from, to, link }| ChainStep {
            from: to,
            to: from,
            link,
        }));
        Some(chain)
    }
}

/// One of the two searches that meet.
struct Side {
    /// The step by which each point was first reached; none for the starts.
    reached: HashMap<usize, Option<ChainStep>>,
    frontier: Vec<usize>,
    /// All points of these labels have been reached.
    labels: HashSet<usize>,
}

impl Side {
    fn new(starts: &[usize]) -> Self {
        Self {
            reached: starts.iter().map(|&point| (point, None)).collect(),
            frontier: starts.to_vec(),
            labels: HashSet::new(),
        }
    }

    /// Takes one more step from every point of the frontier. Stops at the first point that `other`
    /// has reached too.
    fn advance(
        &mut self,
        links: &LinkGraph,
        constraints: &Constraints,
        other: &Self,
    ) -> Option<usize> {
        for from in std::mem::take(&mut self.frontier) {
            for &entry in links.must_links.row(from) {
                let [a, b] = constraints.must_links()[entry].points;
                let to = if a == from { b } else { a };
                if self.reach(from, to, ChainLink::MustLink(entry), other) {
                    return Some(to);
                }
            }
            let label = constraints.label_of(from);
            if let Some(label) = label.filter(|&label| self.labels.insert(label)) {
                for &to in links.labelled.row(label) {
                    if self.reach(from, to, ChainLink::SharedLabel(label), other) {
                        return Some(to);
                    }
                }
            }
        }
        None
    }

    /// Records a step; true where it meets the other side.
    fn reach(&mut self, from: usize, to: usize, link: ChainLink, other: &Self) -> bool {
        if self.reached.contains_key(&to) {
            return false;
        }
        self.reached.insert(to, Some(ChainStep { from, to, link }));
        self.frontier.push(to);
        other.reached.contains_key(&to)
    }

    /// The steps that led to `point`, the last first.
    fn steps_back_from(&self, mut point: usize) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        while let Some(&Some(step)) = self.reached.get(&point) {
            steps.push(step);
            point = step.from;
        }
        steps
    }
}
