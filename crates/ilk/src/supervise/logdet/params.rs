//! The parameters of LogDet kernel learning.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

crate::choice! {
    /// How a comparison may be missed, and what a miss costs.
    #[derive(Default)]
    pub enum Slack {
        /// The penalty times the miss.
        #[default]
        L1 = "l1",
        /// Half the penalty times the square of the miss.
        L2 = "l2",
        /// It may not be missed. Constraints that contradict each other then have no solution.
        None = "none",
    }
}

crate::choice! {
    /// How the kernel is moved towards the constraints.
    #[derive(Default)]
    pub enum Projection {
        /// Ascent of the dual to the optimum, which is unique and does not depend on the order of the
        /// constraints.
        #[default]
        Dual = "dual",
        /// The same ascent by sweeps alone, without second-order steps: little memory, and slow where
        /// many rows pull on few dimensions.
        Sweeps = "sweeps",
        /// The procedures of the papers. For comparisons: project onto whatever is violated, in the
        /// given order, until all hold, which ends at a point that depends on that order. For pairs:
        /// cyclic projections until a sweep changes the duals by less than a hundredth.
        Paper = "paper",
    }
}

/// Kernel learning by the log-determinant divergence: of all kernels that satisfy the constraints, up to
/// slack, the one nearest to the given kernel. See the [module](super).
///
/// ```
/// use ilk::ndarray::array;
/// use ilk::observe::Silent;
/// use ilk::problem::Constraints;
/// use ilk::supervise::logdet::{LogDet, InitialGram, Targets, DistanceConstraints};
///
/// let mut constraints = Constraints::new(100);
/// constraints.must_link(3, 14)?.cannot_link(14, 92)?;
/// let terms = DistanceConstraints::new(&constraints, Targets { must: 0.05, cannot: 1.95 }, 2.0);
/// assert_eq!(terms.points(), [3, 14, 92]);
///
/// // The kernel on the three constrained points.
/// let kernel = array![[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]];
/// let found = LogDet::default().solve(InitialGram::Gram(kernel.view()), &terms, None, &Silent)?;
/// let dist_sq = |a: usize, b: usize| {
///     found.gram[[a, a]] + found.gram[[b, b]] - 2.0 * found.gram[[a, b]]
/// };
/// assert!(dist_sq(0, 1) < 0.1 && dist_sq(1, 2) > 1.7);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogDet {
    /// γ: what it costs to miss the target distance of a pair, against moving away from the given
    /// kernel. Infinite: no pair may be missed.
    #[serde(with = "possibly_infinite")]
    pub gamma: f64,
    /// ρ: how many times farther, in squared distance, the odd one out must be.
    pub ratio: f64,
    /// How a comparison may be missed.
    pub slack: Slack,
    /// What missing a comparison costs; nothing without slack.
    pub penalty: f64,
    /// How the kernel is moved.
    pub projection: Projection,
    /// Ends when the duality gap is at most this much of the objective (or of 1, if that is more),
    /// and no pair or comparison that may not be missed is missed by more than this much of its
    /// target.
    pub tol: f64,
    /// The most sweeps and second-order steps together.
    pub max_iter: usize,
}

impl Default for LogDet {
    fn default() -> Self {
        Self {
            gamma: 10.0,
            ratio: 2.0,
            slack: Slack::L1,
            penalty: 1.0,
            projection: Projection::Dual,
            tol: 1e-9,
            max_iter: 10_000,
        }
    }
}

impl LogDet {
    /// Refuses values that make no sense.
    ///
    /// # Errors
    /// [`Error::BadParameter`].
    pub fn check(&self) -> Result<()> {
        for (parameter, value, limit, expected) in [
            ("gamma", self.gamma, f64::INFINITY, "above 0"),
            ("ratio", self.ratio, f64::MAX, "above 0, finite"),
            ("penalty", self.penalty, f64::MAX, "above 0, finite"),
            ("tol", self.tol, f64::MAX, "above 0, finite"),
        ] {
            if !(value > 0.0 && value <= limit) {
                let expected = format!("it must be a number {expected}");
                return Err(Error::bad_parameter(parameter, value, expected));
            }
        }
        Ok(())
    }
}

/// A number that may be infinite, which JSON cannot write as a number: there it is the text "inf".
mod possibly_infinite {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::parameter::Written;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        Written::of(&value.to_string()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        let text = Written::deserialize(from)?.to_string();
        text.parse().map_err(D::Error::custom)
    }
}
