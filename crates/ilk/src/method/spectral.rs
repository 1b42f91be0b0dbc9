//! Spectral clustering as a method: by the axes of a kernel, or by the Laplacian of a graph.

use ndarray::Axis;

use super::{Method, MethodInfo};
use crate::Result;
use crate::embed::{
    Affinity, AxisChoice, CLUSTERING_TOLERANCE, GraphKind, KernelEmbedding, Laplacian,
    LaplacianAxes, LaplacianEigenmaps, SpectralEmbedding, Weighting, kernel_width,
};
use crate::error::{check_memory, matrix_bytes};
use crate::group::Grouping;
use crate::group::kmeans::KMeans;
use crate::group::spectral::{SpectralModel, group_rows};
use crate::numerics::distinct_rows::DistinctRows;
use crate::observe::Observer;
use crate::outcome::{AnyModel, Chosen, Fit, KnnClassifier, TransductiveModel, assign_unlabelled};
use crate::parameter::{AutoOr, Range};
use crate::problem::{Graph, Input, InputKind, KernelMatrix, Points, Problem};
use crate::select::n_clusters::ClusterCount;
use crate::similarity::AffinityName;
use crate::similarity::{Bandwidth, Gram, Kernel, KernelValues};

crate::parameters! {
    /// Spectral clustering: points get as many coordinates as there are clusters, and k-means groups these.
    ///
    /// | embedding | coordinates | compared by |
    /// |---|---|---|
    /// | KECA | the axes of the kernel's space with the largest ψ ([`AxisChoice::Entropy`]) | angle |
    /// | KPCA | those with the largest eigenvalues ([`AxisChoice::Variance`]) | distance |
    /// | Laplacian | the smallest eigenvectors of a [`Laplacian`] of a graph of neighbours | distance, of rows of length 1 for Lsym |
    ///
    /// Of several descents of k-means the one of lowest cost is kept.
    ///
    /// A kernel matrix or a graph as input is taken as it is. For KECA and KPCA a graph becomes a kernel matrix
    /// of 8 n² bytes, at most [`MAX_BYTES`](crate::error::MAX_BYTES); KPCA takes as much again to centre it, and both take more where
    /// eigenvalues lie so close together that all have to be found. KECA and KPCA place a new point by its coordinates,
    /// the Laplacian by its neighbours. Use KECA or KPCA for groups that differ in density or
    /// lie around each other, of up to some thousands of points (more are approximated, see
    /// [`KernelEmbedding`]); the Laplacian of nearest neighbours for groups that are connected, of any
    /// number of points.
    ///
    /// ```
    /// use ilk::method::{Method, SpectralClustering};
    /// use ilk::parameter::AutoOr;
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
    /// let params = SpectralClustering { n_clusters: AutoOr::Fixed(2), ..SpectralClustering::default() };
    /// let fit = params.fit(&Problem::unsupervised(points), &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct SpectralClustering {
        /// Number of clusters. auto: chosen from the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// By which coordinates points are grouped: the axes of a kernel's space with most entropy, or with most
        /// variance, or the eigenvectors of a graph's Laplacian.
        pub embedding: SpectralEmbedding = SpectralEmbedding::Keca;
        /// How alike two points are. precomputed: the rows given are those of a matrix of affinities.
        pub affinity: AffinityName = AffinityName::Gaussian;
        /// Width of the Gaussian. auto: twice the median distance to the 7th neighbour, but at least the 5% quantile of
        /// all distances; for the Laplacian the first of these, not doubled.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// Whether the mean of the points is moved to the origin of the kernel's space, for kpca.
        pub center: bool = true;
        /// Which Laplacian: I - D^-1/2 W D^-1/2, I - D^-1 W, or D - W.
        pub laplacian: Laplacian = Laplacian::Sym;
        /// Which points have an edge: one is among the nearest of the other; both are; they are near; all.
        pub graph: GraphKind = GraphKind::Knn;
        /// Nearest neighbours of a point, for the graphs of these.
        pub n_neighbors: usize = 10, in Range::COUNT;
        /// Up to which squared distance points are near, for the graph epsilon.
        pub epsilon: f64 = 1.0, in Range::POSITIVE;
        /// What an edge weighs: exp(-d^2 / (2 sigma^2)), or 1.
        pub weight: Weighting = Weighting::Heat;
        /// Descents of k-means from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

impl Method for SpectralClustering {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.affinity == AffinityName::Precomputed,
            seed: self.seed,
        };
        count.fit(problem, observer, |n_clusters| {
            let params = Self { n_clusters, ..self.clone() };
            let SpectralGroups { grouping, model, sigma } =
                params.group_input(problem.input(), observer)?;
            let grouping = Grouping { centers: None, ..grouping };
            let mut fit = Fit::new(grouping, model, problem.constraints());
            if let (AutoOr::Auto, Some(sigma)) = (self.sigma, sigma) {
                let chosen = Chosen::new("sigma", sigma, "the distances to neighbours");
                fit.clustering.chosen.push(chosen);
            }
            Ok(fit)
        })
    }
}

