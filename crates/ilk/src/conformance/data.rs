//! What the battery runs on: three groups that lie far apart, in every shape of input.

use ndarray::Array2;

use crate::Result;
use crate::problem::{
    ConstraintKind, Constraints, Graph, Input, InputKind, KernelMatrix, Points, Problem,
};

/// Points of a run.
pub(super) const N: usize = 90;

/// The centres of the groups, each of radius 1.
const CENTERS: [[f64; 2]; 3] = [[0.0, 0.0], [9.0, 1.0], [3.0, 8.0]];

/// The golden angle: points that turn by it and move outwards fill a disc evenly.
const TURN: f64 = 2.399_963_229_728_653;

/// The group of point i.
pub(super) fn group_of(i: usize) -> usize {
    i % CENTERS.len()
}

/// Points of three groups, in turn.
pub(super) fn points(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, 2), |(i, axis)| {
        let turn = TURN * i as f64;
        let radius = ((i + 1) as f64 / n as f64).sqrt();
        let offset = if axis == 0 { turn.cos() } else { turn.sin() };
        CENTERS[group_of(i)][axis] + radius * offset
    })
}

/// The points in a shape: themselves, their Gaussian kernel, or the graph of that kernel.
pub(super) fn shaped(kind: InputKind, points: &Array2<f64>) -> Result<Input> {
    let n = points.nrows();
    let kernel = Array2::from_shape_fn((n, n), |(i, j)| {
        let difference = &points.row(i) - &points.row(j);
        (-0.5 * difference.dot(&difference)).exp()
    });
    match kind {
        InputKind::Points => Points::new(points.clone()).map(Into::into),
        InputKind::Kernel => KernelMatrix::new(kernel).map(Into::into),
        InputKind::Graph => {
            let pairs = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
            let edges = pairs.map(|(i, j)| (i, j, kernel[[i, j]]));
            Graph::from_edges(n, edges).map(Into::into)
        }
    }
}

/// Three true constraints of a kind, about the points of [`points`].
pub(super) fn add_constraints(constraints: &mut Constraints, kind: ConstraintKind) -> Result<()> {
    for group in 0..CENTERS.len() {
        // Points of one group are three apart; the next point is of another group.
        let [a, b, c, other] = [group, group + 3, group + 6, group + 1];
        match kind {
            ConstraintKind::MustLink => constraints.must_link(a, b)?,
            ConstraintKind::CannotLink => constraints.cannot_link(a, other)?,
            ConstraintKind::OddOneOut => constraints.odd_one_out(a, b, other)?,
            ConstraintKind::AboutEqual => constraints.about_equal(a, b, c)?,
            ConstraintKind::Closer => constraints.closer(a, b, other)?,
            ConstraintKind::Label => constraints.label(a, &format!("group {group}"))?,
        };
    }
    Ok(())
}

/// The problem of [`N`] points in a shape, with constraints of these kinds.
pub(super) fn problem(kind: InputKind, supervision: &[ConstraintKind]) -> Result<Problem> {
    let mut constraints = Constraints::new(N);
    for &each in supervision {
        add_constraints(&mut constraints, each)?;
    }
    Problem::new(shaped(kind, &points(N))?, constraints)
}
