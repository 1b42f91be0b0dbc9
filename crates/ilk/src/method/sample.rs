//! Methods whose work grows with the square of the points do it on some of them; the others are
//! placed as new points are.

use std::borrow::Cow;

use crate::group::Label;
use crate::numerics::rng::{rng, rng_stream};
use crate::observe::{Event, Observer};
use crate::outcome::Model;
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{ConstraintKind, Constraints, Input, KernelMatrix, Points, Problem};
use crate::similarity::KernelName;
use crate::{Error, Result};

/// The parameter that says how many.
pub(super) const PARAMETER: ParameterInfo = ParameterInfo {
    name: "sample",
    doc: "Points that are grouped, at most, among them all of which something was said; the others are placed as new points are.",
    range: Range::Integer {
        min: 1,
        max: 1_000_000,
    },
    default: "5000",
};

/// The problem as the name of its kernel says: points that are rows of a kernel matrix become that
/// matrix.
pub(super) fn as_named(problem: &Problem, kernel: KernelName) -> Result<Cow<'_, Problem>> {
    match (kernel, problem.input()) {
        (KernelName::Precomputed, Input::Points(points)) => {
            let matrix = KernelMatrix::new(points.view().to_owned())?;
            let mut given = Problem::new(matrix, problem.constraints().clone())?;
            if let Some(weights) = problem.weights() {
                given = given.with_weights(weights.to_vec())?;
            }
            Ok(Cow::Owned(given))
        }
        _ => Ok(Cow::Borrowed(problem)),
    }
}

/// The stream of random numbers that draws items.
const ITEMS: u64 = 1;

/// Points placed at a time; between these a run can be cancelled.
const AT_A_TIME: usize = 20_000;

/// A problem over some of the points.
pub(super) struct Sample<'a> {
    problem: Cow<'a, Problem>,
    /// The points that were taken, sorted; none where all were.
    rows: Option<Vec<usize>>,
}

impl<'a> Sample<'a> {
    /// All points of which something was said, and others up to `size`. A kernel matrix is taken
    /// whole: it was small enough to be made.
    pub(super) fn of(problem: &'a Problem, size: usize, seed: u64) -> Result<Self> {
        let (Input::Points(points), true) = (problem.input(), problem.len() > size) else {
            return Ok(Self {
                problem: Cow::Borrowed(problem),
                rows: None,
            });
        };
        let said = problem.constraints();
        let rows = filled(said.constrained_points(), said.n(), size, seed);
        Ok(Self {
            problem: Cow::Owned(part(points, problem, &rows, said)?),
            rows: Some(rows),
        })
    }

    /// At most about `answers` answers, and `size` points with those that they are about. Points are
    /// drawn, and what was said of those alone stays, so that answers hang together as they did. A
    /// kernel matrix is taken whole, with the answers that are left.
    pub(super) fn of_answers(
        problem: &'a Problem,
        answers: usize,
        size: usize,
        seed: u64,
    ) -> Result<Self> {
        let said = problem.constraints();
        let items = some_items(said, answers, seed);
        let left = said.about(&items)?;
        let Input::Points(points) = problem.input() else {
            return Ok(Self {
                problem: Cow::Owned(problem.with_constraints(left)?),
                rows: None,
            });
        };
        let rows = filled(items, said.n(), size, seed);
        Ok(Self {
            problem: Cow::Owned(part(points, problem, &rows, &left)?),
            rows: Some(rows),
        })
    }

    /// The problem over the points that were taken.
    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// From the labels of the points that were taken to those of all.
    pub(super) fn spread(
        &self,
        labels: &mut Vec<Label>,
        whole: &Problem,
        model: &Model,
        observer: &dyn Observer,
    ) -> Result<()> {
        let (Some(rows), Input::Points(points)) = (&self.rows, whole.input()) else {
            return Ok(());
        };
        let mut all = Vec::with_capacity(points.len());
        let dims = points.dims();
        for (done, block) in points.as_slice().chunks(AT_A_TIME * dims).enumerate() {
            let block = Points::from_shape(block.len() / dims, dims, block.to_vec())?;
            all.extend(model.predict(&block)?);
            let event = Event::new("placing points", done + 1, all.len(), points.len());
            if observer.event(&event).is_break() {
                return Err(Error::Cancelled {
                    iterations: done + 1,
                });
            }
        }
        for (&row, label) in rows.iter().zip(labels.iter()) {
            all[row] = *label;
        }
        *labels = all;
        Ok(())
    }
}

/// The problem over the points `rows`, with what was said of these alone.
fn part(points: &Points, problem: &Problem, rows: &[usize], said: &Constraints) -> Result<Problem> {
    let part = Problem::new(points.select(rows), said.among(rows)?)?;
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

/// Points of which something was said, drawn until about `answers` answers name these alone.
fn some_items(said: &Constraints, answers: usize, seed: u64) -> Vec<usize> {
    let mut items = said.constrained_points();
    rng_stream(seed, ITEMS).shuffle(&mut items);
    let mut place_of = vec![0; said.n()];
    for (place, &item) in items.iter().enumerate() {
        place_of[item] = place;
    }
    // An answer is in as soon as its last point is.
    let mut last_places: Vec<usize> = Vec::new();
    for kind in ConstraintKind::ALL {
        for entry in 0..said.count(kind) {
            let points = said.points_of(kind, entry).unwrap_or(&[]);
            last_places.extend(points.iter().map(|&point| place_of[point]).max());
        }
    }
    last_places.sort_unstable();
    if let Some(&first_out) = last_places.get(answers) {
        items.truncate(first_out.max(1));
    }
    items.sort_unstable();
    items
}
