//! Constrained mean shift as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::Label;
use crate::group::constrained_mean_shift::{
    COINCIDENT, CmsKernel, CmsModel, ConstrainedMeanShift, EarlyStop, Schedule,
};
use crate::group::mean_shift::MeanShift;
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, Chosen, Clustering, Fit};
use crate::parameter::Range;
use crate::problem::{CannotLinkSets, ConstraintKind, Constraints, InputKind, Points, Problem};
use crate::refine::{KnnClassifier, MustLinkPolicy, RefineOptions, Refinement};
use crate::select::ConstraintAgreement;
use crate::select::bandwidth::stable_bandwidth;
use crate::select::folds::{FOLDS, has_enough_constraints};
use crate::select::held_out::{HeldOut, first_best};
use crate::select::supervised::{Grouped, SupervisedGrouping, fit_supervised};

crate::choice! {
    /// How labels are read from the shifted centres.
    #[derive(Default)]
    pub enum CmsMode {
        /// As measures better: centres that coincide are a cluster, and labels are refined by the
        /// neighbours and the constraints.
        #[default]
        Best = "best",
        /// As the paper's program does: connected components of centres that are close and see each
        /// other.
        Paper = "paper",
    }
}

crate::parameters! {
    /// Constrained mean shift (CMS): every point has a centre that moves to the mode of a density of its own, in which
    /// points that a cannot-link separates from it have no weight, while the bandwidth grows. The number of clusters
    /// is found, not given.
    ///
    /// The equations are those of
    /// [`constrained_mean_shift`](crate::group::constrained_mean_shift). Points should be on one scale,
    /// as in the paper, where every column goes from 0 to 1.
    ///
    /// `mode` says how the shifted centres become labels. **`paper`** is the authors' program, exactly: connected
    /// components of centres that are close and have a weight for each other. Must-links only propagate cannot-links
    /// there; many are violated, and a group whose weight for itself has fallen is cut into clusters of one point.
    /// **`best`** does the same shift and then
    ///
    /// 1. takes points whose centres coincide in the end (within 0.01 bandwidths, by single linkage) as a cluster,
    ///    whatever their weights;
    /// 2. [refines](crate::refine) these labels by the ten nearest neighbours (of fewer than 80 points an eighth, of
    ///    fewer than 40 none) and the constraints: clusters that constraints join are merged, must-link components move
    ///    to the label of lowest energy, small clusters dissolve;
    /// 3. assigns new points by the same neighbours.
    ///
    /// It derives nothing from a must-link component that a cannot-link contradicts, treats must-links as soft where the
    /// neighbours contradict too many of them ([`MustLinkPolicy::Auto`]), measures lengths by the extent of the data
    /// instead of in absolute numbers, and, where no points are separated, ends at a bandwidth that does not join
    /// everything. `docs/results/cms.md` has both modes beside the paper's figures.
    ///
    /// Time grows with the square of the distinct centres times the constraints near each, so about with
    /// n³ where constraints grow with n; `docs/benchmarks.md` says how far one machine goes. The weights w
    /// are computed some rows at a time and take at most 1.5 GB, however many points there are; besides, every
    /// pair of separated centres takes 16 bytes.
    ///
    /// ```
    /// use ilk::method::{Cms, Method};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// // Six points in a row, and one cannot-link.
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(6);
    /// constraints.cannot_link(0, 5)?;
    /// let fit = Cms::default().fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Cms {
        /// Bandwidth of the iterations. linear: in equal steps from the smallest distance to the
        /// largest (mode best: to twice that of mean shift, or what held-out constraints choose).
        pub bandwidth: Schedule = Schedule::Linear;
        /// At most this many iterations.
        pub max_iter: usize = 80, in Range::Integer { min: 1, max: 1_000_000 };
        /// Shape of the kernel.
        pub kernel: CmsKernel = CmsKernel::Truncated;
        /// Values of the truncated kernel below this are 0.
        pub truncation: f64 = 0.2, in Range::above(0.0, 1.0);
        /// Whether the sampling points move along with the centres.
        pub blurring: bool = false;
        /// Width of a cannot-link's kernel, by its length.
        pub constraint_scale: f64 = 0.5, in Range::POSITIVE;
        /// Centres closer than this value of the kernel are one cluster (mode paper; also for stopping
        /// early).
        pub merge_kernel: f64 = 0.99, in Range::SHARE;
        /// Centres whose weight is not above this never join (mode paper; also for stopping early).
        pub merge_weight: f64 = 0.1, in Range::SHARE;
        /// Whether must-links propagate cannot-links to all points that they join.
        pub closure: bool = true;
        /// Whether to stop when nothing moves and nothing can any more.
        pub early_stop: bool = true;
        /// Snapshots of the centres to keep, spread evenly over the iterations. With any, groups are found among the
        /// points as they are, never in a space learned from the constraints.
        pub history: usize = 0, in Range::Integer { min: 0, max: 1_000_000 };
        /// best: what measures better; paper: labels as the paper's program reads them.
        pub mode: CmsMode = CmsMode::Best;
        /// How far labels are refined in mode best: not at all, or up to this step. auto: held-out constraints decide, also
        /// whether the shift uses the constraints.
        pub refine: Refinement = Refinement::Auto;
        /// What a must-link is worth in mode best. auto: it holds, unless the neighbours contradict too many.
        pub must_links: MustLinkPolicy = MustLinkPolicy::Auto;
    }
}

