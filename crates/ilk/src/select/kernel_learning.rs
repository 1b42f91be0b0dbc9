//! Settings of kernel learning by held-out constraints.
//!
//! A setting is good if groups found with a kernel learned from some of the constraints agree with the other
//! constraints ([`folds`](super::folds)).

use ndarray::{Array4, Axis};

use super::ConstraintAgreement;
use super::folds::{FOLDS, REPEATS, has_enough_constraints, smooth};
use super::held_out::{HeldOut, TOO_FEW_ANSWERS, first_best};
use crate::Result;
use crate::group::Label;
use crate::numerics::distances::dist_sq;
use crate::observe::{Observer, Unreported};
use crate::outcome::Chosen;
use crate::problem::{Constraints, Input, Points, Problem};
use crate::similarity::KernelName;
use crate::supervise::kernel_learning::{
    BaseKernel, Gamma, KernelLearning, LearnedKernelFit, Rank, Sigma, TargetRule,
};
use crate::supervise::logdet::LogDet;
use crate::supervise::targets::sigma_grid;

/// The relative duality gap at which a trial stops: more digits do not change the groups.
const TRIAL_TOLERANCE: f64 = 1e-4;

/// The ranks that are tried.
const RANKS: [Rank; 3] = [Rank::Exact, Rank::Trace(0.99), Rank::Trace(0.9)];

/// The weights of slack that are tried.
const GAMMAS: [f64; 3] = [1.0, 10.0, 100.0];

/// Settings without open values, and the values that were chosen.
pub(crate) struct SelectedSettings {
    pub(crate) learning: KernelLearning,
    pub(crate) chosen: Vec<Chosen>,
    /// Which of the groupings was chosen; the first where there are too few constraints to tell.
    pub(crate) grouping: usize,
}

/// The settings that are tried: all combinations of these values.
struct Grid {
    n_groupings: usize,
    sigmas: Vec<Sigma>,
    ranks: Vec<Rank>,
    gammas: Vec<Gamma>,
}

/// The labels of a grouping, and the space in which it was made.
pub(crate) type LabelsInSpace = (Vec<Label>, Points);

/// The same setting, solved as precisely as a trial needs.
pub(super) fn for_trial(setting: &KernelLearning) -> KernelLearning {
    let solver = LogDet { tol: setting.solver.tol.max(TRIAL_TOLERANCE), ..setting.solver };
    KernelLearning { solver, ..*setting }
}

/// The widths that are tried: every other of twelve quantiles, since the kernel changes little between neighbours.
pub(super) fn trial_widths(points: &Points, seed: u64) -> Result<Vec<f64>> {
    Ok(sigma_grid(points, seed)?.into_iter().step_by(2).collect())
}

