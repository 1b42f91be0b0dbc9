//! Clustering that listens to people.
//!
//! A run is a straight line, and the modules are its stages, in order:
//!
//! | stage | question | module |
//! |---|---|---|
//! | problem | which data, and which constraints on it | [`problem`] |
//! | similarity | how alike are two points | [`similarity`] |
//! | supervise | how do the constraints change that | [`supervise`] |
//! | embed | which coordinates follow from a kernel or a graph | [`embed`] |
//! | group | which points belong together | [`group`] |
//! | refine | which labels do the neighbours and the constraints correct | [`refine`] |
//! | outcome | labels, model, which constraints hold | [`outcome`] |
//! | evaluate | how good is it | [`evaluate`] |
//! | explain | what is a cluster, and why is a point in it | [`explain`] |
//!
//! [`select`] chooses settings that were left open by held-out constraints, [`method`] names whole recipes over
//! the stages, [`ask`] finds the next best question, [`mod@image`] segments images with them, [`datasets`] generates test data, and [`numerics`] holds
//! the arithmetic, which imports none of it.
//!
//! ```
//! use ilk::{Cms, Constraints, Method, Points, Problem, Silent};
//!
//! let points = Points::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]].map(Vec::from))?;
//! let mut constraints = Constraints::new(6);
//! constraints.cannot_link(0, 5)?;
//! let fit = Cms::default().fit(&Problem::new(points, constraints)?, &Silent)?;
//! assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
//! # Ok::<(), ilk::Error>(())
//! ```
//!
//! [`Method`], [`Model`], [`group::GroupingAlgorithm`] and [`similarity::KernelFunction`] are open: other crates add
//! methods, models and kernels of their own. With the feature `conformance`, such a method can be run
//! through the battery that all methods of this crate pass.
//!
//! The engine reads no files, prints nothing, looks at no clock and starts no threads beyond
//! rayon's. Imports point one way along the line.

pub mod ask;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod datasets;
pub mod embed;
pub mod error;
pub mod evaluate;
pub mod explain;
pub mod group;
pub mod image;
pub mod method;
pub mod numerics;
pub mod observe;
pub mod outcome;
pub mod parameter;
pub mod problem;
pub mod refine;
pub mod select;
pub mod similarity;
pub mod supervise;

pub use error::{Error, Result};
pub use method::{
    AnyMethod, Auto, Cms, E2cp, GaussianMixture, HmrfKMeans, KMeans, KernelKMeans, Ksc, MeanShift,
    Method, Mssc, Skkm, Sklr, Skms, SpectralClustering, SpectralLearning, SsKernelKMeans,
};
pub use ndarray;
pub use observe::{Observer, Silent};
pub use outcome::{AnyModel, Clustering, Fit, Model};
pub use parameter::AutoOr;
pub use problem::{Constraints, Points, Problem};

// The Rust example of the README, as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
