//! k-means against the plain loop, its definition and recorded runs.

mod golden;
mod input;
mod plain;
mod properties;
