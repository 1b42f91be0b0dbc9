//! How alike two points are.
//!
//! A [`Kernel`] fitted to points is a [`Gram`]; with a kernel matrix that was given it is one of the
//! [`KernelValues`]. [`eigen_truncation`] and [`pivoted_cholesky`] replace them by the dot products of
//! explicit features, of low rank, and a [`FeatureMap`] gives the same features to new points. A
//! [`graph`] keeps the nearest of a point's neighbours alone. [`GroupAffinity`] is between groups of points.

pub mod bandwidth;
mod features;
pub(crate) mod gaussian_sums;
mod gram;
pub mod graph;
mod groups;
mod kernel;
mod kernel_name;
mod landmarks;
mod low_rank;
pub mod sums;
mod values;

pub use bandwidth::{Bandwidth, Resolved};
pub use features::FeatureMap;
pub(crate) use gram::check_size;
pub use gram::{Gram, MAX_BYTES};
pub use groups::GroupAffinity;
pub use kernel::{Kernel, Profile};
pub use kernel_name::KernelName;
pub use landmarks::Landmarks;
pub use low_rank::{LowRank, Truncation, eigen_truncation, pivoted_cholesky};
pub use values::KernelValues;

#[cfg(test)]
mod tests;
