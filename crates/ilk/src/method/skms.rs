//! Semi-supervised kernel mean shift as a method.

use std::fmt;
use std::str::FromStr;

use ndarray::{Array2, Axis};
use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::choose::{Choice, choose, found};
use super::heard::heard;
use super::learning::{joined, learns_a_kernel, parameters};
use super::sample::{Sample, as_named};
use super::settling::Settling;
use crate::group::mean_shift::MeanShift;
use crate::group::{Grouping, Label};
use crate::observe::{Observer, Silent};
use crate::outcome::{Chosen, Clustering, EmbeddedModel, Fit, Model};
use crate::parameter::{ParameterInfo, Range, Written, check_numbers};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::settle::{MustLinks, Settle, Vote};
use crate::similarity::Bandwidth;
use crate::similarity::KernelName;
use crate::supervise::learning::{Base, Gamma, Learned, Rank, Sigma};
use crate::supervise::reach::{Reach, Stability, stability};
use crate::{Error, Result};

/// What semi-supervised kernel mean shift takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "skms",
    class: "SKMS",
    summary: "A kernel is bent until it agrees with the answers; points then climb to the modes of their density in its space.",
    paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014",
    inputs: &[InputKind::Points, InputKind::Kernel],
    supervision: &ConstraintKind::ALL,
    needs_clusters: false,
    predicts: true,
    weighs: true,
    parameters: Skms::PARAMETERS,
};

/// Which neighbour of a point is as far away as its kernel reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum NeighborCount {
    /// The must-links tell (section 6.3 of the paper).
    #[default]
    Auto,
    /// This one, counted from 1.
    Fixed(usize),
}

const NEIGHBOR_FORMS: &str = "auto, or a whole number from 1";

learns_a_kernel! {
    /// Semi-supervised kernel mean shift (SKMS): a kernel is bent until it agrees with what was said,
    /// and points climb to the modes of their density in its space. The number of clusters is found,
    /// not given.
    ///
    /// 1. Pairs that other pairs outvote are left out ([`doubt`](crate::supervise::doubt)), and the
    ///    kernel is learned ([`KernelLearning`](crate::supervise::KernelLearning)): pairs and
    ///    comparisons, all at once, with slack.
    /// 2. Its space is cut to the `max_dims` directions of most weight.
    /// 3. Every point reaches as far as its k-th neighbour there; must-links say how large k has to be
    ///    ([`Reach`]).
    /// 4. Points climb ([`MeanShift`]), and those that reach one mode are a cluster. Where fewer clusters
    ///    come out than the answers need
    ///    ([`separated_points`](crate::problem::Closure::separated_points)), they climb again with a
    ///    smaller k.
    /// 5. Labels are [settled](crate::settle) with the neighbours in the same space, and with what was
    ///    said. [`paper`](Self::paper) does not do that, and takes k as it is.
    ///
    /// σ and how much of the kernel to keep are chosen by held-out answers where there are enough of
    /// them. New points are mapped into the same space and placed by the vote of their neighbours (or
    /// climb, where labels were not settled).
    ///
    /// Learning does not depend on the number of points. The climb does: of more than `sample` points
    /// only so many climb, among them all of which something was said, and the others are placed as
    /// new points are.
    ///
    /// Use it where clusters are curved, or where what belongs together is not what is near. For heaps
    /// of one scale plain mean shift does, and where you know the number of clusters try
    /// [`Sklr`](super::Sklr) beside it.
    ///
    /// ```
    /// use ilk::method::{Method, Skms};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// // Two groups that overlap in the only column, told apart by the answers.
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]].map(Vec::from))?;
    /// let mut said = Constraints::new(6);
    /// said.must_link(0, 2)?.must_link(3, 5)?.cannot_link(2, 3)?;
    /// let fit = Method::Skms(Skms::default()).fit(&Problem::new(points, said)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Skms {
        kernel: KernelName::Gaussian,
        /// Which neighbour of a point is as far away as its kernel reaches.
        pub n_neighbors: NeighborCount = NeighborCount::Auto,
        /// Dimensions of the space in which points climb, at most.
        pub max_dims: usize = MAX_DIMS,
        /// How far labels are settled.
        pub settle: Settling = Settling::Dissolve,
        /// What a must-link is worth when labels are settled.
        pub must_links: MustLinks = MustLinks::Auto,
        /// Whether pairs that other pairs outvote are left out.
        pub doubt: bool = true,
        /// Points that climb, at most; others are placed by them.
        pub sample: usize = 5000,
        /// Seed of everything random.
        pub seed: u64 = 0,
    }
}

