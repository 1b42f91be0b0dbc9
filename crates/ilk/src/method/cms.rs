//! Constrained mean shift as a method.

use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::distinct::distinct;
use super::settling::Settling;
use crate::Result;
use crate::group::constrained_mean_shift::{
    Apart, CmsKernel, CmsModel, ConstrainedMeanShift, EarlyStop, Schedule, Shifted, Spread,
};
use crate::group::{Grouping, Label};
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::settle::{MustLinks, Vote};
use crate::similarity::Bandwidth;

/// What constrained mean shift takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "cms",
    class: "CMS",
    summary: "Centres climb their own densities, blind to what a cannot-link keeps apart, while the bandwidth grows.",
    paper: "Schier, Reinders and Rosenhahn, Constrained Mean Shift Clustering, 2022",
    inputs: &[InputKind::Points],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: false,
    predicts: true,
    weighs: true,
    parameters: Cms::PARAMETERS,
};

/// How labels are read from the shifted centres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum CmsMode {
    /// As measures better: centres that coincide are a cluster, and labels are settled with the
    /// neighbours and with what was said.
    #[default]
    Best,
    /// As the paper's program does: connected components of centres that are close and see each
    /// other.
    Paper,
}

/// Constrained mean shift (CMS): centres climb densities of their own, blind to what a cannot-link
/// keeps apart from them, while the bandwidth grows. The number of clusters is found, not given.
///
/// The equations are those of
/// [`constrained_mean_shift`](crate::group::constrained_mean_shift). Points should be on one scale,
/// as in the paper, where every column goes from 0 to 1.
///
/// `mode` says how the shifted centres become labels. **`paper`** is the authors' program, exactly:
/// connected components of centres that are close and see each other. Must-links only spread
/// cannot-links there; many are broken, and a group whose weight to itself has fallen is cut into
/// clusters of one point. **`best`** does the same shift and then
///
/// 1. takes points whose centres ended in one place (within 0.01 bandwidths, single linkage) as a
///    cluster, whatever their weights;
/// 2. [settles](crate::settle) these labels with the ten nearest neighbours (of fewer than 80 points
///    an eighth, of fewer than 40 none) and with what was said:
///    clusters that answers join are joined, must-linked points move as one to where neighbours and
///    answers want them, small fragments dissolve;
/// 3. places new points by a vote of the same neighbours.
///
/// It lets nothing follow from a component of must-links that a cannot-link contradicts, doubts
/// must-links where neighbours contradict too many of them ([`MustLinks::Auto`]), measures lengths
/// by the extent of the data instead of in absolute numbers, and, where nothing is kept apart, ends at
/// a bandwidth that does not join everything. `docs/results/cms.md` has both beside the paper's
/// figures, and what each step is worth.
///
/// Time grows with the square of the distinct centres times the constraints near each, so about with
/// n³ where constraints grow with n; `docs/benchmarks.md` says how far one machine goes. The weights w
/// are made some rows at a time and take at most 1.5 GB, however many points there are; besides, every
/// pair of distinct centres that are apart takes 16 bytes.
///
/// ```
/// use ilk::method::{Cms, Method};
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points, Problem};
///
/// // Six points in a row, and one answer.
/// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]].map(Vec::from))?;
/// let mut said = Constraints::new(6);
/// said.cannot_link(0, 5)?;
/// let fit = Method::Cms(Cms::default()).fit(&Problem::new(points, said)?, &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cms {
    /// The bandwidth of every iteration.
    pub bandwidth: Schedule,
    /// At most this many iterations.
    pub max_iter: usize,
    /// The shape of the kernel.
    pub kernel: CmsKernel,
    /// Where the truncated kernel ends: smaller values become 0.
    pub truncation: f64,
    /// Whether the sampling points move along with the centres.
    pub blurring: bool,
    /// λ: the width of a constraint's kernel by its length.
    pub constraint_scale: f64,
    /// In `paper` mode, centres closer than this value of the kernel are one cluster...
    pub merge_kernel: f64,
    /// ...if their weight is above this.
    pub merge_weight: f64,
    /// Whether must-links spread cannot-links to all that they join.
    pub closure: bool,
    /// Whether to stop when nothing moves and nothing can any more.
    pub early_stop: bool,
    /// Snapshots of the centres to keep.
    pub history: usize,
    /// How labels are read.
    pub mode: CmsMode,
    /// In `best` mode, how far labels are settled.
    pub settle: Settling,
    /// In `best` mode, what a must-link is worth.
    pub must_links: MustLinks,
}

