//! Every dataset by its name, with its parameters as data.

use serde::{Deserialize, Serialize};

use super::{
    Blobs, ConcentricCircles, Dataset, HalfCircles, Moons, NestedBlobs, OlympicCircles,
    PlantedGraph, RingsAndBlob, TwoCircles,
};
use crate::parameter::{ParameterInfo, Range};
use crate::{Error, Result};

/// What a dataset is, and its parameters.
#[derive(Debug, Clone, Copy)]
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

/// A number of points.
pub(super) const fn count(min: u64) -> Range {
    Range::Integer { min, max: 1_000_000_000 }
}

/// Zero or more.
pub(super) const LENGTH: Range = Range::between(0.0, 1e100);

/// More than zero.
pub(super) const POSITIVE: Range = Range::above(0.0, 1e100);

/// Declares the parameters of a set, and its [`DatasetInfo`].
macro_rules! parameters {
    (
        #[doc = $summary:literal]
        $(#[doc = $more:literal])*
        $type:ident: $name:literal, $function:literal, $source:literal;
        $(#[doc = $doc:literal] $field:ident: $kind:ty = $default:literal in $range:expr;)*
    ) => {
        $crate::parameters! {
            #[doc = $summary]
            $(#[doc = $more])*
            pub struct $type {
                $(#[doc = $doc] pub $field: $kind = $default, in $range;)*
            }
        }

        impl $type {
            /// What the dataset is, and its parameters.
            pub const INFO: $crate::datasets::DatasetInfo = $crate::datasets::DatasetInfo {
                name: $name,
                function: $function,
                summary: $summary.trim_ascii(),
                source: $source,
                parameters: Self::PARAMETERS,
            };
        }
    };
}
pub(super) use parameters;

/// Writes the list of datasets, [`Generator`] and its dispatch from one list.
macro_rules! generators {
    ($($dataset:ident,)*) => {
        /// Every dataset.
        pub const ALL: &[DatasetInfo] = &[$($dataset::INFO),*];

        /// A dataset with its parameters. As JSON: `{"dataset": "moons", "params": {...}}`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "dataset", content = "params", rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Generator {
            $(#[doc = concat!("See [`", stringify!($dataset), "`].")] $dataset($dataset),)*
        }

        impl Generator {
            /// Every dataset with its default parameters.
            fn all() -> [Self; ALL.len()] {
                [$(Self::$dataset($dataset::default())),*]
            }

            /// What the dataset is, and its parameters.
            pub fn info(&self) -> DatasetInfo {
                match self {
                    $(Self::$dataset(_) => $dataset::INFO,)*
                }
            }

            /// Generates the dataset.
            pub fn generate(&self, seed: u64) -> Result<Dataset> {
                match self {
                    $(Self::$dataset(params) => params.generate(seed),)*
                }
            }
        }
    };
}

generators! {
    Moons, TwoCircles, OlympicCircles, ConcentricCircles, HalfCircles, RingsAndBlob, PlantedGraph, Blobs,
    NestedBlobs,
}

impl Generator {
    /// The dataset of this name with its default parameters.
    pub fn named(name: &str) -> Result<Self> {
        Self::all().into_iter().find(|generator| generator.info().name == name).ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|info| info.name).collect();
            Error::UnknownDataset { name: name.to_owned(), known: known.join(", ") }
        })
    }
}
