//! Spectral clustering: points whose affinities connect them well have similar rows in the leading
//! eigenvectors, which [`embed`](crate::embed) finds.

mod cluster_rows;
mod fit;
mod params;

pub use cluster_rows::{RowComparison, RowModel, SpectralModel, group_rows};
pub use params::Spectral;
