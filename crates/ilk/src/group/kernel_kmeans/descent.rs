//! One run from one start: batch steps and moves of single points until neither lowers the objective.

use std::ops::Range;

use rayon::prelude::*;

use super::params::WeightedKernelKMeans;
use super::space::{Geometry, members};
use crate::group::{Label, TraceStep, seeding::fill_empty_clusters};
use crate::{Result, observe::Progress};

/// Points per block.
const BLOCK: usize = 1024;

/// A move must gain more than this share of the terms whose difference the gain is; less is rounding.
const MIN_GAIN: f64 = 1e-12;

/// The result of one run.
pub(super) struct Descent {
    pub(super) labels: Vec<usize>,
    pub(super) objective: f64,
    pub(super) converged: bool,
    pub(super) trace: Vec<TraceStep>,
}

/// Runs from labels of some points in k clusters. The other points go to the nearest mean first. There
/// are at least as many points as clusters.
pub(super) fn descend(
    space: &impl Geometry,
    start: &[Label],
    k: usize,
    params: &WeightedKernelKMeans,
    progress: &Progress<'_>,
) -> Result<Descent> {
    let means = space.means(&members(start, k));
    let seen = nearest(space, &means);
    let mut labels: Vec<usize> =
        start.iter().zip(&seen.cluster).map(|(given, &nearest)| given.unwrap_or(nearest)).collect();
    refill(&mut labels, k, &seen.dist_sq);
    let means = space.means(&members(&labels, k));
    let mut state = PartitionState::new(space, labels, means);
    let mut trace = vec![step(space.len(), state.objective)];
    progress.step(1)?;
    let mut converged = false;
    while trace.len() < params.max_iter {
        let mut next = state.batch(space, k);
        if next.is_none() && params.local_search {
            let chain = || state.chain(space, params.chain);
            next = state.moves(space).or_else(chain);
        }
        let Some((changed, next)) = next else {
            converged = true;
            break;
        };
        state = next;
        trace.push(step(changed, state.objective));
        progress.step(trace.len())?;
    }
    Ok(Descent { labels: state.labels, objective: state.objective, converged, trace })
}

fn step(changed: usize, objective: f64) -> TraceStep {
    TraceStep::new(changed, 0.0).with_objective(objective)
}

/// A partition with its means, and the nearest mean of every point.
pub(super) struct PartitionState<G: Geometry> {
    labels: Vec<usize>,
    means: G::Means,
    /// Σ w_i |φ_i - m_c|².
    pub(super) objective: f64,
    nearest: NearestMeans,
}

impl<G: Geometry> PartitionState<G> {
    pub(super) fn new(space: &G, labels: Vec<usize>, means: G::Means) -> Self {
        let blocks = in_blocks(space, &means, |points, scores| {
            let width = points.len();
            let objective = points.clone().fold(0.0, |sum, i| {
                let own = scores[labels[i] * width + i - points.start];
                sum + space.weight(i) * (space.offset(i) + own)
            });
            (objective, NearestMeans::of_block(space, points, scores))
        });
        let (objectives, nearest): (Vec<f64>, Vec<NearestMeans>) = blocks.into_iter().unzip();
        Self {
            labels,
            means,
            objective: objectives.iter().sum(),
            nearest: NearestMeans::joined(&nearest),
        }
    }

    /// Batch step: all points go to the nearest mean, and the means are updated. Returns the number of
    /// points that changed and the new state; none if the objective does not fall.
    fn batch(&self, space: &G, k: usize) -> Option<(usize, Self)> {
        let mut labels = self.nearest.cluster.clone();
        refill(&mut labels, k, &self.nearest.dist_sq);
        let both = self.labels.iter().zip(&labels);
        let changed = both.filter(|(before, after)| before != after).count();
        if changed == 0 {
            return None;
        }
        let means = space.updated(&self.means, &self.labels, &labels);
        self.improved_by(changed, Self::new(space, labels, means))
    }

