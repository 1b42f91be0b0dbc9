//! Methods, embeddings and data sets as the Python side writes them: JSON of a name and parameters.

use ilk::datasets::Generator;
use ilk::embed::Embedding;
use ilk::method::{AnyMethod, Method};
use ilk::parameter::ParameterInfo;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::{OrRaise, not_understood};

/// A method from `{"method": NAME, "params": {...}}`.
pub(crate) fn method(text: &str) -> PyResult<AnyMethod> {
    parse(text, "method", |name| AnyMethod::named(name).map(|method| method.info().parameters))
}

/// An embedding from `{"embedding": NAME, "params": {...}}`.
pub(crate) fn embedding(text: &str) -> PyResult<Embedding> {
    parse(text, "embedding", Embedding::parameters)
}

/// A data set from `{"dataset": NAME, "params": {...}}`.
pub(crate) fn dataset(text: &str) -> PyResult<Generator> {
    parse(text, "dataset", |name| Generator::named(name).map(|set| set.info().parameters))
}

/// A value as Python writes it.
fn in_python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}

fn parse<T: DeserializeOwned>(
    text: &str,
    tag: &str,
    parameters: impl Fn(&str) -> ilk::Result<&'static [ParameterInfo]>,
) -> PyResult<T> {
    let error = match serde_json::from_str(text) {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error,
    };
    let recipe: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| not_understood(&error))?;
    let name = recipe.get(tag).and_then(Value::as_str).unwrap_or_default();
    let known = parameters(name).or_raise()?;
    let given = recipe.get("params").and_then(Value::as_object);
    // All parameters have defaults, so each can be tried alone to find the one to blame.
    for (key, value) in given.into_iter().flatten() {
        let Some(info) = known.iter().find(|info| info.name == key) else {
            let names: Vec<&str> = known.iter().map(|info| info.name).collect();
            let names = names.join(", ");
            return Err(PyValueError::new_err(format!(
                "{name} has no parameter {key:?}; it has {names}"
            )));
        };
        if serde_json::from_value::<T>(json!({tag: name, "params": {key: value}})).is_err() {
            let expected = info.range.to_string().replace("true or false", "True or False");
            let value = in_python(value);
            return Err(PyValueError::new_err(format!(
                "{key} = {value} is out of range: {expected}"
            )));
        }
    }
    Err(not_understood(&error))
}
