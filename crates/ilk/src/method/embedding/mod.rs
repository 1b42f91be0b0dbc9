//! Embeddings as they are asked for at the doors: a name and parameters, fitted to any input.

mod params;

pub use params::{Eigenmaps, Keca, KernelPca};

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

pub(super) use params::{EIGENMAPS, SIGMA};
use params::{KERNEL, KERNEL_PCA};

use super::affinity::AffinityName;
use super::distinct::places;
use super::kernel_kmeans::KernelWidth;
use crate::group::spectral::{
    AxisChoice, KernelEmbedding, KernelMap, LaplacianAxes, LaplacianEigenmaps, LaplacianMap,
};
use crate::observe::Observer;
use crate::parameter::{ParameterInfo, check_numbers};
use crate::problem::{Input, KernelMatrix, Points};
use crate::similarity::bandwidth::rules::kth_neighbor_median;
use crate::similarity::{Bandwidth, Gram, Kernel, KernelValues};
use crate::{Error, Result};

/// An embedding with its parameters. As JSON: `{"embedding": "keca", "params": {...}}`.
///
/// ```
/// use ilk::method::{Embedding, Keca};
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
///
/// let points = Points::from_rows(&[[0.0], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let embedded = Embedding::Keca(Keca::default()).fit(&points.clone().into(), &Silent)?;
/// assert_eq!(embedded.coordinates.dim(), (4, 2));
/// assert_eq!(embedded.map.transform(&points)?.dim(), (4, 2));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "embedding", content = "params", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Embedding {
    /// Kernel principal component analysis.
    KernelPca(KernelPca),
    /// Kernel entropy component analysis.
    Keca(Keca),
    /// Laplacian eigenmaps.
    LaplacianEigenmaps(Eigenmaps),
}

/// Points in an embedding.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// One row a point.
    pub coordinates: Array2<f64>,
    /// The eigenvalue of every coordinate.
    pub eigenvalues: Array1<f64>,
    /// The eigenvectors, in columns.
    pub eigenvectors: Array2<f64>,
    /// What is known of a kernel's axes beyond those that were kept.
    pub kernel: Option<KernelSpectrum>,
    /// The width that was used, if any.
    pub sigma: Option<f64>,
    /// The parts of the graph that no edge joins, for Laplacian eigenmaps.
    pub n_parts: Option<usize>,
    /// How new points get their coordinates.
    pub map: EmbeddingMap,
}

/// The axes of a kernel that were looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelSpectrum {
    /// λ, the largest first.
    pub eigenvalues: Array1<f64>,
    /// ψ of the same axes.
    pub entropies: Array1<f64>,
    /// Their positions in the order in which they are chosen.
    pub order: Vec<usize>,
    /// The share of the kernel's trace that was decomposed.
    pub trace_share: f64,
    /// Whether no axis that was not looked at could have been chosen.
    pub is_certain: bool,
}

/// How new points get their coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EmbeddingMap {
    /// By kernel values.
    Kernel(KernelMap),
    /// By edges to their neighbours.
    Neighbors(LaplacianMap),
    /// By rows of affinities to all points.
    Affinities(LaplacianAxes),
}

impl EmbeddingMap {
    /// The coordinates of points, one row each. Where a matrix was fitted, points are rows of kernel
    /// values or affinities with all points of the fit.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn transform(&self, points: &Points) -> Result<Array2<f64>> {
        match self {
            Self::Kernel(map) => map.transform(points),
            Self::Neighbors(map) => map.transform(points),
            Self::Affinities(axes) => axes.transform(points.view()),
        }
    }
}

impl Embedding {
    /// The names, as serde writes them.
    pub const NAMES: &'static [&'static str] = &["kernel-pca", "keca", "laplacian-eigenmaps"];

    /// The parameters of the embedding of this name, as data.
    ///
    /// # Errors
    /// [`Error::UnknownMethod`].
    pub fn parameters(name: &str) -> Result<&'static [ParameterInfo]> {
        match name {
            "kernel-pca" => Ok(&KERNEL_PCA),
            "keca" => Ok(&KERNEL),
            "laplacian-eigenmaps" => Ok(&EIGENMAPS),
            _ => Err(Error::UnknownMethod {
                name: name.to_owned(),
                known: Self::NAMES.join(", "),
            }),
        }
    }

    /// Finds the coordinates of an input: points, a kernel matrix or affinities, or (for Laplacian
    /// eigenmaps) a graph.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::Unsupported`] for a graph where a kernel is needed,
    /// [`Error::TooLarge`], [`Error::NoConvergence`], [`Error::Cancelled`].
    pub fn fit(&self, input: &Input, observer: &dyn Observer) -> Result<Embedded> {
        match self {
            Self::KernelPca(params) => {
                let center = params.center;
                let keca = Keca {
                    n_components: params.n_components,
                    kernel: params.kernel,
                    sigma: params.sigma,
                    max_exact: params.max_exact,
                    max_rank: params.max_rank,
                };
                keca.fit(AxisChoice::Variance { center }, input, observer)
            }
            Self::Keca(params) => params.fit(AxisChoice::Entropy, input, observer),
            Self::LaplacianEigenmaps(params) => params.fit(input, observer),
        }
    }
}

