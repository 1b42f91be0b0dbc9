//! Exhaustive and efficient constraint propagation as a method.

use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::affinity::{self, AffinityName, Plan};
use super::kernel_kmeans::KernelWidth;
use super::learning::joined;
use crate::Result;
use crate::group::spectral::Normalisation;
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{ConstraintKind, InputKind, Problem};
use crate::supervise::propagate::Propagated;

/// What E2CP takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "e2cp",
    class: "E2CP",
    summary: "What was said of pairs is carried over a graph of neighbours to the pairs near them; spectral clustering follows.",
    paper: "Lu and Ip, Exhaustive and Efficient Constraint Propagation, 2013",
    inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: true,
    predicts: true,
    weighs: false,
    parameters: E2cp::PARAMETERS,
};

/// Exhaustive and efficient constraint propagation (E2CP): what was said of pairs is carried over a
/// graph of neighbours to the pairs near them, affinities follow, and spectral clustering groups the
/// points.
///
/// 1. Every point has affinity with its nearest neighbours; labels become pairs.
/// 2. Pairs are propagated and affinities raised or lowered by them
///    ([`Propagated`](crate::supervise::propagate::Propagated), which has the equations), on the edges
///    of the graph and on other pairs of points for which something was said and a lot came out.
/// 3. [`Spectral`](crate::group::spectral::Spectral) clustering. Where there are labels, one more descent
///    starts from them; and where most of two labels would still share a cluster although every cluster has
///    a label, the labels themselves are [carried](crate::supervise::propagate::carried) over the graph.
///
/// A kernel matrix as input holds affinities; those of a graph are taken as they are. New points are
/// placed by a vote of their neighbours, which needs points. Points that coincide are one.
///
/// Use it where groups are connected and few pairs are known: a pair says something about all points
/// around it. Nothing n x n is held. Where what belongs together is not near, a learned kernel does
/// better ([`Skkm`](super::Skkm)).
///
/// ```
/// use ilk::method::{E2cp, Method};
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points, Problem};
///
/// // One row of points, which the answers cut in the middle.
/// let points = Points::from_rows(&(0..12).map(|i| vec![f64::from(i)]).collect::<Vec<_>>())?;
/// let mut said = Constraints::new(12);
/// said.must_link(0, 5)?.must_link(6, 11)?.cannot_link(5, 6)?;
/// let params = E2cp { n_clusters: 2, n_neighbors: 2, ..E2cp::default() };
/// let fit = Method::E2cp(params).fit(&Problem::new(points, said)?, &Silent)?;
/// assert_eq!(fit.clustering.labels[..6], [Some(0); 6]);
/// assert_eq!(fit.clustering.labels[6..], [Some(1); 6]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct E2cp {
    /// Number of clusters.
    pub n_clusters: usize,
    /// Where affinities come from.
    pub affinity: AffinityName,
    /// The width of the Gaussian; by default each point's own.
    pub sigma: KernelWidth,
    /// Neighbours with which a point has affinity.
    pub n_neighbors: usize,
    /// How far pairs are carried: the share of a value that comes from the neighbours.
    pub alpha: f64,
    /// Descents of k-means from different starts, of which the best is kept.
    pub n_init: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for E2cp {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            affinity: AffinityName::Gaussian,
            sigma: KernelWidth::Auto,
            n_neighbors: 10,
            alpha: 0.6,
            n_init: 10,
            seed: 0,
        }
    }
}

/// Pairs that are no edges of the graph become some where this much was carried to them. Measured: with
/// all of them kept clusters are no better, see `docs/benchmarks.md`.
const THRESHOLD: f64 = 0.01;

impl E2cp {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &joined::<1, 6, 7>(
        [ParameterInfo {
            name: "alpha",
            doc: "How far pairs are carried: the share of a value that comes from the neighbours.",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: 0.999,
            },
            default: "0.6",
        }],
        affinity::PARAMETERS,
    );

    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        check_numbers(Self::PARAMETERS, &[("alpha", self.alpha)])?;
        let plan = Plan {
            n_clusters: self.n_clusters,
            affinity: self.affinity,
            sigma: self.sigma,
            n_neighbors: self.n_neighbors,
            normalisation: Normalisation::Symmetric,
            n_init: self.n_init,
            seed: self.seed,
        };
        let propagate = |graph: &_, said: &_| {
            Propagated::new(graph, said, self.alpha, observer)?.graph(THRESHOLD)
        };
        plan.fit(problem, propagate, observer)
    }
}
