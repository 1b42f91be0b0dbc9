//! Graphs of neighbours, affinities adapted to constraints, and the methods that group by them: against
//! definitions, brute force and recorded runs.

mod golden;
mod graph;
mod propagate;
mod separated;
mod spectral;
