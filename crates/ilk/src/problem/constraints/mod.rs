//! Constraints on points: pairs, comparisons and labels.

mod build;
mod dedup;
mod ids;
mod kind;
mod subset;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

pub use kind::{Constraint, ConstraintKind, Labelled, Pair, Triplet};

use crate::Result;
use dedup::{Deduplicated, DeduplicatedLabels};
use ids::Ids;

/// The constraints on `n` points: must-links, cannot-links, comparisons of three points, and labels.
///
/// Each entry has a weight and, where one was given, a source. Points are indices from 0; with
/// [`with_ids`](Self::with_ids) they have names too, which errors and explanations then use.
/// Entries keep the order in which they were first added. An entry that is added twice, or a pair the
/// other way round, counts once. Constraints that contradict each other are all kept:
/// [`check`](Self::check) finds them. Only two labels on one point are refused at once, as a point
/// has room for one.
///
/// ```
/// use ilk::problem::Constraints;
///
/// let mut constraints = Constraints::new(6);
/// constraints.must_link(0, 1)?.must_link(1, 0)?.cannot_link(1, 2)?;
/// constraints.odd_one_out(3, 4, 5)?.about_equal(0, 3, 5)?.closer(0, 1, 5)?;
/// constraints.label(0, "cat")?.label(2, "dog")?;
/// assert_eq!(constraints.must_links().len(), 1);
/// assert_eq!(constraints.label_names(), ["cat", "dog"]);
/// assert_eq!(constraints.constrained_points(), [0, 1, 2, 3, 4, 5]);
/// assert!(constraints.check().is_consistent());
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    n: usize,
    ids: Option<Arc<Ids>>,
    /// Must-links, cannot-links.
    pairs: [Deduplicated<2>; 2],
    /// Odd-one-outs, about-equals, closers.
    triplets: [Deduplicated<3>; 3],
    labels: DeduplicatedLabels,
    /// A million entries of one source share one name.
    sources: HashSet<Arc<str>>,
    offered: [usize; ConstraintKind::ALL.len()],
}

/// An entry of any kind.
struct Entry<'a> {
    points: &'a [usize],
    weight: f64,
    source: Option<&'a str>,
    label: Option<&'a str>,
}

impl Constraints {
    /// No constraints yet on `n` points.
    pub fn new(n: usize) -> Self {
        Self { n, ..Self::default() }
    }

