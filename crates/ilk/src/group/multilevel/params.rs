//! The parameters of multilevel clustering.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};

/// Multilevel
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Multilevel {
    /// Number of clusters.
    pub n_clusters: usize,
    /// Partitions of the coarsest graph to start from, of which the best is kept.
    pub n_init: usize,
    /// At most this many rounds of moves a level.
    pub max_iter: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Multilevel {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            n_init: 4,
            max_iter: 50,
            seed: 0,
        }
    }
}

const COUNT: Range = Range::Integer {
    min: 1,
    max: u64::MAX,
};

impl Multilevel {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "n_clusters",
            doc: "Number of clusters.",
            range: COUNT,
            default: "8",
        },
        ParameterInfo {
            name: "n_init",
            doc: "Partitions of the coarsest graph to start from, of which the best is kept.",
            range: COUNT,
            default: "4",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many rounds of moves a level.",
            range: COUNT,
            default: "50",
        },
    ];

    pub(super) fn check(&self) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("n_clusters", self.n_clusters as f64),
                ("n_init", self.n_init as f64),
                ("max_iter", self.max_iter as f64),
            ],
        )
    }
}
