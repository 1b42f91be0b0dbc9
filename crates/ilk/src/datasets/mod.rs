//! Data whose truth is known: every synthetic set of the papers, and answers drawn from labels.
//!
//! Each set is a struct of its parameters with the paper's values as `Default`, and
//! `generate(seed)` makes it. Points come in the order of their groups, group 0 first. The random
//! draws repeat on every platform (see [`numerics::rng`](crate::numerics::rng)); sets on circles
//! also take the platform's sine and cosine, whose last bit may differ.
//!
//! [`Generator`] is the way in for the doors (shell, Python): a set by its name, and [`ALL`] says
//! as data what there is. [`Answers`] turns a truth into what a person might have said about it.
//!
//! ```
//! use ilk::datasets::{Answers, ConcentricCircles};
//!
//! let circles = ConcentricCircles { circles: 5, ..Default::default() }.generate(0)?;
//! let truth: Vec<_> = circles.labels.iter().copied().map(Some).collect();
//! let said = Answers { per_class: 4, ..Default::default() }.draw(&truth, 0)?;
//! assert_eq!(said.constraints.must_links().len(), 5 * 6);
//! # Ok::<(), ilk::Error>(())
//! ```

mod answers;
mod arcs;
mod blobs;
mod canvas;
mod circles;
mod dataset;
mod generator;
mod planted_graph;
mod rings_and_blob;
#[cfg(test)]
mod tests;

pub use answers::{Answers, Drawn};
pub use arcs::{HalfCircles, Moons};
pub use blobs::{Blobs, NestedBlobs};
pub use circles::{ConcentricCircles, OlympicCircles, TwoCircles};
pub use dataset::{Data, Dataset};
pub use generator::{ALL, DatasetInfo, Generator};
pub use planted_graph::PlantedGraph;
pub use rings_and_blob::RingsAndBlob;