    /// Moves single points, one after the other, to the cluster that lowers the objective most.
    /// Returns the number of moves and the new state; none if the objective does not fall.
    fn moves(&self, space: &G) -> Option<(usize, Self)> {
        let mut moving = MovingPoints::new(space, self);
        // Points that would move by themselves; most would not.
        let candidates: Vec<usize> = in_blocks(space, &self.means, |points, scores| {
            let (first, width) = (points.start, points.len());
            let would_move = |&i: &usize| {
                let best = moving.best_move(i, |c| scores[c * width + i - first]);
                best.is_some_and(|best| best.helps())
            };
            points.filter(would_move).collect::<Vec<_>>()
        })
        .concat();
        let mut scores = vec![0.0; moving.sizes.len()];
        let mut moved = 0;
        for i in candidates {
            space.scores(&moving.means, i..i + 1, &mut scores);
            if let Some(best) = moving.best_move(i, |c| scores[c]).filter(PointMove::helps) {
                moving.apply(i, best.to);
                moved += 1;
            }
        }
        if moved == 0 {
            return None;
        }
        self.improved_by(moved, Self::new(space, moving.labels, moving.means))
    }

    /// Kernighan-Lin chain: up to `length` best moves, no point twice, even where a move raises the
    /// objective; the prefix of lowest objective is kept. Returns its length and the new state; none if
    /// the objective does not fall.
    fn chain(&self, space: &G, length: usize) -> Option<(usize, Self)> {
        type Gain = (f64, usize, usize);
        let larger = |best: Gain, next: Gain| if next.0 > best.0 { next } else { best };
        let mut moving = MovingPoints::new(space, self);
        let mut is_done = vec![false; self.labels.len()];
        let mut moved = Vec::new();
        let (mut gain, mut best) = (0.0, (0.0, 0));
        while moved.len() < length {
            let candidates = in_blocks(space, &moving.means, |points, scores| {
                let (first, width) = (points.start, points.len());
                let moves = points.filter(|&i| !is_done[i]).filter_map(|i| {
                    let found = moving.best_move(i, |c| scores[c * width + i - first])?;
                    Some((space.weight(i) * found.gain, i, found.to))
                });
                moves.reduce(larger)
            });
            let Some((more, i, to)) = candidates.into_iter().flatten().reduce(larger) else {
                break;
            };
            moved.push((i, moving.labels[i]));
            moving.apply(i, to);
            is_done[i] = true;
            gain += more;
            if gain > best.0 {
                best = (gain, moved.len());
            }
        }
        let (gain, kept) = best;
        if gain <= MIN_GAIN * self.objective.abs() {
            return None;
        }
        let mut labels = moving.labels;
        for &(i, from) in moved[kept..].iter().rev() {
            labels[i] = from;
        }
        let means = space.means(&members(&labels, moving.sizes.len()));
        self.improved_by(kept, Self::new(space, labels, means))
    }

    /// The number of changes and the next state, if its objective is lower. It can rise by rounding,
    /// or in a batch step with a kernel that is not positive semi-definite.
    fn improved_by(&self, changes: usize, next: Self) -> Option<(usize, Self)> {
        (next.objective < self.objective).then_some((changes, next))
    }
}

/// The mean nearest to every point; the first of equally near ones.
pub(super) struct NearestMeans {
    pub(super) cluster: Vec<usize>,
    dist_sq: Vec<f64>,
}

pub(super) fn nearest<G: Geometry>(space: &G, means: &G::Means) -> NearestMeans {
    NearestMeans::joined(&in_blocks(space, means, |points, scores| {
        NearestMeans::of_block(space, points, scores)
    }))
}

impl NearestMeans {
    fn of_block(space: &impl Geometry, points: Range<usize>, scores: &[f64]) -> Self {
        let mut cluster = vec![0; points.len()];
        let (first, others) = scores.split_at(points.len());
        let mut dist_sq = first.to_vec();
        for (c, scores) in others.chunks_exact(points.len()).enumerate() {
            for ((best, cluster), &score) in dist_sq.iter_mut().zip(&mut cluster).zip(scores) {
                if score < *best {
                    *best = score;
                    *cluster = c + 1;
                }
            }
        }
        for (best, i) in dist_sq.iter_mut().zip(points) {
            *best += space.offset(i);
        }
        Self { cluster, dist_sq }
    }

