//! What a person said about the data.

use std::sync::Arc;

use crate::Result;

/// The kinds of things a person can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstraintKind {
    /// Two points belong together.
    MustLink,
    /// Two points do not belong together.
    CannotLink,
    /// Of three points, the last is the odd one out.
    OddOneOut,
    /// Three points are about equally different.
    AboutEqual,
    /// The first point is closer to the second than to the third.
    Closer,
    /// A point has a label.
    Label,
}

impl ConstraintKind {
    /// All kinds, in the order in which reports list them.
    pub const ALL: [Self; 6] = [
        Self::MustLink,
        Self::CannotLink,
        Self::OddOneOut,
        Self::AboutEqual,
        Self::Closer,
        Self::Label,
    ];
}

impl std::fmt::Display for ConstraintKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::MustLink => "must-link",
            Self::CannotLink => "cannot-link",
            Self::OddOneOut => "odd-one-out",
            Self::AboutEqual => "about-equal",
            Self::Closer => "closer",
            Self::Label => "label",
        })
    }
}

/// One thing that was said about `K` points.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint<const K: usize> {
    /// The points, in the kind's own order: a pair is sorted; an odd-one-out is the sorted two that
    /// belong together, then the odd one; about-equal is sorted; closer is anchor, near, far.
    pub points: [usize; K],
    /// How much it counts; 1 unless something else was said.
    pub weight: f64,
    /// Who or what said it.
    pub source: Option<Arc<str>>,
}

/// A must-link or a cannot-link.
pub type Pair = Constraint<2>;
/// An odd-one-out, about-equal or closer.
pub type Triplet = Constraint<3>;

/// A labelled point.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled {
    /// The point.
    pub point: usize,
    /// Its label, an index into [`Constraints::label_names`].
    pub label: usize,
    /// How much it counts.
    pub weight: f64,
    /// Who or what said it.
    pub source: Option<Arc<str>>,
}

/// Everything that was said about `n` points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constraints {
    n: usize,
    must_links: Vec<Pair>,
    cannot_links: Vec<Pair>,
    odd_one_outs: Vec<Triplet>,
    about_equals: Vec<Triplet>,
    closers: Vec<Triplet>,
    labels: Vec<Labelled>,
    label_names: Vec<String>,
}

impl Constraints {
    /// Nothing said yet about `n` points.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            ..Self::default()
        }
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Adds "`a` and `b` belong together".
    pub fn must_link(&mut self, a: usize, b: usize) -> Result<&mut Self> {
        self.must_links.push(Pair {
            points: [a, b],
            weight: 1.0,
            source: None,
        });
        Ok(self)
    }

    /// Adds "`a` and `b` do not belong together".
    pub fn cannot_link(&mut self, a: usize, b: usize) -> Result<&mut Self> {
        self.cannot_links.push(Pair {
            points: [a, b],
            weight: 1.0,
            source: None,
        });
        Ok(self)
    }

    /// The must-links.
    pub fn must_links(&self) -> &[Pair] {
        &self.must_links
    }

    /// The cannot-links.
    pub fn cannot_links(&self) -> &[Pair] {
        &self.cannot_links
    }

    /// The odd-one-outs.
    pub fn odd_one_outs(&self) -> &[Triplet] {
        &self.odd_one_outs
    }

    /// The about-equals.
    pub fn about_equals(&self) -> &[Triplet] {
        &self.about_equals
    }

    /// The closers.
    pub fn closers(&self) -> &[Triplet] {
        &self.closers
    }

    /// The labelled points.
    pub fn labels(&self) -> &[Labelled] {
        &self.labels
    }

    /// The names of the labels.
    pub fn label_names(&self) -> &[String] {
        &self.label_names
    }

    /// How many constraints of a kind there are.
    pub fn count(&self, kind: ConstraintKind) -> usize {
        match kind {
            ConstraintKind::MustLink => self.must_links.len(),
            ConstraintKind::CannotLink => self.cannot_links.len(),
            ConstraintKind::OddOneOut => self.odd_one_outs.len(),
            ConstraintKind::AboutEqual => self.about_equals.len(),
            ConstraintKind::Closer => self.closers.len(),
            ConstraintKind::Label => self.labels.len(),
        }
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        ConstraintKind::ALL
            .iter()
            .all(|&kind| self.count(kind) == 0)
    }
}
