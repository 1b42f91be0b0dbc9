//! Every embedding by its name and parameters, fitted to any input.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::params::{Eigenmaps, Keca, KernelPca};
use super::{
    AxisChoice, KernelEmbedding, KernelMap, LaplacianAxes, LaplacianEigenmaps, LaplacianMap,
};
use crate::observe::Observer;
use crate::parameter::{AutoOr, ParameterInfo};
use crate::problem::{Input, Points};
use crate::similarity::AffinityName;
use crate::similarity::bandwidth::rules::dense_kernel_width;
use crate::similarity::{Bandwidth, Gram, Kernel, KernelValues};
use crate::{Error, Result};

/// An embedding with its parameters. As JSON: `{"embedding": "keca", "params": {...}}`.
///
/// ```
/// use ilk::embed::{Embedding, Keca};
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
pub struct EmbeddingFit {
    /// One row a point.
    pub coordinates: Array2<f64>,
    /// The eigenvalue of every coordinate.
    pub eigenvalues: Array1<f64>,
    /// The eigenvectors, in columns.
    pub eigenvectors: Array2<f64>,
    /// All axes of the kernel that were computed, for embeddings by a kernel.
    pub kernel: Option<KernelSpectrum>,
    /// The width that was used, if any.
    pub sigma: Option<f64>,
    /// Connected components of the graph, for Laplacian eigenmaps.
    pub n_connected_components: Option<usize>,
    /// The map for new points.
    pub map: EmbeddingMap,
}

/// The axes of a kernel that were computed.
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
    /// Whether no axis that was not computed could have been chosen.
    pub is_certain: bool,
}

/// The map of an embedding for new points.
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
    pub fn parameters(name: &str) -> Result<&'static [ParameterInfo]> {
        match name {
            "kernel-pca" => Ok(KernelPca::PARAMETERS),
            "keca" => Ok(Keca::PARAMETERS),
            "laplacian-eigenmaps" => Ok(Eigenmaps::PARAMETERS),
            _ => Err(Error::UnknownMethod { name: name.to_owned(), known: Self::NAMES.join(", ") }),
        }
    }

    /// Finds the coordinates of an input: points, a kernel matrix or affinities, or (for Laplacian
    /// eigenmaps) a graph.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::Unsupported`] for a graph where a kernel is needed,
    /// [`Error::TooLarge`], [`Error::NoConvergence`], [`Error::Cancelled`].
    pub fn fit(&self, input: &Input, observer: &dyn Observer) -> Result<EmbeddingFit> {
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
    fn fit(
        &self,
        choice: AxisChoice,
        input: &Input,
        observer: &dyn Observer,
    ) -> Result<EmbeddingFit> {
        self.check()?;
        let params = KernelEmbedding {
            choice,
            n_components: self.n_components,
            max_exact: self.max_exact,
            max_rank: self.max_rank,
            ..KernelEmbedding::default()
        };
        let mut sigma = None;
        let input = input.with_rows_as_kernel(self.kernel == AffinityName::Precomputed)?;
        let values = match &*input {
            Input::Points(points) => {
                let width = kernel_width(self.sigma, points)?;
                sigma = Some(width);
                let kernel = Kernel::gaussian(Bandwidth::Fixed(width));
                KernelValues::Gram(Gram::new(&kernel, points, 0)?)
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
        Ok(EmbeddingFit {
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
            n_connected_components: None,
            map: EmbeddingMap::Kernel(found.map),
        })
    }
}

/// The width of a Gaussian between all points: the one given, or [`dense_kernel_width`].
pub(crate) fn kernel_width(sigma: AutoOr<f64>, points: &Points) -> Result<f64> {
    sigma.fixed().map_or_else(|| dense_kernel_width(points), Ok)
}

impl Eigenmaps {
    fn fit(&self, input: &Input, observer: &dyn Observer) -> Result<EmbeddingFit> {
        self.check()?;
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
        let of_affinities =
            |axes: LaplacianAxes| (axes.clone(), None, EmbeddingMap::Affinities(axes));
        let input = input.with_rows_as_kernel(self.affinity == AffinityName::Precomputed)?;
        let (axes, sigma, map) = match &*input {
            Input::Points(points) => {
                let map = params.fit(points, observer)?;
                (map.axes().clone(), map.sigma(), EmbeddingMap::Neighbors(map))
            }
            Input::Kernel(matrix) => of_affinities(params.axes_of(matrix.view(), observer)?),
            Input::Graph(graph) => of_affinities(params.axes_of(graph, observer)?),
        };
        Ok(EmbeddingFit {
            coordinates: axes.eigenvectors().clone(),
            eigenvalues: axes.eigenvalues().clone(),
            eigenvectors: axes.eigenvectors().clone(),
            kernel: None,
            sigma,
            n_connected_components: Some(axes.n_connected_components()),
            map,
        })
    }
}
