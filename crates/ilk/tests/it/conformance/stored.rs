//! Models are checked when they are read: a file with any one field changed, or with two drawn at random,
//! gives an error, or a model that predicts without a panic.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ilk::embed::{Embedding, EmbeddingMap};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::outcome::AnyModel;
use ilk::problem::{Constraints, InputKind, Points};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use super::case::{shaped, three_groups, variants};

/// Changes of two fields that are tried with every value.
const PAIRS: usize = 100;

/// The contents of a model file, of whatever type. Unlike JSON it holds NaN and infinity.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Null,
    Flag(bool),
    Natural(u64),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Natural(number) => serializer.serialize_u64(*number),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(entries) => entries.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Natural(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push(entry);
        }
        Ok(Value::List(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

impl Value {
    /// Field names and words without the numbers: models of one layout are tested once.
    fn layout(&self) -> String {
        match self {
            Self::Map(entries) => {
                let each = entries.iter().map(|(key, value)| format!("{key}:{}", value.layout()));
                format!("{{{}}}", each.collect::<Vec<_>>().join(","))
            }
            Self::List(entries) => {
                format!("[{}]", entries.first().map_or(String::new(), Self::layout))
            }
            Self::Text(word) => word.clone(),
            Self::Null => "null".to_owned(),
            Self::Flag(_) => "flag".to_owned(),
            Self::Natural(_) | Self::Integer(_) | Self::Float(_) => "number".to_owned(),
        }
    }

    /// Every value that this one can be replaced by, one change each, with a description. Of a list the
    /// first and the last entry are changed.
    fn mutations(&self) -> Vec<(String, Self)> {
        match self {
            Self::Natural(_) | Self::Integer(_) | Self::Float(_) => {
                let floats = [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.5, 1e300, -1e300, 1e-300];
                let floats = floats.into_iter().map(Self::Float);
                let naturals = [0, 1, 2, 1 << 40, u64::MAX].into_iter().map(Self::Natural);
                let others = floats.chain(naturals).chain([Self::Integer(-1), Self::Null]);
                others.map(|other| (format!(" = {other:?}"), other)).collect()
            }
            Self::List(entries) => {
                let mut mutations = vec![(" = []".to_owned(), Self::List(Vec::new()))];
                if let Some((first, rest)) = entries.split_first() {
                    mutations.push((" without the first".to_owned(), Self::List(rest.to_vec())));
                    let mut longer = entries.clone();
                    longer.push(first.clone());
                    mutations.push((" with the first again".to_owned(), Self::List(longer)));
                    for at in BTreeSet::from([0, entries.len() - 1]) {
                        for (what, entry) in entries[at].mutations() {
                            let mut changed = entries.clone();
                            changed[at] = entry;
                            mutations.push((format!("[{at}]{what}"), Self::List(changed)));
                        }
                    }
                }
                mutations
            }
            Self::Map(entries) => {
                let mut mutations = Vec::new();
                for (at, (key, value)) in entries.iter().enumerate() {
                    let mut without = entries.clone();
                    without.remove(at);
                    mutations.push((format!(" without {key}"), Self::Map(without)));
                    for (what, value) in value.mutations() {
                        let mut changed = entries.clone();
                        changed[at].1 = value;
                        mutations.push((format!(".{key}{what}"), Self::Map(changed)));
                    }
                }
                mutations
            }
            Self::Flag(flag) => vec![(" flipped".to_owned(), Self::Flag(!flag))],
            Self::Null | Self::Text(_) => vec![(" = 1".to_owned(), Self::Natural(1))],
        }
    }

    /// Adds the names of all kinds of models in it, also of models within models.
    fn add_kinds(&self, kinds: &mut BTreeSet<String>) {
        match self {
            Self::Map(entries) => {
                for (key, value) in entries {
                    match value {
                        Self::Text(kind) if key == "kind" => _ = kinds.insert(kind.clone()),
                        _ => value.add_kinds(kinds),
                    }
                }
            }
            Self::List(entries) => entries.iter().for_each(|entry| entry.add_kinds(kinds)),
            _ => {}
        }
    }

    /// What panics when it reads this value with one field changed, or with two that the seed draws.
    fn panics(&self, seed: usize, read: impl Fn(&[u8])) -> Vec<String> {
        let mut panics = Vec::new();
        let mut attempt = |what: String, changed: &Self| {
            let bytes = rmp_serde::to_vec(changed).expect("values serialise");
            if catch_unwind(AssertUnwindSafe(|| read(&bytes))).is_err() {
                panics.push(what);
            }
        };
        let mutations = self.mutations();
        for (what, changed) in &mutations {
            attempt(what.clone(), changed);
        }
        let mut rng = rng(seed as u64);
        for _ in 0..PAIRS {
            let (what, once) = &mutations[rng.below(mutations.len())];
            let others = once.mutations();
            let (and, twice) = &others[rng.below(others.len())];
            attempt(format!("{what}, and{and}"), twice);
        }
        panics
    }
}

/// The kinds of models that a file can hold.
const KINDS: [&str; 12] = [
    "cms",
    "consensus",
    "embedded",
    "kernel_kmeans",
    "kmeans",
    "knn_classifier",
    "mean_shift",
    "means",
    "merged",
    "mixture",
    "spectral",
    "transductive",
];

/// Four new points of `dims` columns; none where no file would have so many.
fn new_points(dims: usize) -> Option<Points> {
    let values = |(i, j): (usize, usize)| ((7 * i + 3 * j) % 5) as f64 * i as f64 - 1.5;
    (1..=1000)
        .contains(&dims)
        .then(|| Points::new(Array2::from_shape_fn((4, dims), values)).expect("finite"))
}

/// Reads a model and places some points with it; nothing of that may panic.
fn read_and_predict(bytes: &[u8]) {
    let Ok(model) = rmp_serde::from_slice::<AnyModel>(bytes) else {
        return;
    };
    let k = model.n_clusters();
    let Some(points) = new_points(model.dims()) else {
        return;
    };
    if let Ok(labels) = model.predict(&points) {
        assert_eq!(labels.len(), points.len());
        assert!(labels.iter().flatten().all(|&label| label < k), "{labels:?} of {k} clusters");
    }
}

#[test]
fn a_model_with_any_field_changed_is_refused_or_predicts_without_a_panic() {
    let (data, groups) = three_groups(6);
    let (mut layouts, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    let mut failures = Vec::new();
    for case in variants() {
        for constraints in [Constraints::new(groups.len()), case.constraints(&groups)] {
            let model = case.fit(&data, constraints).model;
            let bytes = rmp_serde::to_vec_named(&model).expect("models serialise");
            let value: Value = rmp_serde::from_slice(&bytes).expect("what was written");
            if !layouts.insert(value.layout()) {
                continue;
            }
            value.add_kinds(&mut kinds);
            let unchanged = rmp_serde::to_vec(&value).expect("values serialise");
            let loaded: AnyModel = rmp_serde::from_slice(&unchanged).expect("what was written");
            assert_eq!(loaded, model, "{case}");
            let panics = value.panics(layouts.len(), read_and_predict);
            failures.extend(panics.iter().map(|what| format!("{case}: model{what}")));
        }
    }
    assert!(failures.is_empty(), "{}\n{failures:#?}", failures.len());
    assert!(layouts.len() > 20, "{layouts:#?}");
    let missing: Vec<&&str> = KINDS.iter().filter(|&&kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no method makes a model of kind {missing:?}");
}

#[test]
fn an_embedding_with_any_field_changed_is_refused_or_maps_points_without_a_panic() {
    let (data, _) = three_groups(6);
    let dims = [data.ncols(), data.nrows()];
    let read = |bytes: &[u8]| {
        if let Ok(map) = rmp_serde::from_slice::<EmbeddingMap>(bytes) {
            for points in dims.iter().filter_map(|&dims| new_points(dims)) {
                let _ = map.transform(&points);
            }
        }
    };
    for (seed, name) in Embedding::NAMES.iter().enumerate() {
        let named = json!({ "embedding": name, "params": {} });
        let embedding: Embedding = serde_json::from_value(named).expect("a listed name");
        for input in [InputKind::Points, InputKind::Kernel] {
            let fit = embedding.fit(&shaped(input, &data), &Silent);
            let fit = fit.unwrap_or_else(|error| panic!("{name} of {input}: {error}"));
            let bytes = rmp_serde::to_vec_named(&fit.map).expect("maps serialise");
            let value: Value = rmp_serde::from_slice(&bytes).expect("what was written");
            assert_eq!(value.panics(seed, read), [""; 0], "{name} of {input}");
        }
    }
}
