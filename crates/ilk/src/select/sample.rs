//! Samples of the points that hold the constrained ones. A method whose cost grows with the square of the
//! number of points fits a sample; the other points are predicted.

use std::borrow::Cow;

use crate::Result;
use crate::group::Label;
use crate::numerics::rng::{rng, rng_stream};
use crate::observe::{Event, Observer, report};
use crate::outcome::{AnyModel, ConstraintReport, Fit};
use crate::problem::{ConstraintKind, Constraints, Input, Points, Problem};

/// The problem with points as a kernel matrix where the kernel is precomputed.
pub(crate) fn with_precomputed_kernel(
    problem: &Problem,
    is_precomputed: bool,
) -> Result<Cow<'_, Problem>> {
    match problem.input().with_rows_as_kernel(is_precomputed)? {
        Cow::Owned(matrix) => {
            let mut given = Problem::new(matrix, problem.constraints().clone())?;
            if let Some(weights) = problem.weights() {
                given = given.with_weights(weights.to_vec())?;
            }
            Ok(Cow::Owned(given))
        }
        Cow::Borrowed(_) => Ok(Cow::Borrowed(problem)),
    }
}

/// The stream of random numbers that draws constrained points.
const CONSTRAINED_STREAM: u64 = 1;

/// A problem over some of the points.
pub(crate) struct ProblemSample<'a> {
    problem: Cow<'a, Problem>,
    /// The points of the sample, sorted; none where it is all of them.
    rows: Option<Vec<usize>>,
}

impl<'a> ProblemSample<'a> {
    /// All constrained points, and random others up to `size`. A kernel matrix is taken whole: it was small
    /// enough to be computed.
    pub(crate) fn of(problem: &'a Problem, size: usize, seed: u64) -> Result<Self> {
        let (Input::Points(points), true) = (problem.input(), problem.len() > size) else {
            return Ok(Self { problem: Cow::Borrowed(problem), rows: None });
        };
        let constraints = problem.constraints();
        let rows = filled(constraints.constrained_points(), constraints.n(), size, seed);
        Ok(Self {
            problem: Cow::Owned(part(points, problem, &rows, constraints)?),
            rows: Some(rows),
        })
    }

    /// About `max_constraints` constraints at most, and `size` points with those that they name. Points are
    /// drawn, and the constraints among these kept, so that the links between constraints stay. A kernel matrix
    /// is taken whole, with the constraints that are kept.
    pub(crate) fn of_constraints(
        problem: &'a Problem,
        max_constraints: usize,
        size: usize,
        seed: u64,
    ) -> Result<Self> {
        let constraints = problem.constraints();
        let named = draw_constrained_points(constraints, max_constraints, seed);
        let kept = constraints.about(&named)?;
        let Input::Points(points) = problem.input() else {
            return Ok(Self { problem: Cow::Owned(problem.with_constraints(kept)?), rows: None });
        };
        let rows = filled(named, constraints.n(), size, seed);
        Ok(Self { problem: Cow::Owned(part(points, problem, &rows, &kept)?), rows: Some(rows) })
    }

    /// The problem over the sample.
    pub(crate) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Turns a fit of the sample into one of all points: the others are predicted.
    pub(crate) fn extend_fit(
        &self,
        fit: &mut Fit,
        whole: &Problem,
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.rows.is_some() {
            let found = &mut fit.clustering;
            self.extend_labels(&mut found.labels, whole, &fit.model, observer)?;
            // Points that were predicted have not moved.
            found.final_positions = None;
            found.report = ConstraintReport::new(whole.constraints(), &found.labels);
        }
        Ok(())
    }

    /// Turns labels of the sample into labels of all points: the others are predicted.
    pub(crate) fn extend_labels(
        &self,
        labels: &mut Vec<Label>,
        whole: &Problem,
        model: &AnyModel,
        observer: &dyn Observer,
    ) -> Result<()> {
        let (Some(rows), Input::Points(points)) = (&self.rows, whole.input()) else {
            return Ok(());
        };
        let mut all = Vec::with_capacity(points.len());
        for (done, block) in points.blocks().enumerate() {
            all.extend(model.predict(&block)?);
            let event = Event::new("placing points", done + 1, all.len(), points.len());
            report(observer, &event)?;
        }
        for (&row, label) in rows.iter().zip(labels.iter()) {
            all[row] = *label;
        }
        *labels = all;
        Ok(())
    }
}

/// The problem over the points `rows`, with the constraints among these.
fn part(
    points: &Points,
    problem: &Problem,
    rows: &[usize],
    constraints: &Constraints,
) -> Result<Problem> {
    let part = Problem::new(points.select(rows), constraints.among(rows)?)?;
    match problem.weights() {
        Some(weights) => part.with_weights(rows.iter().map(|&i| weights[i]).collect()),
        None => Ok(part),
    }
}

/// The points `chosen` of `n`, and others up to `size`, sorted.
fn filled(mut chosen: Vec<usize>, n: usize, size: usize, seed: u64) -> Vec<usize> {
    let mut is_chosen = vec![false; n];
    for &point in &chosen {
        is_chosen[point] = true;
    }
    let others: Vec<usize> = (0..n).filter(|&point| !is_chosen[point]).collect();
    let wanted = size.saturating_sub(chosen.len()).min(others.len());
    let picked = rng(seed).sample(others.len(), wanted);
    chosen.extend(picked.into_iter().map(|at| others[at]));
    chosen.sort_unstable();
    chosen
}

/// All constrained points, and random others up to `size` in all, sorted. The others are drawn from all
/// points, so that some may be constrained ones and the sample smaller.
pub(crate) fn with_constrained_points(
    constraints: &Constraints,
    size: usize,
    seed: u64,
) -> Vec<usize> {
    let n = constraints.n();
    if n <= size {
        return (0..n).collect();
    }
    let mut chosen = constraints.constrained_points();
    if chosen.len() < size {
        chosen.extend(rng(seed).sample(n, size - chosen.len()));
        chosen.sort_unstable();
        chosen.dedup();
    }
    chosen
}

/// Constrained points, drawn until about `max_constraints` constraints name these alone.
fn draw_constrained_points(
    constraints: &Constraints,
    max_constraints: usize,
    seed: u64,
) -> Vec<usize> {
    let mut points = constraints.constrained_points();
    rng_stream(seed, CONSTRAINED_STREAM).shuffle(&mut points);
    let mut position_of = vec![0; constraints.n()];
    for (position, &point) in points.iter().enumerate() {
        position_of[point] = position;
    }
    // A constraint is kept as soon as its last point is drawn.
    let mut last_positions: Vec<usize> = Vec::new();
    for kind in ConstraintKind::ALL {
        for entry in 0..constraints.count(kind) {
            let named = constraints.points_of(kind, entry).unwrap_or(&[]);
            last_positions.extend(named.iter().map(|&point| position_of[point]).max());
        }
    }
    last_positions.sort_unstable();
    if let Some(&first_out) = last_positions.get(max_constraints) {
        points.truncate(first_out.max(1));
    }
    points.sort_unstable();
    points
}
