//! All tests of the command in one binary.

#![allow(missing_docs, reason = "tests are named after what they prove")]

mod animation;
mod ask;
mod bad_input;
mod commands;
mod common;
mod explain;
mod files;
mod formats;
mod graph;
mod help;
mod kernel;
mod kernel_plots;
mod neighbors;
mod report;
mod reproduce;
mod segment;
mod streams;
#[cfg(feature = "studio")]
mod studio;
