//! What is refused, and watching.

use std::ops::ControlFlow;
use std::sync::Mutex;

use ilk::Error;
use ilk::observe::{Event, Silent};
use ilk::problem::{ConstraintKind, Constraints};
use ilk::supervise::logdet::{
    DistanceConstraint, DistanceConstraints, InitialGram, LogDet, Projection, Slack, Targets,
};
use ndarray::{Array2, array};

use super::cases::case;

const TARGETS: Targets = Targets { must: 0.1, cannot: 1.9 };

#[test]
fn every_kind_becomes_its_rows_over_the_points_that_occur() {
    let mut constraints = Constraints::new(20);
    constraints.closer(9, 2, 4).unwrap();
    constraints.odd_one_out(7, 5, 9).unwrap();
    constraints.about_equal(4, 2, 9).unwrap();
    constraints.cannot_link(5, 2).unwrap();
    constraints.add(ConstraintKind::MustLink, &[9, 7], 3.0, None).unwrap();
    constraints.label(1, "cat").unwrap();
    let terms = DistanceConstraints::new(&constraints, TARGETS, 1.5);
    assert_eq!(terms.points(), [2, 4, 5, 7, 9]);
    let comparison = |i, j, k, ratio, is_equality| DistanceConstraint::Comparison {
        i,
        j,
        k,
        ratio,
        is_equality,
        weight: 1.0,
    };
    let pair = |a, b, sign, target, weight| DistanceConstraint::Pair { a, b, sign, target, weight };
    assert_eq!(
        terms.rows(),
        [
            pair(3, 4, 1.0, 0.1, 3.0),
            pair(0, 2, -1.0, 1.9, 1.0),
            comparison(2, 3, 4, 1.5, false),
            comparison(3, 2, 4, 1.5, false),
            comparison(1, 0, 4, 1.0, true),
            comparison(0, 1, 4, 1.0, true),
            comparison(4, 0, 1, 1.5, false),
        ]
    );
    assert_eq!(terms.source(3), Some((ConstraintKind::OddOneOut, 0)));
    assert_eq!(terms.source(6), Some((ConstraintKind::Closer, 0)));
}

fn refused(
    params: &LogDet,
    start: InitialGram<'_>,
    rows: Vec<DistanceConstraint>,
    warm: Option<&[f64]>,
) -> String {
    let terms = DistanceConstraints::from_rows(vec![0, 1, 2], rows);
    let error = params.solve(start, &terms, warm, &Silent);
    error.unwrap_err().to_string()
}

#[test]
fn what_makes_no_sense_is_refused_with_what_and_where() {
    let gram = Array2::<f64>::eye(3);
    let start = InitialGram::Gram(gram.view());
    let good = LogDet::default();
    let pair = |a, b, sign, target, weight| DistanceConstraint::Pair { a, b, sign, target, weight };
    let fine = pair(0, 1, 1.0, 0.1, 1.0);
    let bad = |params: LogDet| refused(&params, start, vec![fine], None);
    assert_eq!(
        bad(LogDet { gamma: 0.0, ..good }),
        "gamma = 0 is out of range: it must be a number above 0"
    );
    assert_eq!(
        bad(LogDet { penalty: f64::INFINITY, ..good }),
        "penalty = inf is out of range: it must be a number above 0, finite"
    );
    assert_eq!(
        bad(LogDet { tol: f64::NAN, ..good }),
        "tol = NaN is out of range: it must be a number above 0, finite"
    );
    for (row, message) in [
        (
            pair(0, 3, 1.0, 0.1, 1.0),
            "point = 3 is out of range: row 1 needs different positions below 3",
        ),
        (
            pair(2, 2, 1.0, 0.1, 1.0),
            "point = 2 is out of range: row 1 needs different positions below 3",
        ),
        (
            pair(0, 2, 1.0, 0.0, 1.0),
            "target = 0 is out of range: row 1 needs a number above 0, finite",
        ),
        (pair(0, 2, 0.5, 0.1, 1.0), "sign = 0.5 is out of range: row 1 needs +1 or -1"),
        (
            pair(0, 2, 1.0, 0.1, -1.0),
            "weight = -1 is out of range: row 1 needs a number above 0, finite",
        ),
    ] {
        assert_eq!(refused(&good, start, vec![fine, row], None), message);
    }
    assert_eq!(
        refused(&good, start, vec![fine], Some(&[1.0, 2.0])),
        "the list of duals to begin with has 2 entries where 1 are needed"
    );
    let flat = Array2::<f64>::zeros((2, 3));
    assert_eq!(
        refused(&good, InitialGram::Gram(flat.view()), vec![fine], None),
        "the kernel on the constrained points has 2 entries where 3 are needed"
    );
    assert_eq!(
        refused(&good, InitialGram::Gram(flat.t()), vec![fine], None),
        "the kernel matrix has 3 rows and 2 columns; it must be square"
    );
    let holed = array![[1.0, 0.0], [0.0, f64::NAN], [0.0, 1.0]];
    assert_eq!(
        refused(&good, InitialGram::Features(holed.view()), vec![fine], None),
        "the value in row 1, column 1 is NaN; replace or drop it"
    );
}

