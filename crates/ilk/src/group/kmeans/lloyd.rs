//! Lloyd's algorithm from one start: assign points to the nearest centre, move centres to the means.

use ndarray::Array2;

use super::hamerly::{Bounds, Moves};
use super::params::{Distance, KMeans};
use super::{data::KMeansData, sums::ClusterSums};
use crate::group::{TraceStep, seeding::WeightedPoints};
use crate::numerics::{distances::dist_sq, rows_of};
use crate::{Result, observe::Progress};

/// The result of one run.
pub(super) struct LloydRun {
    /// One row per cluster. A cluster may have no points where there are fewer points than clusters, or
    /// where the limit of iterations ended the run.
    pub(super) centers: Array2<f64>,
    /// The nearest centre to every point.
    pub(super) labels: Vec<usize>,
    pub(super) objective: f64,
    pub(super) converged: bool,
    pub(super) trace: Vec<TraceStep>,
}

/// The total scatter, which all runs share: the sum of squared distances to the mean of all points.
pub(super) struct Scatter {
    mean: Vec<f64>,
    total: f64,
    mass: f64,
}

impl Scatter {
    pub(super) fn new(data: &KMeansData<'_>) -> Self {
        let mean = data.mean();
        Self { total: data.scatter_about(|_| &mean), mass: data.weights.iter().sum(), mean }
    }

    /// The mean variance of the coordinates.
    fn variance(&self) -> f64 {
        self.total / (self.mass * self.mean.len() as f64)
    }

    /// The objective for clusters with known means: Σ w |x - m_c|² = Σ w |x - m|² - Σ_c W_c |m_c - m|²,
    /// and for the cosine Σ w (1 - cos) = W - Σ_c |S_c| with S_c the sum of directions.
    fn objective(&self, sums: &ClusterSums, centers: &Array2<f64>, distance: Distance) -> f64 {
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

/// Runs from the centres `start`.
pub(super) fn descend(
    params: &KMeans,
    data: &KMeansData<'_>,
    scatter: &Scatter,
    start: Array2<f64>,
    progress: &Progress<'_>,
) -> Result<LloydRun> {
    let mut centers = start;
    let mut bounds = Bounds::new(data.len());
    let mut sums = ClusterSums::new(centers.nrows(), data.dims());
    let mut moves: Option<Moves> = None;
    let mut trace = Vec::new();
    let (mut converged, mut is_current) = (false, false);
    while trace.len() < params.max_iter && !converged {
        let mut changes = bounds.assign(data, centers.view(), moves.as_ref());
        bounds.reseed(data, centers.view(), sums.counts.clone(), &mut changes);
        if changes.is_empty() {
            (converged, is_current) = (true, true);
            break;
        }
        sums.update(data, &changes);
        let next = sums.centers(centers.view(), |c| match params.distance {
            Distance::Euclidean => sums.mass(c),
            Distance::Cosine => sums.norm(c),
        });
        let moved = Moves::between(centers.view(), next.view());
        centers = next;
        let objective = scatter.objective(&sums, &centers, params.distance);
        trace.push(TraceStep::new(changes.len(), moved.largest()).with_objective(objective));
        progress.step(trace.len())?;
        converged = moved.total_sq() <= params.tol * scatter.variance();
        moves = Some(moved);
    }
    if !is_current {
        bounds.assign(data, centers.view(), moves.as_ref());
    }
    let labels = bounds.labels.iter().map(|label| label.unwrap_or(0));
    let labels: Vec<usize> = labels.collect();
    let rows = rows_of(&centers);
    let center = |i: usize| &rows[labels[i] * data.dims()..][..data.dims()];
    let objective = data.scatter_about(center);
    let objective = match params.distance {
        Distance::Euclidean => objective,
        // Both are of length 1, and then |x - c|² = 2 - 2 cos.
        Distance::Cosine => 0.5 * objective,
    };
    correct_rounding(&mut trace, objective);
    Ok(LloydRun { centers, labels, objective, converged, trace })
}

/// Sets the last objective to that of the labels, summed point by point. The objectives before it are
/// differences of larger numbers; where rounding takes one below a later one, it is set to that.
fn correct_rounding(trace: &mut [TraceStep], objective: f64) {
    let mut later = objective;
    if let Some(last) = trace.last_mut() {
        last.objective = Some(objective);
    }
    for step in trace.iter_mut().rev() {
        later = step.objective.map_or(later, |objective| objective.max(later));
        step.objective = Some(later);
    }
}
