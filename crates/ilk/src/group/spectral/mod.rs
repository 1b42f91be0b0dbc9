//! Spectral clustering: points whose affinities connect them well have similar rows in the leading
//! eigenvectors.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Spectral`], the parameters |
//! | `affinity` | [`Affinity`], dense or sparse |
//! | `embedding` | [`embedding`], from affinities to rows of unit length |
//! | `fit` | from affinities to clusters |

mod affinity;
mod embedding;
mod fit;
mod params;

pub use affinity::Affinity;
pub use embedding::embedding;
pub use params::{Normalisation, Spectral};
