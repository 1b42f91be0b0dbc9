//! Gaussian mixtures against the plain loop, their definition and a recorded run.

mod golden;
mod input;
mod plain;
mod properties;