    /// No constraints yet on points with these ids, one a point.
    ///
    /// # Errors
    /// [`Error::DuplicateId`](crate::Error::DuplicateId) where two points have the same id.
    pub fn with_ids(ids: impl IntoIterator<Item: AsRef<str>>) -> Result<Self> {
        let ids = Ids::new(ids)?;
        Ok(Self { n: ids.names.len(), ids: Some(Arc::new(ids)), ..Self::default() })
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The ids of the points, if they have any.
    pub fn ids(&self) -> Option<&[Arc<str>]> {
        self.ids.as_deref().map(|ids| ids.names.as_slice())
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

    /// The same without the labels; every other entry keeps its position.
    #[must_use]
    pub fn without_labels(&self) -> Self {
        Self { labels: DeduplicatedLabels::default(), ..self.clone() }
    }

    /// The must-links.
    pub fn must_links(&self) -> &[Pair] {
        &self.pairs[0].entries
    }

    /// The cannot-links.
    pub fn cannot_links(&self) -> &[Pair] {
        &self.pairs[1].entries
    }

    /// The must-links, then the cannot-links, each with its kind.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Pair, ConstraintKind)> {
        let kinds = [ConstraintKind::MustLink, ConstraintKind::CannotLink];
        let both = kinds.into_iter().zip(&self.pairs);
        both.flat_map(|(kind, list)| list.entries.iter().map(move |pair| (pair, kind)))
    }

    /// The points and the weight of every must-link, then of every cannot-link, whose weight is
    /// taken negative.
    pub(crate) fn signed_pairs(&self) -> impl Iterator<Item = ([usize; 2], f64)> {
        self.pairs().map(|(pair, kind)| match kind {
            ConstraintKind::MustLink => (pair.points, pair.weight),
            _ => (pair.points, -pair.weight),
        })
    }

    /// The odd-one-outs, about-equals and closers, each list with its kind.
    pub(crate) fn triplets(&self) -> [(ConstraintKind, &[Triplet]); 3] {
        [
            (ConstraintKind::OddOneOut, self.odd_one_outs()),
            (ConstraintKind::AboutEqual, self.about_equals()),
            (ConstraintKind::Closer, self.closers()),
        ]
    }

    /// The odd-one-outs.
    pub fn odd_one_outs(&self) -> &[Triplet] {
        &self.triplets[0].entries
    }

    /// The about-equals.
    pub fn about_equals(&self) -> &[Triplet] {
        &self.triplets[1].entries
    }

    /// The closers.
    pub fn closers(&self) -> &[Triplet] {
        &self.triplets[2].entries
    }

    /// The labelled points.
    pub fn labels(&self) -> &[Labelled] {
        &self.labels.entries
    }

    /// The names of the labels, in the order in which they were first given. Each has at least one
    /// point.
    pub fn label_names(&self) -> &[String] {
        &self.labels.names
    }

    /// The label of a point, an index into [`label_names`](Self::label_names). O(1).
    pub fn label_of(&self, point: usize) -> Option<usize> {
        self.labels.label_of(point)
    }

    /// The entry that labels a point, an index into [`labels`](Self::labels). O(1).
    pub(crate) fn label_entry_of(&self, point: usize) -> Option<usize> {
        self.labels.entry_of(point)
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

    /// Whether there are no constraints.
    pub fn is_empty(&self) -> bool {
        let mut kinds = ConstraintKind::ALL.into_iter();
        kinds.all(|kind| self.count(kind) == 0)
    }

    /// One entry.
    fn entry(&self, kind: ConstraintKind, entry: usize) -> Option<Entry<'_>> {
        fn at<const K: usize>(list: &[Constraint<K>], entry: usize) -> Option<Entry<'_>> {
            list.get(entry).map(|constraint| Entry {
                points: &constraint.points,
                weight: constraint.weight,
                source: constraint.source.as_deref(),
                label: None,
            })
        }
        match kind {
            ConstraintKind::MustLink => at(self.must_links(), entry),
            ConstraintKind::CannotLink => at(self.cannot_links(), entry),
            ConstraintKind::OddOneOut => at(self.odd_one_outs(), entry),
            ConstraintKind::AboutEqual => at(self.about_equals(), entry),
            ConstraintKind::Closer => at(self.closers(), entry),
            ConstraintKind::Label => self.labels().get(entry).map(|labelled| Entry {
                points: std::slice::from_ref(&labelled.point),
                weight: labelled.weight,
                source: labelled.source.as_deref(),
                label: Some(&self.label_names()[labelled.label]),
            }),
        }
    }

    /// The points of one entry, in the kind's own order.
    pub fn points_of(&self, kind: ConstraintKind, entry: usize) -> Option<&[usize]> {
        self.entry(kind, entry).map(|entry| entry.points)
    }

    /// All points that any constraint names, sorted. O(m log m) for m entries.
    pub fn constrained_points(&self) -> Vec<usize> {
        let mut points = Vec::new();
        for kind in ConstraintKind::ALL {
            let entries = (0..self.count(kind)).filter_map(|entry| self.points_of(kind, entry));
            points.extend(entries.flatten());
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    /// One entry as a sentence, with the names of the points; `None` where there is no such entry.
    ///
    /// ```
    /// use ilk::problem::{ConstraintKind, Constraints};
    ///
    /// let mut constraints = Constraints::with_ids(["fly", "bee", "owl"])?;
    /// constraints.odd_one_out(0, 1, 2)?.label(2, "bird")?;
    /// let sentence = |kind| constraints.describe(kind, 0).unwrap();
    /// assert_eq!(sentence(ConstraintKind::OddOneOut), "of fly, bee and owl, owl is the odd one out");
    /// assert_eq!(sentence(ConstraintKind::Label), "owl is labelled \"bird\"");
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn describe(&self, kind: ConstraintKind, entry: usize) -> Option<String> {
        let entry = self.entry(kind, entry)?;
        let names = entry.points.iter().map(|&point| self.name_of(point));
        let names: Vec<String> = names.collect();
        Some(match (kind, names.as_slice()) {
            (ConstraintKind::Label, [a]) => {
                let label = entry.label.unwrap_or_default();
                format!("{a} is labelled {label:?}")
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

/// Equal where both have the same entries on the same points in the same order; repeated and refused
/// entries do not count.
impl PartialEq for Constraints {
    fn eq(&self, other: &Self) -> bool {
        self.n == other.n
            && self.ids() == other.ids()
            && self.pairs().eq(other.pairs())
            && self.triplets() == other.triplets()
            && self.labels() == other.labels()
            && self.label_names() == other.label_names()
    }
}