impl Keca {
    fn fit(&self, choice: AxisChoice, input: &Input, observer: &dyn Observer) -> Result<Embedded> {
        check_numbers(
            &KERNEL,
            &[
                ("n_components", self.n_components as f64),
                ("max_exact", self.max_exact as f64),
                ("max_rank", self.max_rank as f64),
            ],
        )?;
        self.sigma.check()?;
        let params = KernelEmbedding {
            choice,
            n_components: self.n_components,
            max_exact: self.max_exact,
            max_rank: self.max_rank,
            ..KernelEmbedding::default()
        };
        let mut sigma = None;
        let matrix;
        let values = match input {
            Input::Points(points) if self.kernel == AffinityName::Gaussian => {
                let width = kernel_width(self.sigma, points)?;
                sigma = Some(width);
                let kernel = Kernel::gaussian(Bandwidth::Fixed(width));
                KernelValues::Gram(Gram::new(&kernel, points, 0)?)
            }
            Input::Points(rows) => {
                matrix = KernelMatrix::new(rows.view().to_owned())?;
                KernelValues::Matrix(&matrix)
            }
            Input::Kernel(matrix) => KernelValues::Matrix(matrix),
            Input::Graph(_) => {
                return Err(Error::Unsupported {
                    method: "an embedding by a kernel",
                    what: "a graph".to_owned(),
                    alternatives: "use Laplacian eigenmaps, or give a kernel matrix".to_owned(),
                });
            }
        };
        let found = params.fit(&values, observer)?;
        let axes = found.axes;
        Ok(Embedded {
            coordinates: found.coordinates,
            eigenvalues: axes.eigenvalues,
            eigenvectors: axes.eigenvectors,
            kernel: Some(KernelSpectrum {
                eigenvalues: axes.spectrum,
                entropies: axes.entropies,
                order: axes.order,
                trace_share: found.trace_share,
                is_certain: axes.is_certain,
            }),
            sigma,
            n_parts: None,
            map: EmbeddingMap::Kernel(found.map),
        })
    }
}

/// The width of a Gaussian between all points, as [`SIGMA`] says it, read off their distinct places. Few
/// neighbours alone would make the kernel of many points so narrow that their groups fall apart, and
/// few distances alone that of few points.
pub(super) fn kernel_width(sigma: KernelWidth, points: &Points) -> Result<f64> {
    if let Some(sigma) = sigma.fixed() {
        return Ok(sigma);
    }
    let points = points.select(&places(points).1);
    let neighbors = kth_neighbor_median(&points, 7.min(points.len() - 1), 0);
    let quantile = Bandwidth::Percentile(0.05).resolve(&points, 0)?.of(0);
    let width = quantile.max(2.0 * neighbors);
    // All points coincide; any width gives the same kernel.
    Ok(if width > 0.0 { width } else { 1.0 })
}

impl Eigenmaps {
    fn fit(&self, input: &Input, observer: &dyn Observer) -> Result<Embedded> {
        check_numbers(
            &EIGENMAPS,
            &[
                ("n_components", self.n_components as f64),
                ("n_neighbors", self.n_neighbors as f64),
                ("epsilon", self.epsilon),
            ],
        )?;
        self.sigma.check()?;
        let params = LaplacianEigenmaps {
            n_components: self.n_components,
            laplacian: self.laplacian,
            graph: self.graph,
            n_neighbors: self.n_neighbors,
            epsilon: self.epsilon,
            weight: self.weight,
            sigma: self.sigma.fixed(),
            drop_first: self.drop_first,
            ..LaplacianEigenmaps::default()
        };
        let (axes, map) = match input {
            Input::Points(points) if self.affinity == AffinityName::Gaussian => {
                let map = params.fit(points, observer)?;
                (map.axes().clone(), EmbeddingMap::Neighbors(map))
            }
            Input::Points(rows) => {
                let matrix = KernelMatrix::new(rows.view().to_owned())?;
                let axes = params.axes_of(matrix.view(), observer)?;
                (axes.clone(), EmbeddingMap::Affinities(axes))
            }
            Input::Kernel(matrix) => {
                let axes = params.axes_of(matrix.view(), observer)?;
                (axes.clone(), EmbeddingMap::Affinities(axes))
            }
            Input::Graph(graph) => {
                let axes = params.axes_of(graph, observer)?;
                (axes.clone(), EmbeddingMap::Affinities(axes))
            }
        };
        let sigma = match &map {
            EmbeddingMap::Neighbors(map) => map.sigma(),
            _ => None,
        };
        Ok(Embedded {
            coordinates: axes.eigenvectors().clone(),
            eigenvalues: axes.eigenvalues().clone(),
            eigenvectors: axes.eigenvectors().clone(),
            kernel: None,
            sigma,
            n_parts: Some(axes.n_parts()),
            map,
        })
    }
}
