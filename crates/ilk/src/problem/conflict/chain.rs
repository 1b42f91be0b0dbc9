//! Shortest chains of must-links and shared labels.

use std::collections::{HashMap, HashSet};

use super::super::Constraints;
use super::super::rows::Rows;

/// Why two points belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// By a must-link, an index into [`Constraints::must_links`].
    MustLink(usize),
    /// By having the same label, an index into [`Constraints::label_names`].
    SharedLabel(usize),
}

/// One link of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The point it starts at.
    pub from: usize,
    /// The point it leads to.
    pub to: usize,
    /// Why they belong together.
    pub link: Link,
}

/// Must-links by point and points by label.
///
/// A label of m points is a hub with m spokes rather than m² edges; a step through it counts as
/// one.
#[derive(Debug)]
pub(super) struct LinkGraph {
    must_links: Rows,
    labelled: Rows,
}

impl LinkGraph {
    pub(super) fn new(said: &Constraints) -> Self {
        let must_links = (0..said.must_links().len())
            .flat_map(|entry| said.must_links()[entry].points.map(|point| (point, entry)));
        let labelled = said.labels().iter().map(|said| (said.label, said.point));
        Self {
            must_links: Rows::new(said.n(), must_links),
            labelled: Rows::new(said.label_names().len(), labelled),
        }
    }

    /// The points of a label.
    pub(super) fn labelled(&self, label: usize) -> &[usize] {
        self.labelled.row(label)
    }

    /// A chain of the fewest steps from any of `sources` to any of `targets`, which share no point;
    /// `None` where there is none.
    ///
    /// Breadth first from both ends, a level at a time, always on the side with the smaller
    /// frontier. As long as the two sides are disjoint after i and j levels, no chain is shorter
    /// than i + j + 1, and the first meeting gives one of that length.
    pub(super) fn shortest_chain(
        &self,
        said: &Constraints,
        sources: &[usize],
        targets: &[usize],
    ) -> Option<Vec<Step>> {
        let mut forward = Side::new(sources);
        let mut backward = Side::new(targets);
        let meeting = loop {
            if forward.frontier.is_empty() || backward.frontier.is_empty() {
                return None;
            }
            let met = if forward.frontier.len() <= backward.frontier.len() {
                forward.advance(self, said, &backward)
            } else {
                backward.advance(self, said, &forward)
            };
            if let Some(point) = met {
                break point;
            }
        };
        let mut chain = forward.steps_back_from(meeting);
        chain.reverse();
        chain.extend(backward.steps_back_from(meeting).iter().map(|step| Step {
            from: step.to,
            to: step.from,
            link: step.link,
        }));
        Some(chain)
    }
}

/// One of the two searches that meet.
struct Side {
    /// The step by which each point was first reached; none for the starts.
    reached: HashMap<usize, Option<Step>>,
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
    fn advance(&mut self, links: &LinkGraph, said: &Constraints, other: &Self) -> Option<usize> {
        for from in std::mem::take(&mut self.frontier) {
            for &entry in links.must_links.row(from) {
                let [a, b] = said.must_links()[entry].points;
                let to = if a == from { b } else { a };
                if self.reach(from, to, Link::MustLink(entry), other) {
                    return Some(to);
                }
            }
            let Some(label) = said.label_of(from) else {
                continue;
            };
            if !self.labels.insert(label) {
                continue;
            }
            for &to in links.labelled.row(label) {
                if self.reach(from, to, Link::SharedLabel(label), other) {
                    return Some(to);
                }
            }
        }
        None
    }

    /// Records a step; true where it meets the other side.
    fn reach(&mut self, from: usize, to: usize, link: Link, other: &Self) -> bool {
        if self.reached.contains_key(&to) {
            return false;
        }
        self.reached.insert(to, Some(Step { from, to, link }));
        self.frontier.push(to);
        other.reached.contains_key(&to)
    }

    /// The steps that led to `point`, the last first.
    fn steps_back_from(&self, mut point: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(&Some(step)) = self.reached.get(&point) {
            steps.push(step);
            point = step.from;
        }
        steps
    }
}
