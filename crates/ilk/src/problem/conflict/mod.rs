//! Contradictions between constraints, with the proof.

mod chain;
mod clique;
mod comparison;
mod label_conflicts;
mod scc;
#[cfg(test)]
mod tests;
mod text;

use std::collections::HashSet;
use std::sync::OnceLock;

pub use chain::{ChainLink, ChainStep};
pub use comparison::{Cycle, DistanceComparison};

use super::{Closure, ConstraintKind, Constraints};

use chain::LinkGraph;
use label_conflicts::LabelClashes;

/// Something that cannot be true together with the must-links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// A cannot-link between two points that a chain of must-links joins.
    CannotLink {
        /// Which, an index into [`Constraints::cannot_links`].
        entry: usize,
    },
    /// Two different labels that a chain of must-links joins.
    Labels {
        /// The label given first, an index into [`Constraints::label_names`].
        first: usize,
        /// The other label.
        second: usize,
    },
}

/// What [`Constraints::check`] found.
///
/// Three kinds of contradiction are looked for:
///
/// - a cannot-link inside a component of the [`Closure`];
/// - two different labels inside a component, once for every two labels however many points have
///   them;
/// - comparisons that go round in a circle, d(a, b) < d(a, c) < ... < d(a, b): see [`Cycle`].
///
/// The first two are the [`conflicts`](Self::conflicts). Listing them takes time linear in the number
/// of constraints. The proof of one is a shortest chain of must-links and shared labels, which
/// [`chain`](Self::chain) searches when it is called.
///
/// ```
/// use ilk::problem::Constraints;
///
/// let mut constraints = Constraints::with_ids(["a", "b", "c", "d"])?;
/// constraints.must_link(0, 1)?.must_link(1, 2)?.cannot_link(0, 2)?;
/// constraints.odd_one_out(0, 1, 3)?.closer(0, 3, 1)?;
/// let check = constraints.check();
/// assert!(!check.is_consistent());
/// assert_eq!(
///     check.to_string(),
///     "2 contradictions:\n\
///      - a must-link b must-link c, but a cannot-link c\n\
///      - d(a, b) < d(a, d) < d(a, b): of a, b and d, d is the odd one out; \
///      a is closer to d than to b"
/// );
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug)]
pub struct Check<'a> {
    constraints: &'a Constraints,
    closure: Closure,
    /// Cannot-links inside a component.
    cannot_links: Vec<usize>,
    labels: LabelClashes,
    cycles: Vec<Cycle>,
    clique: Vec<usize>,
    links: OnceLock<LinkGraph>,
}

impl Constraints {
    /// Looks for contradictions. O(n α(n) + m log m) for n points and m entries, without recursion;
    /// the search for short cycles of comparisons adds a bounded amount, see [`Cycle`].
    pub fn check(&self) -> Check<'_> {
        let closure = self.closure();
        Check {
            constraints: self,
            cannot_links: closure.contradicted_cannot_links(self),
            labels: LabelClashes::new(self, &closure),
            cycles: comparison::cycles(self),
            clique: closure.separated_points(),
            closure,
            links: OnceLock::new(),
        }
    }
}

