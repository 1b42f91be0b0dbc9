//! Methods that adapt a graph of affinities to constraints and cluster it by its eigenvectors.

mod e2cp;
mod pipeline;
mod spectral_learning;

pub use e2cp::E2cp;
pub use spectral_learning::SpectralLearning;
