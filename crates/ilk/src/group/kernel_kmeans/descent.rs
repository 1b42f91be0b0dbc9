//! One descent: from a start, batch steps and moves of single points until neither helps.

use std::ops::Range;

use rayon::prelude::*;

use super::space::{Geometry, members};
use crate::Result;
use crate::group::watch::Watch;
use crate::group::{Label, TraceStep};

/// Points that are looked at together.
const BLOCK: usize = 1024;

/// A move has to gain more than this share of what it is a difference of, or it is rounding.
const GAIN: f64 = 1e-12;

/// How long a descent goes on, and by which steps.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) max_iter: usize,
    pub(super) local_search: bool,
    pub(super) chain: usize,
}

/// Where a descent ended.
pub(super) struct Descent {
    pub(super) labels: Vec<usize>,
    pub(super) objective: f64,
    pub(super) converged: bool,
    pub(super) trace: Vec<TraceStep>,
}

/// Descends from a partition of some of the points into k clusters. The others go to the nearest
/// means of those first; there are at least as many points as clusters.
pub(super) fn descend(
    space: &impl Geometry,
    start: &[Label],
    k: usize,
    rule: Rule,
    watch: &Watch<'_>,
) -> Result<Descent> {
    let means = space.means(&members(start.iter().copied(), k));
    let seen = nearest(space, &means);
    let mut labels: Vec<usize> = start
        .iter()
        .zip(&seen.cluster)
        .map(|(given, &nearest)| given.unwrap_or(nearest))
        .collect();
    reseed(&mut labels, k, &seen.dist_sq);
    let means = space.means(&members(labels.iter().map(|&c| Some(c)), k));
    let mut state = State::new(space, labels, means);
    let mut trace = vec![step(space.len(), state.objective)];
    watch.step(1)?;
    let mut converged = false;
    while trace.len() < rule.max_iter {
        let mut next = state.batch(space, k);
        if next.is_none() && rule.local_search {
            next = state.moves(space);
        }
        if next.is_none() && rule.local_search {
            next = state.chain(space, rule.chain);
        }
        let Some((changed, next)) = next else {
            converged = true;
            break;
        };
        state = next;
        trace.push(step(changed, state.objective));
        watch.step(trace.len())?;
    }
    Ok(Descent {
        labels: state.labels,
        objective: state.objective,
        converged,
        trace,
    })
}

fn step(changed: usize, objective: f64) -> TraceStep {
    TraceStep {
        active: changed,
        movement: 0.0,
        bandwidth: None,
        objective: Some(objective),
    }
}

/// A partition with its means, and where a batch step would lead.
pub(super) struct State<G: Geometry> {
    labels: Vec<usize>,
    means: G::Means,
    /// Σ w_i |φ_i - m_c|².
    pub(super) objective: f64,
    nearest: Nearest,
}

impl<G: Geometry> State<G> {
    pub(super) fn new(space: &G, labels: Vec<usize>, means: G::Means) -> Self {
        let blocks = in_blocks(space, &means, |points, scores| {
            let width = points.len();
            let objective = points.clone().fold(0.0, |sum, i| {
                let own = scores[labels[i] * width + i - points.start];
                sum + space.weight(i) * (space.offset(i) + own)
            });
            (objective, Nearest::of_block(space, points, scores))
        });
        let (objectives, nearest): (Vec<f64>, Vec<Nearest>) = blocks.into_iter().unzip();
        Self {
            labels,
            means,
            objective: objectives.iter().sum(),
            nearest: Nearest::joined(&nearest),
        }
    }

    /// All points go to the nearest mean, and the means follow; none if that does not help. Also
    /// says how many points changed their cluster.
    fn batch(&self, space: &G, k: usize) -> Option<(usize, Self)> {
        let mut labels = self.nearest.cluster.clone();
        reseed(&mut labels, k, &self.nearest.dist_sq);
        let changed = count_changes(&self.labels, &labels);
        if changed == 0 {
            return None;
        }
        let means = space.updated(&self.means, &self.labels, &labels);
        self.improved_by(Self::new(space, labels, means))
            .map(|next| (changed, next))
    }

    /// Single points move to where that helps most, each after those before it; none if nothing
    /// helps. Also says how many moved.
    fn moves(&self, space: &G) -> Option<(usize, Self)> {
        let mut sizes = sizes(&self.labels, space.masses(&self.means).len());
        // Who would move if nobody else did; most points would not.
        let willing: Vec<usize> = in_blocks(space, &self.means, |points, scores| {
            let masses = space.masses(&self.means);
            let width = points.len();
            points
                .clone()
                .filter(|&i| sizes[self.labels[i]] > 1)
                .filter(|&i| {
                    let score = |c: usize| scores[c * width + i - points.start];
                    best_move(space, i, self.labels[i], masses, score).is_some()
                })
                .collect::<Vec<_>>()
        })
        .concat();

        let (mut labels, mut means) = (self.labels.clone(), self.means.clone());
        let mut scores = vec![0.0; sizes.len()];
        let mut moved = 0;
        for i in willing {
            let from = labels[i];
            if sizes[from] < 2 {
                continue;
            }
            space.scores(&means, i..i + 1, &mut scores);
            if let Some(to) = best_move(space, i, from, space.masses(&means), |c| scores[c]) {
                space.shift(&mut means, i, from, to);
                labels[i] = to;
                sizes[from] -= 1;
                sizes[to] += 1;
                moved += 1;
            }
        }
        if moved == 0 {
            return None;
        }
        self.improved_by(Self::new(space, labels, means))
            .map(|next| (moved, next))
    }

