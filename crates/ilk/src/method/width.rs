//! The width of a Gaussian affinity chosen by held-out answers.

use ndarray::{Array1, Axis};
use rayon::prelude::*;

use super::sample::Sample;
use crate::Result;
use crate::evaluate::folds::{FOLDS, REPEATS, enough, smooth};
use crate::evaluate::{Folds, Tally};
use crate::group::Label;
use crate::outcome::Chosen;
use crate::problem::{Points, Problem};
use crate::supervise::targets::sigma_grid;

/// Points on which widths are tried, at most, unless more are named in answers.
const TRIED_ON: usize = 500;

/// Answers by which widths are tried, about.
const ANSWERS: usize = 1000;

/// Where nothing else is known, the width is this share of the median distance: affinities have to
/// fall off within a group for its shape to be seen.
const SHARE: f64 = 1.0 / 3.0;

/// The width of the affinity between points, and how it was chosen.
///
/// Where there are enough answers, widths from a grid of distances are tried: `group(width, problem)`
/// groups the points without the answers about some of them, and those answers judge (as for
/// kernels that are learned). Otherwise it is a third of the median distance.
pub(super) fn choose_width(
    points: &Points,
    problem: &Problem,
    seed: u64,
    group: impl Fn(f64, &Problem) -> Result<Vec<Label>> + Sync,
) -> Result<(f64, Chosen)> {
    let grid = sigma_grid(points, seed)?;
    if !enough(problem.constraints()) {
        let sigma = SHARE * grid[grid.len() / 2];
        return Ok((sigma, Chosen::new("sigma", sigma, "the median distance")));
    }
    // Every other of twelve quantiles: affinities change little between neighbours.
    let mut grid: Vec<f64> = grid.into_iter().step_by(2).collect();
    grid.insert(0, SHARE * grid[0]);
    let tried_on = Sample::of_answers(problem, ANSWERS, TRIED_ON, seed)?;
    let problem = tried_on.problem();
    let folds = Folds::new(problem.constraints(), FOLDS, REPEATS, seed)?;
    let scores = grid
        .par_iter()
        .map(|&sigma| {
            let mut tally = Tally::default();
            for split in folds.splits() {
                let trial = problem.with_constraints(split.train.clone())?;
                tally += Tally::of(&group(sigma, &trial)?, &split.test);
            }
            Ok(tally.score())
        })
        .collect::<Result<Vec<f64>>>()?;
    let scores = smooth(&Array1::from_vec(scores), Axis(0));
    let better = |best: usize, at: usize| if scores[at] > scores[best] { at } else { best };
    let sigma = grid[(1..grid.len()).fold(0, better)];
    Ok((sigma, Chosen::new("sigma", sigma, "held-out answers")))
}
