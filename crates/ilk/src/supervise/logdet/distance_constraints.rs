//! Constraints as rows of one convex problem.

use std::collections::HashMap;

use crate::{Error, Result, problem::ConstraintKind, problem::Constraints};

/// The squared distances that pairs should keep to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Targets {
    /// Points of a must-link should be at most this far apart.
    pub must: f64,
    /// Points of a cannot-link should be at least this far apart.
    pub cannot: f64,
}

/// One row of the problem. Points are positions in [`DistanceConstraints::points`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DistanceConstraint {
    /// The squared distance of two points against a target.
    Pair {
        /// One point.
        a: usize,
        /// The other.
        b: usize,
        /// δ: +1 for at most the target (must-link), -1 for at least (cannot-link).
        sign: f64,
        /// ξ0, a squared distance.
        target: f64,
        /// Its weight.
        weight: f64,
    },
    /// `ratio` times the squared distance of i and j against that of i and k.
    Comparison {
        /// The point both distances start from.
        i: usize,
        /// The end of the distance that is to be small.
        j: usize,
        /// The end of the distance that is to be large.
        k: usize,
        /// ρ.
        ratio: f64,
        /// Whether both are to be equal, and not the first at most the second.
        is_equality: bool,
        /// Its weight.
        weight: f64,
    },
}

/// The rows of all constraints, and the points that they name.
///
/// A must-link or cannot-link is one row. An odd-one-out is two: ρ d²(a, b) is at most the squared
/// distance of a and the odd one, and of b and the odd one. About-equal is two equations; the third
/// follows from them. Closer is one row.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceConstraints {
    points: Vec<usize>,
    rows: Vec<DistanceConstraint>,
    sources: Vec<(ConstraintKind, usize)>,
}

impl DistanceConstraints {
    /// The rows of constraints, in this order: must-links, cannot-links, odd-one-outs, about-equals,
    /// closers, each in their own order. Labels are ignored.
    pub fn new(constraints: &Constraints, targets: Targets, ratio: f64) -> Self {
        let mut terms = Self::from_rows(Vec::new(), Vec::new());
        for (entry, (pair, kind)) in constraints.pairs().enumerate() {
            let (sign, target, entry) = match kind {
                ConstraintKind::MustLink => (1.0, targets.must, entry),
                _ => (-1.0, targets.cannot, entry - constraints.must_links().len()),
            };
            let [a, b] = pair.points;
            let weight = pair.weight;
            let row = DistanceConstraint::Pair { a, b, sign, target, weight };
            terms.push(row, kind, entry);
        }
        for (kind, triplets) in constraints.triplets() {
            let is_equality = kind == ConstraintKind::AboutEqual;
            for (entry, triplet) in triplets.iter().enumerate() {
                let [i, j, k] = triplet.points;
                let row = |i, j| DistanceConstraint::Comparison {
                    i,
                    j,
                    k,
                    ratio: if is_equality { 1.0 } else { ratio },
                    is_equality,
                    weight: triplet.weight,
                };
                terms.push(row(i, j), kind, entry);
                if kind != ConstraintKind::Closer {
                    terms.push(row(j, i), kind, entry);
                }
            }
        }
        terms.name_points();
        terms
    }

    /// Custom rows over `points`; indices are checked when they are solved.
    pub fn from_rows(points: Vec<usize>, rows: Vec<DistanceConstraint>) -> Self {
        Self { points, rows, sources: Vec::new() }
    }

    /// The points that occur, ascending.
    pub fn points(&self) -> &[usize] {
        &self.points
    }

    /// The rows.
    pub fn rows(&self) -> &[DistanceConstraint] {
        &self.rows
    }

    /// Which entry of which kind a row came from; `None` for custom rows.
    pub fn source(&self, row: usize) -> Option<(ConstraintKind, usize)> {
        self.sources.get(row).copied()
    }

