//! The parameters of embeddings.

use serde::{Deserialize, Serialize};

use crate::group::spectral::{
    KernelEmbedding, Laplacian, LaplacianEigenmaps, Neighborhood, Weighting,
};
use crate::method::affinity::AffinityName;
use crate::method::kernel_kmeans::KernelWidth;
use crate::parameter::{ParameterInfo, Range};

const COUNT: Range = Range::Integer {
    min: 1,
    max: u64::MAX,
};

const N_COMPONENTS: ParameterInfo = ParameterInfo {
    name: "n_components",
    doc: "Number of coordinates; no more than there are points.",
    range: COUNT,
    default: "2",
};

/// The parameters of embeddings by a kernel, as data.
pub(super) const KERNEL: [ParameterInfo; 5] = [
    N_COMPONENTS,
    ParameterInfo {
        name: "kernel",
        doc: "How alike two points are. precomputed: the rows given are those of a kernel matrix.",
        range: Range::Choice(AffinityName::NAMES),
        default: "gaussian",
    },
    SIGMA,
    ParameterInfo {
        name: "max_exact",
        doc: "Up to this many points the whole kernel matrix is decomposed.",
        range: COUNT,
        default: "6000",
    },
    ParameterInfo {
        name: "max_rank",
        doc: "Columns of the pivoted Cholesky factor that stands for the kernel of more points, at most.",
        range: COUNT,
        default: "500",
    },
];

/// The width of a kernel between all points.
pub(in crate::method) const SIGMA: ParameterInfo = ParameterInfo {
    name: "sigma",
    doc: "Width of the Gaussian. auto: twice the median distance to the 7th neighbour, but at least the 5% quantile of all distances.",
    range: Range::Text("a number above 0, or auto"),
    default: "auto",
};

/// Kernel principal component analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelPca {
    /// Number of coordinates.
    pub n_components: usize,
    /// Where the kernel comes from.
    pub kernel: AffinityName,
    /// The width of the Gaussian.
    pub sigma: KernelWidth,
    /// Whether the mean of the points is moved to the origin.
    pub center: bool,
    /// Up to this many points the whole kernel matrix is decomposed.
    pub max_exact: usize,
    /// At most so many columns stand for the kernel of more points.
    pub max_rank: usize,
}

/// Kernel entropy component analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Keca {
    /// Number of coordinates.
    pub n_components: usize,
    /// Where the kernel comes from.
    pub kernel: AffinityName,
    /// The width of the Gaussian.
    pub sigma: KernelWidth,
    /// Up to this many points the whole kernel matrix is decomposed.
    pub max_exact: usize,
    /// At most so many columns stand for the kernel of more points.
    pub max_rank: usize,
}

/// Laplacian eigenmaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Eigenmaps {
    /// Number of coordinates.
    pub n_components: usize,
    /// Which Laplacian.
    pub laplacian: Laplacian,
    /// Whether what is given as points are rows of a matrix of affinities.
    pub affinity: AffinityName,
    /// Which points have an edge.
    pub graph: Neighborhood,
    /// With how many neighbours.
    pub n_neighbors: usize,
    /// Up to which squared distance.
    pub epsilon: f64,
    /// What an edge weighs.
    pub weight: Weighting,
    /// The width of the heat kernel.
    pub sigma: KernelWidth,
    /// Whether the first eigenvector is left out where the graph is connected.
    pub drop_first: bool,
}

impl Default for KernelPca {
    fn default() -> Self {
        let Keca {
            n_components,
            kernel,
            sigma,
            max_exact,
            max_rank,
        } = Keca::default();
        Self {
            n_components,
            kernel,
            sigma,
            center: true,
            max_exact,
            max_rank,
        }
    }
}

impl Default for Keca {
    fn default() -> Self {
        let KernelEmbedding {
            n_components,
            max_exact,
            max_rank,
            ..
        } = KernelEmbedding::default();
        Self {
            n_components,
            kernel: AffinityName::Gaussian,
            sigma: KernelWidth::Auto,
            max_exact,
            max_rank,
        }
    }
}

impl Default for Eigenmaps {
    fn default() -> Self {
        let LaplacianEigenmaps {
            n_components,
            laplacian,
            graph,
            n_neighbors,
            epsilon,
            weight,
            drop_first,
            ..
        } = LaplacianEigenmaps::default();
        Self {
            n_components,
            laplacian,
            affinity: AffinityName::Gaussian,
            graph,
            n_neighbors,
            epsilon,
            weight,
            sigma: KernelWidth::Auto,
            drop_first,
        }
    }
}

/// The parameters of kernel PCA, as data.
pub(super) const KERNEL_PCA: [ParameterInfo; 6] = [
    KERNEL[0],
    KERNEL[1],
    KERNEL[2],
    ParameterInfo {
        name: "center",
        doc: "Whether the mean of the points is moved to the origin of the kernel's space.",
        range: Range::Flag,
        default: "true",
    },
    KERNEL[3],
    KERNEL[4],
];

/// The parameters of Laplacian eigenmaps, as data.
pub(in crate::method) const EIGENMAPS: [ParameterInfo; 9] = [
    N_COMPONENTS,
    ParameterInfo {
        name: "laplacian",
        doc: "Which Laplacian: I - D^-1/2 W D^-1/2, I - D^-1 W, or D - W.",
        range: Range::Choice(Laplacian::NAMES),
        default: "sym",
    },
    ParameterInfo {
        name: "affinity",
        doc: "How alike two points are. precomputed: the rows given are those of a matrix of affinities.",
        range: Range::Choice(AffinityName::NAMES),
        default: "gaussian",
    },
    ParameterInfo {
        name: "graph",
        doc: "Which points have an edge: one is among the nearest of the other; both are; they are near; all.",
        range: Range::Choice(Neighborhood::NAMES),
        default: "knn",
    },
    ParameterInfo {
        name: "n_neighbors",
        doc: "Nearest neighbours of a point, for the graphs of these.",
        range: COUNT,
        default: "10",
    },
    ParameterInfo {
        name: "epsilon",
        doc: "Up to which squared distance points are near, for the graph epsilon.",
        range: Range::Number {
            min: 0.0,
            inclusive: false,
            max: f64::INFINITY,
        },
        default: "1",
    },
    ParameterInfo {
        name: "weight",
        doc: "What an edge weighs: exp(-d^2 / (2 sigma^2)), or 1.",
        range: Range::Choice(Weighting::NAMES),
        default: "heat",
    },
    ParameterInfo {
        name: "sigma",
        doc: "Width of the heat kernel. auto: the median distance to the 7th neighbour.",
        range: Range::Text("a number above 0, or auto"),
        default: "auto",
    },
    ParameterInfo {
        name: "drop_first",
        doc: "Whether the first eigenvector is left out where the graph is connected.",
        range: Range::Flag,
        default: "false",
    },
];