#[test]
fn the_observer_sees_every_iteration_and_may_cancel() {
    for projection in [Projection::Dual, Projection::Sweeps, Projection::Paper] {
        let params = LogDet { projection, max_iter: 40, ..LogDet::default() };
        let case = case(20, 20, 0.0, params, 5);
        let gram = case.gram();
        let seen = Mutex::new(Vec::new());
        let observer = |event: &Event| {
            seen.lock().unwrap().push(*event);
            ControlFlow::Continue(())
        };
        let start = InitialGram::Gram(gram.view());
        let found = case.params.solve(start, &case.terms, None, &observer).unwrap();
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen.len(), found.sweeps + found.newton_steps);
        assert_eq!(seen.len(), found.trace.len());
        for (at, (event, step)) in seen.iter().zip(&found.trace).enumerate() {
            assert_eq!(event.stage, "learning the kernel");
            assert_eq!((event.iteration, event.total), (at + 1, case.terms.rows().len()));
            assert_eq!(event.movement, step.gap);
        }
        let stop = |event: &Event| match event.iteration {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let cancelled = case.params.solve(start, &case.terms, None, &stop);
        assert_eq!(cancelled, Err(Error::Cancelled { iterations: 2 }));
    }
}

#[test]
fn the_dual_never_falls() {
    let case = case(30, 40, 0.2, LogDet::default(), 3);
    let found = case
        .params
        .solve(InitialGram::Gram(case.gram().view()), &case.terms, None, &Silent)
        .unwrap();
    assert!(found.trace.len() > 5);
    for pair in found.trace.windows(2) {
        assert!(pair[1].dual >= pair[0].dual - 1e-10);
    }
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let case = case(90, 150, 0.2, LogDet::default(), 9);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let gram = case.gram();
            case.params.solve(InitialGram::Gram(gram.view()), &case.terms, None, &Silent).unwrap()
        })
    };
    let one = run(1);
    assert!(one.newton_steps > 0);
    assert_eq!(one, run(3));
}

#[test]
fn parameters_survive_json_even_where_nothing_may_be_missed() {
    let params = LogDet {
        gamma: f64::INFINITY,
        slack: Slack::None,
        projection: Projection::Paper,
        ..LogDet::default()
    };
    let text = serde_json::to_string(&params).unwrap();
    assert_eq!(serde_json::from_str::<LogDet>(&text).unwrap(), params);
    let packed = rmp_serde::to_vec_named(&params).unwrap();
    assert_eq!(rmp_serde::from_slice::<LogDet>(&packed).unwrap(), params);
    let short: LogDet = serde_json::from_str(r#"{"gamma": 100}"#).unwrap();
    assert_eq!(short, LogDet { gamma: 100.0, ..LogDet::default() });
}
