//! The kinds of constraints, and their entries.

use std::sync::Arc;

/// The kinds of constraints.
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

    /// How many points an entry of this kind names.
    pub fn arity(self) -> usize {
        match self {
            Self::Label => 1,
            Self::MustLink | Self::CannotLink => 2,
            Self::OddOneOut | Self::AboutEqual | Self::Closer => 3,
        }
    }
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

/// One constraint on `K` points.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint<const K: usize> {
    /// The points, in the kind's own order: a pair is sorted; an odd-one-out is the sorted two that
    /// belong together, then the odd one; about-equal is as it was given; closer is anchor, near, far.
    pub points: [usize; K],
    /// How much it counts; 1 by default.
    pub weight: f64,
    /// Who or what it comes from.
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
    /// Its label, an index into [`Constraints::label_names`](super::Constraints::label_names).
    pub label: usize,
    /// How much it counts.
    pub weight: f64,
    /// Who or what it comes from.
    pub source: Option<Arc<str>>,
}