/// The ε of the paper's program: no constraint's kernel is narrower.
const NARROWEST: f64 = 1e-3;

/// The length below which the paper's program sees no movement.
const MIN_MOVEMENT: f64 = 1e-6;

/// Where nothing is kept apart, the largest bandwidth by that of mean shift, which is for a Gaussian of twice the
/// variance that is not truncated.
const WIDEST: f64 = 2.0;

impl Cms {
    /// What constrained mean shift takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "cms",
        class: "CMS",
        summary: "Every point's centre moves to a mode of a density from which cannot-linked points are left out, while the bandwidth grows.",
        paper: "Schier, Reinders and Rosenhahn, Constrained Mean Shift Clustering, 2022",
        version: 5,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: false,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };

    /// Whether the largest bandwidth is to be chosen.
    fn is_end_open(&self) -> bool {
        self.mode == CmsMode::Best && self.bandwidth == Schedule::Linear
    }

    /// The same with a bandwidth that ends where mean shift finds stable clusters: where nothing is kept apart, one
    /// that grows over all the data joins everything.
    fn without_constraints(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !self.is_end_open() {
            return Ok(self.clone());
        }
        let distinct = points.distinct_rows();
        let weights = distinct.weights(weights);
        let places = points.select(&distinct.first);
        let stable = stable_bandwidth(&MeanShift::default(), &places, Some(&weights), observer)?;
        Ok(match stable {
            Some(stable) => self.ending_at(WIDEST * stable, points)?,
            None => self.clone(),
        })
    }

    /// The same with this largest bandwidth.
    fn ending_at(&self, high: f64, points: &Points) -> Result<Self> {
        let low = Schedule::Linear.resolve(points, self.max_iter)?[0];
        Ok(Self { bandwidth: Schedule::Between(low.min(high), high), ..self.clone() })
    }

    /// The numbers of the shift on these points.
    fn resolve(&self, points: &Points) -> Result<ConstrainedMeanShift> {
        let bandwidths = self.bandwidth.resolve(points, self.max_iter)?;
        // The paper's lengths are for data in the unit cube.
        let unit = match self.mode {
            CmsMode::Paper => 1.0,
            CmsMode::Best => bandwidths.iter().copied().fold(0.0, f64::max),
        };
        Ok(ConstrainedMeanShift {
            bandwidths,
            kernel: self.kernel,
            truncation: self.truncation,
            blurring: self.blurring,
            constraint_scale: self.constraint_scale,
            narrowest: NARROWEST * unit,
            early_stop: self.early_stop.then_some(EarlyStop {
                merge_kernel: self.merge_kernel,
                merge_weight: self.merge_weight,
                min_movement: MIN_MOVEMENT * unit,
            }),
            history: self.history,
        })
    }
}

impl Method for Cms {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        CannotLinkSets::check_size(problem.constraints())?;
        match self.mode {
            CmsMode::Paper => Ok(self.group(problem, observer)?.fit),
            CmsMode::Best => {
                let points = Self::INFO.points_of(problem)?;
                let without = self.without_constraints(points, problem.weights(), observer)?;
                let shift = CmsByConstraints { with: self.clone(), without };
                fit_supervised(&shift, problem, observer)
            }
        }
    }
}

/// Constrained mean shift with one bandwidth without constraints and another one with them.
#[derive(Clone)]
struct CmsByConstraints {
    without: Cms,
    with: Cms,
}

