//! The bandwidth of a kernel.

pub mod rules;
mod text;

use serde::Serialize;

use crate::parameter::Written;
use crate::{Error, Result, error::check_length, problem::Points};

/// How the bandwidth is chosen.
///
/// Written as text it is `auto`, a number, `percentile(0.03)`, `neighbor(7)`, `silverman` or a list
/// `[0.3, 0.5]`. Files hold a number, a list of numbers, or the same words; null means `auto`.
///
/// ```
/// use ilk::similarity::Bandwidth;
/// assert_eq!("percentile(0.03)".parse(), Ok(Bandwidth::Percentile(0.03)));
/// assert_eq!(Bandwidth::Neighbor(7).to_string(), "neighbor(7)");
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(into = "Written")]
pub enum Bandwidth {
    /// The 1% quantile of the distances, but at least the median distance to the 7th neighbour, so
    /// that small samples do not fall apart into many clusters. What other rules give is in
    /// `docs/similarity.md`.
    #[default]
    Auto,
    /// This number.
    Fixed(f64),
    /// One number a point.
    PerPoint(Vec<f64>),
    /// This share (0 to 1) of all pairwise distances is smaller.
    Percentile(f64),
    /// Each point's distance to its k-th neighbour; the point itself is not counted.
    Neighbor(usize),
    /// Silverman's rule, see [`rules::silverman`].
    Silverman,
}

/// The bandwidth as numbers.
///
/// They are positive, with one exception: where all points coincide, every rule gives 0, because
/// there is no positive distance. A caller decides what that means; for mean shift it is one cluster.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolvedBandwidth {
    /// The same for all points.
    Fixed(f64),
    /// One a point.
    PerPoint(Vec<f64>),
}

impl ResolvedBandwidth {
    /// The bandwidth of a point.
    pub fn of(&self, point: usize) -> f64 {
        match self {
            Self::Fixed(h) => *h,
            Self::PerPoint(each) => each[point],
        }
    }

    /// The bandwidth, or the upper median where every point has its own.
    pub fn median(&self) -> f64 {
        let mut sorted = self.values().to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }

    /// Whether all points coincide, so that no distance is positive.
    pub fn is_degenerate(&self) -> bool {
        self.values().iter().all(|&h| h == 0.0)
    }

    /// The bandwidth, or that of every point.
    fn values(&self) -> &[f64] {
        match self {
            Self::Fixed(h) => std::slice::from_ref(h),
            Self::PerPoint(each) => each,
        }
    }
}

/// The share of [`Bandwidth::Auto`].
const AUTO_SHARE: f64 = 0.01;

/// The neighbour of [`Bandwidth::Auto`].
const AUTO_NEIGHBOR: usize = 7;

impl Bandwidth {
    /// Checks the parameters against the points and applies the rule. The seed matters only where a
    /// rule samples, see [`rules`].
    ///
    /// Where a rule's plain answer is 0 because many points coincide, but not all do, the answer is
    /// taken among points that differ: the quantile of the positive distances, or the distance to
    /// the nearest point elsewhere.
    pub fn resolve(&self, points: &Points, seed: u64) -> Result<ResolvedBandwidth> {
        self.check(points)?;
        let resolved = match self {
            Self::Auto => {
                let k = AUTO_NEIGHBOR.min(points.len() - 1);
                let floor = rules::kth_neighbor_median(points, k, seed);
                let quantile = positive_percentile(points, AUTO_SHARE, seed);
                ResolvedBandwidth::Fixed(quantile.max(floor))
            }
            Self::Fixed(h) => ResolvedBandwidth::Fixed(*h),
            Self::PerPoint(each) => ResolvedBandwidth::PerPoint(each.clone()),
            Self::Percentile(share) => {
                ResolvedBandwidth::Fixed(positive_percentile(points, *share, seed))
            }
            Self::Neighbor(k) => {
                ResolvedBandwidth::PerPoint(rules::positive_kth_neighbor(points, *k))
            }
            Self::Silverman => ResolvedBandwidth::Fixed(rules::silverman(points)),
        };
        if resolved.values().iter().any(|h| !h.is_finite()) {
            return Err(Error::bad_parameter(
                "bandwidth",
                self,
                "the coordinates are so large that squared distances overflow; scale the data",
            ));
        }
        Ok(resolved)
    }

    /// The k of the neighbour whose distance it is, where that is the rule.
    pub(super) fn neighbor(&self) -> Option<usize> {
        match *self {
            Self::Neighbor(k) => Some(k),
            _ => None,
        }
    }

    pub(super) fn check(&self, points: &Points) -> Result<()> {
        let n = points.len();
        let bad = |expected: &str| Err(Error::bad_parameter("bandwidth", self, expected));
        match self {
            Self::Fixed(h) if !is_width(*h) => bad("a bandwidth must be a finite number above 0"),
            Self::PerPoint(each) => {
                check_length("the list of bandwidths", each.len(), n)?;
                let Some(at) = each.iter().position(|&h| !is_width(h)) else {
                    return Ok(());
                };
                let expected =
                    format!("the bandwidth of point {at} must be a finite number above 0");
                Err(Error::bad_parameter("bandwidth", each[at], expected))
            }
            Self::Percentile(share) if !(0.0..=1.0).contains(share) => {
                bad("the share must be from 0 to 1")
            }
            Self::Neighbor(0) => bad("neighbours are counted from 1"),
            Self::Neighbor(k) if *k >= n && n > 1 => {
                let most = n - 1;
                bad(&format!("of {n} points none has more than {most} neighbours"))
            }
            _ => Ok(()),
        }
    }
}

fn is_width(h: f64) -> bool {
    h.is_finite() && h > 0.0
}

fn positive_percentile(points: &Points, share: f64, seed: u64) -> f64 {
    let quantile = rules::percentile(points, share, seed);
    if quantile > 0.0 { quantile } else { rules::positive_percentile(points, share, seed) }
}

#[cfg(test)]
mod tests;
