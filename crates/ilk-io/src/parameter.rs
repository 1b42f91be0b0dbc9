//! Parameters of methods from text, as `--set name=value` gives them.

use ilk::method::Method;
use ilk::parameter::{ParameterInfo, Range};
use serde_json::{Number, Value, json};

use crate::{Error, Result};

/// Sets a parameter of a method by its name, from text.
///
/// The default, as its description shows it, stands for itself: `none` or `auto`, where that is one,
/// means that nothing was given.
///
/// ```
/// use ilk::method::Method;
///
/// let mut method = Method::named("mean-shift")?;
/// ilk_io::set_parameter(&mut method, "max_iter", "50")?;
/// ilk_io::set_parameter(&mut method, "bandwidth", "0.3")?;
/// let refused = ilk_io::set_parameter(&mut method, "kernel", "square").unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "kernel = \"square\" is not allowed for mean-shift: it must be one of gaussian, rbf, \
///      truncated, flat, epanechnikov"
/// );
/// # Ok::<(), ilk_io::Error>(())
/// ```
pub fn set_parameter(method: &mut Method, name: &str, value: &str) -> Result<()> {
    let info = method.info();
    let parameter = info
        .parameters
        .iter()
        .find(|parameter| parameter.name == name)
        .ok_or_else(|| Error::UnknownParameter {
            method: info.name,
            name: name.to_owned(),
            known: info
                .parameters
                .iter()
                .map(|parameter| parameter.name)
                .collect::<Vec<_>>()
                .join(", "),
        })?;
    let refused = || Error::BadParameter {
        method: info.name,
        name: name.to_owned(),
        value: value.to_owned(),
        expected: expected(parameter),
    };
    let text = value.trim();
    let value = if text == parameter.default {
        default_value(info.name, name)
    } else {
        parse(parameter, text)
    };
    *method = value
        .and_then(|value| with_parameter(method, name, value))
        .ok_or_else(refused)?;
    Ok(())
}

/// The method with one parameter changed, if its type accepts the value.
fn with_parameter(method: &Method, name: &str, value: Value) -> Option<Method> {
    let mut json = serde_json::to_value(method).ok()?;
    *json.get_mut("params")?.get_mut(name)? = value;
    serde_json::from_value(json).ok()
}

/// What a parameter is where nothing is said: `none` and `auto` stand for that.
fn default_value(method: &str, name: &str) -> Option<Value> {
    let method = Method::named(method).ok()?;
    let mut json = serde_json::to_value(method).ok()?;
    Some(json.get_mut("params")?.get_mut(name)?.take())
}

/// What a parameter may be, with the word that stands for its absence.
fn expected(parameter: &ParameterInfo) -> String {
    match parameter.default {
        word @ ("none" | "auto") if !parameter.range.to_string().contains(word) => {
            format!("{}, or {word}", parameter.range)
        }
        _ => parameter.range.to_string(),
    }
}

/// The value that a text stands for, unless the range forbids it.
fn parse(parameter: &ParameterInfo, text: &str) -> Option<Value> {
    match parameter.range {
        Range::Number {
            min,
            inclusive,
            max,
        } => {
            let number: f64 = text.parse().ok()?;
            let is_high_enough = number > min || (inclusive && number == min);
            (number.is_finite() && is_high_enough && number <= max).then(|| json!(number))
        }
        Range::Integer { min, max } => {
            let number: u64 = text.parse().ok()?;
            (min..=max).contains(&number).then(|| json!(number))
        }
        Range::Choice(words) => words.contains(&text).then(|| json!(text)),
        Range::Flag => text.parse::<bool>().ok().map(Value::Bool),
        Range::Text(_) => free_text(text),
    }
}

/// Free text is a number where it can be one: a type with several forms tells them apart by that.
fn free_text(text: &str) -> Option<Value> {
    match text.parse::<f64>() {
        Ok(number) => Number::from_f64(number).map(Value::Number),
        Err(_) => Some(json!(text)),
    }
}
