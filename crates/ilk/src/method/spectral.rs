//! Spectral clustering as a method: by the axes of a kernel, or by the Laplacian of a graph.

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::affinity::{AffinityName, place_the_rest};
use super::cluster_count::{COUNT_FORMS, ClusterCount, not_a_count};
use super::distinct::places;
use super::embedding::{EIGENMAPS, SIGMA, kernel_width};
use super::kernel_kmeans::KernelWidth;
use super::learned_groups::N_INIT;
use super::settling::Settling;
use crate::group::kmeans::KMeans;
use crate::group::spectral::{
    Affinity, AxisChoice, CLUSTERING, KernelEmbedding, Laplacian, LaplacianAxes,
    LaplacianEigenmaps, MOST, Neighborhood, SpectralModel, Weighting, clusters_of_kernel,
    clusters_of_laplacian, group_rows,
};
use crate::group::{Grouping, Label};
use crate::observe::Observer;
use crate::outcome::{Chosen, Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{Graph, Input, InputKind, KernelMatrix, Points, Problem};
use crate::settle::Vote;
use crate::similarity::{Bandwidth, Gram, Kernel, KernelValues, MAX_BYTES};
use crate::{Error, Result};

/// What spectral clustering takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "spectral",
    class: "SpectralClustering",
    summary: "Points are grouped by their coordinates along the axes of a kernel's space, or in the eigenvectors of a graph's Laplacian.",
    paper: "Jenssen, Kernel Entropy Component Analysis, 2010; von Luxburg, A Tutorial on Spectral Clustering, 2007",
    inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
    supervision: &[],
    needs_clusters: true,
    predicts: true,
    weighs: false,
    parameters: SpectralClustering::PARAMETERS,
};

/// By which coordinates points are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SpectralEmbedding {
    /// The axes of a kernel's space that hold most entropy, by angle.
    #[default]
    Keca,
    /// Those that hold most variance, by distance.
    Kpca,
    /// The eigenvectors of a graph's Laplacian, by distance.
    Laplacian,
}

impl SpectralEmbedding {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["keca", "kpca", "laplacian"];
}

/// Spectral clustering: points get as many coordinates as there are clusters, and k-means groups these.
///
/// | embedding | coordinates | compared by |
/// |---|---|---|
/// | KECA | the axes of the kernel's space with the largest ψ ([`AxisChoice::Entropy`]) | angle |
/// | KPCA | those with the largest eigenvalues ([`AxisChoice::Variance`]) | distance |
/// | Laplacian | the smallest eigenvectors of a [`Laplacian`] of a graph of neighbours | distance, of rows of length 1 for Lsym |
///
/// Of several descents of k-means the one of lowest cost is kept. Without a number of clusters the largest gap
/// in the spectrum says one ([`clusters_of_kernel`], [`clusters_of_laplacian`]): a proposal, right for
/// groups that are well apart and too small for those that touch.
///
/// A kernel matrix or a graph as input is taken as it is. For KECA and KPCA a graph becomes a kernel matrix
/// of 8 n² bytes, at most [`MAX_BYTES`]; KPCA takes as much again to centre it, and both take more where
/// eigenvalues lie so close together that all have to be found. KECA and KPCA place a new point by its coordinates,
/// the Laplacian by a vote of its neighbours. Use KECA or KPCA for groups that differ in density or
/// lie around each other, of up to some thousands of points (more are approximated, see
/// [`KernelEmbedding`]); the Laplacian of nearest neighbours for groups that are connected, of any
/// number of points.
///
/// ```
/// use ilk::method::{ClusterCount, Method, SpectralClustering};
/// use ilk::observe::Silent;
/// use ilk::problem::{Points, Problem};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
/// let params = SpectralClustering { n_clusters: ClusterCount::Fixed(2), ..SpectralClustering::default() };
/// let fit = Method::Spectral(params).fit(&Problem::unsupervised(points), &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpectralClustering {
    /// Number of clusters, and of coordinates.
    pub n_clusters: ClusterCount,
    /// By which coordinates points are grouped.
    pub embedding: SpectralEmbedding,
    /// Where affinities come from.
    pub affinity: AffinityName,
    /// The width of the Gaussian.
    pub sigma: KernelWidth,
    /// Whether the kernel is centred, for KPCA.
    pub center: bool,
    /// Which Laplacian.
    pub laplacian: Laplacian,
    /// Which points have an edge, for the Laplacian.
    pub graph: Neighborhood,
    /// With how many neighbours.
    pub n_neighbors: usize,
    /// Up to which squared distance.
    pub epsilon: f64,
    /// What an edge weighs.
    pub weight: Weighting,
    /// Descents of k-means from different starts, of which the best is kept.
    pub n_init: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for SpectralClustering {
    fn default() -> Self {
        let LaplacianEigenmaps {
            laplacian,
            graph,
            n_neighbors,
            epsilon,
            weight,
            ..
        } = LaplacianEigenmaps::default();
        Self {
            n_clusters: ClusterCount::Fixed(8),
            embedding: SpectralEmbedding::Keca,
            affinity: AffinityName::Gaussian,
            sigma: KernelWidth::Auto,
            center: true,
            laplacian,
            graph,
            n_neighbors,
            epsilon,
            weight,
            n_init: 10,
            seed: 0,
        }
    }
}