impl Check<'_> {
    /// Whether no contradiction of these kinds was found.
    pub fn is_consistent(&self) -> bool {
        self.n_contradictions() == 0
    }

    /// Number of conflicts and cycles.
    pub fn n_contradictions(&self) -> usize {
        self.n_conflicts() + self.cycles.len()
    }

    /// The components that the conflicts are about.
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// How many cannot-links and pairs of labels contradict the must-links. O(1).
    pub fn n_conflicts(&self) -> usize {
        self.cannot_links.len() + self.labels.len()
    }

    /// One conflict: the cannot-links come first, in their order, then the labels by component.
    /// O(log labels): pairs of labels are not stored, there may be quadratically many.
    pub fn conflict(&self, index: usize) -> Option<Conflict> {
        if let Some(&entry) = self.cannot_links.get(index) {
            return Some(Conflict::CannotLink { entry });
        }
        let (first, second) = self.labels.get(index - self.cannot_links.len())?;
        Some(Conflict::Labels { first, second })
    }

    /// All conflicts, in the order of [`conflict`](Self::conflict).
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict> + '_ {
        (0..self.n_conflicts()).filter_map(|index| self.conflict(index))
    }

    /// A shortest chain of must-links and shared labels that proves a conflict: it leads from one
    /// end of the cannot-link to the other, or from a point with the first label to one with the
    /// second. A pair with both a must-link and a cannot-link has the chain of one step. `None`
    /// where there is no such conflict.
    ///
    /// Searched from both ends: O(component) at worst, and only a neighbourhood of the two ends
    /// where the chain is short.
    pub fn chain(&self, index: usize) -> Option<Vec<ChainStep>> {
        let links = self.links.get_or_init(|| LinkGraph::new(self.constraints));
        match self.conflict(index)? {
            Conflict::CannotLink { entry } => {
                let [a, b] = self.constraints.cannot_links()[entry].points;
                links.shortest_chain(self.constraints, &[a], &[b])
            }
            Conflict::Labels { first, second } => {
                let [first, second] = [first, second].map(|label| links.labelled.row(label));
                links.shortest_chain(self.constraints, first, second)
            }
        }
    }

    /// Contradictory circles of comparisons, one for each set of distances that are entangled.
    pub fn cycles(&self) -> &[Cycle] {
        &self.cycles
    }

    /// The constraints that a contradiction is made of, in the order in which its explanation names them: those of
    /// a conflict's chain and the one that denies it, or those of a cycle. Numbered as
    /// [`explanations`](Self::explanations) are; empty where there is no such contradiction.
    ///
    /// ```
    /// use ilk::problem::{ConstraintKind, Constraints};
    ///
    /// let mut constraints = Constraints::new(3);
    /// constraints.must_link(0, 1)?.must_link(1, 2)?.cannot_link(0, 2)?;
    /// let [must, cannot] = [ConstraintKind::MustLink, ConstraintKind::CannotLink];
    /// assert_eq!(constraints.check().entries(0), [(must, 0), (must, 1), (cannot, 0)]);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn entries(&self, index: usize) -> Vec<(ConstraintKind, usize)> {
        let Some(conflict) = self.conflict(index) else {
            let cycle = self.cycles.get(index - self.n_conflicts());
            let steps = cycle.map_or(&[][..], |cycle| &cycle.steps);
            return first_of_each(steps.iter().map(|step| (step.kind, step.entry)));
        };
        let chain = self.chain(index).unwrap_or_default();
        let label = |point: usize| {
            let entry = self.constraints.label_entry_of(point);
            entry.map(|entry| (ConstraintKind::Label, entry))
        };
        let mut entries = Vec::new();
        for step in &chain {
            match step.link {
                ChainLink::MustLink(entry) => entries.push((ConstraintKind::MustLink, entry)),
                ChainLink::SharedLabel(_) => {
                    entries.extend([step.from, step.to].into_iter().filter_map(label));
                }
            }
        }
        match conflict {
            Conflict::CannotLink { entry } => entries.push((ConstraintKind::CannotLink, entry)),
            Conflict::Labels { .. } => {
                let ends = [chain.first().map(|step| step.from), chain.last().map(|step| step.to)];
                entries.extend(ends.into_iter().flatten().filter_map(label));
            }
        }
        first_of_each(entries.into_iter())
    }

    /// At least this many clusters are needed to keep all cannot-links and labels: the size of the
    /// largest set of components found in which any two are separated. At least 1 unless there are
    /// no points. The true minimum is a chromatic number and may be larger; the bound holds for
    /// any labelling that keeps the must-links, so it means little where there are conflicts.
    pub fn min_clusters(&self) -> usize {
        self.clique.len()
    }

    /// Points that prove [`min_clusters`](Self::min_clusters): any two are separated. Sorted, each
    /// the smallest of its component.
    pub fn separated_points(&self) -> &[usize] {
        &self.clique
    }
}

/// What there is, each once, in the order in which it came first.
fn first_of_each<T: Copy + Eq + std::hash::Hash>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    all.filter(|&one| seen.insert(one)).collect()
}
