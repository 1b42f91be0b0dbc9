//! Learning a kernel without grouping anything.

use ilk::method::{AnyMethod, Sklr};
use ilk::ndarray::{Array2, ArrayView2};
use ilk::observe::StopReason;
use ilk::problem::with_labels_as_pairs;
use ilk::problem::{ConstraintKind, Input, KernelMatrix, Points};
use ilk::similarity::KernelName;
use ilk::supervise::logdet::{DistanceConstraint, DistanceConstraints, LogDet, Solution, Targets};
use ilk::supervise::{KernelLearning, LearnedKernelFit};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::constraints::{self, Constraints};
use crate::error::OrRaise;
use crate::learned::LearnedKernel;
use crate::{recipe, run};

/// An earlier problem: its constraints, the settings with which it was learned, and the duals of its rows.
type Earlier<'py> = (PyRef<'py, Constraints>, String, PyReadonlyArray1<'py, f64>);

/// What a row is about: the kind of constraint, and its points in the order of the row.
type Key = (&'static str, [i64; 3]);

/// A kernel that was learned, and how.
#[pyclass(frozen, get_all, module = "ilk._core")]
pub(crate) struct LearnResult {
    /// The kernel.
    kernel: Py<LearnedKernel>,
    /// The kind of constraint that every row of the problem came from.
    kinds: Vec<&'static str>,
    /// The points of every row; the third of a pair is -1.
    points: Py<PyArray2<i64>>,
    /// The dual of every row.
    duals: Py<PyArray1<f64>>,
    /// By how much every row is missed, in squared distance.
    violations: Py<PyArray1<f64>>,
    /// The rows that no kernel can attain.
    unattainable: Py<PyArray1<i64>>,
    /// The constrained points, ascending.
    constrained: Py<PyArray1<i64>>,
    /// The width that was used, for a Gaussian kernel.
    sigma: Option<f64>,
    /// The squared distances that must-links and cannot-links were to keep to.
    targets: (f64, f64),
    /// The objective of the kernel, and a lower bound of any kernel's.
    objectives: (f64, f64),
    /// How far they are apart.
    gap: f64,
    /// Iterations done.
    iterations: usize,
    /// Whether it ended because the optimum was found.
    converged: bool,
}

/// Learns a kernel. The settings are those parameters of SKLR, as JSON, that say how its kernel is
/// learned. Learning begins at the duals of those rows of an earlier problem that are there again.
#[pyfunction]
#[pyo3(signature = (settings, x, constraints, earlier=None, n_jobs=None))]
pub(crate) fn learn(
    py: Python<'_>,
    settings: &str,
    x: PyReadonlyArray2<'_, f64>,
    constraints: PyRef<'_, Constraints>,
    earlier: Option<Earlier<'_>>,
    n_jobs: Option<isize>,
) -> PyResult<LearnResult> {
    let learning = read(settings)?;
    let x = x.as_array().to_owned();
    let input: Input = match learning.kernel {
        KernelName::Precomputed => KernelMatrix::new(x).or_raise()?.into(),
        _ => Points::new(x).or_raise()?.into(),
    };
    let given = constraints.engine();
    if given.n() != input.len() {
        return Err(PyValueError::new_err(format!(
            "the constraints are about {} points, but there are {}",
            given.n(),
            input.len()
        )));
    }
    let warm = match &earlier {
        None => None,
        Some((before, settings, duals)) => {
            let before = rows(before.engine(), read(settings)?.seed)?;
            let duals = duals.as_array().to_vec();
            Some(rows(given, learning.seed)?.warm_start(&before, &duals))
        }
    };
    let pairs = with_labels_as_pairs(given, learning.seed).or_raise()?;
    let (learned, map) = run::cancellable(py, n_jobs, move |observer| -> ilk::Result<_> {
        let base = learning.base(&input, &pairs, observer)?;
        let learned = base.learn(&pairs, warm.as_deref(), observer)?;
        let map = base.feature_map(&learned, observer)?;
        Ok((learned, map))
    })?
    .or_raise()?;
    let kernel = LearnedKernel::new(learned.kernel.clone(), map);
    LearnResult::new(py, kernel, &learned)
}

/// How to learn, from those parameters of SKLR that say it.
fn read(settings: &str) -> PyResult<KernelLearning> {
    let AnyMethod::Sklr(given) = recipe::method(settings)? else {
        return Err(PyValueError::new_err("settings must be those of sklr"));
    };
    for (name, value) in [
        ("n_neighbors", given.n_neighbors as f64),
        ("ratio", given.ratio),
        ("penalty", given.penalty),
        ("tol", given.tol),
        ("max_iter", given.max_iter as f64),
    ] {
        let info = Sklr::PARAMETERS.iter().find(|info| info.name == name);
        if let Some(info) = info.filter(|info| !info.range.contains(value)) {
            return Err(PyValueError::new_err(format!(
                "{name} = {value} is out of range: it must be {}",
                info.range
            )));
        }
    }
    Ok(KernelLearning {
        kernel: given.kernel,
        sigma: given.sigma,
        neighbors: given.n_neighbors,
        gamma: given.gamma,
        rank: given.rank,
        targets: given.targets,
        solver: LogDet {
            ratio: given.ratio,
            slack: given.slack,
            penalty: given.penalty,
            projection: given.projection,
            tol: given.tol,
            max_iter: given.max_iter,
            ..LogDet::default()
        },
        seed: given.seed,
    })
}

/// The rows of the constraints. What they are about does not depend on what they ask for.
fn rows(given: &ilk::problem::Constraints, seed: u64) -> PyResult<DistanceConstraints> {
    let targets = Targets { must: 1.0, cannot: 2.0 };
    let pairs = with_labels_as_pairs(given, seed).or_raise()?;
    Ok(DistanceConstraints::new(&pairs, targets, 1.0))
}

/// What every row is about.
fn keys(terms: &DistanceConstraints) -> Vec<Key> {
    let kinds = (0..terms.rows().len()).map(|row| {
        let kind = terms.source(row).map(|(kind, _)| kind);
        constraints::name(kind.unwrap_or(ConstraintKind::MustLink))
    });
    let point = |position: usize| terms.points()[position] as i64;
    let points = terms.rows().iter().map(|row| match *row {
        DistanceConstraint::Pair { a, b, .. } => [point(a), point(b), -1],
        DistanceConstraint::Comparison { i, j, k, .. } => [point(i), point(j), point(k)],
    });
    kinds.zip(points).collect()
}

/// By how much a row is missed in the kernel that was learned.
fn violation(row: &DistanceConstraint, gram: ArrayView2<'_, f64>) -> f64 {
    let dist_sq = |a: usize, b: usize| gram[[a, a]] + gram[[b, b]] - 2.0 * gram[[a, b]];
    match *row {
        DistanceConstraint::Pair { a, b, sign, target, .. } => {
            (sign * (dist_sq(a, b) - target)).max(0.0)
        }
        DistanceConstraint::Comparison { i, j, k, ratio, is_equality, .. } => {
            let excess = ratio * dist_sq(i, j) - dist_sq(i, k);
            if is_equality { excess.abs() } else { excess.max(0.0) }
        }
    }
}

impl LearnResult {
    fn new(py: Python<'_>, kernel: LearnedKernel, learned: &LearnedKernelFit) -> PyResult<Self> {
        let LearnedKernelFit { solution, terms, targets, .. } = learned;
        let Solution { gram, .. } = solution;
        let (kinds, points): (Vec<&str>, Vec<[i64; 3]>) = keys(terms).into_iter().unzip();
        let points = Array2::from_shape_fn((points.len(), 3), |(row, at)| points[row][at]);
        let violations: Vec<f64> =
            terms.rows().iter().map(|row| violation(row, gram.view())).collect();
        Ok(Self {
            kernel: Py::new(py, kernel)?,
            kinds,
            points: points.into_pyarray(py).unbind(),
            duals: solution.duals.to_pyarray(py).unbind(),
            violations: violations.into_pyarray(py).unbind(),
            unattainable: positions(py, &solution.unattainable),
            constrained: positions(py, terms.points()),
            sigma: learned.sigma,
            targets: (targets.must, targets.cannot),
            objectives: (solution.primal, solution.dual),
            gap: solution.gap,
            iterations: solution.sweeps + solution.newton_steps,
            converged: solution.stop == StopReason::Converged,
        })
    }
}

fn positions(py: Python<'_>, of: &[usize]) -> Py<PyArray1<i64>> {
    let signed: Vec<i64> = of.iter().map(|&position| position as i64).collect();
    signed.into_pyarray(py).unbind()
}
