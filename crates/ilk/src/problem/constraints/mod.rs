//! What a person said about the data.

mod among;
mod build;
mod fold;
mod ids;
mod kind;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use kind::{Constraint, ConstraintKind, Labelled, Pair, Triplet};

use crate::Result;
use fold::{Folded, FoldedLabels, Sources};
use ids::Ids;

/// Everything that was said about `n` points: must-links, cannot-links, comparisons of three
/// points, and labels.
///
/// Each entry has a weight and, where one was given, a source. Points are indices from 0; with
/// [`with_ids`](Self::with_ids) they have names too, which errors and explanations then use.
/// Entries keep the order in which they were first said. Saying a thing twice, or a pair the other
/// way round, is saying it once. Things that contradict each other are kept as they are:
/// [`check`](Self::check) finds them. Only two labels on one point are refused at once, as a point
/// has room for one.
///
/// ```
/// use ilk::problem::Constraints;
///
/// let mut said = Constraints::new(6);
/// said.must_link(0, 1)?.must_link(1, 0)?.cannot_link(1, 2)?;
/// said.odd_one_out(3, 4, 5)?.about_equal(0, 3, 5)?.closer(0, 1, 5)?;
/// said.label(0, "cat")?.label(2, "dog")?;
/// assert_eq!(said.must_links().len(), 1);
/// assert_eq!(said.label_names(), ["cat", "dog"]);
/// assert_eq!(said.constrained_points(), [0, 1, 2, 3, 4, 5]);
/// assert!(said.check().is_consistent());
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    n: usize,
    ids: Option<Arc<Ids>>,
    must_links: Folded<2>,
    cannot_links: Folded<2>,
    odd_one_outs: Folded<3>,
    about_equals: Folded<3>,
    closers: Folded<3>,
    labels: FoldedLabels,
    sources: Sources,
    offered: [usize; ConstraintKind::ALL.len()],
}

