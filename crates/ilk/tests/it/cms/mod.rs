//! Constrained mean shift against the released program, against a plain double loop, and in the
//! cases where the released program fails.

mod cases;
mod failures;
mod golden;
mod oracle;
mod plain;
mod predict;
mod progress;
