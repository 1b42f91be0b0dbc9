//! Kernel PCA, kernel entropy components, Laplacian eigenmaps, and clusters from them.

mod clusters;
mod golden;
mod kernel;
mod laplacian;
mod tolerance;