    /// Initial duals: those of other rows where a row is the same constraint on the same points, 0 for
    /// new ones. For learning again after a constraint was added, changed or removed.
    ///
    /// ```
    /// use ilk::problem::Constraints;
    /// use ilk::supervise::logdet::{Targets, DistanceConstraints};
    ///
    /// let targets = Targets { must: 0.05, cannot: 1.95 };
    /// let mut constraints = Constraints::new(9);
    /// constraints.must_link(7, 8)?.cannot_link(2, 7)?;
    /// let before = DistanceConstraints::new(&constraints, targets, 2.0);
    /// constraints.must_link(0, 8)?;
    /// let now = DistanceConstraints::new(&constraints, targets, 2.0);
    /// assert_eq!(now.warm_start(&before, &[1.5, 0.5]), [1.5, 0.0, 0.5]);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn warm_start(&self, before: &Self, duals: &[f64]) -> Vec<f64> {
        let known: HashMap<_, f64> =
            before.rows.iter().zip(duals).map(|(row, &dual)| (before.meaning(row), dual)).collect();
        let taken = |row| known.get(&self.meaning(row)).copied().unwrap_or(0.0);
        self.rows.iter().map(taken).collect()
    }

    /// The identity of a row: its points and its kind, without weight and target.
    fn meaning(&self, row: &DistanceConstraint) -> (Vec<usize>, bool) {
        let points = row.parts().0;
        let points = points.iter().map(|&at| self.points.get(at).copied());
        let is_first = match *row {
            DistanceConstraint::Pair { sign, .. } => sign > 0.0,
            DistanceConstraint::Comparison { is_equality, .. } => is_equality,
        };
        (points.flatten().collect(), is_first)
    }

    /// Checks indices, targets, ratios and weights.
    pub(super) fn check(&self) -> Result<()> {
        let c = self.points.len();
        for (number, row) in self.rows.iter().enumerate() {
            let bad = |parameter, value: String, expected: &str| {
                let expected = format!("row {number} needs {expected}");
                Err(Error::bad_parameter(parameter, value, expected))
            };
            let positive = |value: f64| value > 0.0 && value.is_finite();
            let (points, scale, weight) = row.parts();
            for (at, &point) in points.iter().enumerate() {
                if point >= c || points[..at].contains(&point) {
                    let expected = format!("different positions below {c}");
                    return bad("point", point.to_string(), &expected);
                }
            }
            if let DistanceConstraint::Pair { sign, .. } = row
                && sign.abs() != 1.0
            {
                return bad("sign", sign.to_string(), "+1 or -1");
            }
            if !positive(scale) {
                let name = match row {
                    DistanceConstraint::Pair { .. } => "target",
                    DistanceConstraint::Comparison { .. } => "ratio",
                };
                return bad(name, scale.to_string(), "a number above 0, finite");
            }
            if !positive(weight) {
                return bad("weight", weight.to_string(), "a number above 0, finite");
            }
        }
        Ok(())
    }

    fn push(&mut self, row: DistanceConstraint, kind: ConstraintKind, entry: usize) {
        self.rows.push(row);
        self.sources.push((kind, entry));
    }

    /// From points to positions in the sorted list of those that occur.
    fn name_points(&mut self) {
        let mut points: Vec<usize> = self.rows.iter().flat_map(|row| row.parts().0).collect();
        points.sort_unstable();
        points.dedup();
        for row in &mut self.rows {
            let place = |point: &mut usize| *point = points.partition_point(|p| p < point);
            match row {
                DistanceConstraint::Pair { a, b, .. } => [a, b].into_iter().for_each(place),
                DistanceConstraint::Comparison { i, j, k, .. } => {
                    [i, j, k].into_iter().for_each(place);
                }
            }
        }
        self.points = points;
    }
}

impl DistanceConstraint {
    /// Its points, its target or ratio, and its weight.
    fn parts(&self) -> (Vec<usize>, f64, f64) {
        match *self {
            Self::Pair { a, b, target, weight, .. } => (vec![a, b], target, weight),
            Self::Comparison { i, j, k, ratio, weight, .. } => (vec![i, j, k], ratio, weight),
        }
    }
}
