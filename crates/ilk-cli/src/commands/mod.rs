//! One file a command; the work is in the crates.

pub(crate) mod ask;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod methods;
pub(crate) mod neighbors;
pub(crate) mod predict;
pub(crate) mod reproduce;
pub(crate) mod segment;
#[cfg(feature = "studio")]
pub(crate) mod studio;
