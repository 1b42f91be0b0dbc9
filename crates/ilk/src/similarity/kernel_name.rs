//! The kernels that methods offer, by name.

use super::{Bandwidth, Kernel, bandwidth::rules::median_distance_width};
use crate::{Result, parameter::AutoOr, problem::Points};

crate::choice! {
    /// How alike two points are.
    #[derive(Default)]
    pub enum KernelName {
        /// exp(-d²/(2σ²)).
        #[default]
        Gaussian = "gaussian",
        /// exp(-d²/(s(x) s(y))), with s a point's distance to its k-th neighbour. It may have a negative
        /// part.
        SelfTuning = "self_tuning",
        /// x·y.
        Linear = "linear",
        /// What is given as points are the rows of a kernel matrix.
        Precomputed = "precomputed",
    }
}

crate::choice! {
    /// Where affinities come from.
    #[derive(Default)]
    pub enum AffinityName {
        /// They fall with the distance as a Gaussian does.
        #[default]
        Gaussian = "gaussian",
        /// What is given as points are the rows of a matrix of affinities.
        Precomputed = "precomputed",
    }
}

/// The kernel of a name with its numbers: a Gaussian of this width (auto: the median distance between points
/// that differ), or, for `self_tuning`, with every point's distance to its `n_neighbors`-th neighbour.
pub(crate) fn kernel_on(
    points: &Points,
    name: KernelName,
    sigma: AutoOr<f64>,
    n_neighbors: usize,
    seed: u64,
) -> Result<Kernel> {
    if name == KernelName::SelfTuning {
        let others = points.len().saturating_sub(1).max(1);
        return Ok(Kernel::SelfTuning { neighbors: n_neighbors.min(others) });
    }
    let sigma = match sigma {
        AutoOr::Fixed(sigma) => sigma,
        AutoOr::Auto => median_distance_width(points, seed)?,
    };
    Ok(Kernel::gaussian(Bandwidth::Fixed(sigma)))
}