impl CmsByConstraints {
    /// The bandwidths that are tried with constraints: the one without, one to twice as much, and one to the largest
    /// distance.
    fn candidates(&self, points: &Points) -> Result<Vec<Self>> {
        let linear = self.with.bandwidth.resolve(points, self.with.max_iter)?;
        let largest = linear[linear.len() - 1];
        let mut ends = Vec::new();
        if let Schedule::Between(_, end) = self.without.bandwidth {
            ends.extend([end, 2.0 * end].into_iter().filter(|&end| end < largest));
        }
        ends.push(largest);
        let with = |end: f64| Ok(Self { with: self.with.ending_at(end, points)?, ..self.clone() });
        ends.into_iter().map(with).collect()
    }
}

impl SupervisedGrouping for CmsByConstraints {
    fn refinement(&self) -> Refinement {
        self.with.refine
    }

    fn must_links(&self) -> MustLinkPolicy {
        self.with.must_links
    }

    fn n_clusters(&self) -> Option<usize> {
        None
    }

    fn seed(&self) -> u64 {
        0
    }

    /// Held-out constraints choose the largest bandwidth; where there are too few of them, it is the one without
    /// constraints.
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let points = Cms::INFO.points_of(problem)?;
        let has_pairs = ConstraintAgreement::has_pairs(problem.constraints());
        if !self.with.is_end_open() || !has_pairs {
            return Ok((self.clone(), Vec::new()));
        }
        let candidates = self.candidates(points)?;
        let (best, by) = if has_enough_constraints(problem.constraints()) {
            let held_out = HeldOut::new(problem, FOLDS, 1, 0)?;
            let options = RefineOptions {
                must_links: self.with.must_links,
                divide: true,
                may_merge: true,
                are_consistent: true,
            };
            let trial = |shift: &Self, (): &(), train: &Problem, test: &Constraints| {
                let grouped = shift.group_problem(train, &Unreported(observer))?;
                let labels = &grouped.fit.clustering.labels;
                let (space, constraints) = (&grouped.space, train.constraints());
                let refined = Refinement::Dissolve.refined_labels(
                    options,
                    space,
                    labels,
                    constraints,
                    &Unreported(observer),
                )?;
                Ok(ConstraintAgreement::of(&refined, test))
            };
            let scores = held_out.scores(&candidates, |_| Ok(()), trial, observer)?;
            (first_best(scores), "held-out answers")
        } else {
            (0, "the stability of clusters, since there are too few answers to hold some out")
        };
        let chosen = candidates[best].clone();
        let note = Chosen::new("bandwidth", &chosen.with.bandwidth, by);
        Ok((chosen, vec![note]))
    }

    /// Not where the centres are to be watched, which would move in the columns of that space.
    fn in_learned_space(&self) -> Option<Self> {
        (self.with.is_end_open() && self.with.history == 0).then(|| self.clone())
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let shift = if problem.constraints().is_empty() { &self.without } else { &self.with };
        shift.group(problem, observer)
    }
}

impl Cms {
    /// Shifts the points of a problem and reads labels from their centres.
    fn group<'a>(&self, problem: &'a Problem, observer: &dyn Observer) -> Result<Grouped<'a>> {
        let points = Self::INFO.points_of(problem)?;
        let constraints = problem.constraints();
        let policy = match (self.closure, self.mode) {
            (false, _) => MustLinkPolicy::Soft,
            (true, CmsMode::Best) => MustLinkPolicy::Uncontradicted,
            (true, CmsMode::Paper) => MustLinkPolicy::Hard,
        };
        let separated = CannotLinkSets::new(constraints, policy);
        let numbers = self.resolve(points)?;
        let shifted = numbers.shift(points, problem.weights(), &separated, None, observer)?;
        let (labels, model) = match self.mode {
            CmsMode::Paper => {
                let thresholds = [self.merge_kernel, self.merge_weight];
                let labels = shifted.components(thresholds[0], thresholds[1]);
                let n_clusters = labels.iter().max().map_or(0, |last| last + 1);
                let weights = problem.weights();
                let model =
                    CmsModel::new(numbers, points, weights, separated, thresholds, n_clusters);
                (labels.into_iter().map(Some).collect(), AnyModel::Cms(model))
            }
            CmsMode::Best => {
                let labels: Vec<Label> =
                    shifted.coincident(COINCIDENT).into_iter().map(Some).collect();
                let classifier = KnnClassifier::with_default_neighbors(points, &labels)?;
                (labels, AnyModel::KnnClassifier(classifier))
            }
        };
        let clustering = Clustering::new(shifted.into_grouping(labels), constraints);
        Ok(Grouped::of_points(Fit { clustering, model }, points))
    }
}
