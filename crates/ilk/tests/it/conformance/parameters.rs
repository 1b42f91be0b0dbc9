//! What a method says about itself is true: names, parameters, ranges and defaults.

use std::collections::BTreeSet;

use ilk::Error;
use ilk::method::{AnyMethod, Method};
use ilk::observe::Silent;
use ilk::parameter::Range;
use ilk::problem::Constraints;
use serde_json::{Value, json};

use super::case::{CLUSTERS, Case, as_json, defaults, three_groups};

/// Values just outside a range, and values of another type.
fn outside(range: Range) -> Vec<Value> {
    match range {
        Range::Number { min, inclusive, max } => {
            let mut values = vec![json!(min - 1.0), json!("many")];
            if !inclusive {
                values.push(json!(min));
            }
            if max.is_finite() {
                values.push(json!(max + max.abs().max(1.0) * 1e-9));
            }
            values
        }
        Range::Integer { min, max } => {
            let mut values = vec![json!(-1), json!(1.5), json!("many")];
            values.extend(min.checked_sub(1).map(Value::from));
            values.extend(max.checked_add(1).map(Value::from));
            values
        }
        Range::Choice(_) | Range::Text(_) => vec![json!("no such word")],
        Range::Flag => vec![json!("maybe"), json!(2)],
    }
}

/// The ends of a range that are allowed.
fn ends(range: Range) -> Vec<Value> {
    match range {
        Range::Number { min, inclusive, max } => {
            let mut values = vec![json!(if inclusive { min } else { min + 1e-6 })];
            values.extend(max.is_finite().then(|| json!(max)));
            values
        }
        Range::Integer { min, max } => {
            let mut values = vec![json!(min)];
            values.extend((max < u64::MAX).then(|| json!(max)));
            values
        }
        Range::Choice(words) => words.iter().map(|&word| json!(word)).collect(),
        Range::Flag => vec![json!(true), json!(false)],
        Range::Text(_) => Vec::new(),
    }
}

/// The error of a method that is asked to run with a value, if that is an error.
fn refusal(case: &Case) -> Option<Result<Error, serde_json::Error>> {
    let (data, groups) = three_groups(5);
    let method = match case.method() {
        Ok(method) => method,
        Err(error) => return Some(Err(error)),
    };
    let problem = case.problem(&data, Constraints::new(groups.len()));
    method.fit(&problem, &Silent).err().map(Ok)
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    for case in defaults() {
        for parameter in case.info.parameters {
            for value in outside(parameter.range) {
                let case = case.with(parameter.name, value);
                match refusal(&case) {
                    // Not even a value of the parameter's type.
                    Some(Err(_)) => {}
                    Some(Ok(Error::BadParameter { parameter: named, .. })) => {
                        assert_eq!(named, parameter.name, "{case}");
                    }
                    Some(Ok(Error::TooManyClusters { .. })) if parameter.name == CLUSTERS => {}
                    Some(Ok(other)) => panic!("{case}: {other}"),
                    None => panic!("{case} was accepted"),
                }
            }
        }
    }
}

#[test]
fn values_at_the_ends_of_a_range_are_accepted() {
    for case in defaults() {
        for parameter in case.info.parameters {
            for value in ends(parameter.range) {
                if !case.takes(&value) {
                    continue;
                }
                let case = case.with(parameter.name, value);
                if let Some(error) = refusal(&case) {
                    panic!("{case}: {error:?}");
                }
            }
        }
    }
}

#[test]
fn a_parameter_that_does_not_exist_is_refused() {
    for case in defaults() {
        let error = case.with("no_such_parameter", json!(1)).method().unwrap_err();
        assert!(error.to_string().contains("no_such_parameter"), "{error}");
    }
}

#[test]
fn the_text_of_every_default_is_the_default() {
    for info in AnyMethod::ALL {
        let default = AnyMethod::named(info.name).expect("it is listed");
        for parameter in info.parameters {
            let value = as_json(parameter);
            let mut written = json!({ "method": info.name, "params": {} });
            written["params"][parameter.name] = value;
            let method: AnyMethod = serde_json::from_value(written).expect("a default");
            assert_eq!(method, default, "{} of {}", parameter.name, info.name);
        }
    }
}

#[test]
fn the_listed_parameters_are_those_that_exist() {
    for info in AnyMethod::ALL {
        let method = AnyMethod::named(info.name).expect("it is listed");
        let written = serde_json::to_value(&method).expect("methods serialise");
        let exist: BTreeSet<&str> =
            written["params"].as_object().expect("parameters").keys().map(String::as_str).collect();
        let listed: BTreeSet<&str> = info.parameters.iter().map(|p| p.name).collect();
        assert_eq!(listed, exist, "{}", info.name);
        assert_eq!(listed.len(), info.parameters.len(), "{}", info.name);
        assert_eq!(info.takes_clusters, listed.contains(CLUSTERS), "{}", info.name);
    }
}

#[test]
fn every_listed_name_makes_its_method_and_written_methods_read_back() {
    let mut names = BTreeSet::new();
    for info in AnyMethod::ALL {
        let method = AnyMethod::named(info.name).expect("it is listed");
        assert_eq!(method.info().name, info.name);
        assert!(names.insert(info.name) && names.insert(info.class));
        let text = serde_json::to_string(&method).expect("methods serialise");
        assert_eq!(serde_json::from_str::<AnyMethod>(&text).expect("what was written"), method);
    }
}

#[test]
fn an_unknown_method_is_refused_with_the_names_there_are() {
    let error = AnyMethod::named("no-such-method").unwrap_err().to_string();
    for info in AnyMethod::ALL {
        assert!(error.contains(info.name), "{error}");
    }
}