impl SpectralClustering {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "n_clusters",
            doc: "Number of clusters. auto: by the largest gap in the spectrum, from 2 to 15.",
            range: Range::Text(COUNT_FORMS),
            default: "8",
        },
        ParameterInfo {
            name: "embedding",
            doc: "By which coordinates points are grouped: the axes of a kernel's space with most entropy, or with most variance, or the eigenvectors of a graph's Laplacian.",
            range: Range::Choice(SpectralEmbedding::NAMES),
            default: "keca",
        },
        EIGENMAPS[2],
        ParameterInfo {
            doc: "Width of the Gaussian. auto: twice the median distance to the 7th neighbour, but at least the 5% quantile of all distances; for the Laplacian the first of these, not doubled.",
            ..SIGMA
        },
        ParameterInfo {
            name: "center",
            doc: "Whether the mean of the points is moved to the origin of the kernel's space, for kpca.",
            range: Range::Flag,
            default: "true",
        },
        EIGENMAPS[1],
        EIGENMAPS[3],
        EIGENMAPS[4],
        EIGENMAPS[5],
        EIGENMAPS[6],
        N_INIT,
        super::SEED,
    ];

    fn check(&self, n: usize) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("n_neighbors", self.n_neighbors as f64),
                ("epsilon", self.epsilon),
                ("n_init", self.n_init as f64),
            ],
        )?;
        self.sigma.check()?;
        match self.n_clusters {
            ClusterCount::Fixed(0) => Err(not_a_count("0")),
            ClusterCount::Fixed(k) if k > n => Err(Error::TooManyClusters { k, n }),
            _ => Ok(()),
        }
    }

    /// Finds the groups of a problem.
    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        self.check(problem.len())?;
        match (self.affinity, problem.input()) {
            (AffinityName::Gaussian, Input::Points(points)) => {
                self.fit_points(points, problem, observer)
            }
            (AffinityName::Precomputed, Input::Points(rows)) => {
                let matrix = KernelMatrix::new(rows.view().to_owned())?;
                self.fit_matrix(&matrix, problem, observer)
            }
            (_, Input::Kernel(matrix)) => self.fit_matrix(matrix, problem, observer),
            (_, Input::Graph(graph)) => self.fit_graph(graph, problem, observer),
        }
    }

    fn fit_points(
        &self,
        points: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let places = Places::new(points);
        let Some(choice) = self.choice() else {
            return self.fit_neighbors(&places, problem, observer);
        };
        let sigma = kernel_width(self.sigma, points)?;
        let kernel = Kernel::gaussian(Bandwidth::Fixed(sigma));
        let values = KernelValues::Gram(Gram::new(&kernel, points, self.seed)?);
        let (mut grouping, model, k) = self.fit_kernel(&values, choice, Some(&places), observer)?;
        grouping.labels = places.spread(&grouping.labels);
        let mut fit = self.outcome(grouping, Model::Spectral(model), k, problem);
        self.tell_width(&mut fit, Some(sigma));
        Ok(fit)
    }

    fn fit_matrix(
        &self,
        matrix: &KernelMatrix,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        if let Some(choice) = self.choice() {
            let values = KernelValues::Matrix(matrix);
            let (grouping, model, k) = self.fit_kernel(&values, choice, None, observer)?;
            return Ok(self.outcome(grouping, Model::Spectral(model), k, problem));
        }
        self.fit_affinity(matrix.view().into(), problem, observer)
    }

    fn fit_graph(&self, graph: &Graph, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        if self.choice().is_none() {
            return self.fit_affinity(graph.into(), problem, observer);
        }
        let bytes = 8 * (graph.len() as u128).pow(2);
        if bytes > MAX_BYTES {
            return Err(Error::TooLarge {
                what: "the kernel matrix of the graph",
                bytes,
                instead: "use embedding=laplacian, which keeps the graph sparse",
            });
        }
        let matrix = KernelMatrix::new(graph.matrix().to_dense())?;
        let fit = self.fit_matrix(&matrix, problem, observer)?;
        Ok(Fit {
            model: unplaced(&fit.clustering.labels, fit.model.n_clusters()),
            ..fit
        })
    }

    /// Which axes of a kernel's space are kept; none for the Laplacian.
    fn choice(&self) -> Option<AxisChoice> {
        match self.embedding {
            SpectralEmbedding::Keca => Some(AxisChoice::Entropy),
            SpectralEmbedding::Kpca => Some(AxisChoice::Variance {
                center: self.center,
            }),
            SpectralEmbedding::Laplacian => None,
        }
    }

    /// Groups points by the axes of their kernel; with places, one row for each of these.
    fn fit_kernel(
        &self,
        values: &KernelValues<'_>,
        choice: AxisChoice,
        places: Option<&Places>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, SpectralModel, usize)> {
        let n = values.len();
        let params = KernelEmbedding {
            choice,
            n_components: self.coordinates(n),
            tolerance: CLUSTERING,
            ..KernelEmbedding::default()
        };
        let mut embedded = params.fit(values, observer)?;
        let k = match self.n_clusters {
            ClusterCount::Fixed(k) => k,
            ClusterCount::Auto => {
                let k = clusters_of_kernel(&embedded.axes, choice).min(n);
                embedded = embedded.truncated(k);
                k
            }
        };
        let all = embedded.coordinates.view();
        let rows = places.map_or_else(|| all.to_owned(), |places| places.rows(all));
        let weights = places.map(|places| places.counts.as_slice());
        let (grouping, rows) = group_rows(
            rows.view(),
            weights,
            choice.into(),
            &self.kmeans(k),
            observer,
        )?;
        Ok((grouping, SpectralModel::new(embedded.map, rows), k))
    }

    /// Groups points by the Laplacian of their graph. Points in one place are one node.
    fn fit_neighbors(
        &self,
        places: &Places,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let nodes = &places.nodes;
        let params = self.eigenmaps(nodes.len());
        let map = params.fit(nodes, observer)?;
        let (mut grouping, k) = self.group_laplacian(map.axes(), observer)?;
        let voters = Settling::voters(nodes.len());
        place_the_rest(nodes, &mut grouping.labels, voters)?;
        let model = Model::Vote(Vote::new(nodes, &grouping.labels, voters)?);
        grouping.labels = places.spread(&grouping.labels);
        let mut fit = self.outcome(grouping, model, k, problem);
        self.tell_width(&mut fit, map.sigma());
        Ok(fit)
    }

    fn fit_affinity(
        &self,
        affinity: Affinity<'_>,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let params = self.eigenmaps(problem.len());
        let axes = params.axes_of(affinity, observer)?;
        let (grouping, k) = self.group_laplacian(&axes, observer)?;
        let model = unplaced(&grouping.labels, grouping.n_clusters);
        Ok(self.outcome(grouping, model, k, problem))
    }

    fn group_laplacian(
        &self,
        axes: &LaplacianAxes,
        observer: &dyn Observer,
    ) -> Result<(Grouping, usize)> {
        let n = axes.degrees().len();
        let k = match self.n_clusters {
            ClusterCount::Fixed(k) => k.min(n),
            ClusterCount::Auto => clusters_of_laplacian(axes).min(n),
        };
        let rows = axes.eigenvectors().slice_axis(Axis(1), (..k).into());
        let compare = self.laplacian.into();
        let (grouping, _) = group_rows(rows, None, compare, &self.kmeans(k), observer)?;
        Ok((grouping, k))
    }

    fn eigenmaps(&self, n: usize) -> LaplacianEigenmaps {
        LaplacianEigenmaps {
            n_components: self.coordinates(n),
            laplacian: self.laplacian,
            graph: self.graph,
            n_neighbors: self.n_neighbors,
            epsilon: self.epsilon,
            weight: self.weight,
            sigma: self.sigma.fixed(),
            drop_first: false,
            tolerance: CLUSTERING,
        }
    }

    /// Coordinates to find: one a cluster, or so many that a gap among them can be seen.
    fn coordinates(&self, n: usize) -> usize {
        match self.n_clusters {
            ClusterCount::Fixed(k) => k.min(n),
            ClusterCount::Auto => (MOST + 1).min(n),
        }
    }

    fn kmeans(&self, n_clusters: usize) -> KMeans {
        KMeans {
            n_clusters,
            n_init: self.n_init,
            seed: self.seed,
            ..KMeans::default()
        }
    }

    /// Says which width was read off the data.
    fn tell_width(&self, fit: &mut Fit, sigma: Option<f64>) {
        if let (KernelWidth::Auto, Some(sigma)) = (self.sigma, sigma) {
            let chosen = Chosen::new("sigma", sigma, "the distances to neighbours");
            fit.clustering.chosen.push(chosen);
        }
    }

    fn outcome(&self, grouping: Grouping, model: Model, k: usize, problem: &Problem) -> Fit {
        let grouping = Grouping {
            centers: None,
            ..grouping
        };
        let mut clustering = Clustering::new(grouping, problem.constraints());
        if self.n_clusters == ClusterCount::Auto {
            clustering.chosen.push(Chosen::new(
                "n_clusters",
                k,
                "the largest gap in the spectrum",
            ));
        }
        Fit { clustering, model }
    }
}

/// The model of clusters that no new point can be placed in.
fn unplaced(labels: &[Label], n_clusters: usize) -> Model {
    Model::Unplaced {
        n_clusters,
        n: labels.len(),
    }
}

/// The distinct places of points: copies get one label.
struct Places {
    /// The place of every point.
    of: Vec<usize>,
    /// The first point at every place.
    first: Vec<usize>,
    nodes: Points,
    /// How many points are at each.
    counts: Vec<f64>,
}

impl Places {
    fn new(points: &Points) -> Self {
        let (of, first) = places(points);
        let mut counts = vec![0.0; first.len()];
        for &place in &of {
            counts[place] += 1.0;
        }
        Self {
            nodes: points.select(&first),
            of,
            first,
            counts,
        }
    }

    fn rows(&self, all: ArrayView2<'_, f64>) -> Array2<f64> {
        all.select(Axis(0), &self.first)
    }

    fn spread(&self, labels: &[Label]) -> Vec<Label> {
        self.of.iter().map(|&place| labels[place]).collect()
    }
}
