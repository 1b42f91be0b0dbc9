//! Mean shift as a method: the answers choose the bandwidth, then the points climb.
//!
//! Mean shift itself cannot use a pair. But its bandwidth is a question of resolution, coarse or
//! fine, and that is just what a few pairs tell: too wide a kernel joins points that a person keeps
//! apart, too narrow a one parts points that a person joins. So with `bandwidth = auto` and any
//! pairs or labels, mean shift runs over a grid of bandwidths and keeps the one whose clusters agree
//! best. Every pair is a fair test of every bandwidth, because the climb never sees it.

use super::MethodInfo;
use crate::Result;
use crate::evaluate::Contingency;
use crate::group::mean_shift::MeanShift;
use crate::group::{Grouping, Label};
use crate::numerics::rng::rng;
use crate::observe::{Event, Observer};
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{ConstraintKind, Constraints, InputKind, Points, Problem};
use crate::similarity::Bandwidth;
use crate::similarity::bandwidth::rules::{kth_neighbor_median, percentile};

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
    parameters: MeanShift::PARAMETERS,
};

/// Bandwidths tried.
const GRID: usize = 20;

/// Above this many points the bandwidth is chosen on a sample that holds all constrained points.
const SAMPLE: usize = 2000;

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let constraints = problem.constraints();
    let chosen = (params.bandwidth == Bandwidth::Auto && !constraints.is_empty())
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
    let clustering = Clustering::new(grouping, constraints);
    Ok(Fit {
        clustering,
        model: Model::MeanShift(model),
    })
}

/// The bandwidth whose clusters agree best with pairs and labels; `None` where all points coincide.
fn choose_bandwidth(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let constraints = problem.constraints();
    let rows = sample(constraints, params.seed);
    let sampled = points.select(&rows);
    let weights: Option<Vec<f64>> = problem
        .weights()
        .map(|weights| rows.iter().map(|&i| weights[i]).collect());

    let widest = percentile(&sampled, 0.5, params.seed);
    let narrowest = (kth_neighbor_median(&sampled, 3, params.seed) / 2.0).max(widest * 1e-3);
    if widest <= 0.0 {
        return Ok(None);
    }
    let ratio = (widest / narrowest).max(1.0);
    let grid: Vec<f64> = (0..GRID)
        .map(|i| narrowest * ratio.powf(i as f64 / (GRID - 1) as f64))
        .collect();

    let mut scores = Vec::with_capacity(GRID);
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
        scores.push(agreement(constraints, &spread)?);
    }
    Ok(Some(pick(&grid, &scores)))
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

/// How far a partition agrees with what was said: the kept shares of "together" and "apart".
#[derive(Debug, Clone, Copy, PartialEq)]
struct Agreement {
    together: Option<f64>,
    apart: Option<f64>,
}

impl Agreement {
    /// The mean of the shares that exist. Must-links outnumber cannot-links or the other way round
    /// by accident of how people were asked, so each kind counts as one half.
    fn score(self) -> f64 {
        match (self.together, self.apart) {
            (Some(a), Some(b)) => f64::midpoint(a, b),
            (Some(share), None) | (None, Some(share)) => share,
            (None, None) => 0.0,
        }
    }
}

fn agreement(constraints: &Constraints, labels: &[Label]) -> Result<Agreement> {
    let same =
        |points: [usize; 2]| labels[points[0]].is_some() && labels[points[0]] == labels[points[1]];
    let together = constraints.must_links().iter();
    let apart = constraints.cannot_links().iter();
    let mut kept_together = together.clone().filter(|pair| same(pair.points)).count() as f64;
    let mut kept_apart = apart.clone().filter(|pair| !same(pair.points)).count() as f64;
    let (mut all_together, mut all_apart) = (together.len() as f64, apart.len() as f64);

    let (truth, found): (Vec<usize>, Vec<Label>) = constraints
        .labels()
        .iter()
        .map(|said| (said.label, labels[said.point]))
        .unzip();
    let pairs = Contingency::new(&truth, &found)?.pair_confusion();
    kept_together += pairs.together as f64;
    all_together += (pairs.together + pairs.wrongly_split) as f64;
    kept_apart += pairs.apart as f64;
    all_apart += (pairs.apart + pairs.wrongly_joined) as f64;

    let share = |kept: f64, all: f64| (all > 0.0).then(|| kept / all);
    Ok(Agreement {
        together: share(kept_together, all_together),
        apart: share(kept_apart, all_apart),
    })
}

/// Of the bandwidths that agree best: the middle of the longest run of neighbours. Pairs of one kind
/// alone do not bound the bandwidth on one side, so then the run's end on the other side: the
/// narrowest that keeps together, the widest that keeps apart.
fn pick(grid: &[f64], scores: &[Agreement]) -> f64 {
    let best = scores
        .iter()
        .map(|s| s.score())
        .fold(f64::NEG_INFINITY, f64::max);
    let good: Vec<bool> = scores.iter().map(|s| s.score() >= best - 1e-12).collect();
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, _) in good.iter().enumerate().filter(|&(_, &g)| g) {
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
    let has = |kind: fn(&Agreement) -> Option<f64>| scores.iter().any(|s| kind(s).is_some());
    match (has(|s| s.together), has(|s| s.apart)) {
        (true, false) => grid[run.start],
        (false, true) => grid[run.end - 1],
        _ => (grid[run.start] * grid[run.end - 1]).sqrt(),
    }
}
