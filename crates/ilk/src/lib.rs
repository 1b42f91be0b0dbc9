//! Clustering that listens to people.
//!
//! A run is a straight line, and the modules are its stations, in order:
//!
//! | station | question | module |
//! |---|---|---|
//! | problem | what is asked: data, and what a person said about it | [`problem`] |
//! | similarity | how alike are two points | [`similarity`] |
//! | supervise | bend that to what was said | [`supervise`] |
//! | group | which points belong together | [`group`] |
//! | settle | square that with the neighbours and with what was said | [`settle`] |
//! | outcome | labels, model, which constraints held | [`outcome`] |
//! | evaluate | how good is it | [`evaluate`] |
//!
//! [`method`] names whole recipes over those stations, [`mod@image`] brings pictures to them, [`datasets`] generates test data,
//! [`numerics`] holds the arithmetic under all of it and imports none of it.
//!
//! The engine reads no files, prints nothing, looks at no clock and starts no threads beyond
//! rayon's. Imports point one way along the line.

pub mod datasets;
pub mod error;
pub mod evaluate;
pub mod group;
pub mod image;
pub mod method;
pub mod numerics;
pub mod observe;
pub mod outcome;
pub mod parameter;
pub mod problem;
pub mod settle;
pub mod similarity;
pub mod supervise;

pub use error::{Error, Result};
pub use ndarray;

// The Rust example of the README, as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
