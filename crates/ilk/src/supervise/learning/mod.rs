//! Kernel learning as a whole: from an input and what was said of it to a [`LearnedKernel`].

mod params;

pub(crate) use params::{GAMMA_FORMS, RANK_FORMS, SIGMA_FORMS, TARGET_FORMS};
pub use params::{Gamma, Rank, Sigma, TargetRule};

use ndarray::{Array2, Axis, s};

use super::labels::with_labels_as_pairs;
use super::learned::{Embedding, LearnedKernel};
use super::logdet::{LogDet, Solution, Start, Targets, Terms};
use super::targets::{best_sigma, sigma_grid, targets};
use crate::numerics::cells::Cells;
use crate::numerics::linalg::product;
use crate::observe::Observer;
use crate::problem::{Constraints, Input, InputKind, Points};
use crate::similarity::{
    Bandwidth, FeatureMap, Gram, Kernel, KernelName, KernelValues, LowRank, Truncation,
    eigen_truncation, pivoted_cholesky,
};
use crate::{Error, Result};

/// How a kernel is learned: which kernel, how much of it, and how strongly it is bent.
///
/// 1. Labels become pairs.
/// 2. The width σ of a Gaussian kernel is chosen (equation 35 of the SKMS paper), unless it is given.
/// 3. The kernel is kept whole or cut to its largest part.
/// 4. Must-links are pulled below one squared distance and cannot-links pushed above another; rows
///    of comparisons hold up to slack ([`LogDet`]).
///
/// What is still `auto` here stands for its usual value; choosing by held-out answers is up to the
/// methods, because it takes a grouping to judge by.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KernelLearning {
    /// The kernel that is bent.
    pub kernel: KernelName,
    /// The width of the Gaussian kernel.
    pub sigma: Sigma,
    /// The neighbour whose distance is a point's width in the self-tuning kernel.
    pub neighbors: usize,
    /// How strongly pairs pull.
    pub gamma: Gamma,
    /// How much of the kernel is kept.
    pub rank: Rank,
    /// The squared distances that pairs are pulled and pushed to.
    pub targets: TargetRule,
    /// The solver, with what it does about comparisons; its γ is overridden by `gamma`.
    pub solver: LogDet,
    /// Seed of what is sampled.
    pub seed: u64,
}

/// A learned kernel and how it came about.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The kernel.
    pub kernel: LearnedKernel,
    /// What the solver found.
    pub solution: Solution,
    /// The rows of the problem, and the points they are about.
    pub terms: Terms,
    /// The width that was used, for a Gaussian kernel.
    pub sigma: Option<f64>,
    /// The targets that were used.
    pub targets: Targets,
    /// What was said, with labels as pairs.
    pub said: Constraints,
    /// The points that the correction is about: those of the rows, or the first where there are none.
    constrained: Vec<usize>,
    /// T, by which the features of a cut kernel became those of the learned one.
    transform: Option<Array2<f64>>,
}

/// Points up to which the truncated kernel is the best one of its rank (from the eigenvectors);
/// above, columns of the kernel make one that is nearly as good (pivoted Cholesky).
const EIGEN_MAX: usize = 2500;

/// Dimensions that a truncated kernel has at most where it is made of columns.
const COLUMNS_MAX: usize = 1000;

impl KernelLearning {
    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<()> {
        self.sigma.check()?;
        self.gamma.check()?;
        self.rank.check()?;
        self.targets.check()?;
        self.solver.check()
    }

