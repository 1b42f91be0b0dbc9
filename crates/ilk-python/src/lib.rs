//! Python module `ilk._core`: the engine behind the estimators of the package `ilk`.
//!
//! The module is thin and uniform. A method with its parameters arrives as JSON, as the engine
//! itself reads and writes it, so one function fits every method and a new method needs nothing
//! here. What the user sees (names, defaults, validation in scikit-learn's words) is Python in
//! `python/ilk`.

#![allow(
    clippy::cast_possible_wrap,
    reason = "numpy's integers are signed, and positions stay far below 2^63"
)]

mod ask;
mod command;
mod conflict;
mod constraints;
mod datasets;
mod embed;
mod error;
mod explain;
mod fit;
mod learn;
mod learned;
mod metrics;
mod model;
mod neighbors;
mod recipe;
mod run;
mod segment;
mod sparse;
mod weights;

/// The engine of the package `ilk`.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::ask::AskSession;
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::constraints::Constraints;
    #[pymodule_export]
    use crate::datasets::{draw, generate};
    #[pymodule_export]
    use crate::embed::{EmbedResult, FittedEmbedding, embed, embed_graph};
    #[pymodule_export]
    use crate::explain::explain;
    #[pymodule_export]
    use crate::fit::{FitResult, fit, fit_graph, long_fit, methods, regroup, stability};
    #[pymodule_export]
    use crate::learn::{LearnResult, learn};
    #[pymodule_export]
    use crate::learned::LearnedKernel;
    #[pymodule_export]
    use crate::metrics::score;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::neighbors::neighbors_graph;
    #[pymodule_export]
    use crate::segment::{SegmentResult, segment, segment_methods, segment_settings};

    #[pymodule_export]
    use crate::sparse::SparseAxes;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