    fn joined(blocks: &[Self]) -> Self {
        let all = || blocks.iter();
        Self {
            cluster: all().flat_map(|block| &block.cluster).copied().collect(),
            dist_sq: all().flat_map(|block| &block.dist_sq).copied().collect(),
        }
    }
}

/// A partition while single points move, means following at once.
struct MovingPoints<'a, G: Geometry> {
    space: &'a G,
    labels: Vec<usize>,
    means: G::Means,
    /// How many points each cluster has.
    sizes: Vec<usize>,
}

struct PointMove {
    to: usize,
    /// How much it lowers the objective, over the point's weight.
    gain: f64,
    /// The size of the terms whose difference the gain is.
    size: f64,
}

impl PointMove {
    /// Whether it lowers the objective by more than rounding.
    fn helps(&self) -> bool {
        self.gain > MIN_GAIN * self.size
    }
}

impl<'a, G: Geometry> MovingPoints<'a, G> {
    fn new(space: &'a G, state: &PartitionState<G>) -> Self {
        Self {
            space,
            sizes: sizes(&state.labels, space.masses(&state.means).len()),
            labels: state.labels.clone(),
            means: state.means.clone(),
        }
    }

    fn apply(&mut self, i: usize, to: usize) {
        let from = std::mem::replace(&mut self.labels[i], to);
        self.space.shift(&mut self.means, i, from, to);
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
    }

    /// The best move of a point that is not alone in its cluster, even if it raises the objective: it
    /// changes the objective, over the point's weight, by W_b / (W_b + w) d²(i, b) - W_a / (W_a - w) d²(i, a).
    fn best_move(&self, i: usize, score: impl Fn(usize) -> f64) -> Option<PointMove> {
        let (weight, offset) = (self.space.weight(i), self.space.offset(i));
        let (from, masses) = (self.labels[i], self.space.masses(&self.means));
        let rest = masses[from] - weight;
        if self.sizes[from] < 2 || rest <= 0.0 {
            return None;
        }
        let removal = masses[from] / rest * (offset + score(from));
        let mut best = (f64::INFINITY, from);
        for (to, mass) in masses.iter().enumerate() {
            let insertion = mass / (mass + weight) * (offset + score(to));
            if to != from && insertion < best.0 {
                best = (insertion, to);
            }
        }
        let (insertion, to) = best;
        (to != from).then(|| PointMove {
            to,
            gain: removal - insertion,
            size: removal.abs() + insertion.abs(),
        })
    }
}

fn sizes(labels: &[usize], k: usize) -> Vec<usize> {
    let mut sizes = vec![0; k];
    for &cluster in labels {
        sizes[cluster] += 1;
    }
    sizes
}

/// Gives every empty cluster a point, as [`fill_empty_clusters`] does.
fn refill(labels: &mut [usize], k: usize, dist_sq: &[f64]) {
    let mut sizes = sizes(labels, k);
    if sizes.iter().all(|&size| size > 0) {
        return;
    }
    for (point, _, to) in fill_empty_clusters(|i| Some(labels[i]), &mut sizes, dist_sq) {
        labels[point] = to;
    }
}

/// Visits the scores of all points, some at a time and in parallel, and returns what `visit(points,
/// scores)` returned, in order; the scores stand cluster by cluster. Which points come together
/// depends on nothing but their number.
pub(super) fn in_blocks<G: Geometry, T: Send>(
    space: &G,
    means: &G::Means,
    visit: impl Fn(Range<usize>, &[f64]) -> T + Sync,
) -> Vec<T> {
    let (n, k) = (space.len(), space.masses(means).len());
    (0..n.div_ceil(BLOCK))
        .into_par_iter()
        .map_init(Vec::new, |scores, block| {
            let points = block * BLOCK..(block * BLOCK + BLOCK).min(n);
            scores.resize(k * points.len(), 0.0);
            space.scores(means, points.clone(), scores);
            visit(points, scores)
        })
        .collect()
}
