//! What the learner can be told.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// How a comparison may be missed, and what a miss costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slack {
    /// The penalty times the miss.
    #[default]
    L1,
    /// Half the penalty times the square of the miss.
    L2,
    /// It may not be missed. Answers that contradict each other then have no solution.
    None,
}

impl Slack {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["l1", "l2", "none"];
}

/// How the kernel is moved towards what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Projection {
    /// Ascent of the dual to the optimum, which is unique and does not depend on the order of the
    /// answers.
    #[default]
    Dual,
    /// The same ascent by sweeps alone, without second-order steps: little memory, and slow where
    /// many rows pull on few dimensions.
    Sweeps,
    /// The procedures of the papers. For comparisons: project onto whatever is violated, in the
    /// given order, until all hold, which ends at a point that depends on that order. For pairs:
    /// cyclic projections until a sweep changes the duals by less than a hundredth.
    Paper,
}

impl Projection {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["dual", "sweeps", "paper"];
}

/// Kernel learning by the log-determinant divergence: of all kernels that do what was said, up to
/// slack, the one nearest to the given kernel. See the [module](super).
///
/// ```
/// use ilk::ndarray::array;
/// use ilk::observe::Silent;
/// use ilk::problem::Constraints;
/// use ilk::supervise::logdet::{LogDet, Start, Targets, Terms};
///
/// let mut said = Constraints::new(100);
/// said.must_link(3, 14)?.cannot_link(14, 92)?;
/// let terms = Terms::new(&said, Targets { must: 0.05, cannot: 1.95 }, 2.0);
/// assert_eq!(terms.points(), [3, 14, 92]);
///
/// // The kernel on the three points of which something was said.
/// let kernel = array![[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]];
/// let found = LogDet::default().solve(Start::Gram(kernel.view()), &terms, None, &Silent)?;
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
        let positive = |value: f64| value > 0.0;
        let finite = |value: f64| value > 0.0 && value.is_finite();
        for (parameter, value, is_right, expected) in [
            ("gamma", self.gamma, positive(self.gamma), "above 0"),
            ("ratio", self.ratio, finite(self.ratio), "above 0, finite"),
            (
                "penalty",
                self.penalty,
                finite(self.penalty),
                "above 0, finite",
            ),
            ("tol", self.tol, finite(self.tol), "above 0, finite"),
        ] {
            if !is_right {
                return Err(Error::BadParameter {
                    parameter,
                    value: value.to_string(),
                    expected: format!("it must be a number {expected}"),
                });
            }
        }
        Ok(())
    }
}

/// Numbers that may be infinite, which JSON cannot write as numbers: there they are the text "inf".
mod possibly_infinite {
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserializer, Serializer};

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes fields by reference"
    )]
    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if *value == f64::INFINITY {
            to.serialize_str("inf")
        } else {
            to.serialize_f64(*value)
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = f64;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or \"inf\"")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
                Ok(value)
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
                Ok(value as f64)
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
                Ok(value as f64)
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<f64, E> {
                match value {
                    "inf" => Ok(f64::INFINITY),
                    _ => Err(E::invalid_value(Unexpected::Str(value), &self)),
                }
            }
        }

        from.deserialize_any(Number)
    }
}
