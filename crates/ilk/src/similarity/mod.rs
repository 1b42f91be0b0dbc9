//! The similarity of points.
//!
//! A [`Kernel`] fitted to points is a [`Gram`]. [`KernelValues`] are those of a `Gram` or of a given
//! kernel matrix. [`eigen_truncation`] and [`pivoted_cholesky`] approximate them by dot products of
//! explicit features of low rank, and a [`FeatureMap`] computes the same features for new points. A
//! [`graph`] has edges between neighbours alone. [`CauchySchwarzAffinity`] is the similarity of groups
//! of points.

pub mod bandwidth;
mod cauchy_schwarz;
mod features;
mod fill_rows;
mod function;
mod gram;
pub mod graph;
mod kernel;
mod kernel_name;
pub mod kernel_sums;
mod landmarks;
mod low_rank;
mod neighbor_weights;
mod values;

pub use crate::error::MAX_BYTES;
pub use bandwidth::{Bandwidth, ResolvedBandwidth};
pub use cauchy_schwarz::CauchySchwarzAffinity;
pub use features::FeatureMap;
pub use function::KernelFunction;
pub use gram::Gram;
pub(crate) use gram::check_matrix_size;
pub use kernel::{Kernel, Profile};
pub(crate) use kernel_name::kernel_on;
pub use kernel_name::{AffinityName, KernelName};
pub use landmarks::Landmarks;
pub use low_rank::{LowRank, Truncation, eigen_truncation, pivoted_cholesky};
pub(crate) use neighbor_weights::neighbor_weights;
pub use values::KernelValues;

#[cfg(test)]
mod tests;
