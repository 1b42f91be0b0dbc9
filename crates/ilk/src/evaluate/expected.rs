//! The expected mutual information of random labellings.

use super::{Contingency, information::sum};

/// Weights this small beside the largest cannot change a sum of 53 bits.
const NEGLIGIBLE: f64 = 1e-25;

/// The mean of the mutual information over all labellings with the sizes of these two,
///
/// E = sum over i, j of sum over m of P(m; `a_i`, `b_j`, n) (m/n) log(n m / (`a_i` `b_j`)),
///
/// where P is hypergeometric: the chance that a class of `a_i` points and a cluster of `b_j` share
/// m. Exact, as in scikit-learn, but (1) groups of one size are done once, so that there are at
/// most O(n) pairs of sizes rather than classes times clusters, and (2) P is computed by the
/// recurrence P(m+1)/P(m) = (a-m)(b-m) / ((m+1)(n-a-b+m+1)), outward from the mode and normalized by
/// the sum, rather than from log-gamma: no cancellation between numbers of the size of n log n, and
/// no work on the tails.
pub(super) fn expected_mutual_info(table: &Contingency) -> f64 {
    let n = table.n();
    let classes = distinct_sizes(table.class_sizes());
    let clusters = distinct_sizes(table.cluster_sizes());
    sum(classes.iter().flat_map(|&(a, a_times)| {
        clusters.iter().map(move |&(b, b_times)| a_times * b_times * cell_mean(a, b, n))
    }))
}

/// The sizes there are, ascending, with how many groups have each.
fn distinct_sizes(sizes: &[u64]) -> Vec<(u64, f64)> {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)).collect()
}

/// The mean of (m/n) log(n m / (a b)) for one class of `a` and one cluster of `b` points.
fn cell_mean(a: u64, b: u64, n: u64) -> f64 {
    let (lowest, highest) = ((a + b).saturating_sub(n), a.min(b));
    let mode = (u128::from(a + 1) * u128::from(b + 1) / u128::from(n + 2)) as u64;
    let mode = mode.clamp(lowest, highest);
    let (a, b, n) = (a as f64, b as f64, n as f64);
    let log_expected = (a * b / n).ln();
    let value = |m: f64| {
        if m == 0.0 { 0.0 } else { m / n * (m.ln() - log_expected) }
    };
    // P(m + 1) / P(m).
    let ratio = |m: f64| (a - m) * (b - m) / ((m + 1.0) * (n - a - b + m + 1.0));

    let mut total = 1.0;
    let mut mean = value(mode as f64);
    let mut weight = 1.0;
    for m in mode..highest {
        weight *= ratio(m as f64);
        if weight < NEGLIGIBLE {
            break;
        }
        total += weight;
        mean += weight * value((m + 1) as f64);
    }
    weight = 1.0;
    for m in (lowest..mode).rev() {
        weight /= ratio(m as f64);
        if weight < NEGLIGIBLE {
            break;
        }
        total += weight;
        mean += weight * value(m as f64);
    }
    mean / total
}