/// The groups of an input.
struct SpectralGroups {
    grouping: Grouping,
    model: AnyModel,
    /// The width of the affinities between points.
    sigma: Option<f64>,
}

impl SpectralGroups {
    /// Clusters that no new point can be placed in.
    fn without_prediction(grouping: Grouping) -> Self {
        let model = TransductiveModel::new(grouping.n_clusters, grouping.labels.len());
        Self { grouping, model: model.into(), sigma: None }
    }
}

impl SpectralClustering {
    /// What spectral clustering takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "spectral",
        class: "SpectralClustering",
        summary: "Points are grouped by their coordinates along the axes of a kernel's space, or in the eigenvectors of a graph's Laplacian.",
        paper: "Jenssen, Kernel Entropy Component Analysis, 2010; von Luxburg, A Tutorial on Spectral Clustering, 2007",
        version: 3,
        inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supervision: &[],
        takes_clusters: true,
        predicts: &[InputKind::Points, InputKind::Kernel],
        supports_weights: &[],
        parameters: Self::PARAMETERS,
    };

    fn group_input(&self, input: &Input, observer: &dyn Observer) -> Result<SpectralGroups> {
        let is_precomputed = self.affinity == AffinityName::Precomputed;
        match &*input.with_rows_as_kernel(is_precomputed)? {
            Input::Points(points) => self.group_points(points, observer),
            Input::Kernel(matrix) => self.group_matrix(matrix, observer),
            Input::Graph(graph) => self.group_graph(graph, observer),
        }
    }

    fn group_points(&self, points: &Points, observer: &dyn Observer) -> Result<SpectralGroups> {
        let distinct = points.distinct_rows();
        let mut found = if let Some(choice) = self.choice() {
            let sigma = kernel_width(self.sigma, points)?;
            let kernel = Kernel::gaussian(Bandwidth::Fixed(sigma));
            let values = KernelValues::Gram(Gram::new(&kernel, points, self.seed)?);
            let found = self.group_kernel(&values, choice, Some(&distinct), observer)?;
            SpectralGroups { sigma: Some(sigma), ..found }
        } else {
            self.group_neighbors(&points.select(&distinct.first), observer)?
        };
        found.grouping.labels = distinct.spread(&found.grouping.labels);
        Ok(found)
    }

    fn group_matrix(
        &self,
        matrix: &KernelMatrix,
        observer: &dyn Observer,
    ) -> Result<SpectralGroups> {
        match self.choice() {
            Some(choice) => {
                self.group_kernel(&KernelValues::Matrix(matrix), choice, None, observer)
            }
            None => self.group_affinity(matrix.view().into(), observer),
        }
    }

    fn group_graph(&self, graph: &Graph, observer: &dyn Observer) -> Result<SpectralGroups> {
        if self.choice().is_none() {
            return self.group_affinity(graph.into(), observer);
        }
        check_memory(
            "the kernel matrix of the graph",
            matrix_bytes(graph.len(), graph.len()),
            "use embedding=laplacian, which keeps the graph sparse",
        )?;
        let matrix = KernelMatrix::new(graph.matrix().to_dense())?;
        let found = self.group_matrix(&matrix, observer)?;
        Ok(SpectralGroups::without_prediction(found.grouping))
    }

    /// Which axes of a kernel's space are kept; none for the Laplacian.
    fn choice(&self) -> Option<AxisChoice> {
        match self.embedding {
            SpectralEmbedding::Keca => Some(AxisChoice::Entropy),
            SpectralEmbedding::Kpca => Some(AxisChoice::Variance { center: self.center }),
            SpectralEmbedding::Laplacian => None,
        }
    }

    /// Groups points by the axes of their kernel; with distinct rows, one row for each of these.
    fn group_kernel(
        &self,
        values: &KernelValues<'_>,
        choice: AxisChoice,
        distinct: Option<&DistinctRows>,
        observer: &dyn Observer,
    ) -> Result<SpectralGroups> {
        let k = self.n_clusters.at_most(values.len());
        let params = KernelEmbedding {
            choice,
            n_components: k,
            tolerance: CLUSTERING_TOLERANCE,
            ..KernelEmbedding::default()
        };
        let embedded = params.fit(values, observer)?;
        let all = embedded.coordinates.view();
        let rows = distinct.map_or_else(|| all.to_owned(), |distinct| distinct.select(all));
        let weights = distinct.map(|distinct| distinct.weights(None));
        let (grouping, rows) =
            group_rows(rows.view(), weights.as_deref(), choice.into(), &self.kmeans(k), observer)?;
        let model = AnyModel::Spectral(SpectralModel::new(embedded.map, rows));
        Ok(SpectralGroups { grouping, model, sigma: None })
    }

    /// Groups points, of which no two are equal, by the Laplacian of their graph.
    fn group_neighbors(&self, nodes: &Points, observer: &dyn Observer) -> Result<SpectralGroups> {
        let map = self.eigenmaps(nodes.len()).fit(nodes, observer)?;
        let mut grouping = self.group_laplacian(map.axes(), observer)?;
        assign_unlabelled(nodes, &mut grouping)?;
        let classifier = KnnClassifier::with_default_neighbors(nodes, &grouping.labels)?;
        Ok(SpectralGroups { grouping, model: classifier.into(), sigma: map.sigma() })
    }

    fn group_affinity(
        &self,
        affinity: Affinity<'_>,
        observer: &dyn Observer,
    ) -> Result<SpectralGroups> {
        let axes = self.eigenmaps(affinity.len()).axes_of(affinity, observer)?;
        let grouping = self.group_laplacian(&axes, observer)?;
        Ok(SpectralGroups::without_prediction(grouping))
    }

    fn group_laplacian(&self, axes: &LaplacianAxes, observer: &dyn Observer) -> Result<Grouping> {
        let k = self.n_clusters.at_most(axes.degrees().len());
        let rows = axes.eigenvectors().slice_axis(Axis(1), (..k).into());
        let compare = self.laplacian.into();
        Ok(group_rows(rows, None, compare, &self.kmeans(k), observer)?.0)
    }

    fn eigenmaps(&self, n: usize) -> LaplacianEigenmaps {
        LaplacianEigenmaps {
            n_components: self.n_clusters.at_most(n),
            laplacian: self.laplacian,
            graph: self.graph,
            n_neighbors: self.n_neighbors,
            epsilon: self.epsilon,
            weight: self.weight,
            sigma: self.sigma.fixed(),
            drop_first: false,
            tolerance: CLUSTERING_TOLERANCE,
        }
    }

    fn kmeans(&self, n_clusters: usize) -> KMeans {
        KMeans {
            n_clusters: n_clusters.into(),
            n_init: self.n_init,
            seed: self.seed,
            ..KMeans::default()
        }
    }
}
