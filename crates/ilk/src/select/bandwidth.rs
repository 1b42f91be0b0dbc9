//! The width of a Gaussian affinity, or the bandwidth of mean shift, by the constraints.

use std::collections::BTreeMap;
use std::ops::Range;

use ndarray::{Array1, Axis};

use super::ConstraintAgreement;
use super::folds::{FOLDS, REPEATS, has_enough_constraints, scarcer_kind_count, smooth};
use super::held_out::{HeldOut, TOO_FEW_ANSWERS, first_best};
use super::sample::with_constrained_points;
use crate::Result;
use crate::evaluate::adjusted_rand;
use crate::group::mean_shift::MeanShift;
use crate::group::{GroupingAlgorithm, GroupingInput, Label};
use crate::numerics::distances::dist_sq;
use crate::observe::{Event, Observer};
use crate::outcome::Chosen;
use crate::problem::{Constraints, Points, Problem};
use crate::similarity::Bandwidth;
use crate::similarity::bandwidth::rules::kth_neighbor_median;
use crate::supervise::targets::sigma_grid;

/// The width without constraints, as a share of the median distance: narrower, and the clusters of kernel k-means in many
/// dimensions are worse than those of k-means; wider, and they are those of k-means.
const DEFAULT_SHARE: f64 = 0.7;

/// The narrowest width that is tried, as a share of the least of a grid: affinities have to decrease within a group for
/// its shape to count.
const NARROWEST: f64 = 1.0 / 3.0;

/// The width of a Gaussian affinity between points, or `None` for another affinity, and how it was chosen.
///
/// With enough constraints, the widths of a grid, and the other affinity if there `has_other`, are compared by held-out
/// constraints: `group(width, problem)` groups the points by the constraints of the problem it is given. Otherwise it is
/// the other affinity or, if there is none, the width is [`DEFAULT_SHARE`] of the median distance.
pub(crate) fn select_bandwidth(
    points: &Points,
    problem: &Problem,
    (has_other, seed): (bool, u64),
    group: impl Fn(Option<f64>, &Problem) -> Result<Vec<Label>> + Sync,
    observer: &dyn Observer,
) -> Result<(Option<f64>, Chosen)> {
    let grid = sigma_grid(points, seed)?;
    let other = |by: &str| (None, Chosen::new("affinity", "neighbors", by));
    if !has_enough_constraints(problem.constraints()) {
        if has_other {
            return Ok(other(TOO_FEW_ANSWERS));
        }
        let sigma = DEFAULT_SHARE * grid[grid.len() / 2];
        return Ok((Some(sigma), Chosen::new("sigma", sigma, "the median distance")));
    }
    // Every other of twelve quantiles: affinities change little between neighbours.
    let mut grid: Vec<Option<f64>> = grid.into_iter().step_by(2).map(Some).collect();
    grid.insert(0, grid[0].map(|least| NARROWEST * least));
    let n_widths = grid.len();
    grid.extend(has_other.then_some(None));
    let held_out = HeldOut::new(problem, FOLDS, REPEATS, seed)?;
    let scores = held_out.scores(
        &grid,
        |_| Ok(()),
        |&width, (), train, test| Ok(ConstraintAgreement::of(&group(width, train)?, test)),
        observer,
    )?;
    let (of_widths, of_other) = scores.split_at(n_widths);
    let of_widths = smooth(&Array1::from_vec(of_widths.to_vec()), Axis(0));
    let best = grid[first_best(of_widths.into_iter().chain(of_other.iter().copied()))];
    let by = "held-out answers";
    Ok(best.map_or_else(|| other(by), |sigma| (best, Chosen::new("sigma", sigma, by))))
}

/// Bandwidths of mean shift that are tried.
const GRID: usize = 20;

/// How much better than the default a bandwidth must agree with constraints, times the root of the pairs of the scarcer
/// kind (docs/similarity.md).
const MARGIN: f64 = 0.4;

/// Points on which bandwidths of mean shift are tried, at most, unless constraints name more.
const MAX_SAMPLE: usize = 1000;

/// Some of the points, on which bandwidths are tried.
struct BandwidthSample {
    points: Points,
    weights: Option<Vec<f64>>,
}

impl BandwidthSample {
    fn new(points: &Points, weights: Option<&[f64]>, rows: &[usize]) -> Self {
        let weights = weights.map(|weights| rows.iter().map(|&i| weights[i]).collect());
        Self { points: points.select(rows), weights }
    }

