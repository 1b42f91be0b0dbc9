//! Kernel k-means as a method: a kernel between points, or one that is given, and its clusters.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::distinct::distinct;
use crate::group::kernel_kmeans::{self as group, Init, KernelKMeansModel, Space};
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range, Written, check_numbers, written};
use crate::problem::{InputKind, KernelMatrix, Points, Problem};
use crate::similarity::{Bandwidth, Gram, Kernel, KernelName, MAX_BYTES};
use crate::{Error, Result};

/// What kernel k-means takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "kernel-kmeans",
    class: "KernelKMeans",
    summary: "Points go to the nearest of k means in the space of a kernel; with a linear kernel, plain k-means.",
    paper: "Dhillon, Guan and Kulis, Kernel k-means, Spectral Clustering and Normalized Cuts, 2004",
    inputs: &[InputKind::Points, InputKind::Kernel],
    supervision: &[],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: KernelKMeans::PARAMETERS,
};

/// The width of a Gaussian; in files `"auto"` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum KernelWidth {
    /// Read off the data, as the method says.
    #[default]
    Auto,
    /// This number.
    Fixed(f64),
}

impl KernelWidth {
    /// The number, where one was given.
    pub(super) fn fixed(self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::Fixed(sigma) => Some(sigma),
        }
    }

    /// Refuses a number that is no width.
    pub(super) fn check(self) -> Result<()> {
        self.check_as("sigma")
    }

    /// Refuses a number that is no width of this name.
    pub(super) fn check_as(self, parameter: &'static str) -> Result<()> {
        match self {
            Self::Fixed(sigma) if !(sigma.is_finite() && sigma > 0.0) => Err(Error::BadParameter {
                parameter,
                value: sigma.to_string(),
                expected: "it must be a finite number above 0, or auto".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// Kernel k-means: k clusters with the smallest squared distances of points to the mean of their
/// cluster, in the space of a kernel.
///
/// The objective and how it is lowered are those of [`group::kernel_kmeans`](group::KernelKMeans). A
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
/// let params = KernelKMeans { n_clusters: 2, ..KernelKMeans::default() };
/// let fit = Method::KernelKMeans(params).fit(&Problem::unsupervised(points), &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelKMeans {
    /// Number of clusters.
    pub n_clusters: usize,
    /// The kernel between points.
    pub kernel: KernelName,
    /// The width of the Gaussian kernel; by default the median distance between points that differ.
    pub sigma: KernelWidth,
    /// The neighbour whose distance is a point's width in the self-tuning kernel.
    pub n_neighbors: usize,
    /// Descents from different starts, of which the best is kept.
    pub n_init: usize,
    /// How the first means are chosen.
    pub init: Init,
    /// At most this many steps a descent.
    pub max_iter: usize,
    /// Whether single points are moved after the batch steps.
    pub local_search: bool,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for KernelKMeans {
    fn default() -> Self {
        let group::KernelKMeans {
            n_clusters,
            n_init,
            init,
            max_iter,
            local_search,
            seed,
            ..
        } = group::KernelKMeans::default();
        Self {
            n_clusters,
            kernel: KernelName::Gaussian,
            sigma: KernelWidth::Auto,
            n_neighbors: 7,
            n_init,
            init,
            max_iter,
            local_search,
            seed,
        }
    }
}

impl KernelKMeans {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        group::KernelKMeans::PARAMETERS[0],
        ParameterInfo {
            name: "kernel",
            doc: "How alike two points are. precomputed: the rows given are those of a kernel matrix.",
            range: Range::Choice(KernelName::NAMES),
            default: "gaussian",
        },
        ParameterInfo {
            name: "sigma",
            doc: "Width of the Gaussian kernel. auto: the median distance.",
            range: Range::Text(WIDTH_FORMS),
            default: "auto",
        },
        ParameterInfo {
            name: "n_neighbors",
            doc: "In the self-tuning kernel a point is as wide as the distance to this neighbour (the last, if there are fewer).",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "7",
        },
        group::KernelKMeans::PARAMETERS[1],
        group::KernelKMeans::PARAMETERS[2],
        group::KernelKMeans::PARAMETERS[3],
        group::KernelKMeans::PARAMETERS[4],
        group::KernelKMeans::PARAMETERS[5],
    ];

    pub(super) fn group(&self) -> group::KernelKMeans {
        group::KernelKMeans {
            n_clusters: self.n_clusters,
            n_init: self.n_init,
            init: self.init,
            max_iter: self.max_iter,
            local_search: self.local_search,
            chain: 0,
            seed: self.seed,
        }
    }

    /// Refuses values out of range, and more clusters than points, before any kernel is computed.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        self.group().check()?;
        check_numbers(
            Self::PARAMETERS,
            &[("n_neighbors", self.n_neighbors as f64)],
        )?;
        self.sigma.check()?;
        if self.n_clusters > n {
            let k = self.n_clusters;
            return Err(Error::TooManyClusters { k, n });
        }
        Ok(())
    }

    /// The kernel with its numbers, for points that are not their own features.
    pub(super) fn kernel_of(&self, points: &Points, problem: &Problem) -> Result<Kernel> {
        if self.kernel == KernelName::SelfTuning {
            let others = points.len().saturating_sub(1).max(1);
            return Ok(Kernel::SelfTuning {
                neighbors: self.n_neighbors.min(others),
            });
        }
        let sigma = match self.sigma {
            KernelWidth::Fixed(sigma) => sigma,
            KernelWidth::Auto => {
                let (places, _) = distinct(points, problem)?;
                let median = Bandwidth::Percentile(0.5)
                    .resolve(&places, self.seed)?
                    .of(0);
                // All points coincide; any width gives the one cluster there is.
                if median > 0.0 { median } else { 1.0 }
            }
        };
        Ok(Kernel::gaussian(Bandwidth::Fixed(sigma)))
    }
}

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &KernelKMeans,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    params.check(points.len())?;
    match params.kernel {
        KernelName::Precomputed => {
            let kernel = KernelMatrix::new(points.view().to_owned())?;
            return fit_kernel(params, &kernel, problem, observer);
        }
        KernelName::Linear => {
            let space = Space::Features(points.view());
            let (grouping, means) = params.group().fit(space, problem.weights(), observer)?;
            let model = KernelKMeansModel::of_rows(means);
            return Ok(outcome(grouping, model, problem));
        }
        KernelName::Gaussian | KernelName::SelfTuning => {}
    }
    let bytes = 8 * (points.len() as u128).pow(2);
    if bytes > MAX_BYTES {
        return Err(Error::TooLarge {
            what: "the kernel matrix",
            bytes,
            instead: "use kernel=linear, which is k-means on the points themselves, or a sample of the points, and predict the others",
        });
    }
    let kernel = params.kernel_of(points, problem)?;
    let gram = Gram::new(&kernel, points, params.seed)?.full()?;
    let space = Space::Kernel(gram.view());
    let (grouping, means) = params.group().fit(space, problem.weights(), observer)?;
    let model = KernelKMeansModel::of_points(means, kernel, points)?;
    Ok(outcome(grouping, model, problem))
}

/// Finds the groups of a problem over a kernel matrix.
pub(super) fn fit_kernel(
    params: &KernelKMeans,
    kernel: &KernelMatrix,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    params.check(problem.len())?;
    let space = Space::Kernel(kernel.view());
    let (grouping, means) = params.group().fit(space, problem.weights(), observer)?;
    let model = KernelKMeansModel::of_rows(means);
    Ok(outcome(grouping, model, problem))
}

fn outcome(grouping: crate::group::Grouping, model: KernelKMeansModel, problem: &Problem) -> Fit {
    Fit {
        clustering: Clustering::new(grouping, problem.constraints()),
        model: Model::KernelKMeans(model),
    }
}

/// What a width may be.
const WIDTH_FORMS: &str = "a number above 0, or auto";

impl fmt::Display for KernelWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(sigma) => write!(f, "{sigma}"),
        }
    }
}

impl FromStr for KernelWidth {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.trim() == "auto" {
            return Ok(Self::Auto);
        }
        let number = text.trim().parse().map_err(|_| Error::BadParameter {
            parameter: "sigma",
            value: text.to_owned(),
            expected: format!("it must be {WIDTH_FORMS}"),
        });
        number.map(Self::Fixed)
    }
}

written!(KernelWidth);