    /// The best moves one after the other, no point twice, whether they help or not, and of them as
    /// many as help most together; none if nothing helps. Also says how many moved.
    fn chain(&self, space: &G, length: usize) -> Option<(usize, Self)> {
        let mut sizes = sizes(&self.labels, space.masses(&self.means).len());
        let (mut labels, mut means) = (self.labels.clone(), self.means.clone());
        let mut is_done = vec![false; labels.len()];
        let mut moved = Vec::new();
        let (mut gain, mut best) = (0.0, (0.0, 0));
        while moved.len() < length {
            let candidates = in_blocks(space, &means, |points, scores| {
                let masses = space.masses(&means);
                let width = points.len();
                let free = points
                    .clone()
                    .filter(|&i| !is_done[i] && sizes[labels[i]] > 1);
                free.filter_map(|i| {
                    let score = |c: usize| scores[c * width + i - points.start];
                    let found = gain_of_best_move(space, i, labels[i], masses, score)?;
                    Some((space.weight(i) * found.gain, i, found.to))
                })
                .reduce(|best, next| if next.0 > best.0 { next } else { best })
            });
            let largest = candidates
                .into_iter()
                .flatten()
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((more, i, to)) = largest else {
                break;
            };
            let from = labels[i];
            space.shift(&mut means, i, from, to);
            labels[i] = to;
            sizes[from] -= 1;
            sizes[to] += 1;
            is_done[i] = true;
            moved.push((i, from));
            gain += more;
            if gain > best.0 {
                best = (gain, moved.len());
            }
        }
        let (gain, kept) = best;
        if gain <= GAIN * self.objective.abs() {
            return None;
        }
        for &(i, from) in moved[kept..].iter().rev() {
            labels[i] = from;
        }
        let means = space.means(&members(
            labels.iter().map(|&c| Some(c)),
            space.masses(&self.means).len(),
        ));
        self.improved_by(Self::new(space, labels, means))
            .map(|next| (kept, next))
    }

    /// The next state if its objective is lower. What raises it is rounding, or the batch step of a
    /// kernel that is not positive semi-definite.
    fn improved_by(&self, next: Self) -> Option<Self> {
        (next.objective < self.objective).then_some(next)
    }
}

/// The mean nearest to every point; the first of equally near ones.
pub(super) struct Nearest {
    pub(super) cluster: Vec<usize>,
    dist_sq: Vec<f64>,
}

/// The mean nearest to every point.
pub(super) fn nearest<G: Geometry>(space: &G, means: &G::Means) -> Nearest {
    Nearest::joined(&in_blocks(space, means, |points, scores| {
        Nearest::of_block(space, points, scores)
    }))
}

impl Nearest {
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

/// A move of a point by itself.
struct Move {
    to: usize,
    /// How much it lowers the objective, over the point's weight.
    gain: f64,
    /// What the gain is a difference of.
    size: f64,
}

/// The cluster to which a point should move by itself, if any.
fn best_move(
    space: &impl Geometry,
    i: usize,
    from: usize,
    masses: &[f64],
    score: impl Fn(usize) -> f64,
) -> Option<usize> {
    let best = gain_of_best_move(space, i, from, masses, score)?;
    (best.gain > GAIN * best.size).then_some(best.to)
}

/// The best move of a point by itself, be it a bad one: it changes the objective, over the point's
/// weight, by W_b / (W_b + w) d²(i, b) - W_a / (W_a - w) d²(i, a).
fn gain_of_best_move(
    space: &impl Geometry,
    i: usize,
    from: usize,
    masses: &[f64],
    score: impl Fn(usize) -> f64,
) -> Option<Move> {
    let (weight, offset) = (space.weight(i), space.offset(i));
    let rest = masses[from] - weight;
    if rest <= 0.0 {
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
    (to != from).then(|| Move {
        to,
        gain: removal - insertion,
        size: removal.abs() + insertion.abs(),
    })
}

fn sizes(labels: &[usize], k: usize) -> Vec<usize> {
    let mut sizes = vec![0; k];
    for &cluster in labels {
        sizes[cluster] += 1;
    }
    sizes
}

/// Gives every empty cluster the point farthest from its mean, of clusters with more than one. The
/// means are those by which the points were placed, so that the objective falls.
fn reseed(labels: &mut [usize], k: usize, dist_sq: &[f64]) {
    let mut sizes = sizes(labels, k);
    if sizes.iter().all(|&size| size > 0) {
        return;
    }
    let mut farthest: Vec<usize> = (0..labels.len()).collect();
    farthest.sort_by(|&i, &j| dist_sq[j].total_cmp(&dist_sq[i]));
    let mut farthest = farthest.into_iter();
    for cluster in 0..k {
        if sizes[cluster] > 0 {
            continue;
        }
        if let Some(i) = farthest.find(|&i| sizes[labels[i]] > 1) {
            sizes[labels[i]] -= 1;
            sizes[cluster] = 1;
            labels[i] = cluster;
        }
    }
}

fn count_changes(before: &[usize], after: &[usize]) -> usize {
    before.iter().zip(after).filter(|(a, b)| a != b).count()
}

/// Visits the scores of all points, some at a time and in parallel, and returns what `visit(points,
/// scores)` returned, in order; the scores stand cluster by cluster. Which points come together
/// depends on nothing but their number.
fn in_blocks<G: Geometry, T: Send>(
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