impl Default for Cms {
    fn default() -> Self {
        Self {
            bandwidth: Schedule::Linear,
            max_iter: 80,
            kernel: CmsKernel::Truncated,
            truncation: 0.2,
            blurring: false,
            constraint_scale: 0.5,
            merge_kernel: 0.99,
            merge_weight: 0.1,
            closure: true,
            early_stop: true,
            history: 0,
            mode: CmsMode::Best,
            settle: Settling::Dissolve,
            must_links: MustLinks::Auto,
        }
    }
}

/// The ε of the paper's program: no constraint's kernel is narrower.
const NARROWEST: f64 = 1e-3;

/// The length below which the paper's program sees no movement.
const STILL: f64 = 1e-6;

/// Where nothing is kept apart, the largest bandwidth by the usual one of mean shift. That one is for
/// a Gaussian of twice the variance, and not truncated.
const WIDEST: f64 = 2.0;

/// Centres within this many bandwidths coincide.
const COINCIDE: f64 = 1e-2;

const SHARE: Range = Range::Number {
    min: 0.0,
    inclusive: true,
    max: 1.0,
};

impl Cms {
    /// The names of the modes.
    pub const MODES: &'static [&'static str] = &["best", "paper"];

    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "bandwidth",
            doc: "Bandwidth of the iterations. linear: in equal steps from the smallest distance to the largest (mode best with nothing kept apart: to twice that of mean shift).",
            range: Range::Text(
                "linear, a number above 0, [FIRST, LAST], or a list with one an iteration",
            ),
            default: "linear",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many iterations.",
            range: Range::Integer {
                min: 1,
                max: 1_000_000,
            },
            default: "80",
        },
        ParameterInfo {
            name: "kernel",
            doc: "Shape of the kernel.",
            range: Range::Choice(CmsKernel::NAMES),
            default: "truncated",
        },
        ParameterInfo {
            name: "truncation",
            doc: "Values of the truncated kernel below this are 0.",
            range: Range::Number {
                min: 0.0,
                inclusive: false,
                max: 1.0,
            },
            default: "0.2",
        },
        ParameterInfo {
            name: "blurring",
            doc: "Whether the sampling points move along with the centres.",
            range: Range::Flag,
            default: "false",
        },
        ParameterInfo {
            name: "constraint_scale",
            doc: "Width of a cannot-link's kernel, by its length.",
            range: Range::Number {
                min: 0.0,
                inclusive: false,
                max: f64::INFINITY,
            },
            default: "0.5",
        },
        ParameterInfo {
            name: "merge_kernel",
            doc: "Centres closer than this value of the kernel are one cluster (mode paper; also for stopping early).",
            range: SHARE,
            default: "0.99",
        },
        ParameterInfo {
            name: "merge_weight",
            doc: "Centres whose weight is not above this never join (mode paper; also for stopping early).",
            range: SHARE,
            default: "0.1",
        },
        ParameterInfo {
            name: "closure",
            doc: "Whether must-links spread cannot-links to all that they join.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "early_stop",
            doc: "Whether to stop when nothing moves and nothing can any more.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "history",
            doc: "Snapshots of the centres to keep, spread evenly over the iterations.",
            range: Range::Integer {
                min: 0,
                max: 1_000_000,
            },
            default: "0",
        },
        ParameterInfo {
            name: "mode",
            doc: "best: what measures better; paper: labels as the paper's program reads them.",
            range: Range::Choice(Cms::MODES),
            default: "best",
        },
        ParameterInfo {
            name: "settle",
            doc: "How far labels are settled in mode best: not at all, or up to this step.",
            range: Range::Choice(Settling::NAMES),
            default: "dissolve",
        },
        Settling::MUST_LINKS,
    ];

    /// Refuses values out of range.
    fn check(&self) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("max_iter", self.max_iter as f64),
                ("truncation", self.truncation),
                ("constraint_scale", self.constraint_scale),
                ("merge_kernel", self.merge_kernel),
                ("merge_weight", self.merge_weight),
                ("history", self.history as f64),
            ],
        )
    }

    /// The bandwidth of every iteration.
    ///
    /// Where nothing is kept apart, a bandwidth that grows over all the data joins everything. Then
    /// `linear` in `best` mode goes no further than [`WIDEST`].
    fn bandwidths(&self, points: &Points, problem: &Problem, apart: &Apart) -> Result<Vec<f64>> {
        let bandwidths = self.bandwidth.resolve(points, self.max_iter)?;
        let is_bounded = self.mode == CmsMode::Best && self.bandwidth == Schedule::Linear;
        if !(is_bounded && apart.is_empty()) {
            return Ok(bandwidths);
        }
        let (places, _) = distinct(points, problem)?;
        let usual = Bandwidth::Auto.resolve(&places, 0)?;
        if usual.is_degenerate() {
            return Ok(bandwidths);
        }
        let high = WIDEST * usual.of(0);
        Schedule::Between(bandwidths[0].min(high), high).resolve(points, self.max_iter)
    }

    /// The numbers of the shift on these points.
    fn resolve(
        &self,
        points: &Points,
        problem: &Problem,
        apart: &Apart,
    ) -> Result<ConstrainedMeanShift> {
        self.check()?;
        let bandwidths = self.bandwidths(points, problem, apart)?;
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
                still: STILL * unit,
            }),
            history: self.history,
        })
    }
}

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &Cms,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let said = problem.constraints();
    let spread = match (params.closure, params.mode) {
        (false, _) => Spread::Nothing,
        (true, CmsMode::Best) => Spread::Consistent,
        (true, CmsMode::Paper) => Spread::Everything,
    };
    let apart = Apart::new(said, spread);
    let numbers = params.resolve(points, problem, &apart)?;
    let shifted = numbers.shift(points, problem.weights(), &apart, None, observer)?;
    let (labels, model) = match params.mode {
        CmsMode::Paper => {
            let thresholds = [params.merge_kernel, params.merge_weight];
            let labels = shifted.components(thresholds[0], thresholds[1]);
            let n_clusters = labels.iter().max().map_or(0, |last| last + 1);
            let weights = problem.weights();
            let model = CmsModel::new(numbers, points, weights, apart, thresholds, n_clusters);
            (labels.into_iter().map(Some).collect(), Model::Cms(model))
        }
        CmsMode::Best => {
            let mut labels: Vec<Label> =
                shifted.coincident(COINCIDE).into_iter().map(Some).collect();
            let settle = params.settle.of(params.must_links, points.len());
            if params.settle > Settling::Off {
                labels = settle.settle(points, &labels, said, observer)?.labels;
            }
            let vote = Vote::new(points, &labels, settle.neighbors)?;
            (labels, Model::Vote(vote))
        }
    };
    Ok(Fit {
        clustering: Clustering::new(grouping(shifted, labels), said),
        model,
    })
}

fn grouping(shifted: Shifted, labels: Vec<Label>) -> Grouping {
    let n_clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
    Grouping {
        centers: Some(shifted.modes(&labels, n_clusters)),
        labels,
        n_clusters,
        rest: Some(shifted.rest()),
        bandwidth: Some(shifted.bandwidth),
        iterations: shifted.trace.len(),
        stop: shifted.stop,
        trace: shifted.trace,
        history: shifted.history,
    }
}
