//! A problem without copies.
//!
//! A point given twice, or once with weight 2, is the same thing said in two ways, and a parameter
//! read off the data must not tell them apart. So it is read off the distinct places, with the
//! weights of copies added up and what was said of any copy said of the place.

use crate::Result;
use crate::numerics::cells::Cells;
use crate::problem::{ConstraintKind, Constraints, Points, Problem};

/// The distinct points of a problem, and the problem over them.
pub(super) fn distinct(points: &Points, problem: &Problem) -> Result<(Points, Problem)> {
    let (place_of, first) = places(points);
    over(points, problem, &place_of, &first)
}

/// The problem over the distinct points, and the place of every point among them; none where no
/// point is given twice.
pub(super) fn without_copies(
    points: &Points,
    problem: &Problem,
) -> Result<Option<(Problem, Vec<usize>)>> {
    let (place_of, first) = places(points);
    if first.len() == points.len() {
        return Ok(None);
    }
    let (_, problem) = over(points, problem, &place_of, &first)?;
    Ok(Some((problem, place_of)))
}

fn over(
    points: &Points,
    problem: &Problem,
    place_of: &[usize],
    first: &[usize],
) -> Result<(Points, Problem)> {
    let distinct = points.select(first);
    let mut weights = vec![0.0; first.len()];
    for (i, &place) in place_of.iter().enumerate() {
        weights[place] += problem.weights().map_or(1.0, |weights| weights[i]);
    }
    let said = over_places(problem.constraints(), place_of, first.len())?;
    let problem = Problem::new(distinct.clone(), said)?.with_weights(weights)?;
    Ok((distinct, problem))
}

/// The place of every point, and the first point at every place.
pub(super) fn places(points: &Points) -> (Vec<usize>, Vec<usize>) {
    let mut cells = Cells::of_equal_places();
    let mut first = Vec::new();
    let place_of = (0..points.len())
        .map(|i| {
            let place = cells.number(points.row(i));
            if place == first.len() {
                first.push(i);
            }
            place
        })
        .collect();
    (place_of, first)
}

/// What was said, about places. Pairs of copies say nothing about where to part places, and of two
/// labels at one place the first stands.
pub(super) fn over_places(said: &Constraints, place_of: &[usize], n: usize) -> Result<Constraints> {
    let mut over = Constraints::new(n);
    let pairs = [
        (ConstraintKind::MustLink, said.must_links()),
        (ConstraintKind::CannotLink, said.cannot_links()),
    ];
    for (kind, entries) in pairs {
        for pair in entries {
            let places = pair.points.map(|point| place_of[point]);
            if places[0] != places[1] {
                over.add(kind, &places, pair.weight, None)?;
            }
        }
    }
    for labelled in said.labels() {
        let place = place_of[labelled.point];
        if over.label_of(place).is_none() {
            over.add_label(
                place,
                &said.label_names()[labelled.label],
                labelled.weight,
                None,
            )?;
        }
    }
    Ok(over)
}
