//! Mean shift as a method: the answers choose the bandwidth, then the points climb.
//!
//! Mean shift itself cannot use a pair. But its bandwidth is a question of resolution, coarse or
//! fine, and that is just what a few pairs tell: too wide a kernel joins points that a person keeps
//! apart, too narrow a one parts points that a person joins. So with `bandwidth = auto` and any
//! pairs or labels, mean shift runs over a grid of bandwidths and keeps the one whose clusters agree
//! best. Every pair is a fair test of every bandwidth, because the climb never sees it. Only pairs of
//! both kinds bound it on both sides: cannot-links between large groups are kept by small ones too.

use std::ops::Range;

use super::MethodInfo;
use super::distinct::distinct;
use crate::Result;
use crate::evaluate::Tally;
use crate::group::mean_shift::MeanShift;
use crate::group::{Grouping, Label};
use crate::numerics::distances::dist_sq;
use crate::numerics::rng::rng;
use crate::observe::{Event, Observer};
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{ConstraintKind, Constraints, InputKind, Points, Problem};
use crate::similarity::Bandwidth;
use crate::similarity::bandwidth::rules::kth_neighbor_median;

/// What mean shift takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "mean-shift",
    class: "MeanShift",
    summary: "Points climb to the modes of their density; a mode is a cluster. Pairs and labels choose the bandwidth.",
    paper: "Fukunaga and Hostetler 1975; Comaniciu and Meer 2002",
    inputs: &[InputKind::Points],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: false,
    predicts: true,
    weighs: true,
    parameters: MeanShift::PARAMETERS,
};

/// Bandwidths tried.
const GRID: usize = 20;

/// Above this many points the bandwidth is chosen on a sample that holds all constrained points.
const SAMPLE: usize = 1000;

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let chosen = (params.bandwidth == Bandwidth::Auto)
        .then(|| choose_bandwidth(params, points, problem, observer))
        .transpose()?
        .flatten();
    let params = match chosen {
        Some(bandwidth) => &MeanShift {
            bandwidth: Bandwidth::Fixed(bandwidth),
            ..params.clone()
        },
        None => params,
    };
    let (grouping, model) = params.fit(points, problem.weights(), observer)?;
    let clustering = Clustering::new(grouping, problem.constraints());
    Ok(Fit {
        clustering,
        model: Model::MeanShift(model),
    })
}

/// The bandwidth whose clusters agree best with pairs and labels, or the usual one where there are
/// none; `None` where all points coincide.
fn choose_bandwidth(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let (points, problem) = &distinct(points, problem)?;
    let said = problem.constraints();
    let resolved = params.bandwidth.resolve(points, params.seed)?;
    if resolved.is_degenerate() {
        return Ok(None);
    }
    let usual = resolved.of(0);
    if !Tally::can_be_judged(said) {
        return Ok(Some(usual));
    }
    let rows = sample(said, params.seed);
    let sampled = points.select(&rows);
    let weights: Option<Vec<f64>> = problem
        .weights()
        .map(|weights| rows.iter().map(|&i| weights[i]).collect());

    let reach = longest_together(said, points).max(usual);
    let grid = grid(&sampled, reach, params.seed)?;
    let mut tallies = Vec::with_capacity(GRID);
    for (done, &bandwidth) in grid.iter().enumerate() {
        let watch = |event: &Event| {
            let mut event = *event;
            event.stage = "choosing the bandwidth";
            event.finished += done * event.total;
            event.total *= GRID;
            observer.event(&event)
        };
        let trial = MeanShift {
            bandwidth: Bandwidth::Fixed(bandwidth),
            ..params.clone()
        };
        let (Grouping { labels, .. }, _) = trial.fit(&sampled, weights.as_deref(), &watch)?;
        let mut spread: Vec<Label> = vec![None; points.len()];
        for (&row, label) in rows.iter().zip(labels) {
            spread[row] = label;
        }
        tallies.push(Tally::of(&spread, said));
    }
    Ok(Some(pick(&grid, &tallies, usual)))
}

/// Bandwidths in equal ratios: from a third of the distance of near neighbours, where clusters fall
/// apart (two equal heaps do below half of theirs), to the median distance, where they are one; at
/// least to `reach`.
fn grid(points: &Points, reach: f64, seed: u64) -> Result<Vec<f64>> {
    let median = Bandwidth::Percentile(0.5).resolve(points, seed)?.of(0);
    let widest = median.max(reach);
    // Of a few points, the third neighbour is in another cluster.
    let k = (points.len() / 8).clamp(1, 3);
    let narrowest = (kth_neighbor_median(points, k, seed) / 3.0).max(widest * 1e-3);
    let ratio = widest / narrowest;
    let step = |i: usize| ratio.powf(i as f64 / (GRID - 1) as f64);
    Ok((0..GRID).map(|i| narrowest * step(i)).collect())
}

/// The largest distance between must-linked points, or between the first point of a label and
/// another; 0 where there are none. A bandwidth as large as this can join them.
fn longest_together(said: &Constraints, points: &Points) -> f64 {
    let mut first_of: Vec<Option<usize>> = vec![None; said.label_names().len()];
    let labelled = said.labels().iter().map(|labelled| {
        let first = *first_of[labelled.label].get_or_insert(labelled.point);
        [first, labelled.point]
    });
    let pairs = said.must_links().iter().map(|pair| pair.points);
    let longest_sq = pairs
        .chain(labelled)
        .map(|[a, b]| dist_sq(points.row(a), points.row(b)))
        .filter(|dist_sq| dist_sq.is_finite())
        .fold(0.0, f64::max);
    longest_sq.sqrt()
}

/// All constrained points, and others up to [`SAMPLE`], in the order of the input.
fn sample(constraints: &Constraints, seed: u64) -> Vec<usize> {
    let n = constraints.n();
    if n <= SAMPLE {
        return (0..n).collect();
    }
    let mut chosen = constraints.constrained_points();
    if chosen.len() < SAMPLE {
        chosen.extend(rng(seed).sample(n, SAMPLE - chosen.len()));
        chosen.sort_unstable();
        chosen.dedup();
    }
    chosen
}

/// Of the bandwidths that agree best: the middle of the longest run of neighbours in the grid.
///
/// Must-links alone, or cannot-links alone, bound the bandwidth on one side only. Then it is the one
/// of that run nearest to the usual, so that answers which the usual keeps change nothing. The far
/// end of the run would do what was said as well, and little else: with three cannot-links and no
/// must-link, eight round groups get an ARI of 1.00 so, and .61 with the widest that keeps them.
fn pick(grid: &[f64], tallies: &[Tally], usual: f64) -> f64 {
    let best = tallies
        .iter()
        .map(Tally::score)
        .fold(f64::NEG_INFINITY, f64::max);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, tally) in tallies.iter().enumerate() {
        if tally.score() < best - 1e-12 {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    let longest = runs.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
    let run = runs
        .into_iter()
        .find(|run| run.len() == longest)
        .unwrap_or(0..1);
    let (low, high) = (grid[run.start], grid[run.end - 1]);
    if tallies[0].has_both() {
        (low * high).sqrt()
    } else {
        usual.clamp(low, high)
    }
}
