//! Parameters of methods from text, as `--set name=value` gives them.

use ilk::method::Method;
use ilk::parameter::{ParameterInfo, Range};
use serde_json::{Number, Value, json};

use crate::{Error, Result};

/// Sets a parameter of a method by its name, from text.
///
/// The word `none` or `auto` stands for "not given" where that is the parameter's default.
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
    let candidates = parse(parameter, value.trim()).ok_or_else(refused)?;
    *method = candidates
        .into_iter()
        .find_map(|candidate| with_parameter(method, name, candidate))
        .ok_or_else(refused)?;
    Ok(())
}

/// The method with one parameter changed, if its type accepts the value.
fn with_parameter(method: &Method, name: &str, value: Value) -> Option<Method> {
    let mut json = serde_json::to_value(method).ok()?;
    *json.get_mut("params")?.get_mut(name)? = value;
    serde_json::from_value(json).ok()
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

/// The values that a text may stand for, the likeliest first; none if the range forbids it.
fn parse(parameter: &ParameterInfo, text: &str) -> Option<Vec<Value>> {
    if text == parameter.default && matches!(text, "none" | "auto") {
        return Some(vec![Value::Null, json!(text)]);
    }
    match parameter.range {
        Range::Number {
            min,
            inclusive,
            max,
        } => {
            let number: f64 = text.parse().ok()?;
            let is_high_enough = number > min || (inclusive && number == min);
            (number.is_finite() && is_high_enough && number <= max).then(|| vec![json!(number)])
        }
        Range::Integer { min, max } => {
            let number: u64 = text.parse().ok()?;
            (min..=max).contains(&number).then(|| vec![json!(number)])
        }
        Range::Choice(words) => words.contains(&text).then(|| vec![json!(text)]),
        Range::Flag => text.parse::<bool>().ok().map(|flag| vec![json!(flag)]),
        Range::Text(_) => Some(text_values(text)),
    }
}

/// Free text may be a number, a word, or a word with a number, `percentile(0.3)`, which serde knows
/// as `{"percentile": 0.3}`; a bare number may also be the value of a variant named `fixed`.
fn text_values(text: &str) -> Vec<Value> {
    if let Some(number) = number(text) {
        return vec![
            json!({ "fixed": number }),
            Value::Number(number),
            json!(text),
        ];
    }
    let call = text
        .strip_suffix(')')
        .and_then(|rest| rest.split_once('('))
        .and_then(|(word, argument)| Some(json!({ word.trim(): number(argument.trim())? })));
    call.into_iter().chain([json!(text)]).collect()
}

/// A JSON number: whole where the text is.
fn number(text: &str) -> Option<Number> {
    text.parse::<u64>()
        .ok()
        .map(Number::from)
        .or_else(|| Number::from_f64(text.parse().ok()?))
}
