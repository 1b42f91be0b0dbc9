//! k-means: points go to the nearest of k centres, and the centres are the means of their points.

mod data;
mod fit;
mod hamerly;
mod init;
mod lloyd;
mod model;
mod params;
mod sums;

pub use model::KMeansModel;
pub use params::{Distance, KMeans, KMeansInit};
