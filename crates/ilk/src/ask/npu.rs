//! The normalised uncertainty of a point's neighbourhood.

use super::replay::{Course, Neighborhoods, Replay, asks_by_course};
use crate::numerics::rng::rng_stream;

/// The point whose neighbourhood is least certain for the number of questions that it takes to find it (NPU; Xiong, Azimi
/// and Fern, *Active learning of constraints for semi-supervised clustering*, 2014).
///
/// With p_i(x) the probability that x is in neighbourhood i, by its mean similarity to the points there, the point that
/// is asked about has the largest
///
/// ```text
/// H(x) / q(x),   H(x) = -Σ_i p_i ln p_i,   q(x) = Σ_r r p_(r)
/// ```
///
/// where p_(r) are the probabilities in falling order: the neighbourhoods are asked in that order until one is
/// the point's, so that q is the expected number of questions. A point of no neighbourhood founds one.
/// The paper's similarity is that of a random forest that predicts the current clusters; here it is the covariance
/// of the Gaussian field on the graph of neighbours.
#[derive(Debug, Clone, Copy, Default)]
pub struct Npu;

asks_by_course!(Npu, |replay| Ok(course(replay)));

fn course(replay: &mut Replay<'_>) -> Course {
    let space = replay.space;
    let first = rng_stream(replay.seed, 2).below(space.len());
    let mut neighborhoods = Neighborhoods { units: vec![vec![first]] };
    // The similarity of every unit to every neighbourhood, summed over its units.
    let mut sums = vec![space.covariance.row(first).to_vec()];
    let mut open: Vec<usize> = (0..space.len()).filter(|&unit| unit != first).collect();
    while !open.is_empty() {
        let chance = |unit: usize| -> Vec<f64> {
            let mean =
                |at: usize| (sums[at][unit] / neighborhoods.units[at].len() as f64).max(1e-9);
            let mut chance: Vec<f64> = (0..sums.len()).map(mean).collect();
            let total: f64 = chance.iter().sum();
            for p in &mut chance {
                *p /= total;
            }
            chance
        };
        let value = |unit: usize| {
            let mut chance = chance(unit);
            chance.sort_by(|a, b| b.total_cmp(a));
            let entropy: f64 = chance.iter().map(|p| -p * p.ln()).sum();
            let questions: f64 =
                chance.iter().enumerate().map(|(rank, p)| (rank + 1) as f64 * p).sum();
            entropy / questions
        };
        // With one neighbourhood all are equally certain, and the least similar point is asked about.
        let value = |unit: usize| if sums.len() == 1 { -sums[0][unit] } else { value(unit) };
        let mut best = (0, f64::NEG_INFINITY);
        for (at, &unit) in open.iter().enumerate() {
            let value = value(unit);
            if value > best.1 {
                best = (at, value);
            }
        }
        let unit = open[best.0];
        let chance = chance(unit);
        let mut order: Vec<usize> = (0..chance.len()).collect();
        order.sort_by(|&a, &b| chance[b].total_cmp(&chance[a]).then(a.cmp(&b)));
        open.remove(best.0);
        neighborhoods.place(replay, unit, &order)?;
        sums.resize_with(neighborhoods.units.len(), || vec![0.0; space.len()]);
        let home = neighborhoods.units.iter().position(|units| units.last() == Some(&unit));
        if let Some(home) = home {
            for (sum, similarity) in sums[home].iter_mut().zip(space.covariance.row(unit)) {
                *sum += similarity;
            }
        }
    }
    Course::Continue(())
}
