//! Semi-supervised kernel mean shift as a method.

use ndarray::{Array2, Axis};

use super::parameters::kernel_learning_params;
use super::pipeline::GroupedInSpace;
use crate::Result;
use crate::embed::LEADING_DIMS;
use crate::group::mean_shift::MeanShift;
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput};
use crate::method::{Method, MethodInfo};
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, Chosen, Fit};
use crate::parameter::{AutoOr, Range};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::refine::{MustLinkPolicy, Refinement};
use crate::select::grouped::Grouped;
use crate::select::held_out::refined_for_trial;
use crate::select::inconsistency::filter_inconsistent;
use crate::select::kernel_learning::{SelectedSettings, resolved_settings, select_settings};
use crate::select::sample::{ProblemSample, with_precomputed_kernel};
use crate::select::shifts::stable_on;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};
use crate::similarity::{Bandwidth, KernelName};
use crate::supervise::kernel_learning::{
    BaseKernel, Gamma, KernelLearning, LearnedKernelFit, Rank, Sigma,
};
use crate::supervise::neighborhood_size::{NeighborhoodSize, Stability, stability};

kernel_learning_params! {
    /// Semi-supervised kernel mean shift (SKMS): a kernel is learned that agrees with the constraints, and mean shift finds
    /// the modes of the density in its space. The number of clusters is found, not given.
    ///
    /// 1. Inconsistent pairs are left out ([`filter_inconsistent`](crate::supervise::filter_inconsistent)), and the
    ///    kernel is learned ([`KernelLearning`](crate::supervise::KernelLearning)) from pairs and comparisons together,
    ///    with slack.
    /// 2. Its space is cut to the `max_dims` directions of the largest eigenvalues.
    /// 3. The bandwidth of a point is the distance to its k-th neighbour there; the must-links choose k
    ///    ([`NeighborhoodSize`]). Without must-links all points have one bandwidth, that with the most stable clusters.
    /// 4. [`MeanShift`] moves every point to a mode, and points with one mode are a cluster. Where there are fewer
    ///    clusters than the constraints need ([`separated_points`](crate::problem::Closure::separated_points)), it is
    ///    repeated with smaller bandwidths.
    /// 5. Labels are [refined](crate::refine) by the neighbours in the same space and by the constraints.
    ///    [`paper`](Self::paper) leaves this step out, and keeps k.
    ///
    /// σ and the rank of the kernel are chosen by held-out constraints where there are enough of them. New points are
    /// mapped into the same space and assigned by their neighbours there (or by mean shift, where labels were not
    /// refined).
    ///
    /// The cost of learning does not depend on the number of points, that of mean shift does: of more than `sample`
    /// points it groups only so many, all constrained ones among them, and the others are assigned as new points are.
    ///
    /// Use it where clusters are curved, or where what belongs together is not what is near. For compact clusters of one
    /// scale plain mean shift is enough, and where you know the number of clusters compare
    /// [`Sklr`](super::Sklr).
    ///
    /// ```
    /// use ilk::method::{Method, Skms};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// // Two groups in one column, which the constraints separate.
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(6);
    /// constraints.must_link(0, 2)?.must_link(3, 5)?.cannot_link(2, 3)?;
    /// let fit = Skms::default().fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Skms {
        kernel: KernelName::Gaussian,
        /// Which neighbour of a point is as far away as its bandwidth. auto: chosen by the must-links; without them all
        /// points have one bandwidth.
        pub n_neighbors: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Dimensions of the learned space in which points climb, at most.
        pub max_dims: usize = LEADING_DIMS, in Range::Integer { min: 1, max: 1000 };
        /// What a must-link is worth when labels are refined. auto: it holds, unless the neighbours contradict
        /// too many.
        pub must_links: MustLinkPolicy = MustLinkPolicy::Auto;
    }
}

/// The neighbour of the self-tuning kernel: the SKLR paper's.
pub(super) const SELF_TUNING: usize = 100;

/// The neighbour that is as far away as the bandwidth where there are no must-links and no clusters are stable.
const USUAL_NEIGHBOR: usize = 7;

/// Where fewer clusters come out than the constraints need, the number of neighbours, or the bandwidth, shrinks by this
/// factor, down to the fewest, or to this share.
const NARROWER: f64 = 0.7;
const FEWEST_NEIGHBORS: usize = 4;
const NARROWEST: f64 = 0.1;

/// A must-link holds up to this share beyond its target.
const SLACK: f64 = 1.0;

/// No bandwidth is below this share of the median bandwidth: points that must-links pulled together would
/// otherwise have a bandwidth near 0.
const SHORTEST: f64 = 0.1;

