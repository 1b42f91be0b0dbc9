//! One descent: from centres to better ones, until nothing changes.

use ndarray::Array2;

use super::bounds::{Bounds, Moves};
use super::cloud::Cloud;
use super::params::{Distance, KMeans};
use super::sums::Sums;
use crate::Result;
use crate::group::TraceStep;
use crate::group::seeds::Spread;
use crate::group::watch::Watch;
use crate::numerics::distances::dist_sq;

/// Where a descent ended.
pub(super) struct Descent {
    /// One row a cluster; some may have no points, where there are fewer points than clusters or the
    /// limit of steps was reached.
    pub(super) centers: Array2<f64>,
    /// The nearest centre to every point.
    pub(super) labels: Vec<usize>,
    pub(super) objective: f64,
    pub(super) converged: bool,
    pub(super) trace: Vec<TraceStep>,
}

/// What all descents share: the sum of squared distances to the mean of all points.
pub(super) struct Scatter {
    mean: Vec<f64>,
    total: f64,
    mass: f64,
}

impl Scatter {
    pub(super) fn new(cloud: &Cloud<'_>) -> Self {
        let mean = cloud.mean();
        Self {
            total: cloud.sum(|i| dist_sq(cloud.row(i), &mean)),
            mass: cloud.weights.iter().sum(),
            mean,
        }
    }

    /// The mean variance of the coordinates.
    fn variance(&self) -> f64 {
        self.total / (self.mass * self.mean.len() as f64)
    }

    /// What is minimised, of points whose means are known: Σ w |x - m_c|² = Σ w |x - m|² - Σ_c W_c
    /// |m_c - m|², and Σ w (1 - cos) = W - Σ_c |S_c| with S_c the sum of directions.
    fn left(&self, sums: &Sums, centers: &Array2<f64>, distance: Distance) -> f64 {
        let clusters = (0..centers.nrows()).filter(|&c| sums.counts[c] > 0);
        let explained: f64 = clusters
            .map(|c| match distance {
                Distance::Cosine => sums.norm(c),
                Distance::Euclidean => sums.mass(c) * dist_sq(&centers.row(c).to_vec(), &self.mean),
            })
            .sum();
        match distance {
            Distance::Cosine => self.mass - explained,
            Distance::Euclidean => self.total - explained,
        }
    }
}

/// Descends from some centres.
pub(super) fn descend(
    params: &KMeans,
    cloud: &Cloud<'_>,
    scatter: &Scatter,
    start: Array2<f64>,
    watch: &Watch<'_>,
) -> Result<Descent> {
    let mut centers = start;
    let mut bounds = Bounds::new(cloud.len());
    let mut sums = Sums::new(centers.nrows(), cloud.dims());
    let mut moves: Option<Moves> = None;
    let mut trace = Vec::new();
    let (mut converged, mut is_current) = (false, false);
    while trace.len() < params.max_iter && !converged {
        let mut changes = bounds.assign(cloud, centers.view(), moves.as_ref());
        bounds.reseed(cloud, centers.view(), sums.counts.clone(), &mut changes);
        if changes.is_empty() {
            (converged, is_current) = (true, true);
            break;
        }
        sums.follow(cloud, &changes);
        let next = sums.centers(centers.view(), |c| match params.distance {
            Distance::Euclidean => sums.mass(c),
            Distance::Cosine => sums.norm(c),
        });
        let moved = Moves::between(centers.view(), next.view());
        centers = next;
        trace.push(TraceStep {
            active: changes.len(),
            movement: moved.largest(),
            bandwidth: None,
            objective: Some(scatter.left(&sums, &centers, params.distance)),
        });
        watch.step(trace.len())?;
        converged = moved.total_sq() <= params.tol * scatter.variance();
        moves = Some(moved);
    }
    if !is_current {
        bounds.assign(cloud, centers.view(), moves.as_ref());
    }
    let labels: Vec<usize> = bounds
        .labels
        .iter()
        .map(|label| label.unwrap_or(0))
        .collect();
    let objective = cloud.sum(|i| {
        let center = centers.row(labels[i]);
        center
            .to_slice()
            .map_or(0.0, |center| dist_sq(cloud.row(i), center))
    });
    let objective = match params.distance {
        Distance::Euclidean => objective,
        // Both are of length 1, and then |x - c|² = 2 - 2 cos.
        Distance::Cosine => 0.5 * objective,
    };
    settle(&mut trace, objective);
    Ok(Descent {
        centers,
        labels,
        objective,
        converged,
        trace,
    })
}

/// The last objective is that of the labels, summed point by point. Those before are differences of
/// larger numbers: where rounding takes one below what came later, it is that.
fn settle(trace: &mut [TraceStep], objective: f64) {
    let mut later = objective;
    if let Some(last) = trace.last_mut() {
        last.objective = Some(objective);
    }
    for step in trace.iter_mut().rev() {
        later = step
            .objective
            .map_or(later, |objective| objective.max(later));
        step.objective = Some(later);
    }
}
