//! How far labels are settled after a grouping, as methods offer it.

use serde::{Deserialize, Serialize};

use crate::parameter::{ParameterInfo, Range};
use crate::settle::{MustLinks, Settle};

/// How far labels are settled after the shift; each step follows those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Settling {
    /// Not at all.
    Off,
    /// Clusters that answers join are joined, and must-linked points have one label.
    Majority,
    /// Points go where their neighbours and the answers want them.
    Neighbors,
    /// Small fragments are taken up by what surrounds them.
    #[default]
    Dissolve,
}

/// Of fewer points than this, neighbours have no say in the labels.
const FEW: usize = 40;

impl Settling {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["off", "majority", "neighbors", "dissolve"];

    /// The parameter that says what a must-link is worth.
    pub(super) const MUST_LINKS: ParameterInfo = ParameterInfo {
        name: "must_links",
        doc: "What a must-link is worth when labels are settled. auto: it holds, unless the neighbours contradict too many.",
        range: Range::Choice(MustLinks::NAMES),
        default: "auto",
    };

    /// How many neighbours vote on a new point, where labels were not settled.
    pub(super) fn voters(n: usize) -> usize {
        Self::Off.of(MustLinks::default(), n).neighbors
    }

    /// How the labels of `n` points are settled. The usual number of neighbours have a say, of few
    /// points an eighth, and of fewer than [`FEW`] none: there everybody would be everybody's
    /// neighbour.
    pub(super) fn of(self, must_links: MustLinks, n: usize) -> Settle {
        let usual = Settle::default();
        let neighbors_count = self >= Self::Neighbors && n >= FEW;
        Settle {
            neighbors: usual.neighbors.min(n / 8).max(1),
            must_links,
            max_sweeps: if neighbors_count { usual.max_sweeps } else { 0 },
            dissolve: neighbors_count && self >= Self::Dissolve,
            ..usual
        }
    }
}
