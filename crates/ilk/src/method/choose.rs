//! Settings of kernel learning chosen by held-out answers.
//!
//! A setting is good if a kernel learned from some of the answers makes groups that the other answers
//! agree with. So what was said is cut into folds of points ([`Folds`]), the kernel is learned and the
//! points are grouped without the answers about a fold, and those answers then judge the groups. How
//! well a setting keeps the answers it has seen says nothing: nearly all do.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array3, Axis};
use rayon::prelude::*;

use crate::evaluate::folds::{FOLDS, REPEATS, enough, smooth};
use crate::evaluate::{Folds, Tally};
use crate::group::Label;
use crate::numerics::distances::dist_sq;
use crate::observe::{Event, Observer, Silent};
use crate::outcome::Chosen;
use crate::problem::{Input, Points, Problem};
use crate::similarity::KernelName;
use crate::supervise::learning::{Base, Gamma, KernelLearning, Learned, Rank, Sigma, TargetRule};
use crate::supervise::logdet::LogDet;
use crate::supervise::targets::sigma_grid;

use super::sample::Sample;
use crate::{Error, Result};

/// Points on which settings are tried, at most, unless more are named in answers.
const TRIED_ON: usize = 500;

/// Answers by which settings are tried, about. A choice of settings gains little from more, and every
/// trial learns from them.
const ANSWERS: usize = 1000;

/// The relative duality gap at which a trial stops: groups do not see more digits.
const ROUGH: f64 = 1e-4;

/// How much of the kernel may be kept.
const RANKS: [Rank; 3] = [Rank::Exact, Rank::Trace(0.99), Rank::Trace(0.9)];

/// How strongly pairs may pull.
const GAMMAS: [f64; 3] = [1.0, 10.0, 100.0];

/// Settings with nothing left open, and what was chosen.
pub(super) struct Choice {
    pub(super) learning: KernelLearning,
    pub(super) chosen: Vec<Chosen>,
}

/// The settings that are tried: every width with every rank with every strength.
struct Grid {
    sigmas: Vec<Sigma>,
    ranks: Vec<Rank>,
    gammas: Vec<Gamma>,
}

/// The labels of a grouping, and the space in which it was made.
pub(super) type Judged = (Vec<Label>, Points);

