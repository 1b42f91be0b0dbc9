//! Every set by its name, with its parameters as data.

use serde::{Deserialize, Serialize};

use super::{
    Blobs, ConcentricCircles, Dataset, HalfCircles, Moons, NestedBlobs, OlympicCircles,
    PlantedGraph, RingsAndBlob, TwoCircles,
};
use crate::parameter::{ParameterInfo, Range};
use crate::{Error, Result};

/// What a set is and what can be chosen about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DatasetInfo {
    /// The name on the command line, such as `two-circles`.
    pub name: &'static str,
    /// The name of the Python function.
    pub function: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters; the seed is not one of them.
    pub parameters: &'static [ParameterInfo],
}

/// How many points may be asked for in one place.
pub(super) const fn count(min: u64) -> Range {
    Range::Integer {
        min,
        max: 1_000_000_000,
    }
}

/// Zero or more.
pub(super) const LENGTH: Range = Range::Number {
    min: 0.0,
    inclusive: true,
    max: 1e100,
};

/// More than zero.
pub(super) const POSITIVE: Range = Range::Number {
    min: 0.0,
    inclusive: false,
    max: 1e100,
};

/// From zero to one.
pub(super) const SHARE: Range = Range::Number {
    min: 0.0,
    inclusive: true,
    max: 1.0,
};

/// Refuses a value that is outside its range.
pub(super) fn check(info: &ParameterInfo, value: f64) -> Result<()> {
    let fits = match info.range {
        Range::Number {
            min,
            inclusive,
            max,
        } => (value > min || (inclusive && value == min)) && value <= max,
        Range::Integer { min, max } => value >= min as f64 && value <= max as f64,
        Range::Choice(_) | Range::Flag | Range::Text(_) => true,
    };
    if fits {
        return Ok(());
    }
    Err(Error::BadParameter {
        parameter: info.name,
        value: value.to_string(),
        expected: info.range.to_string(),
    })
}

/// Writes a parameter struct, its `Default` and its [`DatasetInfo`] from one table, so that the
/// three cannot disagree.
macro_rules! parameters {
    (
        #[doc = $summary:literal]
        $(#[doc = $more:literal])*
        $type:ident: $name:literal, $function:literal, $source:literal;
        $(#[doc = $doc:literal] $field:ident: $kind:ty = $default:literal in $range:expr;)*
    ) => {
        #[doc = $summary]
        $(#[doc = $more])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $type {
            $(#[doc = $doc] pub $field: $kind,)*
        }

        impl Default for $type {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $type {
            /// What the set is and what can be chosen about it.
            pub const INFO: $crate::datasets::DatasetInfo = $crate::datasets::DatasetInfo {
                name: $name,
                function: $function,
                summary: $summary.trim_ascii(),
                source: $source,
                parameters: &[$($crate::parameter::ParameterInfo {
                    name: stringify!($field),
                    doc: $doc.trim_ascii(),
                    range: $range,
                    default: stringify!($default),
                },)*],
            };

            fn check(&self) -> $crate::Result<()> {
                let values = [$(self.$field as f64),*];
                for (info, value) in Self::INFO.parameters.iter().zip(values) {
                    $crate::datasets::generator::check(info, value)?;
                }
                Ok(())
            }
        }
    };
}
pub(super) use parameters;

/// What there is.
pub const ALL: &[DatasetInfo] = &[
    Moons::INFO,
    TwoCircles::INFO,
    OlympicCircles::INFO,
    ConcentricCircles::INFO,
    HalfCircles::INFO,
    RingsAndBlob::INFO,
    PlantedGraph::INFO,
    Blobs::INFO,
    NestedBlobs::INFO,
];

/// A set with its parameters. As JSON: `{"dataset": "moons", "params": {...}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "dataset", content = "params", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Generator {
    /// Two half moons, one hooked into the other.
    Moons(Moons),
    /// A circle inside another.
    TwoCircles(TwoCircles),
    /// Five circles that cross like the Olympic rings.
    OlympicCircles(OlympicCircles),
    /// Circles around one centre.
    ConcentricCircles(ConcentricCircles),
    /// Two hooked half circles and a wide blob.
    HalfCircles(HalfCircles),
    /// Rings around each other and a dense blob outside.
    RingsAndBlob(RingsAndBlob),
    /// A random graph with planted blocks.
    PlantedGraph(PlantedGraph),
    /// Round normal groups.
    Blobs(Blobs),
    /// Groups of groups.
    NestedBlobs(NestedBlobs),
}

impl Generator {
    /// The set of this name with its default parameters.
    pub fn named(name: &str) -> Result<Self> {
        let all = [
            Self::Moons(Moons::default()),
            Self::TwoCircles(TwoCircles::default()),
            Self::OlympicCircles(OlympicCircles::default()),
            Self::ConcentricCircles(ConcentricCircles::default()),
            Self::HalfCircles(HalfCircles::default()),
            Self::RingsAndBlob(RingsAndBlob::default()),
            Self::PlantedGraph(PlantedGraph::default()),
            Self::Blobs(Blobs::default()),
            Self::NestedBlobs(NestedBlobs::default()),
        ];
        all.into_iter()
            .find(|generator| generator.info().name == name)
            .ok_or_else(|| Error::UnknownDataset {
                name: name.to_owned(),
                known: ALL
                    .iter()
                    .map(|info| info.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }

    /// What the set is and what can be chosen about it.
    pub fn info(&self) -> DatasetInfo {
        match self {
            Self::Moons(_) => Moons::INFO,
            Self::TwoCircles(_) => TwoCircles::INFO,
            Self::OlympicCircles(_) => OlympicCircles::INFO,
            Self::ConcentricCircles(_) => ConcentricCircles::INFO,
            Self::HalfCircles(_) => HalfCircles::INFO,
            Self::RingsAndBlob(_) => RingsAndBlob::INFO,
            Self::PlantedGraph(_) => PlantedGraph::INFO,
            Self::Blobs(_) => Blobs::INFO,
            Self::NestedBlobs(_) => NestedBlobs::INFO,
        }
    }

    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        match self {
            Self::Moons(set) => set.generate(seed),
            Self::TwoCircles(set) => set.generate(seed),
            Self::OlympicCircles(set) => set.generate(seed),
            Self::ConcentricCircles(set) => set.generate(seed),
            Self::HalfCircles(set) => set.generate(seed),
            Self::RingsAndBlob(set) => set.generate(seed),
            Self::PlantedGraph(set) => set.generate(seed),
            Self::Blobs(set) => set.generate(seed),
            Self::NestedBlobs(set) => set.generate(seed),
        }
    }
}