impl Skms {
    /// What semi-supervised kernel mean shift takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "skms",
        class: "SKMS",
        summary: "A kernel is learned that agrees with the constraints; points then climb to the modes of their density in its space.",
        paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014",
        version: 7,
        inputs: &[InputKind::Points, InputKind::Kernel],
        supervision: &ConstraintKind::ALL,
        takes_clusters: false,
        predicts: &[InputKind::Points, InputKind::Kernel],
        supports_weights: &[InputKind::Points, InputKind::Kernel],
        parameters: Self::PARAMETERS,
    };

    /// The paper's settings: γ = 100, σ by equation (35), the kernel cut at .99 of its Frobenius norm,
    /// labels as the climb leaves them.
    pub fn paper() -> Self {
        Self {
            sigma: Sigma::Divergence,
            gamma: Gamma::Fixed(100.0),
            rank: Rank::Frobenius(0.99),
            refine: Refinement::Off,
            filter_inconsistent: false,
            ..Self::default()
        }
    }

    /// How many clusters the climb finds for numbers of neighbours around the one that the must-links
    /// point to, before labels are refined (Fig. 6 of the paper). That number may be too small; one in
    /// the middle of a stretch over which the clusters stay as many is a good choice for
    /// [`n_neighbors`](Self::n_neighbors).
    ///
    /// # Errors
    /// Those of a fit.
    pub fn stability(&self, problem: &Problem, observer: &dyn Observer) -> Result<Stability> {
        self.check()?;
        let given = with_precomputed_kernel(problem, self.kernel == KernelName::Precomputed)?;
        let (problem, _) = filter_inconsistent(&given, self.filter_inconsistent)?;
        let sample = ProblemSample::of(&problem, self.sample, self.seed)?;
        let problem = sample.problem();
        let open = self.learning(SELF_TUNING);
        open.check()?;
        let SelectedSettings { learning, .. } = settings(self, &open, problem, observer)?;
        let base = learning.base(problem.input(), problem.constraints(), observer)?;
        let learned = base.learn(problem.constraints(), None, observer)?;
        let space = Points::new(base.embed(&learned, Some(self.max_dims), observer)?.features)?;
        let estimate = match self.n_neighbors {
            AutoOr::Fixed(k) => k,
            AutoOr::Auto => neighbors(&space, &learned),
        };
        stability(estimate, space.len(), |k| {
            let shift = neighbor_shift(&space, k, self.seed)?;
            let (grouping, _) = shift
                .group(GroupingInput::new(&space).with_weights(problem.weights()), observer)?;
            Ok(grouping.n_clusters)
        })
    }
}

impl Method for Skms {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let given = &*with_precomputed_kernel(problem, self.kernel == KernelName::Precomputed)?;
        let sample = ProblemSample::of(given, self.sample, self.seed)?;
        let learning = self.learning(SELF_TUNING);
        learning.check()?;
        let climb = KernelMeanShift { params: self, learning };
        let declared = SupervisedFit {
            learns_kernel: true,
            filters_inconsistent: self.filter_inconsistent,
            must_links: self.must_links,
            ..SupervisedFit::new(climb, None, self.refine, self.seed)
        };
        let mut fit = declared.fit(sample.problem(), observer)?;
        sample.extend_fit(&mut fit, given, observer)?;
        Ok(fit)
    }
}

/// Mean shift in the space of a kernel that is learned with these settings.
#[derive(Clone)]
struct KernelMeanShift<'p> {
    params: &'p Skms,
    learning: KernelLearning,
}

impl SupervisedGrouping for KernelMeanShift<'_> {
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let SelectedSettings { learning, chosen, .. } =
            settings(self.params, &self.learning, problem, observer)?;
        let params = self.params;
        Ok((Self { params, learning }, chosen))
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let constraints = problem.constraints();
        let base = self.learning.base(problem.input(), constraints, observer)?;
        let (climbed, width) = climb(self.params, &base, problem, observer)?;
        let mut chosen = resolved_settings(&climbed.learned, &self.learning);
        if self.params.n_neighbors == AutoOr::Auto {
            chosen.push(match (width, climbed.learned.constraints.must_links()) {
                (Width::Stable { bandwidth, .. }, _) => {
                    Chosen::new("bandwidth", bandwidth, "the stability of clusters")
                }
                (Width::Neighbor(k), []) => {
                    Chosen::new("n_neighbors", k, "default, as there are no must-links")
                }
                (Width::Neighbor(k), _) => Chosen::new("n_neighbors", k, "the must-links"),
            });
        }
        Ok(climbed.into_grouped(chosen))
    }
}

/// The settings of kernel learning, with nothing left open.
fn settings(
    params: &Skms,
    learning: &KernelLearning,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<SelectedSettings> {
    // Settings are judged by labels as they will be in the end.
    let refinement = match params.refine {
        Refinement::Auto => Refinement::Dissolve,
        fixed => fixed,
    };
    let trial = |base: &BaseKernel<'_>, problem: &Problem| {
        let (climbed, _) = climb(params, base, problem, &Unreported(observer))?;
        let (labels, space) = (&climbed.grouping.labels, climbed.space);
        let found = (&space, labels.as_slice());
        let constraints = problem.constraints();
        let refined =
            refined_for_trial(refinement, params.must_links, found, constraints, observer)?;
        Ok((refined, space))
    };
    select_settings(learning, problem, &[trial], observer)
}

