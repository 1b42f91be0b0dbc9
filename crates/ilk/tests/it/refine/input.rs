//! Classifiers, parameters and observers: what refinement accepts and what it refuses.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::Label;
use ilk::observe::{Event, Silent};
use ilk::outcome::KnnClassifier;
use ilk::problem::Constraints;
use ilk::refine::{MustLinkPolicy, Refine};

use super::case::{case, line, points, refine, some, three_heaps};

#[test]
fn points_in_one_place_with_different_labels_get_the_most_common_one() {
    let space = line(&[1.0, 1.0, 1.0, 3.0]);
    let classifier = KnnClassifier::new(&space, &some(&[2, 1, 1, 0]), 2).unwrap();
    assert_eq!(classifier.predict(&line(&[1.0, 3.0])).unwrap(), some(&[1, 0]));
    let classifier = KnnClassifier::new(&space, &some(&[2, 1, 3, 0]), 2).unwrap();
    assert_eq!(classifier.predict(&line(&[1.0])).unwrap(), some(&[2]));
}

#[test]
fn beside_a_labelled_point_its_label_alone_counts() {
    // The neighbours of 1 have another label than it.
    let space = line(&[0.0, 1.0, 2.0, 3.0, 4.0]);
    let classifier = KnnClassifier::new(&space, &some(&[0, 1, 0, 0, 0]), 4).unwrap();
    let found = classifier.predict(&line(&[1.0, 1.0 + 1e-9, 1.09, 1.1])).unwrap();
    assert_eq!(found, some(&[1, 1, 1, 0]));
}

#[test]
fn a_classifier_survives_being_written_and_read_and_refuses_what_does_not_fit() {
    let (space, truth) = three_heaps();
    let classifier = KnnClassifier::new(&space, &some(&truth), 10).unwrap();
    assert_eq!((classifier.dims(), classifier.n_clusters()), (1, 3));
    let text = serde_json::to_string(&classifier).unwrap();
    assert_eq!(serde_json::from_str::<KnnClassifier>(&text).unwrap(), classifier);
    let cut = text.replacen("\"labels\":[0,", "\"labels\":[", 1);
    let refused = serde_json::from_str::<KnnClassifier>(&cut).unwrap_err().to_string();
    assert!(
        refused.contains("the list of coordinates has 60 entries where 59 are needed"),
        "{refused}"
    );

    let wrong = classifier.predict(&points(&[&[1.0, 2.0]])).unwrap_err();
    assert_eq!(wrong, Error::WrongDimensions { found: 2, expected: 1 });
    assert!(matches!(KnnClassifier::new(&space, &[None], 10), Err(Error::WrongLength { .. })));
    assert!(matches!(
        KnnClassifier::new(&space, &some(&truth), 0),
        Err(Error::BadParameter { .. })
    ));
}

#[test]
fn what_does_not_fit_is_refused() {
    let space = line(&[1.0, 2.0]);
    let labels = some(&[0, 1]);
    let refused = |params: Refine, labels: &[Label], n: usize| {
        let refined = params.refine(&space, labels, &Constraints::new(n), &Silent);
        refined.unwrap_err().to_string()
    };
    let default = Refine::default;
    assert_eq!(
        refused(default(), &labels[..1], 2),
        "the list of labels has 1 entries where 2 are needed"
    );
    assert_eq!(
        refused(default(), &labels, 3),
        "the list of points of the constraints has 3 entries where 2 are needed"
    );
    assert_eq!(
        refused(Refine { neighbors: 0, ..default() }, &labels, 2),
        "neighbors = 0 is out of range: it must be a whole number, at least 1"
    );
    assert_eq!(
        refused(Refine { floor: 0.0, ..default() }, &labels, 2),
        "floor = 0 is out of range: it must be a number above 0, at most 1"
    );
    assert_eq!(
        refused(Refine { penalty: f64::NAN, ..default() }, &labels, 2),
        "penalty = NaN is out of range: it must be a number at least 0, at most 1000000"
    );
}

#[test]
fn parameters_are_described_as_they_are() {
    let written = serde_json::to_value(Refine::default()).unwrap();
    let fields = written.as_object().unwrap();
    assert_eq!(fields.len(), Refine::PARAMETERS.len());
    for info in Refine::PARAMETERS {
        let default = &fields[info.name];
        let text = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        assert_eq!(text.trim_end_matches(".0"), info.default(), "{}", info.name);
    }
    for name in MustLinkPolicy::NAMES {
        let read: Refine = serde_json::from_str(&format!("{{\"must_links\":\"{name}\"}}")).unwrap();
        assert_eq!(serde_json::to_value(read.must_links).unwrap(), *name);
    }
    assert!(serde_json::from_str::<Refine>("{\"neighbours\":3}").is_err());
}

#[test]
fn an_observer_sees_every_sweep_and_trial_and_can_stop() {
    let case = case(200, 8, 100, 0.0, 3);
    let seen = std::sync::Mutex::new(Vec::new());
    let observer = |event: &Event| {
        seen.lock().unwrap().push((event.stage, event.iteration));
        ControlFlow::Continue(())
    };
    let refined =
        Refine::default().refine(&case.space, &case.labels, &case.constraints, &observer).unwrap();
    let seen = seen.into_inner().unwrap();
    let sweeps: Vec<usize> =
        seen.iter().filter(|(stage, _)| *stage == "refine").map(|s| s.1).collect();
    assert_eq!(sweeps, (1..=refined.sweeps).collect::<Vec<_>>());
    for stage in ["refine", "dissolve"] {
        assert!(seen.iter().any(|&(s, _)| s == stage), "{stage}");
        let stop = |event: &Event| {
            if event.stage == stage { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = Refine::default().refine(&case.space, &case.labels, &case.constraints, &stop);
        assert_eq!(stopped.unwrap_err(), Error::Cancelled { iterations: 1 });
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let case = case(400, 20, 300, 0.05, 5);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || refine(&Refine::default(), &case.space, &case.labels, &case.constraints);
        pool.unwrap().install(run)
    };
    assert_eq!(with(1), with(3));
}
