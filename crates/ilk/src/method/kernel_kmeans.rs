//! Kernel k-means as a method: a kernel between points, or one that is given, and its clusters.

use super::{Method, MethodInfo};
use crate::Result;
use crate::error::{check_memory, matrix_bytes};
use crate::group::kernel_kmeans::{
    KernelKMeansInit, KernelKMeansModel, Means, Space, WeightedKernelKMeans,
};
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::{AutoOr, Range};
use crate::problem::{Input, InputKind, Problem};
use crate::select::n_clusters::ClusterCount;
use crate::similarity::{Gram, KernelName, kernel_on};

crate::parameters! {
    /// Kernel k-means: k clusters with the smallest squared distances of points to the mean of their
    /// cluster, in the space of a kernel.
    ///
    /// The objective and how it is lowered are those of [`WeightedKernelKMeans`]. A
    /// kernel matrix as input is taken as it is, whatever `kernel` says; so is a square table with
    /// `kernel = precomputed`, whose new points are then rows of kernel values with all points of the
    /// fit. With a linear kernel this is k-means, and nothing n x n is held. The other kernels need their
    /// n x n matrix.
    ///
    /// ```
    /// use ilk::method::{KernelKMeans, Method};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
    /// let params = KernelKMeans { n_clusters: 2.into(), ..KernelKMeans::default() };
    /// let fit = params.fit(&Problem::unsupervised(points), &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct KernelKMeans {
        /// Number of clusters. auto: chosen from the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// How alike two points are. precomputed: the rows given are those of a kernel matrix.
        pub kernel: KernelName = KernelName::Gaussian;
        /// Width of the Gaussian kernel. auto: the median distance between points that differ.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// In the self-tuning kernel a point is as wide as the distance to this neighbour (the last, if there are
        /// fewer).
        pub n_neighbors: usize = 7, in Range::COUNT;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// How the first means are chosen.
        pub init: KernelKMeansInit = KernelKMeansInit::PlusPlus;
        /// At most this many steps a descent.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Whether single points are moved after the batch steps, out of poor optima.
        pub local_search: bool = true;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

impl KernelKMeans {
    /// What kernel k-means takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "kernel-kmeans",
        class: "KernelKMeans",
        summary: "Points go to the nearest of k means in the space of a kernel; with a linear kernel, plain k-means.",
        paper: "Dhillon, Guan and Kulis, Kernel k-means, Spectral Clustering and Normalized Cuts, 2004",
        version: 1,
        inputs: &[InputKind::Points, InputKind::Kernel],
        supervision: &[],
        takes_clusters: true,
        predicts: &[InputKind::Points, InputKind::Kernel],
        supports_weights: &[InputKind::Points, InputKind::Kernel],
        parameters: Self::PARAMETERS,
    };
}

impl Method for KernelKMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.kernel == KernelName::Precomputed,
            seed: self.seed,
        };
        count.group(problem, observer, |n_clusters| {
            Self { n_clusters, ..self.clone() }.group_problem(problem, observer)
        })
    }
}

impl KernelKMeans {
    fn group_problem(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, KernelKMeansModel)> {
        let is_precomputed = self.kernel == KernelName::Precomputed;
        let input = problem.input().with_rows_as_kernel(is_precomputed)?;
        let of_rows = |space| {
            let (grouping, means) = self.group_in(space, problem, observer)?;
            Ok((grouping, KernelKMeansModel::of_rows(means)))
        };
        if let Input::Kernel(kernel) = &*input {
            return of_rows(Space::Kernel(kernel.view()));
        }
        let points = Self::INFO.points_of(problem)?;
        if self.kernel == KernelName::Linear {
            return of_rows(Space::Features(points.view()));
        }
        check_memory(
            "the kernel matrix",
            matrix_bytes(points.len(), points.len()),
            "use kernel=linear, which is k-means on the points themselves, or a sample of the points, and predict the others",
        )?;
        let kernel = kernel_on(points, self.kernel, self.sigma, self.n_neighbors, self.seed)?;
        let gram = Gram::new(&kernel, points, self.seed)?.full()?;
        let (grouping, means) = self.group_in(Space::Kernel(gram.view()), problem, observer)?;
        Ok((grouping, KernelKMeansModel::of_points(means, &kernel, points)?))
    }

    fn group_in<'a>(
        &self,
        space: Space<'a>,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        let algorithm = WeightedKernelKMeans {
            n_clusters: self.n_clusters.resolved(),
            n_init: self.n_init,
            init: self.init,
            max_iter: self.max_iter,
            local_search: self.local_search,
            chain: 0,
            seed: self.seed,
        };
        algorithm.group(GroupingInput::new(space).with_weights(problem.weights()), observer)
    }
}
