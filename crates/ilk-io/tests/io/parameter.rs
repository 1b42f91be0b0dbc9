use ilk::method::AnyMethod;
use ilk::parameter::Range;
use ilk_io::set_parameter;
use serde_json::{Value, json};

fn mean_shift() -> AnyMethod {
    AnyMethod::named("mean-shift").unwrap()
}

/// The value that a parameter has after it was set from text.
fn set(name: &str, value: &str) -> Value {
    let mut method = mean_shift();
    set_parameter(&mut method, name, value).unwrap();
    serde_json::to_value(&method).unwrap()["params"][name].clone()
}

fn refused(name: &str, value: &str) -> String {
    let mut method = mean_shift();
    let error = set_parameter(&mut method, name, value).unwrap_err();
    assert_eq!(method, mean_shift(), "a refused value changes nothing");
    error.to_string()
}

#[test]
fn every_kind_of_parameter_is_set_from_text() {
    assert_eq!(set("kernel", "flat"), json!("flat"));
    assert_eq!(set("truncation", "0.5"), json!(0.5));
    assert_eq!(set("truncation", "1"), json!(1.0));
    assert_eq!(set("blurring", "true"), json!(true));
    assert_eq!(set("max_iter", "7"), json!(7));
    assert_eq!(set("fixed_iter", "9"), json!(9));
    assert_eq!(set("fixed_iter", "none"), Value::Null);
    assert_eq!(set("tol", "1e-5"), json!(1e-5));
    assert_eq!(set("seed", "18446744073709551615"), json!(u64::MAX));
}

#[test]
fn a_bandwidth_is_a_number_or_a_rule() {
    assert_eq!(set("bandwidth", "auto"), json!("auto"));
    assert_eq!(set("bandwidth", "2"), json!(2.0));
    assert_eq!(set("bandwidth", " 0.25 "), json!(0.25));
    assert_eq!(set("bandwidth", "percentile(0.03)"), json!("percentile(0.03)"));
    assert_eq!(set("bandwidth", "neighbor(12)"), json!("neighbor(12)"));
    assert_eq!(set("bandwidth", "silverman"), json!("silverman"));
}

#[test]
fn every_default_can_be_written_as_it_is_shown() {
    for info in AnyMethod::ALL {
        for parameter in info.parameters {
            let mut method = AnyMethod::named(info.name).unwrap();
            set_parameter(&mut method, parameter.name, &parameter.default()).unwrap();
            let default = AnyMethod::named(info.name).unwrap();
            assert_eq!(method, default, "{} of {}", parameter.name, info.name);
        }
    }
}

#[test]
fn values_outside_the_range_are_refused() {
    for info in AnyMethod::ALL {
        for parameter in info.parameters {
            let outside = match parameter.range {
                Range::Number { min, inclusive, .. } if inclusive => (min - 1.0).to_string(),
                Range::Number { min, .. } => min.to_string(),
                Range::Integer { min: 0, .. } => "-1".to_owned(),
                Range::Integer { min, .. } => (min - 1).to_string(),
                Range::Choice(_) | Range::Flag | Range::Text(_) => "no such word".to_owned(),
            };
            for value in [outside.as_str(), "nan", ""] {
                let mut method = AnyMethod::named(info.name).unwrap();
                let result = set_parameter(&mut method, parameter.name, value);
                assert!(result.is_err(), "{} = {value:?}", parameter.name);
            }
        }
    }
}

#[test]
fn each_fault_of_a_parameter_has_its_message() {
    assert_eq!(
        refused("width", "1"),
        "mean-shift has no parameter \"width\"; it has bandwidth, kernel, truncation, blurring, cell, \
         max_iter, fixed_iter, tol, merge_radius, seed"
    );
    assert_eq!(
        refused("max_iter", "0"),
        "max_iter = \"0\" is not allowed for mean-shift: it must be a whole number, at least 1"
    );
    assert_eq!(
        refused("max_iter", "none"),
        "max_iter = \"none\" is not allowed for mean-shift: it must be a whole number, at least 1"
    );
    assert_eq!(
        refused("tol", "-1"),
        "tol = \"-1\" is not allowed for mean-shift: it must be a number at least 0, at most 1, \
         or none"
    );
    assert_eq!(
        refused("blurring", "perhaps"),
        "blurring = \"perhaps\" is not allowed for mean-shift: it must be true or false"
    );
    assert_eq!(
        refused("bandwidth", "wide"),
        "bandwidth = \"wide\" is not allowed for mean-shift: it must be a number above 0, auto, \
         percentile(SHARE), neighbor(K), silverman, or a list [H, H, ...]"
    );
}
