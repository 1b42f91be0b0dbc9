//! Parameters of methods from text, as `--set name=value` gives them.

use ilk::method::{AnyMethod, Method};
use ilk::parameter::{ParameterInfo, Range};
use serde_json::{Number, Value, json};

use crate::{Error, Result};

/// Sets a parameter of a method by its name, from text.
///
/// The default, as its description shows it, stands for itself: `none` or `auto`, where that is one,
/// means that nothing was given.
///
/// ```
/// use ilk::method::{AnyMethod, Method};
///
/// let mut method = AnyMethod::named("mean-shift")?;
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
pub fn set_parameter(method: &mut AnyMethod, name: &str, value: &str) -> Result<()> {
    let info = method.info();
    let parameter =
        info.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            Error::UnknownParameter {
                method: info.name,
                name: name.to_owned(),
                known: info
                    .parameters
                    .iter()
                    .map(|parameter| parameter.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }
        })?;
    let refused = || Error::BadParameter {
        method: info.name,
        name: name.to_owned(),
        value: value.to_owned(),
        expected: parameter.expected(),
    };
    let text = value.trim();
    let value = if text == parameter.default() || parameter.word == Some(text) {
        word_or_default(info.name, parameter, text)
    } else {
        parse(parameter, text)
    };
    *method = value.and_then(|value| with_parameter(method, name, value)).ok_or_else(refused)?;
    Ok(())
}

/// The method with one parameter changed, if its type accepts the value.
fn with_parameter(method: &AnyMethod, name: &str, value: Value) -> Option<AnyMethod> {
    let mut json = serde_json::to_value(method).ok()?;
    *json.get_mut("params")?.get_mut(name)? = value;
    serde_json::from_value(json).ok()
}

/// The value of the word that stands for no value (`none` is null in files), or of the default.
fn word_or_default(method: &str, parameter: &ParameterInfo, text: &str) -> Option<Value> {
    match parameter.word {
        Some("none") if text == "none" => Some(Value::Null),
        Some(word) if text == word => Some(json!(word)),
        _ => {
            let method = AnyMethod::named(method).ok()?;
            let mut json = serde_json::to_value(method).ok()?;
            Some(json.get_mut("params")?.get_mut(parameter.name)?.take())
        }
    }
}

/// The value that a text stands for, unless the range forbids it.
fn parse(parameter: &ParameterInfo, text: &str) -> Option<Value> {
    match parameter.range {
        Range::Number { min, inclusive, max } => {
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
