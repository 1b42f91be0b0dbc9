//! Spectral clustering: points whose affinities connect them well have similar rows in the leading
//! eigenvectors.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Spectral`], the parameters |
//! | `affinity` | [`Affinity`], dense or sparse |
//! | `embedding` | [`embedding`], from affinities to rows of unit length |
//! | `fit` | from affinities to clusters |
//! | `kernel_axes` | [`KernelAxes`], from a kernel matrix to axes of most variance or entropy |
//! | `group_axes` | [`GroupAxes`], the same where a row counts as many points |
//! | `kernel_map` | [`KernelEmbedding`], the same from points, and new points after them |
//! | `laplacian` | [`LaplacianAxes`], from affinities to eigenvectors of a Laplacian |
//! | `rows` | [`group_rows`], from coordinates to clusters, and how many there are |
//! | `neighborhood` | [`LaplacianEigenmaps`], the same from points, and new points after them |

mod affinity;
mod embedding;
mod fit;
mod group_axes;
mod kernel_axes;
mod kernel_map;
mod laplacian;
mod neighborhood;
mod params;
mod rows;

pub use affinity::Affinity;
pub use embedding::embedding;
pub use group_axes::GroupAxes;
pub use kernel_axes::{AxisChoice, KernelAxes};
pub use kernel_map::{KernelEmbedded, KernelEmbedding, KernelMap};
pub use laplacian::{Laplacian, LaplacianAxes};
pub use neighborhood::{LaplacianEigenmaps, LaplacianMap, Neighborhood, Weighting};
pub use params::{Normalisation, Spectral};
pub use rows::{
    MOST, RowModel, Rows, SpectralModel, clusters_of_kernel, clusters_of_laplacian, group_rows,
};

use crate::{Error, Result};

/// Eigenvectors whose rows are grouped need be known no better than this.
pub const CLUSTERING: f64 = 1e-6;

/// Refuses an embedding without coordinates.
fn at_least_one(n_components: usize) -> Result<()> {
    if n_components == 0 {
        return Err(Error::BadParameter {
            parameter: "n_components",
            value: "0".to_owned(),
            expected: "at least one is needed".to_owned(),
        });
    }
    Ok(())
}
