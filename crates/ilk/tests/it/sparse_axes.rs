//! Sparse points and the axes onto which they are projected.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::embed::SparseAxes;
use ilk::ndarray::Array2;
use ilk::numerics::linalg::{product, symmetric_eigen};
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Silent};
use ilk::problem::SparsePoints;

/// The sparse points of a dense matrix.
fn sparse(dense: &Array2<f64>) -> SparsePoints {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in dense.rows() {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            columns.push(column);
            values.push(value);
        }
        offsets.push(columns.len());
    }
    SparsePoints::from_parts(dense.ncols(), &offsets, &columns, &values).unwrap()
}

/// A matrix in which one entry of ten is not 0.
fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    Array2::from_shape_simple_fn((rows, columns), || {
        let value = rng.normal();
        if rng.uniform() < 0.1 { value } else { 0.0 }
    })
}

#[test]
fn the_axes_keep_within_a_percent_of_what_singular_vectors_keep() {
    for (rows, columns) in [(300, 200), (200, 300)] {
        let dense = random(rows, columns, 5);
        let axes = SparseAxes::fit(&sparse(&dense), 20, &Silent).unwrap();
        assert_eq!((axes.dims(), axes.n_axes()), (columns, 20));
        let squares = symmetric_eigen(product(dense.t(), dense.view()).view()).unwrap().values;
        let best = squares.iter().take(20).sum::<f64>() / squares.sum();
        assert!(
            axes.share() <= best + 1e-12 && axes.share() > 0.99 * best,
            "{} {best}",
            axes.share()
        );
        let kept: f64 =
            axes.project(&sparse(&dense)).unwrap().as_slice().iter().map(|x| x * x).sum();
        assert!((kept / squares.sum() - axes.share()).abs() < 1e-10);
    }
}

#[test]
fn points_in_as_many_directions_as_axes_keep_all_distances() {
    // Of rank 8, so that 8 axes of 150 columns hold everything.
    for rows in [60, 400] {
        let dense = product(random(rows, 8, 1).view(), random(8, 150, 2).view());
        let axes = SparseAxes::fit(&sparse(&dense), 30, &Silent).unwrap();
        assert!(axes.n_axes() <= 8 && axes.share() > 1.0 - 1e-12);
        let points = axes.project(&sparse(&dense)).unwrap();
        for (i, j) in [(0, 1), (3, 40), (17, 59)] {
            let before: f64 = (&dense.row(i) - &dense.row(j)).mapv(|x| x * x).sum();
            let between = points.row(i).iter().zip(points.row(j));
            let after: f64 = between.map(|(x, y)| (x - y).powi(2)).sum();
            assert!((before - after).abs() < 1e-9 * before.max(1.0), "{before} {after}");
        }
        let back = axes.restore(points.view());
        assert!((&back - &dense).iter().all(|x| x.abs() < 1e-9));
    }
}

#[test]
fn few_columns_stay_as_they_are() {
    let dense = random(20, 5, 3);
    let axes = SparseAxes::fit(&sparse(&dense), 5, &Silent).unwrap();
    assert_eq!(axes.project(&sparse(&dense)).unwrap().view(), dense.view());
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let points = sparse(&random(3000, 400, 4));
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| SparseAxes::fit(&points, 15, &Silent).unwrap())
    };
    assert_eq!(of(1), of(2));
}

#[test]
fn points_at_the_origin_alone_have_an_axis_too() {
    let none = SparsePoints::from_parts(200, &[0, 0, 0], &[], &[]).unwrap();
    let axes = SparseAxes::fit(&none, 10, &Silent).unwrap();
    assert_eq!(axes.project(&none).unwrap().as_slice(), [0.0, 0.0]);
    assert_eq!(none.clone().unit_rows(), none);
}

#[test]
fn a_search_for_axes_can_be_cancelled_at_every_product() {
    let points = sparse(&random(300, 200, 6));
    for at in 1..=9 {
        let observer = |event: &Event| {
            if event.iteration == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let found = SparseAxes::fit(&points, 20, &observer);
        assert_eq!(found.unwrap_err(), Error::Cancelled { iterations: at });
    }
}

#[test]
fn rows_that_do_not_fit_are_refused_with_the_row() {
    let message = |offsets: &[usize], columns: &[usize], values: &[f64]| {
        SparsePoints::from_parts(3, offsets, columns, values).unwrap_err().to_string()
    };
    let row = |row: usize, reason: &str| {
        format!("row {row} of the sparse points cannot be read: {reason}")
    };
    assert_eq!(message(&[1, 1], &[], &[]), row(0, "the first offset must be 0"));
    assert_eq!(
        message(&[0, 2], &[0], &[1.0]),
        row(0, "the last offset must be the number of values")
    );
    assert_eq!(message(&[0, 2, 1], &[0], &[1.0]), row(1, "offsets must never fall"));
    assert_eq!(message(&[0, 1, 2], &[0, 3], &[1.0; 2]), row(1, "a column is beyond the last one"));
    assert_eq!(message(&[0, 2], &[1, 1], &[1.0; 2]), row(0, "columns must ascend, each once"));
    assert_eq!(
        message(&[0, 2], &[0, 2], &[1.0, f64::NAN]),
        "the value in row 0, column 2 is NaN; replace or drop it"
    );
    assert_eq!(message(&[0, 1], &[0], &[]), "the list of values has 0 entries where 1 are needed");
}
