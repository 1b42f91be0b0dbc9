//! What is refused, and how.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::mixture::{GaussianMixture, InitialComponents, MixtureInit};
use ilk::group::{GroupingAlgorithm, GroupingInput};
use ilk::ndarray::{Array2, array};
use ilk::observe::{Event, Silent};
use ilk::parameter::AutoOr;

fn two() -> GaussianMixture {
    GaussianMixture { n_clusters: 2.into(), ..GaussianMixture::default() }
}

fn points() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [6.0, 5.0]]
}

fn refusal(params: &GaussianMixture, weights: Option<&[f64]>) -> String {
    let refused = params
        .group(GroupingInput::new(points().view()).with_weights(weights), &Silent)
        .unwrap_err();
    refused.to_string()
}

#[test]
fn parameters_out_of_range_are_named_with_their_range() {
    assert_eq!(
        refusal(&GaussianMixture { n_clusters: 0.into(), ..two() }, None),
        "n_clusters = 0 is out of range: it must be a whole number, at least 1, or auto"
    );
    assert_eq!(
        refusal(&GaussianMixture { reg_covar: AutoOr::Fixed(-1.0), ..two() }, None),
        "reg_covar = -1 is out of range: it must be a number at least 0, or auto"
    );
    assert_eq!(
        refusal(&GaussianMixture { n_clusters: 5.into(), ..two() }, None),
        "5 clusters were asked for, but there are only 4 points"
    );
    assert_eq!(
        refusal(&two(), Some(&[1.0, 1.0, f64::NAN, 1.0])),
        "weights = NaN is out of range: the weight of point 2 must be finite and not negative"
    );
}

#[test]
fn components_that_do_not_fit_are_named() {
    let bad = |given: InitialComponents| {
        let init = MixtureInit::Components(given);
        refusal(&GaussianMixture { init, ..two() }, None)
    };
    assert_eq!(
        bad(InitialComponents { weights: Some(vec![0.5, 0.6]), ..InitialComponents::default() }),
        "init = weights to start from is out of range: they must be 2 numbers of at least 0 that add up to 1"
    );
    assert_eq!(
        bad(InitialComponents {
            means: Some(vec![vec![0.0, 1.0]]),
            ..InitialComponents::default()
        }),
        "init = means to start from is out of range: they must be 2 rows of 2 finite numbers"
    );
    let indefinite = vec![vec![1.0, 2.0, 2.0, 1.0]; 2];
    assert_eq!(
        bad(InitialComponents { covariances: Some(indefinite), ..InitialComponents::default() }),
        "init = covariances to start from is out of range: they must be positive definite"
    );
}

#[test]
fn new_points_of_other_dimensions_are_refused() {
    let (_, model) = two().group(points().view(), &Silent).unwrap();
    assert_eq!(
        model.probabilities(array![[0.0]].view()),
        Err(Error::WrongDimensions { found: 1, expected: 2 })
    );
}

#[test]
fn an_observer_can_cancel() {
    let stop = |_: &Event| ControlFlow::Break(());
    let refused = two().group(points().view(), &stop).unwrap_err();
    assert!(matches!(refused, Error::Cancelled { .. }));
}
