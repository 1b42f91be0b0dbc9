//! The parameters of mean shift.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::similarity::{Bandwidth, Profile};

/// Mean shift: every point climbs the density of the data to a mode, and the points that reach one
/// mode are a cluster. The number of clusters is found, not given.
///
/// The density is f(x) = Σ m_i K(|x - x_i|² / h²), and a step goes to the weighted mean
///
/// ```text
/// x  <-  Σ m_i k(|x - x_i|² / h²) x_i  /  Σ m_i k(|x - x_i|² / h²)
/// ```
///
/// which never lowers the density whose kernel has the derivative -k (Fukunaga and Hostetler 1975;
/// Comaniciu and Meer 2002). With one bandwidth h_i a point, w_i gains a factor h_i^-(d+2).
///
/// 1. The bandwidth is chosen, or taken as given.
/// 2. Points climb until a step is shorter than `tol` bandwidths; one that comes near a known mode
///    is captured. With `blurring` all points move at once and the density moves with them.
/// 3. A smooth kernel's resting places are pushed a little: a saddle is left, a mode is returned to.
/// 4. Resting places within `merge_radius` bandwidths are one mode. A point belongs to the mode
///    that it climbed to (its basin), not to the nearest one.
///
/// Use it where clusters are dense heaps of any number and the scale is about the same everywhere.
/// Where heaps differ much in width, give every point its own bandwidth
/// ([`Bandwidth::Neighbor`]). It does not follow curves such as moons or rings. In many dimensions
/// densities are flat and one mode remains.
///
/// ```
/// use ilk::group::mean_shift::MeanShift;
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
/// use ilk::similarity::Bandwidth;
///
/// let points = Points::from_rows(&[vec![0.0], vec![0.2], vec![0.1], vec![5.0], vec![5.2]])?;
/// let params = MeanShift { bandwidth: Bandwidth::Fixed(1.0), ..MeanShift::default() };
/// let (grouping, model) = params.fit(&points, None, &Silent)?;
/// assert_eq!(grouping.n_clusters, 2);
/// assert_eq!(grouping.labels, [Some(0), Some(0), Some(0), Some(1), Some(1)]);
/// assert_eq!(model.predict(&Points::from_rows(&[vec![4.0]])?)?, [Some(1)]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeanShift {
    /// The reach of the kernel.
    pub bandwidth: Bandwidth,
    /// The shape of the kernel.
    pub kernel: Profile,
    /// Where the truncated kernel ends: smaller values become 0.
    pub truncation: f64,
    /// Whether the data move along with the centres. A model then holds up to sixteen times the
    /// data: see [`MeanShiftModel`](super::MeanShiftModel).
    pub blurring: bool,
    /// While blurring, centres that share a grid cell of this many bandwidths become one. From 1e-4
    /// on, steps are taken in single precision, to a tenth of a cell: pixels collapse many times
    /// faster, and clusters are hardly ever others.
    pub cell: f64,
    /// At most this many iterations.
    pub max_iter: usize,
    /// Exactly this many iterations, with no test of convergence.
    pub fixed_iter: Option<usize>,
    /// A centre has arrived when it moves less than this share of the bandwidth.
    pub tol: Option<f64>,
    /// Modes closer than this share of the bandwidth are one.
    pub merge_radius: Option<f64>,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for MeanShift {
    fn default() -> Self {
        Self {
            bandwidth: Bandwidth::Auto,
            kernel: Profile::Gaussian,
            truncation: 0.2,
            blurring: false,
            cell: 1e-10,
            max_iter: 300,
            fixed_iter: None,
            tol: None,
            merge_radius: None,
            seed: 0,
        }
    }
}

impl MeanShift {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "bandwidth",
            doc: "Reach of the kernel. auto: chosen by the pairs and labels if there are any, else from the distances.",
            range: Range::Text("a number above 0, auto, percentile(Q), neighbor(K) or silverman"),
            default: "auto",
        },
        ParameterInfo {
            name: "kernel",
            doc: "Shape of the kernel.",
            range: Range::Choice(Profile::NAMES),
            default: "gaussian",
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
            doc: "Whether the data move along with the centres.",
            range: Range::Flag,
            default: "false",
        },
        ParameterInfo {
            name: "cell",
            doc: "While blurring, centres that share a grid cell of this many bandwidths become one; from 1e-4 on, in single precision.",
            range: Range::Number {
                min: 1e-12,
                inclusive: true,
                max: 1.0,
            },
            default: "1e-10",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many iterations.",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "300",
        },
        ParameterInfo {
            name: "fixed_iter",
            doc: "Exactly this many iterations, with no test of convergence (none: until converged).",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "none",
        },
        ParameterInfo {
            name: "tol",
            doc: "A centre has arrived when it moves at most this share of the bandwidth (none: 1e-3 for flat and truncated, 1e-7 otherwise).",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: 1.0,
            },
            default: "none",
        },
        ParameterInfo {
            name: "merge_radius",
            doc: "Modes closer than this share of the bandwidth are one (none: 1 for flat and truncated, 0.01 otherwise and when blurring).",
            range: Range::Number {
                min: 0.0,
                inclusive: false,
                max: f64::INFINITY,
            },
            default: "none",
        },
        ParameterInfo {
            name: "seed",
            doc: "Seed of everything random.",
            range: Range::Integer {
                min: 0,
                max: u64::MAX,
            },
            default: "0",
        },
    ];

    /// Refuses values out of range.
    pub(super) fn check(&self) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("truncation", self.truncation),
                ("cell", self.cell),
                ("max_iter", self.max_iter as f64),
                ("fixed_iter", self.fixed_iter.unwrap_or(1) as f64),
                ("tol", self.tol.unwrap_or(0.0)),
                ("merge_radius", self.merge_radius.unwrap_or(1.0)),
            ],
        )
    }
}
