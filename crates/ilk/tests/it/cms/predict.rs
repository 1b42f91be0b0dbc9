//! New points, in the paper's mode: they are shifted along with the data.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::constrained_mean_shift::{ConstrainedMeanShift, EarlyStop, ShiftedCenters};
use ilk::method::Cms;
use ilk::observe::{Event, Silent};
use ilk::problem::{CannotLinkSets, Constraints, MustLinkPolicy, Points, Problem};
use proptest::collection::vec;
use proptest::prelude::*;

use super::cases::{CLOSE, Case, cases, fit, labels, on_cases};
use super::plain::{self, Found};

/// The shift of a case with passengers along.
fn shifted_along(case: &Case, new_points: &Points) -> ShiftedCenters {
    let params = &case.params;
    let numbers = ConstrainedMeanShift {
        bandwidths: plain::settings(params, &case.points()).bandwidths,
        kernel: params.kernel,
        truncation: params.truncation,
        blurring: params.blurring,
        constraint_scale: params.constraint_scale,
        narrowest: 1e-3,
        early_stop: params.early_stop.then_some(EarlyStop {
            merge_kernel: params.merge_kernel,
            merge_weight: params.merge_weight,
            min_movement: 1e-6,
        }),
        history: 0,
    };
    let spread = if params.closure { MustLinkPolicy::Hard } else { MustLinkPolicy::Soft };
    let separated = CannotLinkSets::new(&case.constraints(), spread);
    numbers.shift(&case.points(), None, &separated, Some(new_points), &Silent).unwrap()
}

/// The same by the plain loop.
fn shifted_along_plainly(case: &Case, new_points: &Points) -> Found {
    let settings = plain::settings(&case.params, &case.points());
    plain::shift_nudged(
        &case.rows,
        new_points.as_slice(),
        case.dims,
        &case.pairs(&case.constraints()),
        &settings,
        |_, _| (),
    )
}

/// Cases with a few more points anywhere near them.
fn with_new_points() -> impl Strategy<Value = (Case, Points)> {
    (cases(), 1_usize..8).prop_flat_map(|(case, new)| {
        let dims = case.dims;
        let rows = vec(-0.2..1.2, new * dims);
        let points = rows.prop_map(move |rows| Points::from_shape(new, dims, rows).unwrap());
        (Just(case), points)
    })
}

/// The labels that a passenger may have: of the nearest point that it is merged with, or of one in
/// the same place, or otherwise of the nearest. Several where points that are equally near have
/// different ones.
fn allowed(found: &Found, dims: usize, passenger: usize) -> Vec<usize> {
    let n = found.labels.len();
    let row = |i: usize| &found.centers[i * dims..(i + 1) * dims];
    let distances: Vec<f64> = (0..n).map(|j| plain::worst(row(n + passenger), row(j))).collect();
    let euclidean: Vec<f64> =
        (0..n).map(|j| plain::distance_sq(row(n + passenger), row(j)).sqrt()).collect();
    let linked = |j: &usize| found.links[passenger][*j];
    let nearest_of = |chosen: Vec<usize>| -> Vec<usize> {
        let least = chosen.iter().map(|&j| euclidean[j]).fold(f64::INFINITY, f64::min);
        chosen.into_iter().filter(|&j| euclidean[j] < least + 10.0 * CLOSE).collect()
    };
    let mut chosen = nearest_of((0..n).filter(linked).collect());
    chosen.extend((0..n).filter(|&j| distances[j] < 10.0 * CLOSE));
    if chosen.is_empty() {
        chosen = nearest_of((0..n).collect());
    }
    chosen.into_iter().map(|j| found.labels[j]).collect()
}

#[test]
fn training_points_get_the_labels_of_the_fit() {
    on_cases(300, cases(), |case| {
        let fit = case.fit();
        let labels = labels(&fit.clustering);
        let predicted = fit.model.predict(&case.points()).unwrap();
        let row = |i: usize| &case.rows[i * case.dims..(i + 1) * case.dims];
        for i in 0..case.n() {
            // Of points in one place that got different labels, the first one's holds.
            let first = (0..=i).find(|&j| row(j) == row(i)).unwrap();
            prop_assert_eq!(predicted[i], Some(labels[first]));
        }
        Ok(true)
    });
}

#[test]
fn weighted_training_points_get_the_labels_of_the_fit() {
    on_cases(100, (cases(), vec(0.5..4.0, 40)), |(mut case, weights)| {
        // All in different places.
        for (i, x) in case.rows.iter_mut().enumerate() {
            *x += 1e-3 * i as f64;
        }
        let weights = weights[..case.n()].to_vec();
        let problem = case.problem().with_weights(weights).unwrap();
        let fit = fit(&case.params, &problem);
        let predicted = fit.model.predict(&case.points()).unwrap();
        prop_assert_eq!(predicted, fit.clustering.labels);
        Ok(true)
    });
}