/// How wide the kernels of mean shift are.
#[derive(Debug, Clone, Copy)]
enum Width {
    /// For every point the distance to this neighbour.
    Neighbor(usize),
    /// The bandwidth with the most stable clusters, or a share of it.
    Stable { bandwidth: f64, share: f64 },
}

impl Width {
    /// The width that is asked for, or the one that the must-links or the points choose.
    fn new(
        params: &Skms,
        space: &Points,
        learned: &LearnedKernelFit,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if let AutoOr::Fixed(k) = params.n_neighbors {
            return Ok(Self::Neighbor(k.min(space.len().max(2) - 1)));
        }
        if learned.constraints.must_links().is_empty() && params.refine != Refinement::Off {
            let shift = MeanShift { seed: params.seed, ..MeanShift::default() };
            if let Some(bandwidth) = stable_on(&shift, space, weights, &Unreported(observer))? {
                return Ok(Self::Stable { bandwidth, share: 1.0 });
            }
        }
        Ok(Self::Neighbor(neighbors(space, learned)))
    }

    fn shift(self, space: &Points, seed: u64) -> Result<MeanShift> {
        match self {
            Self::Neighbor(k) => neighbor_shift(space, k, seed),
            Self::Stable { bandwidth, .. } => {
                let bandwidth = Bandwidth::Fixed(bandwidth);
                Ok(MeanShift { bandwidth, seed, ..MeanShift::default() })
            }
        }
    }

    /// A smaller width, unless this is the smallest.
    fn narrower(self) -> Option<Self> {
        match self {
            Self::Neighbor(k) => {
                (k >= FEWEST_NEIGHBORS).then_some(Self::Neighbor((NARROWER * k as f64) as usize))
            }
            Self::Stable { bandwidth, share } => (share > NARROWEST).then_some(Self::Stable {
                bandwidth: NARROWER * bandwidth,
                share: NARROWER * share,
            }),
        }
    }
}

/// Learns a kernel from the constraints and runs mean shift in its space. Also returns how wide its kernels are.
fn climb(
    params: &Skms,
    base: &BaseKernel<'_>,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(GroupedInSpace, Width)> {
    let constraints = problem.constraints();
    let learned = base.learn(constraints, None, observer)?;
    let embedding = base.embed(&learned, Some(params.max_dims), observer)?;
    let space = Points::new(embedding.features)?;
    let mut width = Width::new(params, &space, &learned, problem.weights(), observer)?;
    let is_open = params.n_neighbors == AutoOr::Auto && params.refine != Refinement::Off;
    let at_least = if is_open { constraints.closure().separated_points().len() } else { 0 };
    let (mut grouping, model) = loop {
        let shift = width.shift(&space, params.seed)?;
        let (grouping, model) =
            shift.group(GroupingInput::new(&space).with_weights(problem.weights()), observer)?;
        match width.narrower() {
            Some(narrower) if grouping.n_clusters < at_least => width = narrower,
            _ => break (grouping, model),
        }
    };
    grouping.final_positions = mode_of_each_point(&grouping);
    let (map, model) = (embedding.map, AnyModel::MeanShift(model));
    Ok((GroupedInSpace { learned, map, space, grouping, model }, width))
}

/// The mode that every point climbed to.
fn mode_of_each_point(grouping: &Grouping) -> Option<Array2<f64>> {
    let modes = grouping.centers.as_ref()?;
    let of_point: Option<Vec<usize>> = grouping.labels.iter().copied().collect();
    Some(modes.select(Axis(0), &of_point?))
}

/// The neighbour that the must-links point to, in the space of the kernel learned from them.
pub(super) fn neighbors(space: &Points, learned: &LearnedKernelFit) -> usize {
    let most = space.len().max(2) - 1;
    NeighborhoodSize::new(space.view(), &learned.constraints, learned.targets.must * (1.0 + SLACK))
        .map_or(USUAL_NEIGHBOR.min(most), |size| size.neighbors)
}

/// Mean shift in a space where the bandwidth of a point is the distance to its k-th neighbour.
pub(super) fn neighbor_shift(space: &Points, k: usize, seed: u64) -> Result<MeanShift> {
    let bandwidth = neighbor_bandwidths(space, k, seed)?;
    Ok(MeanShift { bandwidth, seed, ..MeanShift::default() })
}

/// The bandwidth of every point: the distance to its k-th neighbour, but not less than a share of the median.
fn neighbor_bandwidths(space: &Points, neighbors: usize, seed: u64) -> Result<Bandwidth> {
    if space.len() < 2 {
        return Ok(Bandwidth::Fixed(1.0));
    }
    let resolved = Bandwidth::Neighbor(neighbors).resolve(space, seed)?;
    if resolved.is_degenerate() {
        return Ok(Bandwidth::Fixed(1.0));
    }
    let shortest = SHORTEST * resolved.median();
    let each = (0..space.len()).map(|i| resolved.of(i).max(shortest)).collect();
    Ok(Bandwidth::PerPoint(each))
}
