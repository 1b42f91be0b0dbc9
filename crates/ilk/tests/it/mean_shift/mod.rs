//! Mean shift against a plain double loop, golden outputs of other programs, and properties.

mod blurring;
mod cases;
mod golden;
mod plain;
mod runs;
