//! Constrained mean shift as a method.

use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::distinct::distinct;
use crate::group::constrained_mean_shift::{
    Apart, CmsKernel, CmsModel, ConstrainedMeanShift, EarlyStop, Schedule, Shifted,
};
use crate::group::{Grouping, Label};
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::similarity::Bandwidth;
use crate::{Error, Result};

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

/// Constrained mean shift (CMS).
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
const COINCIDE: f64 = 1e-3;

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
    ];

    /// Refuses values out of range.
    fn check(&self) -> Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let (parameter, value, ok) = if self.max_iter == 0 || self.max_iter > 1_000_000 {
            ("max_iter", self.max_iter.to_string(), false)
        } else if self.history > 1_000_000 {
            ("history", self.history.to_string(), false)
        } else if !(share(self.truncation) && self.truncation > 0.0) {
            ("truncation", self.truncation.to_string(), false)
        } else if !(self.constraint_scale > 0.0 && self.constraint_scale.is_finite()) {
            ("constraint_scale", self.constraint_scale.to_string(), false)
        } else if !share(self.merge_kernel) {
            ("merge_kernel", self.merge_kernel.to_string(), false)
        } else if !share(self.merge_weight) {
            ("merge_weight", self.merge_weight.to_string(), false)
        } else {
            ("", String::new(), true)
        };
        if ok {
            return Ok(());
        }
        let info = Self::PARAMETERS.iter().find(|info| info.name == parameter);
        let range = info.map_or_else(String::new, |info| info.range.to_string());
        Err(Error::BadParameter {
            parameter,
            value,
            expected: format!("it must be {range}"),
        })
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
    let apart = Apart::new(said, params.closure);
    let numbers = params.resolve(points, problem, &apart)?;
    let shifted = numbers.shift(points, problem.weights(), &apart, None, observer)?;
    let labels = match params.mode {
        CmsMode::Paper => shifted.components(params.merge_kernel, params.merge_weight),
        CmsMode::Best => shifted.coincident(COINCIDE),
    };
    let n_clusters = labels.iter().max().map_or(0, |last| last + 1);
    let thresholds = [params.merge_kernel, params.merge_weight];
    let model = CmsModel::new(
        numbers,
        points,
        problem.weights(),
        apart,
        thresholds,
        n_clusters,
    );
    Ok(Fit {
        clustering: Clustering::new(grouping(shifted, labels, n_clusters), said),
        model: Model::Cms(model),
    })
}

fn grouping(shifted: Shifted, labels: Vec<usize>, n_clusters: usize) -> Grouping {
    let rest = shifted.rest();
    let labels: Vec<Label> = labels.into_iter().map(Some).collect();
    Grouping {
        centers: None,
        labels,
        n_clusters,
        rest: Some(rest),
        bandwidth: Some(shifted.bandwidth),
        iterations: shifted.trace.len(),
        stop: shifted.stop,
        trace: shifted.trace,
        history: shifted.history,
    }
}