impl Constraints {
    /// Nothing said yet about `n` points.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            ..Self::default()
        }
    }

    /// Nothing said yet about points with these ids, one a point.
    ///
    /// # Errors
    /// [`Error::DuplicateId`](crate::Error::DuplicateId) where two points have the same id.
    pub fn with_ids(ids: impl IntoIterator<Item: AsRef<str>>) -> Result<Self> {
        let ids = Ids::new(ids)?;
        Ok(Self {
            n: ids.names().len(),
            ids: Some(Arc::new(ids)),
            ..Self::default()
        })
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The ids of the points, if they have any.
    pub fn ids(&self) -> Option<&[Arc<str>]> {
        self.ids.as_deref().map(Ids::names)
    }

    /// The point with this id. Where the points have no ids, an index written as text is one. O(1).
    pub fn index_of(&self, id: &str) -> Option<usize> {
        match &self.ids {
            Some(ids) => ids.index_of(id),
            None => id.parse().ok().filter(|&point| point < self.n),
        }
    }

    /// The id of a point, or its index as text where the points have no ids.
    pub fn name_of(&self, point: usize) -> String {
        match self.ids().and_then(|ids| ids.get(point)) {
            Some(id) => id.to_string(),
            None => point.to_string(),
        }
    }

    /// The same without the labels; every other entry keeps its place.
    #[must_use]
    pub fn without_labels(&self) -> Self {
        Self {
            labels: FoldedLabels::default(),
            ..self.clone()
        }
    }

    /// The must-links.
    pub fn must_links(&self) -> &[Pair] {
        self.must_links.as_slice()
    }

    /// The cannot-links.
    pub fn cannot_links(&self) -> &[Pair] {
        self.cannot_links.as_slice()
    }

    /// The odd-one-outs.
    pub fn odd_one_outs(&self) -> &[Triplet] {
        self.odd_one_outs.as_slice()
    }

    /// The about-equals.
    pub fn about_equals(&self) -> &[Triplet] {
        self.about_equals.as_slice()
    }

    /// The closers.
    pub fn closers(&self) -> &[Triplet] {
        self.closers.as_slice()
    }

    /// The labelled points.
    pub fn labels(&self) -> &[Labelled] {
        self.labels.as_slice()
    }

    /// The names of the labels, in the order in which they were first given. Each has at least one
    /// point.
    pub fn label_names(&self) -> &[String] {
        self.labels.names()
    }

    /// The label of a point, an index into [`label_names`](Self::label_names). O(1).
    pub fn label_of(&self, point: usize) -> Option<usize> {
        self.labels.label_of(point)
    }

    /// How many constraints of a kind there are.
    pub fn count(&self, kind: ConstraintKind) -> usize {
        match kind {
            ConstraintKind::MustLink => self.must_links().len(),
            ConstraintKind::CannotLink => self.cannot_links().len(),
            ConstraintKind::OddOneOut => self.odd_one_outs().len(),
            ConstraintKind::AboutEqual => self.about_equals().len(),
            ConstraintKind::Closer => self.closers().len(),
            ConstraintKind::Label => self.labels().len(),
        }
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        ConstraintKind::ALL
            .iter()
            .all(|&kind| self.count(kind) == 0)
    }

    /// The points of one entry, in the kind's own order.
    pub fn points_of(&self, kind: ConstraintKind, entry: usize) -> Option<&[usize]> {
        fn at<const K: usize>(list: &[Constraint<K>], entry: usize) -> Option<&[usize]> {
            list.get(entry)
                .map(|constraint| constraint.points.as_slice())
        }
        match kind {
            ConstraintKind::MustLink => at(self.must_links(), entry),
            ConstraintKind::CannotLink => at(self.cannot_links(), entry),
            ConstraintKind::OddOneOut => at(self.odd_one_outs(), entry),
            ConstraintKind::AboutEqual => at(self.about_equals(), entry),
            ConstraintKind::Closer => at(self.closers(), entry),
            ConstraintKind::Label => self
                .labels()
                .get(entry)
                .map(|labelled| std::slice::from_ref(&labelled.point)),
        }
    }

    /// All points of which anything was said, sorted. O(m log m) for m entries.
    pub fn constrained_points(&self) -> Vec<usize> {
        let pairs = [self.must_links(), self.cannot_links()];
        let triplets = [self.odd_one_outs(), self.about_equals(), self.closers()];
        let mut points: Vec<usize> = pairs
            .into_iter()
            .flatten()
            .flat_map(|pair| pair.points)
            .chain(triplets.into_iter().flatten().flat_map(|t| t.points))
            .chain(self.labels().iter().map(|labelled| labelled.point))
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// One entry as a sentence, with the names of the points; `None` where there is no such entry.
    ///
    /// ```
    /// use ilk::problem::{ConstraintKind, Constraints};
    ///
    /// let mut said = Constraints::with_ids(["fly", "bee", "owl"])?;
    /// said.odd_one_out(0, 1, 2)?.label(2, "bird")?;
    /// let sentence = |kind| said.describe(kind, 0).unwrap();
    /// assert_eq!(sentence(ConstraintKind::OddOneOut), "of fly, bee and owl, owl is the odd one out");
    /// assert_eq!(sentence(ConstraintKind::Label), "owl is labelled \"bird\"");
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn describe(&self, kind: ConstraintKind, entry: usize) -> Option<String> {
        let names: Vec<String> = self
            .points_of(kind, entry)?
            .iter()
            .map(|&point| self.name_of(point))
            .collect();
        Some(match (kind, names.as_slice()) {
            (ConstraintKind::Label, [a]) => {
                let name = &self.label_names()[self.labels()[entry].label];
                format!("{a} is labelled {name:?}")
            }
            (ConstraintKind::OddOneOut, [a, b, odd]) => {
                format!("of {a}, {b} and {odd}, {odd} is the odd one out")
            }
            (ConstraintKind::AboutEqual, [a, b, c]) => {
                format!("{a}, {b} and {c} are about equally different")
            }
            (ConstraintKind::Closer, [anchor, near, far]) => {
                format!("{anchor} is closer to {near} than to {far}")
            }
            (kind, names) => names.join(&format!(" {kind} ")),
        })
    }
}

/// Equal where the same things were said about the same points in the same order; repetitions that
/// were folded and entries that were refused leave no trace.
impl PartialEq for Constraints {
    fn eq(&self, other: &Self) -> bool {
        self.n == other.n
            && self.ids == other.ids
            && self.must_links == other.must_links
            && self.cannot_links == other.cannot_links
            && self.odd_one_outs == other.odd_one_outs
            && self.about_equals == other.about_equals
            && self.closers == other.closers
            && self.labels == other.labels
    }
}
