//! How far a kernel reaches.

use serde::{Deserialize, Serialize};

/// How the bandwidth is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bandwidth {
    /// By the pairs and labels if there are any, else the percentile rule.
    Auto,
    /// This number.
    Fixed(f64),
    /// One number a point.
    PerPoint(Vec<f64>),
    /// This share (0 to 1) of all pairwise distances is smaller.
    Percentile(f64),
    /// Each point's distance to its k-th neighbour.
    Neighbor(usize),
    /// Silverman's rule, with the dimension where the thesis prints n.
    Silverman,
}
