//! The parameters of embeddings.

use super::{GraphKind, Laplacian, Weighting};
use crate::parameter::{AutoOr, Range};
use crate::similarity::AffinityName;

crate::choice! {
    /// By which coordinates points are grouped.
    #[derive(Default)]
    pub enum SpectralEmbedding {
        /// Kernel entropy component analysis: axes of the kernel's space with most entropy, by angle.
        #[default]
        Keca = "keca",
        /// Kernel principal component analysis: axes with most variance, by distance.
        Kpca = "kpca",
        /// The smallest eigenvectors of the Laplacian of a graph of neighbours, by distance.
        Laplacian = "laplacian",
    }
}

crate::parameters! {
    /// Kernel principal component analysis.
    pub struct KernelPca {
        /// Number of coordinates; no more than there are points.
        pub n_components: usize = 2, in Range::COUNT;
        /// How alike two points are. precomputed: the rows given are those of a kernel matrix.
        pub kernel: AffinityName = AffinityName::Gaussian;
        /// Width of the Gaussian. auto: twice the median distance to the 7th neighbour, but at least the 5% quantile
        /// of all distances.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// Whether the mean of the points is moved to the origin of the kernel's space.
        pub center: bool = true;
        /// Up to this many points the whole kernel matrix is decomposed.
        pub max_exact: usize = 6000, in Range::COUNT;
        /// Columns of the pivoted Cholesky factor that stands for the kernel of more points, at most.
        pub max_rank: usize = 500, in Range::COUNT;
    }
}

crate::parameters! {
    /// Kernel entropy component analysis.
    pub struct Keca {
        /// Number of coordinates; no more than there are points.
        pub n_components: usize = 2, in Range::COUNT;
        /// How alike two points are. precomputed: the rows given are those of a kernel matrix.
        pub kernel: AffinityName = AffinityName::Gaussian;
        /// Width of the Gaussian. auto: twice the median distance to the 7th neighbour, but at least the 5% quantile
        /// of all distances.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// Up to this many points the whole kernel matrix is decomposed.
        pub max_exact: usize = 6000, in Range::COUNT;
        /// Columns of the pivoted Cholesky factor that stands for the kernel of more points, at most.
        pub max_rank: usize = 500, in Range::COUNT;
    }
}

crate::parameters! {
    /// Laplacian eigenmaps.
    pub struct Eigenmaps {
        /// Number of coordinates; no more than there are points.
        pub n_components: usize = 2, in Range::COUNT;
        /// Which Laplacian: I - D^-1/2 W D^-1/2, I - D^-1 W, or D - W.
        pub laplacian: Laplacian = Laplacian::Sym;
        /// How alike two points are. precomputed: the rows given are those of a matrix of affinities.
        pub affinity: AffinityName = AffinityName::Gaussian;
        /// Which points have an edge: one is among the nearest of the other; both are; they are near; all.
        pub graph: GraphKind = GraphKind::Knn;
        /// Nearest neighbours of a point, for the graphs of these.
        pub n_neighbors: usize = 10, in Range::COUNT;
        /// Up to which squared distance points are near, for the graph epsilon.
        pub epsilon: f64 = 1.0, in Range::POSITIVE;
        /// What an edge weighs: exp(-d^2 / (2 sigma^2)), or 1.
        pub weight: Weighting = Weighting::Heat;
        /// Width of the heat kernel. auto: the median distance to the 7th neighbour.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// Whether the first eigenvector is left out where the graph is connected.
        pub drop_first: bool = false;
    }
}
