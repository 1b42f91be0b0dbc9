//! Data whose truth is known: every synthetic set of the papers, and constraints drawn from labels.
//!
//! Each set is a struct of its parameters with the paper's values as `Default`, and
//! `generate(seed)` makes it. Points come in the order of their groups, group 0 first. The random
//! draws repeat on every platform (see [`numerics::rng`](crate::numerics::rng)); sets on circles
//! also take the platform's sine and cosine, whose last bit may differ.
//!
//! [`Generator`] is for the interfaces (shell, Python): a set by its name; [`ALL`] lists them as
//! data. [`ConstraintSampler`] draws constraints from true labels.
//!
//! ```
//! use ilk::datasets::{ConstraintSampler, ConcentricCircles};
//!
//! let circles = ConcentricCircles { circles: 5, ..Default::default() }.generate(0)?;
//! let truth: Vec<_> = circles.labels.iter().copied().map(Some).collect();
//! let constraints = ConstraintSampler { per_class: 4, ..Default::default() }.draw(&truth, 0)?;
//! assert_eq!(constraints.constraints.must_links().len(), 5 * 6);
//! # Ok::<(), ilk::Error>(())
//! ```

mod arcs;
mod blobs;
mod canvas;
mod circles;
mod constraint_sampler;
mod dataset;
mod generator;
mod planted_graph;
mod rings_and_blob;
#[cfg(test)]
mod tests;

pub use arcs::{HalfCircles, Moons};
pub use blobs::{Blobs, NestedBlobs};
pub use circles::{ConcentricCircles, OlympicCircles, TwoCircles};
pub use constraint_sampler::{ConstraintSampler, SampledConstraints};
pub use dataset::{Data, Dataset};
pub use generator::{ALL, DatasetInfo, Generator};
pub use planted_graph::PlantedGraph;
pub use rings_and_blob::RingsAndBlob;