/// Selects the values that `learning` leaves open, and one of the groupings. A grouping learns a kernel from the
/// constraints of the problem it is given, and groups its points.
pub(crate) fn select_settings<G>(
    learning: &KernelLearning,
    problem: &Problem,
    groupings: &[G],
    observer: &dyn Observer,
) -> Result<SelectedSettings>
where
    G: Fn(&BaseKernel<'_>, &Problem) -> Result<LabelsInSpace> + Sync,
{
    let Some(grid) = Grid::of(learning, groupings.len(), problem)? else {
        return Ok(SelectedSettings { learning: *learning, chosen: Vec::new(), grouping: 0 });
    };
    if !has_enough_constraints(problem.constraints()) {
        let chosen = grid.defaults();
        return Ok(SelectedSettings { learning: *learning, chosen, grouping: 0 });
    }
    let (folds, repeats) = match learning.gamma {
        Gamma::TwoFold => (2, 1),
        _ => (FOLDS, REPEATS),
    };
    let held_out = HeldOut::new(problem, folds, repeats, learning.seed)?;
    let settings = grid.settings(learning);
    let sampled = held_out.problem();
    let base_from = |setting: &KernelLearning, constraints: &Constraints| {
        for_trial(setting).base(sampled.input(), constraints, &Unreported(observer))
    };
    let scores = held_out.scores(
        &settings,
        |(_, setting)| {
            // A width that depends on the constraints must not depend on those that judge it.
            let is_shared =
                setting.kernel != KernelName::Gaussian || matches!(setting.sigma, Sigma::Fixed(_));
            is_shared.then(|| base_from(setting, sampled.constraints())).transpose()
        },
        |(grouping, setting), shared, train, test| {
            let of_fold;
            let base = if let Some(base) = shared {
                base
            } else {
                of_fold = base_from(setting, train.constraints())?;
                &of_fold
            };
            let (labels, space) = groupings[*grouping](base, train)?;
            let mut agreement = ConstraintAgreement::of(&labels, test);
            let between = |i: usize, j: usize| dist_sq(space.row(i), space.row(j));
            agreement += ConstraintAgreement::of_distances(between, test);
            Ok(agreement)
        },
        observer,
    )?;
    Ok(grid.best(learning, &settings, &scores))
}

impl Grid {
    /// The open values; none where there are none.
    fn of(
        learning: &KernelLearning,
        n_groupings: usize,
        problem: &Problem,
    ) -> Result<Option<Self>> {
        let points = match (learning.kernel, problem.input()) {
            (KernelName::Gaussian, Input::Points(points)) => Some(points),
            _ => None,
        };
        let sigmas = match (learning.sigma, points) {
            (Sigma::Auto, Some(points)) => {
                let widths = trial_widths(points, learning.seed)?;
                widths.into_iter().map(Sigma::Fixed).collect()
            }
            (sigma, _) => vec![sigma],
        };
        // A kernel with negative eigenvalues is truncated in any case, and a linear one is of low rank.
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
        let grid = Self { n_groupings, sigmas, ranks, gammas };
        Ok((grid.shape().iter().product::<usize>() > 1).then_some(grid))
    }

    /// How many groupings, widths, ranks and gammas there are.
    fn shape(&self) -> [usize; 4] {
        [self.n_groupings, self.sigmas.len(), self.ranks.len(), self.gammas.len()]
    }

    /// All settings, each with a grouping, gammas varying fastest.
    fn settings(&self, learning: &KernelLearning) -> Vec<(usize, KernelLearning)> {
        let mut all = Vec::new();
        for grouping in 0..self.n_groupings {
            for &sigma in &self.sigmas {
                for &rank in &self.ranks {
                    for &gamma in &self.gammas {
                        all.push((grouping, KernelLearning { sigma, gamma, rank, ..*learning }));
                    }
                }
            }
        }
        all
    }

    /// The setting with the best score, smoothed over neighbouring widths and gammas; of equal ones the
    /// first.
    fn best(
        &self,
        learning: &KernelLearning,
        settings: &[(usize, KernelLearning)],
        scores: &[f64],
    ) -> SelectedSettings {
        let scores = Array4::from_shape_vec(self.shape(), scores.to_vec());
        let scores = scores.expect("one score a setting");
        let best = first_best(smooth(&smooth(&scores, Axis(1)), Axis(3)));
        // A width that was left open may have been the only one there is.
        let is_width_open = learning.sigma == Sigma::Auto && self.sigmas != [Sigma::Auto];
        let (grouping, learning) = settings[best];
        let by = "held-out answers";
        let open = [
            (is_width_open, Chosen::new("sigma", learning.sigma, by)),
            (self.ranks.len() > 1, Chosen::new("rank", learning.rank, by)),
            (self.gammas.len() > 1, Chosen::new("gamma", learning.gamma, by)),
        ];
        SelectedSettings {
            learning,
            chosen: open.into_iter().filter(|(is_open, _)| *is_open).map(|(_, c)| c).collect(),
            grouping,
        }
    }

    /// The values where there are too few constraints to select by.
    fn defaults(&self) -> Vec<Chosen> {
        let by = TOO_FEW_ANSWERS;
        let mut chosen = Vec::new();
        if self.ranks.len() > 1 {
            chosen.push(Chosen::new("rank", "exact", by));
        }
        if self.gammas.len() > 1 {
            chosen.push(Chosen::new("gamma", Gamma::DEFAULT, by));
        }
        chosen
    }
}

/// The values that learning itself computed: the width of least divergence, the targets, and the number of
/// dimensions of the truncated kernel.
pub(crate) fn resolved_settings(
    learned: &LearnedKernelFit,
    learning: &KernelLearning,
) -> Vec<Chosen> {
    let mut resolved = Vec::new();
    if let (Some(sigma), Sigma::Auto | Sigma::Divergence) = (learned.sigma, learning.sigma) {
        resolved.push(Chosen::new("sigma", sigma, "the least divergence"));
    }
    if learning.targets == TargetRule::Auto {
        let targets = TargetRule::Fixed(learned.targets);
        resolved.push(Chosen::new("targets", targets, "the distances in kernel space"));
    }
    if let (Some(dims), false) =
        (learned.kernel.rank(), matches!(learning.rank, Rank::Dimensions(_)))
    {
        resolved.push(Chosen::new("dimensions", dims, "rank"));
    }
    resolved
}
