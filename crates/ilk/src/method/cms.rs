//! Constrained mean shift as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::constrained_mean_shift::{
    CmsKernel, CmsModel, ConstrainedMeanShift, EarlyStop, Schedule, ScheduledShift,
};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::Range;
use crate::problem::{CannotLinkSets, ConstraintKind, InputKind, Problem};
use crate::refine::{MustLinkPolicy, Refinement};
use crate::select::shifts::ShiftByConstraints;
use crate::select::supervised::SupervisedFit;

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

    /// The shift of these parameters.
    fn shift(&self) -> ScheduledShift {
        let must_links = match (self.closure, self.mode) {
            (false, _) => MustLinkPolicy::Soft,
            (true, CmsMode::Best) => MustLinkPolicy::Uncontradicted,
            (true, CmsMode::Paper) => MustLinkPolicy::Hard,
        };
        let early_stop = EarlyStop {
            merge_kernel: self.merge_kernel,
            merge_weight: self.merge_weight,
            min_movement: MIN_MOVEMENT,
        };
        ScheduledShift {
            bandwidth: self.bandwidth.clone(),
            max_iter: self.max_iter,
            must_links,
            // The paper's lengths are for data in the unit cube.
            has_relative_lengths: self.mode == CmsMode::Best,
            shift: ConstrainedMeanShift {
                bandwidths: Vec::new(),
                kernel: self.kernel,
                truncation: self.truncation,
                blurring: self.blurring,
                constraint_scale: self.constraint_scale,
                narrowest: NARROWEST,
                early_stop: self.early_stop.then_some(early_stop),
                history: self.history,
            },
        }
    }

    fn fit_best(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let (shift, must_links) = (self.shift(), self.must_links);
        let is_end_open = self.bandwidth == Schedule::Linear;
        let grouping = if is_end_open {
            ShiftByConstraints::with_open_end(shift, must_links, problem, observer)?
        } else {
            ShiftByConstraints::given(shift, must_links)
        };
        // Centres that are to be watched would move in the columns of a learned space.
        let may_learn = is_end_open && self.history == 0;
        let declared = SupervisedFit {
            in_learned_space: may_learn.then(|| grouping.clone()),
            must_links,
            ..SupervisedFit::new(grouping, None, self.refine, 0)
        };
        declared.fit(problem, observer)
    }

    /// The connected components of centres, and a model that repeats the shift.
    fn fit_paper(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let points = Self::INFO.points_of(problem)?;
        let (constraints, weights) = (problem.constraints(), problem.weights());
        let rules = self.shift();
        let separated = rules.separated(constraints);
        let shift = rules.resolve(points, observer)?;
        let shifted = shift.shift(points, weights, &separated, None, observer)?;
        let thresholds = [self.merge_kernel, self.merge_weight];
        let labels = shifted.components(thresholds[0], thresholds[1]);
        let grouping = shifted.into_grouping(labels.into_iter().map(Some).collect());
        let n_clusters = grouping.n_clusters;
        let model = CmsModel::new(shift, points, weights, separated, thresholds, n_clusters);
        Ok(Fit::new(grouping, model, constraints))
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
            CmsMode::Paper => self.fit_paper(problem, observer),
            CmsMode::Best => self.fit_best(problem, observer),
        }
    }
}
