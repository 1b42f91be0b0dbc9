//! Every method with random parameters from their declared ranges, on random data: it ends with a result or an
//! error, never with a panic. A few cases run with all tests; `cargo xtask fuzz --parameters N` runs as many as asked for.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ilk::method::{AnyMethod, Method, MethodInfo};
use ilk::ndarray::Array2;
use ilk::numerics::rng::{Rng, rng_stream};
use ilk::observe::Event;
use ilk::parameter::{ParameterInfo, Range};
use ilk::problem::{ConstraintKind, Constraints, InputKind, Points, Problem};
use serde_json::{Map, Value, json};

use crate::conformance::shaped;

/// Cases where none are asked for, and their points.
const FEW: (u64, usize) = (40, 16);

/// Points of a case where many are asked for.
const POINTS: usize = 80;

/// Where many are asked for, a run that takes longer is reported.
const TOO_LONG: Duration = Duration::from_secs(10);

/// The number in a variable of the environment.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn one_of<'a, T>(rng: &mut Rng, values: &'a [T]) -> &'a T {
    &values[rng.below(values.len())]
}

/// A value of a parameter: an end of its range, or something within.
fn value(rng: &mut Rng, parameter: &ParameterInfo) -> Value {
    if let Some(word) = parameter.word
        && rng.below(3) == 0
    {
        return if word == "none" { Value::Null } else { json!(word) };
    }
    match parameter.range {
        Range::Number { min, max, inclusive } => {
            let size = 10_f64.powf(rng.uniform() * 12.0 - 6.0);
            let usual = [size, 0.5, 1.0, 1e-300, 1e100].map(|x| (min + x).min(max));
            let mut values = usual.to_vec();
            values.extend(inclusive.then_some(min));
            json!(one_of(rng, &values))
        }
        Range::Integer { min, max } => {
            // More steps or runs than this only take their time.
            let most = max.min(min + 40);
            json!(min + rng.below((most - min + 1) as usize) as u64)
        }
        Range::Choice(words) => json!(one_of(rng, words)),
        Range::Flag => json!(rng.below(2) == 0),
        Range::Text(_) => json!(parameter.default()),
    }
}

/// A method with a few of its parameters set.
fn method(rng: &mut Rng, info: &MethodInfo) -> (Value, Option<AnyMethod>) {
    let mut params = Map::new();
    for parameter in info.parameters {
        if rng.below(3) == 0 {
            params.insert(parameter.name.to_owned(), value(rng, parameter));
        }
    }
    if info.name == "auto" {
        params.insert("n_fits".to_owned(), json!(1 + rng.below(4)));
    }
    let written = json!({ "method": info.name, "params": params });
    // Values that do not go together are refused as the parameters are read.
    let method = serde_json::from_value(written.clone()).ok();
    (written, method)
}

/// Points of some kind: groups, noise, copies, a line, other units.
fn points(rng: &mut Rng, n: usize) -> Array2<f64> {
    let dims = 1 + rng.below(4);
    let kind = rng.below(6);
    let unit = *one_of(rng, &[1.0, 1.0, 1e-6, 1e6, 1e-120, 1e120]);
    let offset = *one_of(rng, &[0.0, 0.0, 1e9]);
    Array2::from_shape_fn((n, dims), |(i, j)| {
        let x = match kind {
            0 => rng.normal(),
            1 => 0.0,
            2 => (i % 3) as f64,
            3 => i as f64 * if j == 0 { 1.0 } else { 0.0 },
            _ => 6.0 * (i % (2 + kind)) as f64 * (j + 1) as f64 + rng.normal(),
        };
        unit * (x + offset)
    })
}

fn problem(rng: &mut Rng, info: &MethodInfo, n: usize) -> ilk::Result<Problem> {
    let input = *one_of(rng, info.inputs);
    let data = points(rng, n);
    let mut constraints = Constraints::new(n);
    if rng.below(3) > 0 {
        let most = if rng.below(4) == 0 { 2 * n } else { 12 };
        for _ in 0..rng.below(most) {
            if info.supervision.is_empty() {
                break;
            }
            let kind = *one_of(rng, info.supervision);
            let named = rng.sample(n, 3);
            let arity = match kind {
                ConstraintKind::MustLink | ConstraintKind::CannotLink => 2,
                ConstraintKind::Label => 1,
                _ => 3,
            };
            let weight = *one_of(rng, &[1.0, 1.0, 1e-100, 1e100]);
            let _ = match kind {
                ConstraintKind::Label => {
                    let name = (named[0] % 4).to_string();
                    constraints.add_label(named[0], &name, weight, None).map(|_| ())
                }
                _ => constraints.add(kind, &named[..arity], weight, None).map(|_| ()),
            };
        }
    }
    let input = match input {
        InputKind::Points => Points::new(data)?.into(),
        // The kernel of points in other units is 0 or 1 throughout.
        other => shaped(other, &data),
    };
    let problem = Problem::new(input, constraints)?;
    if rng.below(4) == 0 {
        let unit = *one_of(rng, &[1.0, 1e155, 1e-200]);
        let uneven = rng.below(2) as f64;
        return problem
            .with_weights((0..n).map(|i| unit * (1.0 + uneven * (i % 3) as f64)).collect());
    }
    Ok(problem)
}

/// What went wrong in one case.
fn fault(seed: u64, case: u64, n: usize, limit: Duration) -> Option<String> {
    let mut rng = rng_stream(seed, case);
    let info = one_of(&mut rng, AnyMethod::ALL);
    let (written, method) = method(&mut rng, info);
    let method = method?;
    let start = Instant::now();
    let stop = |_: &Event| {
        if start.elapsed() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut input = "an input that is refused".to_owned();
    let run = AssertUnwindSafe(|| {
        let Ok(problem) = problem(&mut rng, info, n) else { return };
        input =
            format!("{}, {:?}", problem.input().kind(), problem.constraints().must_links().len());
        if let Ok(fit) = method.fit(&problem, &stop) {
            assert_eq!(fit.clustering.labels.len(), n);
            if let ilk::problem::Input::Points(points) = problem.input() {
                let _ = fit.model.predict(points);
            }
        }
    });
    let panicked = catch_unwind(run).is_err();
    let seconds = start.elapsed();
    let what = match (panicked, seconds > limit) {
        (true, _) => "a panic".to_owned(),
        (false, true) => format!("{:.1} s", seconds.as_secs_f64()),
        (false, false) => return None,
    };
    Some(format!("seed {seed}, case {case}: {what}: {written} on {input} must-links"))
}

#[test]
fn random_parameters_end_in_a_result_or_an_error() {
    let asked = number("ILK_FUZZ_CASES");
    let (cases, n) = asked.map_or(FEW, |cases| (cases, POINTS));
    let limit = if asked.is_some() { TOO_LONG } else { Duration::MAX };
    let seed = number("ILK_FUZZ_SEED").unwrap_or(1);
    let first = number("ILK_FUZZ_FIRST").unwrap_or(0);
    let bound = number("ILK_FUZZ_SECONDS").map_or(Duration::MAX, Duration::from_secs);
    let start = Instant::now();
    let mut faults = Vec::new();
    let mut tried = 0;
    for case in first..first + cases {
        if start.elapsed() > bound {
            break;
        }
        faults.extend(fault(seed, case, n, limit).inspect(|fault| eprintln!("{fault}")));
        tried += 1;
    }
    eprintln!("{tried} of {cases} cases in {:.0} s", start.elapsed().as_secs_f64());
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}