    /// The clusters that mean shift finds with each bandwidth.
    fn partitions(
        &self,
        params: &MeanShift,
        bandwidths: &[f64],
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<Label>>> {
        let labels = |(trial, &bandwidth): (usize, &f64)| {
            let observer = |event: &Event| {
                let mut event = *event;
                event.stage = "choosing the bandwidth";
                event.finished += trial * event.total;
                event.total *= bandwidths.len();
                observer.event(&event)
            };
            let params = MeanShift { bandwidth: Bandwidth::Fixed(bandwidth), ..params.clone() };
            let input = GroupingInput::new(&self.points).with_weights(self.weights.as_deref());
            Ok(params.group(input, &observer)?.0.labels)
        };
        bandwidths.iter().enumerate().map(labels).collect()
    }
}

/// The bandwidth whose clusters agree best with the pairs and labels of a problem over distinct points.
///
/// Bandwidths of a grid are tried on a sample; no constraints are held out, since mean shift does not learn
/// from them. `default` is the bandwidth without constraints: it stays unless another one agrees better by a margin,
/// since of many bandwidths one agrees with few constraints by chance.
pub(crate) fn bandwidth_by_agreement(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    default: f64,
    observer: &dyn Observer,
) -> Result<f64> {
    let seed = params.seed;
    let constraints = problem.constraints();
    let rows = with_constrained_points(constraints, MAX_SAMPLE, seed);
    let sample = BandwidthSample::new(points, problem.weights(), &rows);
    let at_least = longest_must_link(constraints, points).max(default);
    let grid = bandwidth_grid(&sample.points, at_least, GRID, seed)?;
    let agreement = |found: Vec<Label>| {
        let mut labels: Vec<Label> = vec![None; points.len()];
        for (&row, label) in rows.iter().zip(found) {
            labels[row] = label;
        }
        ConstraintAgreement::of(&labels, constraints)
    };
    let tried: Vec<f64> = grid.iter().copied().chain([default]).collect();
    let mut partitions = sample.partitions(params, &tried, observer)?;
    let at_default = partitions.pop().map_or_else(ConstraintAgreement::default, agreement);
    let agreements: Vec<_> = partitions.into_iter().map(agreement).collect();
    let best = best_score(&agreements);
    let n_judges = scarcer_kind_count(constraints) as f64;
    let margin = MARGIN / n_judges.sqrt();
    if at_default.has_both_kinds() && best <= at_default.score() + margin {
        return Ok(default);
    }
    Ok(best_bandwidth(&grid, &agreements, default))
}

/// Bandwidths in equal ratios: from a third of the distance of near neighbours, where clusters fall
/// apart (two equal groups do below half of theirs), to the median distance, where they are one; at
/// least to `at_least`.
fn bandwidth_grid(points: &Points, at_least: f64, count: usize, seed: u64) -> Result<Vec<f64>> {
    let median = Bandwidth::Percentile(0.5).resolve(points, seed)?.of(0);
    let widest = median.max(at_least);
    // Of a few points, the third neighbour is in another cluster.
    let k = (points.len() / 8).clamp(1, 3);
    let narrowest = (kth_neighbor_median(points, k, seed) / 3.0).max(widest * 1e-3);
    let ratio = widest / narrowest;
    let step = |i: usize| ratio.powf(i as f64 / (count - 1) as f64);
    Ok((0..count).map(|i| narrowest * step(i)).collect())
}

/// Points below which the clusters of mean shift are too small for their stability to mean anything.
const FEWEST_FOR_STABILITY: usize = 40;

/// Points on which the stability of clusters is measured, at most.
const STABILITY_SAMPLE: usize = 500;

/// Bandwidths over which it is measured.
const STABILITY_GRID: usize = 26;

/// The agreement of two partitions (adjusted Rand index) from which on they count as the same.
const SAME_PARTITION: f64 = 0.9;

/// The share of the points that a cluster needs at least to be one, and at most for there to be others.
const CLUSTER_SHARE: (f64, f64) = (0.02, 0.9);

/// The bandwidth of mean shift without constraints: the geometric middle of the longest range of bandwidths over
/// which the clusters stay the same.
///
/// Groups that are there are found over a range of bandwidths, and what is found at one bandwidth alone is an
/// accident of it. Only partitions count with at least two clusters that are no fragments, and without one that holds
/// nearly everything. Where there are none, or fewer than 40 points, it is that of [`Bandwidth::Auto`]; `None` where all
/// points coincide. docs/similarity.md compares this with other rules.
///
/// `points` all differ. `params` are those of the shift; their bandwidth is not looked at.
pub(crate) fn stable_bandwidth(
    params: &MeanShift,
    points: &Points,
    weights: Option<&[f64]>,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let seed = params.seed;
    let usual = Bandwidth::Auto.resolve(points, seed)?;
    if usual.is_degenerate() {
        return Ok(None);
    }
    let usual = usual.of(0);
    if points.len() < FEWEST_FOR_STABILITY {
        return Ok(Some(usual));
    }
    let rows = with_constrained_points(&Constraints::new(points.len()), STABILITY_SAMPLE, seed);
    let sample = BandwidthSample::new(points, weights, &rows);
    let grid = bandwidth_grid(&sample.points, 0.0, STABILITY_GRID, seed)?;
    let partitions = sample.partitions(params, &grid, observer)?;
    let run = longest_stable_run(&partitions)?;
    Ok(Some(run.map_or(usual, |run| (grid[run.start] * grid[run.end - 1]).sqrt())))
}

/// The longest run of proper partitions of which every two neighbours are the same, the last of equally long ones.
fn longest_stable_run(partitions: &[Vec<Label>]) -> Result<Option<Range<usize>>> {
    let mut longest: Option<Range<usize>> = None;
    let mut run = 0..0;
    for (i, labels) in partitions.iter().enumerate() {
        if !is_proper(labels) {
            run = i + 1..i + 1;
            continue;
        }
        let continues =
            !run.is_empty() && adjusted_rand(&partitions[i - 1], labels)? >= SAME_PARTITION;
        run = if continues { run.start..i + 1 } else { i..i + 1 };
        if longest.as_ref().is_none_or(|longest| run.len() >= longest.len()) {
            longest = Some(run.clone());
        }
    }
    Ok(longest)
}

/// Whether there are at least two clusters that are no fragments, and none that holds nearly everything.
fn is_proper(labels: &[Label]) -> bool {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for cluster in labels.iter().flatten() {
        *sizes.entry(*cluster).or_default() += 1;
    }
    let n = labels.len() as f64;
    let (least, most) = CLUSTER_SHARE;
    let smallest = (least * n).max(3.0);
    let is_cluster = |size: &&usize| **size as f64 >= smallest;
    let largest = sizes.values().max().copied().unwrap_or(0);
    sizes.values().filter(is_cluster).count() >= 2 && (largest as f64) < most * n
}

/// The largest distance between must-linked points, or between the first point of a label and
/// another; 0 where there are none. A bandwidth as large as this can join them.
fn longest_must_link(constraints: &Constraints, points: &Points) -> f64 {
    let mut first_of: Vec<Option<usize>> = vec![None; constraints.label_names().len()];
    let labelled = constraints.labels().iter().map(|labelled| {
        let first = *first_of[labelled.label].get_or_insert(labelled.point);
        [first, labelled.point]
    });
    let pairs = constraints.must_links().iter().map(|pair| pair.points);
    let longest_sq = pairs
        .chain(labelled)
        .map(|[a, b]| dist_sq(points.row(a), points.row(b)))
        .filter(|dist_sq| dist_sq.is_finite())
        .fold(0.0, f64::max);
    longest_sq.sqrt()
}

fn best_score(agreements: &[ConstraintAgreement]) -> f64 {
    agreements.iter().map(ConstraintAgreement::score).fold(f64::NEG_INFINITY, f64::max)
}

/// Of the bandwidths that agree best: the geometric middle of the longest run of neighbours in the grid.
///
/// Must-links alone bound the bandwidth on one side only. Then it is the one of that run nearest to the default, so
/// that constraints which the default keeps change nothing. The other end of the run keeps them too, but joins much
/// else. Cannot-links alone leave the default: a bandwidth that separates two near points splits everything.
fn best_bandwidth(grid: &[f64], agreements: &[ConstraintAgreement], default: f64) -> f64 {
    let best = best_score(agreements);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, agreement) in agreements.iter().enumerate() {
        if agreement.score() < best - 1e-12 {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    let longest = runs.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
    let run = runs.into_iter().find(|run| run.len() == longest).unwrap_or(0..1);
    let (low, high) = (grid[run.start], grid[run.end - 1]);
    if agreements[0].must_links.constraints <= 0.0 {
        default
    } else if agreements[0].has_both_kinds() {
        (low * high).sqrt()
    } else {
        default.clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels of clusters of these sizes.
    fn sizes(sizes: &[usize]) -> Vec<Label> {
        let labels = sizes.iter().enumerate();
        labels.flat_map(|(cluster, &size)| vec![Some(cluster); size]).collect()
    }

    #[test]
    fn fragments_and_one_large_cluster_are_no_proper_partition() {
        assert!(is_proper(&sizes(&[50, 50])));
        assert!(is_proper(&sizes(&[85, 5, 5, 5])));
        assert!(!is_proper(&sizes(&[100])));
        assert!(!is_proper(&sizes(&[95, 5])));
        assert!(!is_proper(&sizes(&[2; 50])));
    }

    #[test]
    fn the_longest_stable_run_is_of_equal_proper_partitions() -> Result<()> {
        let (two, four) = (sizes(&[50, 50]), sizes(&[25, 25, 25, 25]));
        let (fragments, one) = (sizes(&[2; 50]), sizes(&[100]));
        let all = [&fragments, &four, &four, &two, &two, &two, &one, &one, &one, &one];
        let partitions: Vec<Vec<Label>> = all.into_iter().cloned().collect();
        assert_eq!(longest_stable_run(&partitions)?, Some(3..6));
        assert_eq!(longest_stable_run(&partitions[..4])?, Some(1..3));
        assert_eq!(longest_stable_run(&[fragments, one])?, None);
        Ok(())
    }
}