#[test]
fn passengers_change_nothing_and_go_where_the_plain_loop_takes_them() {
    on_cases(300, with_new_points(), |(case, new)| {
        let Some(alone) = case.expected() else {
            return Ok(false);
        };
        let expected = shifted_along_plainly(&case, &new);
        prop_assert_eq!(&expected.labels, &alone.labels);
        let found = shifted_along(&case, &new);
        prop_assert_eq!(found.trace.len(), alone.bandwidths.len());
        let final_positions: Vec<f64> = found.final_positions().into_iter().collect();
        let of_points = case.rows.len();
        let off = plain::worst(&final_positions[..of_points], &alone.centers);
        prop_assert!(off < CLOSE, "centres are off by {}", off);
        let (kernel, weight) = (case.params.merge_kernel, case.params.merge_weight);
        let labels = found.components(kernel, weight);
        let n = case.n();
        prop_assert_eq!(plain::numbered(&labels[..n]), plain::numbered(&alone.labels));

        // A passenger may start at an edge, where it has no one way to go.
        let is_steady = steady_passengers(&case, &new, &expected);
        for (passenger, is_steady) in is_steady.into_iter().enumerate() {
            if !is_steady {
                continue;
            }
            let at = of_points + passenger * case.dims;
            let there = at..at + case.dims;
            // Blurring, a point always sees itself, and so does one that has met its centre.
            let joined =
                |of_point: &[f64]| plain::worst(of_point, &final_positions[there.clone()]) == 0.0;
            if case.params.blurring
                && final_positions[..of_points].chunks_exact(case.dims).any(joined)
            {
                continue;
            }
            let off = plain::worst(&final_positions[there.clone()], &expected.centers[there]);
            prop_assert!(off < CLOSE, "passenger {} is off by {}", passenger, off);
            let label = labels[n + passenger];
            let same: Vec<usize> = (0..n).filter(|&j| labels[j] == label).collect();
            let allowed = allowed(&expected, case.dims, passenger);
            prop_assert!(
                same.iter().any(|&j| allowed.contains(&expected.labels[j])),
                "passenger {} is with {:?}",
                passenger,
                same
            );
        }
        Ok(true)
    });
}

#[test]
fn a_row_is_placed_alike_in_whatever_company() {
    on_cases(150, with_new_points(), |(case, new)| {
        if case.expected().is_none() {
            return Ok(false);
        }
        let fit = case.fit();
        let together = [case.points().as_slice(), new.as_slice()].concat();
        let together = Points::from_shape(case.n() + new.len(), case.dims, together).unwrap();
        let together = fit.model.predict(&together).unwrap();
        let alone = fit.model.predict(&case.points()).unwrap();
        prop_assert_eq!(&together[..case.n()], &alone);
        let expected = shifted_along_plainly(&case, &new);
        let is_steady = steady_passengers(&case, &new, &expected);
        for (i, is_steady) in is_steady.into_iter().enumerate() {
            let label = together[case.n() + i];
            prop_assert!(label.is_some_and(|label| label < fit.clustering.n_clusters));
            // Equally near to points with different labels, it may have the label of either.
            let allowed = allowed(&expected, case.dims, i);
            if is_steady && allowed.iter().all(|label| *label == allowed[0]) {
                let one = fit.model.predict(&new.select(&[i])).unwrap();
                prop_assert_eq!(one, vec![label]);
            }
        }
        Ok(true)
    });
}

/// For every passenger, whether it ends in the same place if its start is off by 1e-9.
fn steady_passengers(case: &Case, new: &Points, expected: &Found) -> Vec<bool> {
    let dims = case.dims;
    let moved: Vec<Found> = [-1e-9, 1e-9]
        .into_iter()
        .map(|by| {
            let rows = new.as_slice().iter().map(|x| x + by).collect();
            shifted_along_plainly(case, &Points::from_shape(new.len(), dims, rows).unwrap())
        })
        .collect();
    (0..new.len())
        .map(|passenger| {
            let at = case.rows.len() + passenger * dims;
            moved.iter().all(|other| {
                let there = at..at + dims;
                let off = plain::worst(&other.centers[there.clone()], &expected.centers[there]);
                off < CLOSE / 2.0 && other.links[passenger] == expected.links[passenger]
            })
        })
        .collect()
}

fn small_problem() -> Problem {
    let rows: Vec<Vec<f64>> =
        (0..20).map(|i| vec![f64::from(i % 2), 0.01 * f64::from(i)]).collect();
    let mut constraints = Constraints::new(20);
    constraints.cannot_link(0, 1).unwrap();
    Problem::new(Points::from_rows(&rows).unwrap(), constraints).unwrap()
}

fn paper() -> Cms {
    Cms { mode: ilk::method::CmsMode::Paper, ..Cms::default() }
}

#[test]
fn new_points_of_another_width_are_refused() {
    let model = fit(&paper(), &small_problem()).model;
    assert_eq!(model.dims(), 2);
    let narrow = Points::from_rows(&[vec![1.0]]).unwrap();
    let expected = Error::WrongDimensions { found: 1, expected: 2 };
    assert_eq!(model.predict(&narrow), Err(expected));
}

#[test]
fn an_empty_table_of_new_points_is_refused() {
    let expected = Error::Empty { rows: 0, columns: 2 };
    assert_eq!(Points::from_shape(0, 2, vec![]), Err(expected));
}

#[test]
fn a_prediction_can_be_watched_and_cancelled() {
    let fit = fit(&paper(), &small_problem());
    let new = Points::from_rows(&[vec![0.1, 0.1]]).unwrap();
    let cancel = |event: &Event| {
        if event.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ended = fit.model.predict_observed(&new, &cancel);
    assert_eq!(ended, Err(Error::Cancelled { iterations: 3 }));
    // The model is none the worse for it.
    assert_eq!(fit.model.predict(&new), Ok(vec![fit.clustering.labels[0]]));
}
