//! From a kernel or a graph to coordinates, for new points too.
//!
//! | file | what it holds |
//! |---|---|
//! | `affinity` | [`Affinity`], dense or sparse |
//! | `kernel_axes`, `centering` | [`KernelAxes`], the axes of a kernel matrix with most variance or entropy |
//! | `kernel_map` | [`KernelEmbedding`], coordinates of points along these axes, and a map for new points |
//! | `laplacian`, `laplacian_operator` | [`LaplacianAxes`], the smallest eigenvectors of a Laplacian |
//! | `laplacian_eigenmaps` | [`LaplacianEigenmaps`], the same for the neighbourhood graph of points |
//! | `laplacian_map` | [`LaplacianMap`], new points in these coordinates |
//! | `learned` | [`LearnedFeatures`], explicit features of a learned kernel |
//! | `spectral_rows` | [`spectral_rows`], the rows that spectral clustering groups |
//! | `sparse_axes` | [`SparseAxes`], coordinates of sparse points |
//! | `registry`, `params` | [`Embedding`], every embedding by its name |

mod affinity;
mod centering;
mod kernel_axes;
mod kernel_map;
mod laplacian;
mod laplacian_eigenmaps;
mod laplacian_map;
mod laplacian_operator;
mod learned;
mod params;
mod registry;
mod sparse_axes;
mod spectral_rows;

pub use affinity::Affinity;
pub use kernel_axes::{AxisChoice, KernelAxes};
pub use kernel_map::{KernelEmbedded, KernelEmbedding, KernelMap};
pub use laplacian::{Laplacian, LaplacianAxes};
pub use laplacian_eigenmaps::{GraphKind, LaplacianEigenmaps, Weighting};
pub use laplacian_map::LaplacianMap;
pub(crate) use learned::LEADING_DIMS;
pub use learned::LearnedFeatures;
pub use params::{Eigenmaps, Keca, KernelPca, SpectralEmbedding};
pub use registry::{Embedding, EmbeddingFit, EmbeddingMap, KernelSpectrum};
pub use sparse_axes::SparseAxes;
pub use spectral_rows::spectral_rows;
pub(crate) use spectral_rows::spectral_rows_observed;

pub(crate) use registry::kernel_width;

use ndarray::Array1;
use serde::{Serialize, Serializer};

use crate::{Error, Result};

/// The residual to which eigenvectors are computed where their rows are only grouped.
pub const CLUSTERING_TOLERANCE: f64 = 1e-6;

/// Refuses an embedding without coordinates.
fn at_least_one(n_components: usize) -> Result<()> {
    if n_components > 0 {
        return Ok(());
    }
    let expected = "at least one is needed";
    Err(Error::bad_parameter("n_components", 0, expected))
}

/// Writes an array to a file as a plain list.
fn as_list<S: Serializer>(values: &Array1<f64>, to: S) -> std::result::Result<S::Ok, S::Error> {
    values.to_vec().serialize(to)
}