/// Chooses what `learning` leaves open. `group` bends a kernel to what was said in the problem it is
/// given, and groups its points.
pub(super) fn choose(
    learning: &KernelLearning,
    problem: &Problem,
    group: impl Fn(&Base<'_>, &Problem) -> Result<Judged> + Sync,
    observer: &dyn Observer,
) -> Result<Choice> {
    let Some(grid) = Grid::of(learning, problem)? else {
        return Ok(Choice {
            learning: *learning,
            chosen: Vec::new(),
        });
    };
    let said = problem.constraints();
    if !enough(said) {
        return Ok(Choice {
            learning: *learning,
            chosen: grid.usual(),
        });
    }
    let tried_on = Sample::of_answers(problem, ANSWERS, TRIED_ON, learning.seed)?;
    let problem = tried_on.problem();
    let (folds, repeats) = match learning.gamma {
        Gamma::TwoFold => (2, 1),
        _ => (FOLDS, REPEATS),
    };
    let folds = Folds::new(problem.constraints(), folds, repeats, learning.seed)?;
    let settings = grid.settings(learning);
    let total = settings.len() * folds.splits().len();
    let done = AtomicUsize::new(0);
    let tallies = settings
        .par_iter()
        .map(|setting| {
            let trial = KernelLearning {
                solver: LogDet {
                    tol: setting.solver.tol.max(ROUGH),
                    ..setting.solver
                },
                ..*setting
            };
            let base_from = |said| trial.base(problem.input(), said, &Silent);
            // A width that is read off the answers must not be read off those that judge it.
            let is_blind =
                trial.kernel != KernelName::Gaussian || matches!(trial.sigma, Sigma::Fixed(_));
            let blind = is_blind
                .then(|| base_from(problem.constraints()))
                .transpose()?;
            let mut tally = Tally::default();
            for split in folds.splits() {
                let seeing;
                let base = if let Some(base) = &blind {
                    base
                } else {
                    seeing = base_from(&split.train)?;
                    &seeing
                };
                let trial = problem.with_constraints(split.train.clone())?;
                let (labels, space) = group(base, &trial)?;
                tally += Tally::of(&labels, &split.test);
                tally += Tally::comparing(|i, j| dist_sq(space.row(i), space.row(j)), &split.test);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let event = Event::new("choosing by held-out answers", 1, done, total);
                if observer.event(&event).is_break() {
                    return Err(Error::Cancelled { iterations: 1 });
                }
            }
            Ok(tally.score())
        })
        .collect::<Result<Vec<f64>>>()?;
    Ok(grid.best(learning, &settings, tallies))
}

impl Grid {
    /// What is left open on these points; none where nothing is.
    fn of(learning: &KernelLearning, problem: &Problem) -> Result<Option<Self>> {
        let points = match (learning.kernel, problem.input()) {
            (KernelName::Gaussian, Input::Points(points)) => Some(points),
            _ => None,
        };
        let sigmas = match (learning.sigma, points) {
            (Sigma::Auto, Some(points)) => {
                let grid = sigma_grid(points, learning.seed)?;
                // Every other of twelve quantiles: the kernel changes little between neighbours.
                grid.into_iter().step_by(2).map(Sigma::Fixed).collect()
            }
            (sigma, _) => vec![sigma],
        };
        // A kernel with a negative part is cut in any case, and a linear one is of low rank.
        let ranks = match (learning.rank, learning.kernel) {
            (Rank::Auto, KernelName::SelfTuning) => RANKS[1..].to_vec(),
            (Rank::Auto, KernelName::Gaussian | KernelName::Precomputed) => RANKS.to_vec(),
            (Rank::Auto, KernelName::Linear) => vec![Rank::Exact],
            (rank, _) => vec![rank],
        };
        let gammas = match learning.gamma {
            Gamma::Auto | Gamma::TwoFold => GAMMAS.map(Gamma::Fixed).to_vec(),
            Gamma::Fixed(_) => vec![learning.gamma],
        };
        let grid = Self {
            sigmas,
            ranks,
            gammas,
        };
        let is_open = grid.sigmas.len() * grid.ranks.len() * grid.gammas.len() > 1;
        Ok(is_open.then_some(grid))
    }

    /// All settings, strengths varying fastest.
    fn settings(&self, learning: &KernelLearning) -> Vec<KernelLearning> {
        let mut all = Vec::new();
        for &sigma in &self.sigmas {
            for &rank in &self.ranks {
                for &gamma in &self.gammas {
                    all.push(KernelLearning {
                        sigma,
                        gamma,
                        rank,
                        ..*learning
                    });
                }
            }
        }
        all
    }

    /// The setting with the best score, smoothed over neighbouring widths and strengths; of equal
    /// ones the first.
    fn best(
        &self,
        learning: &KernelLearning,
        settings: &[KernelLearning],
        scores: Vec<f64>,
    ) -> Choice {
        let shape = (self.sigmas.len(), self.ranks.len(), self.gammas.len());
        let smoothed = match Array3::from_shape_vec(shape, scores) {
            Ok(scores) => smooth(&smooth(&scores, Axis(0)), Axis(2))
                .into_iter()
                .collect(),
            Err(_) => Vec::new(),
        };
        let better = |best: usize, at: usize| {
            if smoothed[at] > smoothed[best] {
                at
            } else {
                best
            }
        };
        let best = (0..smoothed.len()).reduce(better);
        // A width that was left open may have been the only one there is.
        let is_width_open = learning.sigma == Sigma::Auto && self.sigmas != [Sigma::Auto];
        let learning = best.map_or(*learning, |at| settings[at]);
        let by = "held-out answers";
        let open = [
            (is_width_open, Chosen::new("sigma", learning.sigma, by)),
            (self.ranks.len() > 1, Chosen::new("rank", learning.rank, by)),
            (
                self.gammas.len() > 1,
                Chosen::new("gamma", learning.gamma, by),
            ),
        ];
        Choice {
            learning,
            chosen: open
                .into_iter()
                .filter(|(is_open, _)| *is_open)
                .map(|(_, c)| c)
                .collect(),
        }
    }

    /// What stands where there are too few answers to choose by.
    fn usual(&self) -> Vec<Chosen> {
        let by = "default, since there are too few answers to hold some out";
        let mut chosen = Vec::new();
        if self.ranks.len() > 1 {
            chosen.push(Chosen::new("rank", "exact", by));
        }
        if self.gammas.len() > 1 {
            chosen.push(Chosen::new("gamma", Gamma::USUAL, by));
        }
        chosen
    }
}

/// What learning itself found: the width where it was left to the divergence, the targets, and how
/// many dimensions the kernel was cut to.
pub(super) fn found(learned: &Learned, learning: &KernelLearning) -> Vec<Chosen> {
    let mut found = Vec::new();
    if let (Some(sigma), Sigma::Auto | Sigma::Divergence) = (learned.sigma, learning.sigma) {
        found.push(Chosen::new("sigma", sigma, "the least divergence"));
    }
    if learning.targets == TargetRule::Auto {
        let targets = TargetRule::Fixed(learned.targets);
        found.push(Chosen::new(
            "targets",
            targets,
            "the distances in kernel space",
        ));
    }
    if let (Some(dims), false) = (
        learned.kernel.rank(),
        matches!(learning.rank, Rank::Dimensions(_)),
    ) {
        found.push(Chosen::new("dimensions", dims, "rank"));
    }
    found
}
