//! The origin and the unit of the data, and that of weights, are the user's choice and no method's concern.

use ilk::Error;
use ilk::evaluate::adjusted_rand;
use ilk::ndarray::Array2;
use ilk::observe::Silent;
use ilk::outcome::Fit;
use ilk::problem::{Constraints, InputKind, Points, Problem};

use super::case::{Case, defaults, three_groups};

/// The cases whose input has an origin and a unit.
fn on_points() -> impl Iterator<Item = Case> {
    defaults().into_iter().filter(|case| case.input == InputKind::Points)
}

/// What differs from a partition, also in what the model predicts for the points of the fit.
fn differences(case: &Case, fit: &Fit, points: &Points, expected: &[Option<usize>]) -> Vec<String> {
    let labels = &fit.clustering.labels;
    let ari = adjusted_rand(expected, labels).expect("equally long");
    let mut found = Vec::new();
    if ari != 1.0 {
        found.push(format!("agreement {ari}"));
    }
    if case.info.predicts.contains(&case.input) {
        let predicted = fit.model.predict(points).expect("the same columns");
        if &predicted != labels {
            found.push("it predicts other labels".to_owned());
        }
    }
    found
}

#[test]
fn moving_and_scaling_the_points_changes_no_partition() {
    let (data, groups) = three_groups(10);
    let mut failures = Vec::new();
    let origins = [(1e9, 1.0), (-1e9, 1.0)];
    let units = [1e-6, 1e6, 1e-140, 1e140].map(|unit| (0.0, unit));
    for case in on_points() {
        for constraints in [Constraints::new(groups.len()), case.constraints(&groups)] {
            let expected = case.fit(&data, constraints.clone()).clustering.labels;
            for (origin, unit) in origins.into_iter().chain(units) {
                let moved: Array2<f64> = data.mapv(|x| origin + unit * x);
                let problem = case.problem(&moved, constraints.clone());
                let points = Points::new(moved).expect("finite");
                let found = match case.try_fit(&problem, &Silent) {
                    Ok(fit) => differences(&case, &fit, &points, &expected),
                    Err(error) => vec![error.to_string()],
                };
                let n = constraints.must_links().len();
                let what = format!("{case}, {origin:e} + {unit:e} x, {n} pairs");
                failures.extend(found.iter().map(|found| format!("{what}: {found}")));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_unit_of_equal_weights_changes_no_partition() {
    let (data, groups) = three_groups(10);
    let mut failures = Vec::new();
    for case in defaults().iter().filter(|case| case.info.supports_weights.contains(&case.input)) {
        for constraints in [Constraints::new(groups.len()), case.constraints(&groups)] {
            let problem = case.problem(&data, constraints);
            let expected = case.try_fit(&problem, &Silent).expect("valid input").clustering.labels;
            for unit in [1e-200, 1e-40, 1e-3, 1e40, 1e155, 1e308] {
                let weighted = problem.clone().with_weights(vec![unit; groups.len()]);
                let fit = case.try_fit(&weighted.expect("positive weights"), &Silent);
                let labels = fit.map(|fit| fit.clustering.labels);
                let same = |labels| adjusted_rand(&expected, labels).expect("equally long") == 1.0;
                if !labels.as_ref().is_ok_and(|labels| same(labels)) {
                    let n = problem.constraints().must_links().len();
                    failures.push(format!("{case}, weights {unit:e}, {n} pairs: {labels:?}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn weights_of_all_sizes_leave_every_other_group_whole() {
    let (data, groups) = three_groups(10);
    for case in defaults().iter().filter(|case| case.info.supports_weights.contains(&case.input)) {
        for (light, heavy) in [(1e-200, 1.0), (1.0, 1e200), (1e-150, 1e150)] {
            let weights: Vec<f64> = (0..groups.len())
                .map(|point| if groups[point] == 0 && point % 2 == 0 { light } else { heavy })
                .collect();
            let problem = case.problem(&data, Constraints::new(groups.len()));
            let problem = problem.with_weights(weights).expect("positive weights");
            let labels = case.try_fit(&problem, &Silent).map(|fit| fit.clustering.labels);
            let labels = labels.unwrap_or_else(|error| panic!("{case}: {error}"));
            for group in [1, 2] {
                let members = || (0..groups.len()).filter(|&point| groups[point] == group);
                let first = members().next().map(|point| labels[point]);
                let is_whole = members().all(|point| Some(labels[point]) == first);
                assert!(is_whole, "{case}, weights {light:e} and {heavy:e}: {labels:?}");
            }
        }
    }
}

#[test]
fn points_whose_squared_distances_are_no_numbers_are_refused_with_what_to_do() {
    let (data, groups) = three_groups(10);
    let mut one_far = data.clone();
    one_far[[7, 1]] = -1e308;
    let far = "the value in row 7, column 1 is -1e308, and squares of such numbers overflow; divide the \
               column by a power of 10, so that no value is beyond 1e151";
    let close = "and squares of such numbers underflow; multiply the columns by a power of 10, so that some \
                 values differ by 1e-150 or more";
    for case in on_points() {
        for (data, expected) in [(&one_far, far), (&data.mapv(|x| 1e-160 * x), close)] {
            let problem = case.problem(data, Constraints::new(groups.len()));
            let refused = case.try_fit(&problem, &Silent).map(|fit| fit.clustering.labels);
            let message = refused.unwrap_err().to_string();
            assert!(message.ends_with(expected), "{case}: {message}");
        }
        if case.info.predicts.contains(&case.input) {
            let fit = case.fit_alone(&data);
            let far = Points::new(one_far.clone()).expect("finite");
            let refused = fit.model.predict(&far).unwrap_err();
            let expected = Error::TooFar { row: 7, column: 1, value: -1e308 };
            assert_eq!(refused, expected, "{case}");
        }
    }
}

#[test]
fn penalties_of_the_hmrf_objective_scale_with_the_data() {
    // Without the constraints the means divide the long side, with them the short one.
    let rows: Vec<Vec<f64>> =
        (0..24).map(|i| vec![f64::from(i % 12), f64::from(i / 12) * 5.0]).collect();
    let case = on_points().find(|case| case.info.name == "ss-kernel-kmeans").expect("listed");
    let case = case
        .with_clusters(2)
        .with("objective", "hmrf".into())
        .with("refine", "off".into())
        .with("must_links", "soft".into());
    let mut constraints = Constraints::new(24);
    for i in 0..11 {
        constraints
            .must_link(i, i + 1)
            .and_then(|c| c.must_link(12 + i, 13 + i))
            .expect("in range");
        constraints.cannot_link(i, 12 + i).expect("in range");
    }
    let labels = |unit: f64, offset: f64, constraints: &Constraints| {
        let scaled: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|x| offset + unit * x).collect()).collect();
        let points = Points::from_rows(&scaled).expect("finite");
        let problem = Problem::new(points, constraints.clone()).expect("as many points");
        case.try_fit(&problem, &Silent).expect("valid input").clustering.labels
    };
    let expected = labels(1.0, 0.0, &constraints);
    assert_ne!(expected, labels(1.0, 0.0, &Constraints::new(24)), "or the penalties do nothing");
    for unit in [1e-6, 1e-3, 0.01, 100.0, 1e6] {
        assert_eq!(labels(unit, 0.0, &constraints), expected, "{unit:e}");
    }
    for offset in [1e8, -1e9] {
        assert_eq!(labels(1.0, offset, &constraints), expected, "{offset:e}");
    }
}
