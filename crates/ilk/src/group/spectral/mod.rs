//! Spectral clustering: points whose affinities connect them well have similar rows in the leading
//! eigenvectors.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Spectral`], the parameters |
//! | `embedding` | [`embedding`], from affinities to rows of unit length |
//! | `fit` | from affinities to clusters |

mod embedding;
mod fit;
mod params;

pub use embedding::embedding;
pub use params::Spectral;
