//! How a run behaves: it can be cancelled, repeated, run on any number of threads, saved and loaded.

use std::ops::ControlFlow;
use std::sync::Mutex;

use ilk::Error;
use ilk::observe::{Event, Observer, Silent};
use ilk::outcome::{AnyModel, Fit};
use ilk::problem::{Constraints, InputKind, Points};
use serde_json::json;

use super::case::{Case, defaults, three_groups, variants};

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// Everything that came out, to the bit: a float's shortest text stands for one float alone.
fn bits(fit: &Fit) -> (String, Vec<u8>) {
    let model = rmp_serde::to_vec_named(&fit.model).expect("models serialise");
    (format!("{:?}", fit.clustering), model)
}

#[test]
fn a_run_that_is_cancelled_at_the_first_event_begins_no_other_iteration() {
    let (data, groups) = three_groups(60);
    for case in variants() {
        for constraints in [Constraints::new(groups.len()), case.constraints(&groups)] {
            let problem = case.problem(&data, constraints);
            let iterations = Mutex::new(Vec::new());
            let stop = |event: &Event| {
                iterations.lock().expect("no panic").push(event.iteration);
                ControlFlow::Break(())
            };
            let ended = on_threads(1, || case.try_fit(&problem, &stop));
            assert!(matches!(ended, Err(Error::Cancelled { .. })), "{case}");
            let iterations = iterations.into_inner().expect("no panic");
            assert!(iterations.iter().all(|&it| it == iterations[0]), "{case}");
        }
    }
}

/// Never cancels by an event.
struct CancelledBetweenEvents;

impl Observer for CancelledBetweenEvents {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn fits_by_which_a_setting_is_chosen_can_be_cancelled_within() {
    let (data, groups) = three_groups(30);
    let cases = defaults();
    // These choose how far they rely on constraints.
    for case in cases.iter().filter(|case| case.has("refine") && case.input == InputKind::Points) {
        let problem = case.problem(&data, case.constraints(&groups));
        let ended = case.try_fit(&problem, &CancelledBetweenEvents);
        let ended = ended.map(|fit| fit.clustering.chosen);
        assert!(matches!(ended, Err(Error::Cancelled { .. })), "{case}: {ended:?}");
    }
}

#[test]
fn results_have_the_same_bits_on_1_2_and_8_threads() {
    for case in variants() {
        for is_supervised in [false, true] {
            let is_slow = case.chooses() || is_supervised && case.tries_constraints();
            // 270 points are more than one block of the sums that are taken in blocks of 256.
            let (data, groups) = three_groups(if is_slow { 30 } else { 90 });
            let constraints = if is_supervised {
                case.constraints(&groups)
            } else {
                Constraints::new(groups.len())
            };
            let run = |threads| bits(&on_threads(threads, || case.fit(&data, constraints.clone())));
            let one = run(1);
            assert_eq!(one, run(2), "{case}");
            assert_eq!(one, run(8), "{case}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let (data, groups) = three_groups(40);
    let is_seeded = |case: &Case| case.info.parameters.iter().any(|p| p.name == "seed");
    for mut case in defaults() {
        if is_seeded(&case) {
            case = case.with("seed", json!(7));
        }
        let run = || bits(&case.fit(&data, case.constraints(&groups)));
        assert_eq!(run(), run(), "{case}");
    }
}

#[test]
fn a_model_that_was_saved_and_loaded_predicts_the_same() {
    let (data, groups) = three_groups(30);
    let new = &data.slice(ilk::ndarray::s![..;3, ..]) * 0.9 + 0.05;
    let new = Points::new(new).expect("finite");
    for case in variants() {
        let model = case.fit(&data, case.constraints(&groups)).model;
        let bytes = rmp_serde::to_vec_named(&model).expect("models serialise");
        let packed: AnyModel = rmp_serde::from_slice(&bytes).expect("what was written");
        assert_eq!(packed, model, "{case}");
        let text = serde_json::to_string(&model).expect("models serialise");
        let written: AnyModel = serde_json::from_str(&text).expect("what was written");
        if case.info.predicts.contains(&case.input) && case.input == InputKind::Points {
            let expected = model.predict(&new).expect("the same columns");
            for loaded in [packed, written] {
                let found = loaded.predict_observed(&new, &Silent).expect("the same columns");
                assert_eq!(found, expected, "{case}");
            }
        }
    }
}
