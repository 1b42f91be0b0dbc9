//! Gaussian mixtures: each point comes from one of k normal distributions, which expectation
//! maximisation (EM) finds.

mod components;
mod fit;
mod model;
mod params;
mod steps;

pub use components::{Components, Covariances};
pub use model::MixtureModel;
pub use params::{CovarianceType, GaussianMixture, InitialComponents, MixtureInit};
