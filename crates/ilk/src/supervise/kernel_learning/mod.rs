//! Kernel learning: from an input and constraints to a [`LearnedKernel`].

mod params;

pub use params::{Gamma, Rank, Sigma, TargetRule};

use ndarray::{Array2, Axis};

use super::learned_kernel::LearnedKernel;
use super::logdet::{DistanceConstraints, InitialGram, LogDet, Solution, Targets};
use super::targets::{best_sigma, sigma_grid, targets};
use crate::problem::{Constraints, Input, Points, with_some_labels_as_pairs};
use crate::similarity::{
    Bandwidth, Gram, Kernel, KernelName, KernelValues, LowRank, Truncation, eigen_truncation,
    pivoted_cholesky,
};
use crate::{
    Error, Result,
    observe::{Observer, ask},
    parameter::check_form,
};

/// Labelled points that a kernel is learned from: about 1,200 pairs, which take a second.
const MAX_LABELLED: usize = 150;

/// How a kernel is learned: which kernel, its rank, and the weight of the constraints.
///
/// 1. Labels become pairs, those of 150 points at most.
/// 2. The width σ of a Gaussian kernel is chosen (equation 35 of the SKMS paper), unless it is given.
/// 3. The kernel is truncated, unless it is exact.
/// 4. LogDet learning: squared distances of must-links get below one target and those of cannot-links above
///    another; comparisons hold up to slack ([`LogDet`]).
///
/// A value that is still `auto` is replaced by its default; selection by held-out constraints is up to the
/// methods, since it needs a grouping ([`select`](crate::select)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KernelLearning {
    /// The kernel before learning.
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

/// A learned kernel, and the learning problem that it solves.
#[derive(Debug, Clone)]
pub struct LearnedKernelFit {
    /// The kernel.
    pub kernel: LearnedKernel,
    /// The solution of the solver.
    pub solution: Solution,
    /// The rows of the problem, and the points they are about.
    pub terms: DistanceConstraints,
    /// The width that was used, for a Gaussian kernel.
    pub sigma: Option<f64>,
    /// The targets that were used.
    pub targets: Targets,
    /// The constraints, with labels as pairs.
    pub constraints: Constraints,
    /// The points that the correction is about: those of the rows, or the first where there are none.
    pub(crate) constrained: Vec<usize>,
    /// T, from the features of a truncated kernel to those of the learned one.
    pub(crate) transform: Option<Array2<f64>>,
}

/// Points up to which the truncated kernel is the best one of its rank (from the eigenvectors);
/// above, columns of the kernel make one that is nearly as good (pivoted Cholesky).
const EIGEN_MAX: usize = 2500;

/// Dimensions that a truncated kernel has at most where it is made of columns.
const COLUMNS_MAX: usize = 1000;

impl KernelLearning {
    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<()> {
        check_form("sigma", &self.sigma)?;
        check_form("gamma", &self.gamma)?;
        check_form("rank", &self.rank)?;
        check_form("targets", &self.targets)?;
        self.solver.check()
    }

