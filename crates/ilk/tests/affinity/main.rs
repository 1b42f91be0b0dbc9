//! Graphs of neighbours, affinities bent to what was said, and the methods that group by them: against
//! definitions, brute force and recorded runs.

mod golden;
mod graph;
mod propagate;
#[path = "../shared/mod.rs"]
mod shared;
mod spectral;
mod told_apart;