/// Dimensions in which points climb, at most: the paper's.
pub(super) const MAX_DIMS: usize = 25;

/// The neighbour of the self-tuning kernel: the SKLR paper's.
pub(super) const SELF_TUNING: usize = 100;

/// The neighbour that a point reaches where no must-link tells.
const USUAL_NEIGHBOR: usize = 7;

/// Where fewer clusters come out than the answers need, the neighbour that a point reaches is this much
/// nearer, down to the fewest.
const NARROWER: f64 = 0.7;
const FEWEST_NEIGHBORS: usize = 4;

/// A must-link holds up to this share beyond its target.
const SLACK: f64 = 1.0;

/// No point reaches less far than this share of the median reach: points that must-links pulled into
/// one place would reach nowhere.
const SHORTEST: f64 = 0.1;

impl Skms {
    /// The paper's settings: γ = 100, σ by equation (35), the kernel cut at .99 of its Frobenius norm,
    /// labels as the climb leaves them.
    pub fn paper() -> Self {
        Self {
            sigma: Sigma::Divergence,
            gamma: Gamma::Fixed(100.0),
            rank: Rank::Frobenius(0.99),
            settle: Settling::Off,
            doubt: false,
            ..Self::default()
        }
    }

    /// How many clusters the climb finds for numbers of neighbours around the one that the must-links
    /// point to, before labels are settled (Fig. 6 of the paper). That number may be too small; one in
    /// the middle of a stretch over which the clusters stay as many is a good choice for
    /// [`n_neighbors`](Self::n_neighbors).
    ///
    /// # Errors
    /// Those of a fit.
    pub fn stability(&self, problem: &Problem, observer: &dyn Observer) -> Result<Stability> {
        self.check()?;
        let given = as_named(problem, self.kernel)?;
        let (problem, _) = heard(&given, self.doubt)?;
        let sample = Sample::of(&problem, self.sample, self.seed)?;
        let problem = sample.problem();
        let Choice { learning, .. } = settings(self, problem, observer)?;
        let base = learning.base(problem.input(), problem.constraints(), observer)?;
        let learned = base.learn(problem.constraints(), None, observer)?;
        let space = Points::new(base.embed(&learned, Some(self.max_dims))?.features)?;
        let estimate = match self.n_neighbors {
            NeighborCount::Fixed(k) => k,
            NeighborCount::Auto => neighbors(&space, &learned),
        };
        stability(estimate, space.len(), |k| {
            let shift = self.shift(&space, k)?;
            let (grouping, _) = shift.fit(&space, problem.weights(), observer)?;
            Ok(grouping.n_clusters)
        })
    }

    /// The climb in a space where every point reaches its k-th neighbour.
    fn shift(&self, space: &Points, neighbors: usize) -> Result<MeanShift> {
        Ok(MeanShift {
            bandwidth: reaches(space, neighbors, self.seed)?,
            seed: self.seed,
            ..MeanShift::default()
        })
    }

    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &joined::<7, 11, 18>(
        [
            ParameterInfo {
                name: "n_neighbors",
                doc: "Which neighbour of a point is as far away as its kernel reaches. auto: the must-links tell.",
                range: Range::Text(NEIGHBOR_FORMS),
                default: "auto",
            },
            ParameterInfo {
                name: "max_dims",
                doc: "Dimensions of the learned space in which points climb, at most.",
                range: Range::Integer { min: 1, max: 1000 },
                default: "25",
            },
            ParameterInfo {
                name: "settle",
                doc: "How far labels are settled with the neighbours and the answers: not at all, or up to this step.",
                range: Range::Choice(Settling::NAMES),
                default: "dissolve",
            },
            Settling::MUST_LINKS,
            super::heard::PARAMETER,
            super::sample::PARAMETER,
            super::SEED,
        ],
        parameters("gaussian"),
    );

