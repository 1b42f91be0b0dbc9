//! What the server says is what its schema describes, to the last field.

use serde_json::{Value, json};

use super::client::{Served, same_letter, three_groups};
use crate::common::Sandbox;

/// Where a value is not what a schema wants; the keywords that `schema.json` uses, and no others.
fn check(schema: &Value, value: &Value, root: &Value, place: &str) -> Vec<String> {
    const KNOWN: [&str; 11] = [
        "$ref",
        "type",
        "enum",
        "properties",
        "items",
        "oneOf",
        "description",
        "$schema",
        "title",
        "$defs",
        "paths",
    ];
    let Some(fields) = schema.as_object() else { return vec![format!("{place}: no schema")] };
    let unknown = fields.keys().filter(|key| !KNOWN.contains(&key.as_str()));
    let mut wrong: Vec<String> = unknown.map(|key| format!("{place}: keyword {key}")).collect();
    if let Some(path) = schema["$ref"].as_str() {
        let found = root.pointer(path.trim_start_matches('#')).unwrap_or(&Value::Null);
        return check(found, value, root, place);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = choices.iter().filter(|it| check(it, value, root, place).is_empty()).count();
        if fits != 1 {
            wrong.push(format!("{place}: {fits} of the choices fit {value}"));
        }
    }
    if let Some(allowed) = schema["enum"].as_array().filter(|allowed| !allowed.contains(value)) {
        wrong.push(format!("{place}: {value} is none of {allowed:?}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is_it = |wanted: &&str| *wanted == kind || (*wanted == "number" && kind == "integer");
    if !types.is_empty() && !types.iter().any(is_it) {
        wrong.push(format!("{place}: {value} is no {types:?}"));
    }
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object())
    {
        for name in properties.keys().filter(|name| !fields.contains_key(*name)) {
            wrong.push(format!("{place}: {name} is missing"));
        }
        for (name, value) in fields {
            match properties.get(name) {
                Some(schema) => {
                    wrong.extend(check(schema, value, root, &format!("{place}.{name}")));
                }
                None => wrong.push(format!("{place}: {name} is not described")),
            }
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for (at, value) in values.iter().enumerate() {
            wrong.extend(check(items, value, root, &format!("{place}[{at}]")));
        }
    }
    wrong
}

#[test]
fn responses_are_what_the_schema_says_and_the_schema_names_all_paths() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(60));
    let served = Served::start(&sandbox, "data.csv");
    let client = &served.client;
    let root = client.json("/api/schema");
    let paths = root["paths"].as_object().expect("paths");
    let mut checked = Vec::new();
    let mut compare = |name: &str, value: &Value| {
        let schema = &paths[name]["response"];
        let wrong = check(schema, value, &root, name);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        checked.push(name.to_owned());
    };
    compare("GET /api/state", &client.json("/api/state"));
    for number in 0..14 {
        compare("POST /api/answer", &client.answer(same_letter));
        let kind = ["pair", "triplet", "group"][number % 3];
        compare("POST /api/kind", &client.done("/api/kind", &json!({ "kind": kind })));
    }
    let say = |relation: &str, rows: [&str; 2]| json!({ "relation": relation, "rows": rows });
    compare("POST /api/statement", &client.done("/api/statement", &say("together", ["a0", "a3"])));
    compare("POST /api/statement", &client.done("/api/statement", &say("together", ["a0", "b1"])));
    let apart = json!({ "relation": "apart", "rows": ["a3"], "others": ["b1"] });
    compare("POST /api/statement", &client.done("/api/statement", &apart));
    compare("GET /api/contradictions", &client.json("/api/contradictions"));
    compare("POST /api/undo", &client.done("/api/undo", &json!({})));
    compare("POST /api/delete", &client.done("/api/delete", &json!({ "entry": 0 })));
    compare("POST /api/name", &client.done("/api/name", &json!({ "row": "a0", "name": "n" })));
    compare("POST /api/done", &client.done("/api/done", &json!({ "row": "a0", "done": true })));
    compare("GET /api/answers", &client.json("/api/answers"));
    compare("GET /api/map", &client.json("/api/map"));
    compare("GET /api/clusters", &client.clusters("answers"));
    compare("GET /api/clusters", &client.clusters("model"));
    compare("GET /api/rows", &client.json("/api/rows?limit=5"));
    compare("GET /api/explain", &client.json("/api/explain?point=3&by=model"));
    compare("GET /api/methods", &client.json("/api/methods"));
    compare("POST /api/fit", &client.done("/api/fit", &json!({})));
    compare("GET /api/state", &client.json("/api/state"));
    let refused = client.get("/api/explain?point=600");
    assert_eq!(check(&root["$defs"]["Refused"], &refused.json(), &root, "refused"), [""; 0]);
    let described: Vec<&String> =
        paths.iter().filter(|(_, it)| it.get("response").is_some()).map(|(name, _)| name).collect();
    for name in described {
        assert!(checked.contains(name), "{name} is described and not checked");
    }
}
