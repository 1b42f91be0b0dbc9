//! Kernel k-means against brute force, its definition, scikit-learn and recorded runs.

mod brute;
mod cases;
mod descent;
mod equal;
mod golden;
mod method;
mod scikit_learn;
mod spectral;
