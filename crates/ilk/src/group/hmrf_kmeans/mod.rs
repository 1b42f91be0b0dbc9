//! HMRF k-means: k-means with a penalty for each violated pair.

mod fit;
mod init;
mod params;

pub use params::HmrfKMeans;
