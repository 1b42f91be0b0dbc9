//! The kernels that methods offer, by name.

use serde::{Deserialize, Serialize};

/// How alike two points are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum KernelName {
    /// exp(-d²/(2σ²)).
    #[default]
    Gaussian,
    /// exp(-d²/(s(x) s(y))), with s a point's distance to its k-th neighbour. It may have a negative
    /// part.
    SelfTuning,
    /// x·y.
    Linear,
    /// What is given as points are the rows of a kernel matrix.
    Precomputed,
}

impl KernelName {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] =
        &["gaussian", "self_tuning", "linear", "precomputed"];
}
