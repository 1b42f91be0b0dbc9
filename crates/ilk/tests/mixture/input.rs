//! What is refused, and how.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::mixture::{GaussianMixture, GivenComponents, MixtureStart};
use ilk::ndarray::{Array2, array};
use ilk::observe::{Event, Silent};

fn two() -> GaussianMixture {
    GaussianMixture {
        n_clusters: 2,
        ..GaussianMixture::default()
    }
}

fn points() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [6.0, 5.0]]
}

fn refusal(params: &GaussianMixture, weights: Option<&[f64]>) -> String {
    let refused = params.fit(points().view(), weights, &Silent).unwrap_err();
    refused.to_string()
}

#[test]
fn parameters_out_of_range_are_named_with_their_range() {
    assert_eq!(
        refusal(
            &GaussianMixture {
                n_clusters: 0,
                ..two()
            },
            None
        ),
        "n_clusters = 0 is out of range: it must be a whole number, at least 1"
    );
    assert_eq!(
        refusal(
            &GaussianMixture {
                reg_covar: -1.0,
                ..two()
            },
            None
        ),
        "reg_covar = -1 is out of range: it must be a number at least 0"
    );
    assert_eq!(
        refusal(
            &GaussianMixture {
                n_clusters: 5,
                ..two()
            },
            None
        ),
        "5 clusters were asked for, but there are only 4 points"
    );
    assert_eq!(
        refusal(&two(), Some(&[1.0, 1.0, f64::NAN, 1.0])),
        "weights = NaN is out of range: the weight of point 2 must be finite and not negative"
    );
}

#[test]
fn components_that_do_not_fit_are_named() {
    let bad = |given: GivenComponents| {
        let init = MixtureStart::Components(given);
        refusal(&GaussianMixture { init, ..two() }, None)
    };
    assert_eq!(
        bad(GivenComponents {
            weights: Some(vec![0.5, 0.6]),
            ..GivenComponents::default()
        }),
        "init = weights to start from is out of range: they must be 2 numbers of at least 0 that add up to 1"
    );
    assert_eq!(
        bad(GivenComponents {
            means: Some(vec![vec![0.0, 1.0]]),
            ..GivenComponents::default()
        }),
        "init = means to start from is out of range: they must be 2 rows of 2 finite numbers"
    );
    let indefinite = vec![vec![1.0, 2.0, 2.0, 1.0]; 2];
    assert_eq!(
        bad(GivenComponents {
            covariances: Some(indefinite),
            ..GivenComponents::default()
        }),
        "init = covariances to start from is out of range: they must be positive definite"
    );
}

#[test]
fn new_points_of_other_dimensions_are_refused() {
    let (_, model) = two().fit(points().view(), None, &Silent).unwrap();
    assert_eq!(
        model.probabilities(array![[0.0]].view()),
        Err(Error::WrongDimensions {
            found: 1,
            expected: 2
        })
    );
}

#[test]
fn an_observer_can_cancel() {
    let stop = |_: &Event| ControlFlow::Break(());
    let refused = two().fit(points().view(), None, &stop).unwrap_err();
    assert!(matches!(refused, Error::Cancelled { .. }));
}