    fn check(&self) -> Result<()> {
        check_numbers(Self::PARAMETERS, &self.learning_numbers())?;
        if self.n_neighbors == NeighborCount::Fixed(0) {
            return Err(not_a_neighbor("0"));
        }
        check_numbers(
            Self::PARAMETERS,
            &[
                ("max_dims", self.max_dims as f64),
                ("sample", self.sample as f64),
            ],
        )
    }
}

/// The climb in the space of a learned kernel.
struct Climbed {
    learned: Learned,
    space: Points,
    map: crate::similarity::FeatureMap,
    neighbors: usize,
    grouping: Grouping,
    model: Model,
}

/// Finds the groups of a problem over points or a kernel matrix.
pub(super) fn fit(params: &Skms, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
    params.check()?;
    let given = &*as_named(problem, params.kernel)?;
    let (problem, doubted) = heard(given, params.doubt)?;
    let sample = Sample::of(&problem, params.sample, params.seed)?;
    let sampled = sample.problem();
    let Choice {
        learning,
        mut chosen,
    } = settings(params, sampled, observer)?;
    let base = learning.base(sampled.input(), sampled.constraints(), observer)?;
    let climbed = climb(params, &base, sampled, observer)?;
    chosen.extend(found(&climbed.learned, &learning));
    chosen.extend(doubted);
    if params.n_neighbors == NeighborCount::Auto {
        let by = match climbed.learned.said.must_links() {
            [] => "default, as there are no must-links",
            _ => "the must-links",
        };
        chosen.push(Chosen::new("n_neighbors", climbed.neighbors, by));
    }
    let model = Model::Embedded(Box::new(EmbeddedModel::new(
        climbed.learned.kernel,
        climbed.map,
        climbed.model,
    )));
    let mut grouping = climbed.grouping;
    sample.spread(&mut grouping.labels, given, &model, observer)?;
    if grouping.labels.len() > sampled.len() {
        // Points that were placed did not climb.
        grouping.rest = None;
    }
    let mut clustering = Clustering::new(grouping, given.constraints());
    clustering.chosen = chosen;
    Ok(Fit { clustering, model })
}

/// What kernel learning is told, with nothing left open.
fn settings(params: &Skms, problem: &Problem, observer: &dyn Observer) -> Result<Choice> {
    let learning = params.learning(SELF_TUNING);
    learning.check()?;
    let trial = |base: &Base<'_>, problem: &Problem| {
        let climbed = climb(params, base, problem, &Silent)?;
        Ok((climbed.grouping.labels, climbed.space))
    };
    choose(&learning, problem, trial, observer)
}

