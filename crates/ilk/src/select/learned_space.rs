//! A space in which the constraints hold better than in the given one, for methods that do not learn a kernel
//! themselves.
//!
//! A learned kernel has explicit features ([`BaseKernel::embed`]): points of which any method can find the groups.
//! Whether it should is decided by held-out constraints, as everything else is ([`supervision`](super::supervision)).
//! Which kernel is learned from is decided by distances alone, which costs no grouping: a kernel is good if held-out
//! must-linked points are nearer in its space than held-out cannot-linked points.

use super::folds::has_enough_constraints;
use super::held_out::{HeldOut, first_best};
use super::kernel_learning::{for_trial, trial_widths};
use crate::Result;
use crate::embed::LEADING_DIMS;
use crate::group::spectral::Spectral;
use crate::group::{Grouping, GroupingAlgorithm};
use crate::numerics::distances::dist_sq;
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, LearnedKernelModel, assign_unlabelled};
use crate::problem::{Constraints, Input, Points, Problem};
use crate::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph_observed};
use crate::similarity::{FeatureMap, KernelName};
use crate::supervise::LearnedKernel;
use crate::supervise::kernel_learning::{Gamma, KernelLearning, Rank, Sigma};

/// Points above which no space is learned.
const MAX_POINTS: usize = 20_000;

/// The ranks of the kernel that are tried.
const RANKS: [Rank; 2] = [Rank::Exact, Rank::Trace(0.9)];

/// Folds by which kernels are compared.
const FOLDS: usize = 3;

/// Neighbours in a learned space with which a point has affinity.
pub(crate) const AFFINITY_NEIGHBORS: usize = 10;

/// A learned kernel, and the map into its space.
#[derive(Clone)]
pub(crate) struct LearnedFeatures {
    pub(crate) kernel: LearnedKernel,
    pub(crate) map: FeatureMap,
}

impl LearnedFeatures {
    /// The model of clusters that `inner` describes in this space.
    pub(crate) fn model(self, inner: AnyModel) -> AnyModel {
        AnyModel::LearnedKernel(Box::new(LearnedKernelModel::new(self.kernel, self.map, inner)))
    }
}

/// The points of a problem in a learned space, and how new points get there.
pub(crate) struct LearnedSpace {
    /// The problem with the features of its points.
    pub(crate) problem: Problem,
    pub(crate) features: LearnedFeatures,
}

impl LearnedSpace {
    /// Learns a space from the constraints of a problem over points.
    pub(crate) fn new(
        learning: &KernelLearning,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let constraints = problem.constraints();
        let base = learning.base(problem.input(), constraints, observer)?;
        let learned = base.learn(constraints, None, observer)?;
        let embedded = base.embed(&learned, Some(LEADING_DIMS), observer)?;
        let mut features = Problem::new(Points::new(embedded.features)?, constraints.clone())?;
        if let Some(weights) = problem.weights() {
            features = features.with_weights(weights.to_vec())?;
        }
        let (kernel, map) = (learned.kernel, embedded.map);
        Ok(Self { problem: features, features: LearnedFeatures { kernel, map } })
    }
}

/// How the space of a problem is learned; `None` where there are too few constraints to tell, or too many points.
pub(crate) fn select_learning(
    problem: &Problem,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Option<KernelLearning>> {
    let Input::Points(points) = problem.input() else { return Ok(None) };
    if points.len() > MAX_POINTS || !has_enough_constraints(problem.constraints()) {
        return Ok(None);
    }
    let held_out = HeldOut::of_constrained(problem, FOLDS, 1, seed)?;
    let mut settings = Vec::new();
    for sigma in trial_widths(points, seed)? {
        for rank in RANKS {
            settings.push(KernelLearning {
                kernel: KernelName::Gaussian,
                sigma: Sigma::Fixed(sigma),
                gamma: Gamma::Fixed(Gamma::DEFAULT),
                rank,
                seed,
                ..KernelLearning::default()
            });
        }
    }
    let scores = held_out.mean_scores(
        &settings,
        |setting, train, test| {
            let space = LearnedSpace::new(&for_trial(setting), train, &Unreported(observer))?;
            Ok(separation(&space.problem, test))
        },
        observer,
    )?;
    Ok(Some(settings[first_best(scores)]))
}

/// The share of all couples of a must-link and a cannot-link in which the must-linked points are nearer (the area
/// under the ROC curve), equal distances counting half; one half where there are none of a kind.
fn separation(space: &Problem, test: &Constraints) -> f64 {
    let Input::Points(points) = space.input() else { return 0.5 };
    let length = |[a, b]: [usize; 2]| dist_sq(points.row(a), points.row(b));
    let must: Vec<f64> = test.must_links().iter().map(|pair| length(pair.points)).collect();
    let cannot: Vec<f64> = test.cannot_links().iter().map(|pair| length(pair.points)).collect();
    if must.is_empty() || cannot.is_empty() {
        return 0.5;
    }
    let mut all: Vec<(f64, bool)> = must.iter().map(|&sq| (sq, true)).collect();
    all.extend(cannot.iter().map(|&sq| (sq, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut nearer, mut seen_cannot) = (0.0, 0usize);
    for run in all.chunk_by(|a, b| a.0 == b.0) {
        let n_must = run.iter().filter(|(_, is_must)| *is_must).count();
        let n_cannot = run.len() - n_must;
        let farther = (cannot.len() - seen_cannot - n_cannot) as f64;
        nearer += n_must as f64 * (farther + 0.5 * n_cannot as f64);
        seen_cannot += n_cannot;
    }
    nearer / (must.len() * cannot.len()) as f64
}

/// Spectral clustering of points that have affinity with their neighbours alone: their dot products.
///
/// Points in one place are one node. Those that are in no cluster, since the neighbours fall apart into more parts than
/// there are clusters, get that of their neighbours.
pub(crate) fn spectral_of_neighbors(
    spectral: &Spectral,
    space: &Points,
    neighbors: usize,
    observer: &dyn Observer,
) -> Result<Grouping> {
    let distinct = space.distinct_rows();
    let nodes = space.select(&distinct.first);
    let edges = EdgeRule::Nearest { neighbors, one_sided: OneSided::Kept };
    let graph = neighbor_graph_observed(&nodes, edges, EdgeWeight::DotProduct, observer)?;
    let n_clusters = spectral.n_clusters.min(nodes.len());
    let (mut grouping, ()) = Spectral { n_clusters, ..spectral.clone() }.group(&graph, observer)?;
    assign_unlabelled(&nodes, &mut grouping)?;
    grouping.labels = distinct.spread(&grouping.labels);
    Ok(grouping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_is_the_share_of_couples_in_the_right_order() -> Result<()> {
        let points = Points::from_rows(&[[0.0], [1.0], [3.0], [3.0], [5.0]].map(Vec::from))?;
        let mut test = Constraints::new(5);
        // Lengths 1 and 2 of must-links; 2, 5 and 0 of cannot-links.
        test.must_link(0, 1)?.must_link(1, 2)?;
        test.cannot_link(3, 4)?.cannot_link(0, 4)?.cannot_link(2, 3)?;
        let space = Problem::new(points, Constraints::new(5))?;
        // 1 is below 2 and 5; 2 equals 2 and is below 5.
        assert_eq!(separation(&space, &test), (2.0 + 1.5) / 6.0);
        assert_eq!(separation(&space, &Constraints::new(5)), 0.5);
        Ok(())
    }
}