    /// The kernel on an input before learning, and its width.
    fn values<'a>(
        &self,
        input: &'a Input,
        constraints: &Constraints,
    ) -> Result<(KernelValues<'a>, Option<f64>)> {
        let points = match input {
            Input::Kernel(matrix) => return Ok((KernelValues::Matrix(matrix), None)),
            Input::Points(points) => points,
            Input::Graph(_) => {
                let instead = "points and kernel matrices";
                return Err(Error::unsupported("kernel learning", "a graph", instead));
            }
        };
        let (kernel, sigma) = match self.kernel {
            KernelName::Precomputed => {
                let expected = "the input must then be a kernel matrix, not points";
                return Err(Error::bad_parameter("kernel", self.kernel, expected));
            }
            KernelName::Gaussian => {
                let sigma = match self.sigma {
                    Sigma::Fixed(sigma) => sigma,
                    _ => self.least_divergence(points, constraints)?,
                };
                (Kernel::gaussian(Bandwidth::Fixed(sigma)), Some(sigma))
            }
            KernelName::SelfTuning => {
                let neighbors = self.neighbors.clamp(1, points.len().max(2) - 1);
                (Kernel::SelfTuning { neighbors }, None)
            }
            KernelName::Linear => (Kernel::Linear, None),
        };
        let gram = Gram::new(&kernel, points, self.seed)?;
        Ok((KernelValues::Gram(gram), sigma))
    }

    /// The width of least LogDet divergence between the kernels before and after learning.
    fn least_divergence(&self, points: &Points, constraints: &Constraints) -> Result<f64> {
        let grid = sigma_grid(points, self.seed)?;
        let targets = match self.targets {
            TargetRule::Auto => None,
            TargetRule::Fixed(Targets { must, cannot }) => Some((must, cannot)),
        };
        let ratio = self.solver.ratio;
        let choice = best_sigma(points, constraints, &grid, targets, ratio, self.seed)?;
        Ok(choice.sigma)
    }

    /// The truncation of `rank`; none for the exact kernel. The self-tuning kernel is always truncated: its
    /// negative eigenvalues have to go.
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

    /// The kernel on an input before learning. `constraints` decide the width where that is the one of least
    /// divergence.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::TooLarge`], [`Error::Cancelled`].
    pub fn base<'a>(
        &self,
        input: &'a Input,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<BaseKernel<'a>> {
        self.check()?;
        let (values, sigma) = self.values(input, constraints)?;
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
                Some(eigen_truncation(&values, by, observer)?)
            }
            Some(by) => Some(pivoted_cholesky(&values, by, COLUMNS_MAX, observer)?),
        };
        let gamma = match self.gamma {
            Gamma::Fixed(gamma) => gamma,
            Gamma::Auto | Gamma::TwoFold => Gamma::DEFAULT,
        };
        Ok(BaseKernel {
            values,
            low_rank,
            sigma,
            targets,
            solver: LogDet { gamma, ..self.solver },
            seed: self.seed,
        })
    }

    /// Learns the kernel: [`base`](Self::base), then [`BaseKernel::learn`].
    pub fn learn(
        &self,
        input: &Input,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<LearnedKernelFit> {
        let constraints = with_some_labels_as_pairs(constraints, MAX_LABELLED, self.seed)?;
        self.base(input, &constraints, observer)?.learn(&constraints, None, observer)
    }
}

/// A kernel before learning: its values on an input, exact or truncated.
#[derive(Debug, Clone)]
pub struct BaseKernel<'a> {
    pub(crate) values: KernelValues<'a>,
    /// Of the truncated kernel; none where the kernel is exact.
    pub(crate) low_rank: Option<LowRank>,
    sigma: Option<f64>,
    targets: Targets,
    solver: LogDet,
    seed: u64,
}

impl BaseKernel<'_> {
    /// Learns the kernel. `warm` is the duals of an earlier solution for the same rows, in their
    /// order, to start from.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::NotPositiveDefinite`] where a kernel matrix was given that is
    /// none; [`Error::WrongLength`] where the constraints are about another number of points.
    pub fn learn(
        &self,
        constraints: &Constraints,
        warm: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<LearnedKernelFit> {
        let constraints = with_some_labels_as_pairs(constraints, MAX_LABELLED, self.seed)?;
        let terms = DistanceConstraints::new(&constraints, self.targets, self.solver.ratio);
        let named = terms.points();
        let solve = |start| self.solver.solve(start, &terms, warm, observer);
        let (solution, transform) = match &self.low_rank {
            None => {
                let gram = self.values.among(named);
                (solve(InitialGram::Gram(gram.view()))?, None)
            }
            Some(low_rank) => {
                let rows = low_rank.features.select(Axis(0), named);
                let solution = solve(InitialGram::Features(rows.view()))?;
                ask(observer)?;
                let transform = solution.transform(rows.view())?;
                (solution, Some(transform))
            }
        };
        ask(observer)?;
        // Without constraints the correction is 0, on the first point.
        let (constrained, correction) = match named {
            [] => (vec![0], Array2::zeros((1, 1))),
            _ => (named.to_vec(), solution.correction.clone()),
        };
        let truncated = self.low_rank.as_ref();
        let truncated = truncated.zip(transform.as_ref().map(|t| t.view()));
        let kernel = LearnedKernel::new(&self.values, truncated, &constrained, correction)?;
        Ok(LearnedKernelFit {
            kernel,
            solution,
            terms,
            sigma: self.sigma,
            targets: self.targets,
            constraints,
            constrained,
            transform,
        })
    }
}