/// Learns a kernel from what was said and lets the points climb in its space.
fn climb(
    params: &Skms,
    base: &Base<'_>,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Climbed> {
    let said = problem.constraints();
    let learned = base.learn(said, None, observer)?;
    let embedding = base.embed(&learned, Some(params.max_dims))?;
    let space = Points::new(embedding.features)?;
    let mut neighbors = match params.n_neighbors {
        NeighborCount::Fixed(k) => k.min(space.len().max(2) - 1),
        NeighborCount::Auto => neighbors(&space, &learned),
    };
    let is_open = params.n_neighbors == NeighborCount::Auto && params.settle > Settling::Off;
    let at_least = if is_open {
        said.closure().separated_points().len()
    } else {
        0
    };
    let (mut grouping, model) = loop {
        let shift = params.shift(&space, neighbors)?;
        let (grouping, model) = shift.fit(&space, problem.weights(), observer)?;
        if grouping.n_clusters >= at_least || neighbors < FEWEST_NEIGHBORS {
            break (grouping, model);
        }
        neighbors = (NARROWER * neighbors as f64) as usize;
    };
    grouping.rest = places(&grouping);
    let mut model = Model::MeanShift(model);
    if params.settle > Settling::Off {
        let settle = Settle {
            divide: true,
            ..params.settle.of(params.must_links, space.len())
        };
        let settled = settle.settle(&space, &grouping.labels, said, observer)?;
        grouping.centers = Some(means(&space, &settled.labels, settled.n_clusters));
        grouping.n_clusters = settled.n_clusters;
        let vote = Vote::new(&space, &settled.labels, settle.neighbors)?;
        model = Model::Vote(vote.up_to_rounding());
        grouping.labels = settled.labels;
    }
    Ok(Climbed {
        learned,
        space,
        map: embedding.map,
        neighbors,
        grouping,
        model,
    })
}

/// The mode that every point climbed to.
fn places(grouping: &Grouping) -> Option<Array2<f64>> {
    let modes = grouping.centers.as_ref()?;
    let of_point: Option<Vec<usize>> = grouping.labels.iter().copied().collect();
    Some(modes.select(Axis(0), &of_point?))
}

/// The neighbour that the must-links point to, in the space of the kernel learned from them.
pub(super) fn neighbors(space: &Points, learned: &Learned) -> usize {
    let most = space.len().max(2) - 1;
    Reach::new(
        space.view(),
        &learned.said,
        learned.targets.must * (1.0 + SLACK),
    )
    .map_or(USUAL_NEIGHBOR.min(most), |reach| reach.neighbors)
}

/// How far every point reaches: to its k-th neighbour, but not less than a share of the median.
pub(super) fn reaches(space: &Points, neighbors: usize, seed: u64) -> Result<Bandwidth> {
    if space.len() < 2 {
        return Ok(Bandwidth::Fixed(1.0));
    }
    let resolved = Bandwidth::Neighbor(neighbors).resolve(space, seed)?;
    if resolved.is_degenerate() {
        return Ok(Bandwidth::Fixed(1.0));
    }
    let mut each: Vec<f64> = (0..space.len()).map(|i| resolved.of(i)).collect();
    let mut sorted = each.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let shortest = SHORTEST * sorted[sorted.len() / 2];
    for reach in &mut each {
        *reach = reach.max(shortest);
    }
    Ok(Bandwidth::PerPoint(each))
}

/// The mean of every cluster.
pub(super) fn means(space: &Points, labels: &[Label], n_clusters: usize) -> Array2<f64> {
    let mut sums = Array2::zeros((n_clusters, space.dims()));
    let mut counts = vec![0.0f64; n_clusters];
    for (i, label) in labels.iter().enumerate() {
        if let Some(cluster) = *label {
            counts[cluster] += 1.0;
            let mut sum = sums.row_mut(cluster);
            sum += &space.view().row(i);
        }
    }
    for (mut sum, count) in sums.rows_mut().into_iter().zip(counts) {
        sum /= count.max(1.0);
    }
    sums
}

fn not_a_neighbor(text: &str) -> Error {
    Error::BadParameter {
        parameter: "n_neighbors",
        value: text.to_owned(),
        expected: format!("it must be {NEIGHBOR_FORMS}"),
    }
}

impl fmt::Display for NeighborCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(k) => write!(f, "{k}"),
        }
    }
}

impl FromStr for NeighborCount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            number => number
                .parse()
                .map(Self::Fixed)
                .map_err(|_| not_a_neighbor(text)),
        }
    }
}

impl TryFrom<Written> for NeighborCount {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self> {
        written.to_string().parse()
    }
}

impl From<NeighborCount> for Written {
    fn from(count: NeighborCount) -> Self {
        Self::of(&count.to_string())
    }
}
