//! Gaussian mixtures: points are drawn from one of k normal distributions, and which is found by
//! expectation maximisation.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`GaussianMixture`], the parameters |
//! | `components` | [`Components`]: weights, means and covariances, and the densities of points |
//! | `steps` | the two steps: who belongs where, and what that makes of the components |
//! | `fit` | starts and restarts, from points to components and clusters |
//! | `model` | [`MixtureModel`], for new points |

mod components;
mod fit;
mod model;
mod params;
mod steps;

pub use components::{Components, Covariances};
pub use model::MixtureModel;
pub use params::{CovarianceType, GaussianMixture, GivenComponents, MixtureStart};