    /// The plain kernel on an input, and its width.
    fn values<'a>(
        &self,
        input: &'a Input,
        said: &Constraints,
    ) -> Result<(KernelValues<'a>, Option<f64>)> {
        let points = match input {
            Input::Kernel(matrix) => return Ok((KernelValues::Matrix(matrix), None)),
            Input::Points(points) => points,
            Input::Graph(_) => {
                return Err(Error::Unsupported {
                    method: "kernel learning",
                    what: InputKind::Graph.to_string(),
                    alternatives: "points and kernel matrices".to_owned(),
                });
            }
        };
        let (kernel, sigma) = match self.kernel {
            KernelName::Precomputed => {
                return Err(Error::BadParameter {
                    parameter: "kernel",
                    value: "precomputed".to_owned(),
                    expected: "the input must then be a kernel matrix, not points".to_owned(),
                });
            }
            KernelName::Gaussian => {
                let sigma = match self.sigma {
                    Sigma::Fixed(sigma) => sigma,
                    Sigma::Auto | Sigma::Divergence => self.least_divergence(points, said)?,
                };
                (Kernel::gaussian(Bandwidth::Fixed(sigma)), Some(sigma))
            }
            KernelName::SelfTuning => {
                let neighbors = self.neighbors.clamp(1, points.len().max(2) - 1);
                (Kernel::SelfTuning { neighbors }, None)
            }
            KernelName::Linear => (Kernel::Linear, None),
        };
        Ok((
            KernelValues::Gram(Gram::new(&kernel, points, self.seed)?),
            sigma,
        ))
    }

    /// The width whose kernel needs the least bending.
    fn least_divergence(&self, points: &Points, said: &Constraints) -> Result<f64> {
        let grid = sigma_grid(points, self.seed)?;
        let targets = match self.targets {
            TargetRule::Auto => None,
            TargetRule::Fixed(Targets { must, cannot }) => Some((must, cannot)),
        };
        let choice = best_sigma(points, said, &grid, targets, self.solver.ratio, self.seed)?;
        Ok(choice.sigma)
    }

    /// The cut that `rank` asks for; none where the kernel is kept whole. The self-tuning kernel is
    /// always cut: its negative part has to go.
    fn truncation(&self) -> Option<Truncation> {
        match self.rank {
            Rank::Auto | Rank::Exact if self.kernel == KernelName::SelfTuning => {
                Some(Truncation::Trace(1.0))
            }
            Rank::Auto | Rank::Exact => None,
            Rank::Trace(share) => Some(Truncation::Trace(share)),
            Rank::Frobenius(share) => Some(Truncation::Frobenius(share)),
            Rank::Dimensions(dims) => Some(Truncation::Dimensions(dims)),
        }
    }

    /// The plain kernel on an input, with all that does not depend on what is learned. `said` has a
    /// say in the width where that is left to the divergence.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::TooLarge`], [`Error::Cancelled`].
    pub fn base<'a>(
        &self,
        input: &'a Input,
        said: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Base<'a>> {
        self.check()?;
        let (values, sigma) = self.values(input, said)?;
        let targets = match self.targets {
            TargetRule::Fixed(targets) => targets,
            TargetRule::Auto => {
                let among = |rows: &[usize]| values.among(rows);
                let (must, cannot) = targets(values.len(), among, self.seed)?;
                Targets { must, cannot }
            }
        };
        let is_small = values.len() <= EIGEN_MAX || self.kernel == KernelName::SelfTuning;
        let low_rank = match self.truncation() {
            None => None,
            Some(by) if is_small || matches!(by, Truncation::Frobenius(_)) => {
                Some(eigen_truncation(&values, by)?)
            }
            Some(by) => Some(pivoted_cholesky(&values, by, COLUMNS_MAX, observer)?),
        };
        let gamma = match self.gamma {
            Gamma::Fixed(gamma) => gamma,
            Gamma::Auto | Gamma::TwoFold => Gamma::USUAL,
        };
        Ok(Base {
            values,
            low_rank,
            sigma,
            targets,
            solver: LogDet {
                gamma,
                ..self.solver
            },
            seed: self.seed,
        })
    }

    /// Learns the kernel: [`base`](Self::base), then [`Base::learn`].
    ///
    /// # Errors
    /// Those of both.
    pub fn learn(
        &self,
        input: &Input,
        said: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Learned> {
        let said = with_labels_as_pairs(said, self.seed)?;
        self.base(input, &said, observer)?
            .learn(&said, None, observer)
    }
}

/// A kernel before it is bent: its values on an input, whole or cut.
#[derive(Debug, Clone)]
pub struct Base<'a> {
    values: KernelValues<'a>,
    low_rank: Option<LowRank>,
    sigma: Option<f64>,
    targets: Targets,
    solver: LogDet,
    seed: u64,
}

impl Base<'_> {
    /// Learns the kernel. `warm` is the duals of an earlier solution for the same rows, in their
    /// order, to start from.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::NotPositiveDefinite`] where a kernel matrix was given that is
    /// none; [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn learn(
        &self,
        said: &Constraints,
        warm: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Learned> {
        let said = with_labels_as_pairs(said, self.seed)?;
        let terms = Terms::new(&said, self.targets, self.solver.ratio);
        let named = terms.points();
        let solve = |start| self.solver.solve(start, &terms, warm, observer);
        let (solution, transform) = match &self.low_rank {
            None => (solve(Start::Gram(self.values.among(named).view()))?, None),
            Some(low_rank) => {
                let rows = low_rank.features.select(Axis(0), named);
                let solution = solve(Start::Features(rows.view()))?;
                let transform = solution.transform(rows.view())?;
                (solution, Some(transform))
            }
        };
        // Where nothing was said, a correction by nothing stands on the first point.
        let (constrained, correction) = match named {
            [] => (vec![0], Array2::zeros((1, 1))),
            _ => (named.to_vec(), solution.correction.clone()),
        };
        let kernel = match (&self.low_rank, &transform) {
            (Some(low_rank), Some(transform)) => LearnedKernel::low_rank(
                &self.values,
                low_rank,
                transform.view(),
                &constrained,
                correction,
            ),
            _ => LearnedKernel::exact(&self.values, &constrained, correction)?,
        };
        Ok(Learned {
            kernel,
            solution,
            terms,
            sigma: self.sigma,
            targets: self.targets,
            said,
            constrained,
            transform,
        })
    }

    /// Explicit features of the points that the kernel was learned on: the `dims` directions of most
    /// weight, or, without a number, as many as there are.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn embed(&self, learned: &Learned, dims: Option<usize>) -> Result<Embedding> {
        let mut embedding =
            if let (Some(low_rank), Some(transform)) = (&self.low_rank, &learned.transform) {
                let features = product(low_rank.features.view(), transform.view());
                learned.kernel.embed_features(features, dims)?
            } else {
                let constrained = &learned.constrained;
                learned.kernel.embed(&self.values, constrained, dims)?
            };
        give_copies_equal_rows(&*self.values.as_points()?, &mut embedding.features);
        Ok(embedding)
    }

    /// The map of [`embed`](Self::embed) with as many dimensions as there are, for which the features
    /// of all points need not fit into memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn feature_map(&self, learned: &Learned) -> Result<FeatureMap> {
        learned.kernel.map(&self.values, &learned.constrained)
    }
}

/// Points that are the same have the same features; rounding, which differs from row to row of a
/// factor, would make them two.
fn give_copies_equal_rows(points: &Points, features: &mut Array2<f64>) {
    let mut cells = Cells::of_equal_places();
    let mut first = Vec::new();
    for i in 0..points.len() {
        let place = cells.number(points.row(i));
        if place == first.len() {
            first.push(i);
        } else {
            let (source, mut copy) = features.multi_slice_mut((s![first[place], ..], s![i, ..]));
            copy.assign(&source);
        }
    }
}
