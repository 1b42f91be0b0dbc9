//! Which steps of a refinement a method applies.

use crate::Result;
use crate::group::Label;
use crate::observe::Observer;
use crate::problem::Constraints;
use crate::refine::{MustLinkPolicy, NeighborSpace, Refine};

crate::choice! {
    /// How many steps of a refinement follow a grouping; each includes those before it.
    #[derive(PartialOrd, Default)]
    pub enum Refinement {
        /// As many as held-out constraints favour; they also decide whether the grouping uses the constraints.
        #[default]
        Auto = "auto",
        /// None: the labels stay as they are.
        Off = "off",
        /// Constrained points alone move, to the label that their neighbours and the constraints support.
        Constrained = "constrained",
        /// Clusters that most constraints connect are merged, and must-linked points get one label.
        Majority = "majority",
        /// Points move to the label that their neighbours and the constraints support.
        Neighbors = "neighbors",
        /// Small clusters dissolve into those around them.
        Dissolve = "dissolve",
    }
}

/// With fewer points than this, neighbours do not change labels: everyone would be everyone's
/// neighbour.
const FEW: usize = 40;

/// What a method asks of its refinement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefineOptions {
    /// [`Refine::must_links`].
    pub(crate) must_links: MustLinkPolicy,
    /// [`Refine::divide`].
    pub(crate) divide: bool,
    /// Whether clusters may be merged and dissolved; not where their number is given.
    pub(crate) may_merge: bool,
    /// Whether no constraint contradicts others: then constrained points are moved until all hold.
    pub(crate) are_consistent: bool,
}

/// What a violated constraint costs where constrained points alone move: more than all their neighbours.
const STRICT: f64 = 50.0;

impl Refinement {
    /// The labels after this refinement.
    pub(crate) fn refined_labels<'a>(
        self,
        options: RefineOptions,
        space: impl Into<NeighborSpace<'a>>,
        labels: &[Label],
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Vec<Label>> {
        if self == Self::Off {
            return Ok(labels.to_vec());
        }
        let refine = self.to_params(options, labels.len());
        Ok(refine.refine(space, labels, constraints, observer)?.labels)
    }

    /// The parameters of this refinement for `n` points. The neighbours of a point are as many as by
    /// default, but at most an eighth of the points; they count from [`FEW`] points on.
    pub(crate) fn to_params(self, options: RefineOptions, n: usize) -> Refine {
        let RefineOptions { must_links, divide, may_merge, are_consistent } = options;
        let defaults = Refine::default();
        let neighbors_count = (self >= Self::Neighbors && n >= FEW) || self == Self::Constrained;
        Refine {
            neighbors: default_neighbors(n),
            must_links,
            divide,
            majority: may_merge && self >= Self::Majority,
            constrained_only: self == Self::Constrained,
            penalty: if self == Self::Constrained && are_consistent {
                STRICT
            } else {
                defaults.penalty
            },
            max_sweeps: if neighbors_count { defaults.max_sweeps } else { 0 },
            dissolve: may_merge && neighbors_count && self == Self::Dissolve,
            ..defaults
        }
    }
}

/// As many neighbours as [`Refine`] has by default, but at most an eighth of the `n` points.
pub(crate) fn default_neighbors(n: usize) -> usize {
    Refine::default().neighbors.min(n / 8).max(1)
}
