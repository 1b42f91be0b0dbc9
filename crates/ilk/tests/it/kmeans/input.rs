//! What is refused, and how.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::kmeans::{Distance, KMeans, KMeansInit};
use ilk::group::{GroupingAlgorithm, GroupingInput};
use ilk::ndarray::{Array2, array};
use ilk::observe::{Event, Silent};

fn two() -> KMeans {
    KMeans { n_clusters: 2.into(), ..KMeans::default() }
}

fn refusal(params: &KMeans, points: &Array2<f64>, weights: Option<&[f64]>) -> String {
    let refused =
        params.group(GroupingInput::new(points.view()).with_weights(weights), &Silent).unwrap_err();
    refused.to_string()
}

#[test]
fn parameters_out_of_range_are_named_with_their_range() {
    let points = array![[0.0], [1.0]];
    let bad = |params: KMeans| refusal(&params, &points, None);
    assert_eq!(
        bad(KMeans { n_clusters: 0.into(), ..two() }),
        "n_clusters = 0 is out of range: it must be a whole number, at least 1, or auto"
    );
    assert_eq!(
        bad(KMeans { n_init: 0, ..two() }),
        "n_init = 0 is out of range: it must be a whole number from 1 to 10000"
    );
    assert_eq!(
        bad(KMeans { n_init: 1_000_000_000, ..two() }),
        "n_init = 1000000000 is out of range: it must be a whole number from 1 to 10000"
    );
    assert_eq!(
        bad(KMeans { max_iter: 0, ..two() }),
        "max_iter = 0 is out of range: it must be a whole number, at least 1"
    );
    assert_eq!(
        bad(KMeans { tol: f64::NAN, ..two() }),
        "tol = NaN is out of range: it must be a number at least 0"
    );
    assert_eq!(
        bad(KMeans { n_clusters: 3.into(), ..two() }),
        "3 clusters were asked for, but there are only 2 points"
    );
}

#[test]
fn weights_that_do_not_fit_are_named() {
    let points = array![[0.0], [1.0], [2.0]];
    let bad = |weights: &[f64]| refusal(&two(), &points, Some(weights));
    assert_eq!(bad(&[1.0]), "the list of point weights has 1 entries where 3 are needed");
    assert_eq!(
        bad(&[1.0, -2.0, 1.0]),
        "weights = -2 is out of range: the weight of point 1 must be finite and not negative"
    );
    assert_eq!(bad(&[0.0; 3]), "weights = all 0 is out of range: give a point a weight above 0");
}

#[test]
fn centres_that_do_not_fit_are_named() {
    let points = array![[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]];
    let bad = |centers: Vec<Vec<f64>>, distance| {
        let init = KMeansInit::Centers(centers);
        refusal(&KMeans { distance, init, ..two() }, &points, None)
    };
    assert_eq!(
        bad(vec![vec![0.0, 1.0]], Distance::Euclidean),
        "init = 1 centres is out of range: there must be one for each of the n_clusters clusters"
    );
    assert_eq!(
        bad(vec![vec![0.0, 1.0], vec![1.0]], Distance::Euclidean),
        "init = centre 1 with 1 coordinates is out of range: a centre must have as many coordinates as a point"
    );
    assert_eq!(
        bad(vec![vec![0.0, f64::NAN], vec![1.0, 1.0]], Distance::Euclidean),
        "init = centre 0 is out of range: its coordinates must be finite"
    );
    assert_eq!(
        bad(vec![vec![1.0, 1.0], vec![0.0, 0.0]], Distance::Cosine),
        "init = centre 1 is out of range: at the origin it has no direction"
    );
}

#[test]
fn new_points_of_other_dimensions_are_refused() {
    let (_, model) = two().group(array![[0.0], [1.0]].view(), &Silent).unwrap();
    assert_eq!(
        model.assign(array![[0.0, 1.0]].view()),
        Err(Error::WrongDimensions { found: 2, expected: 1 })
    );
}

#[test]
fn an_observer_can_cancel() {
    let points = array![[0.0], [1.0], [5.0]];
    let stop = |_: &Event| ControlFlow::Break(());
    let refused = two().group(points.view(), &stop).unwrap_err();
    assert!(matches!(refused, Error::Cancelled { .. }));
}
