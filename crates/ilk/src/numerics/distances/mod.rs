//! Squared distances and dot products, a block at a time.
//!
//! Distances are sums of squared differences, never |a|² + |b|² - 2ab: that form loses every digit
//! when two points lie close together far from the origin, and can even turn negative. Each sum runs
//! over the dimensions in order, in every function and with every instruction set, so that the
//! same pair always has the same bits, and d(a, b) those of d(b, a).

mod f32_distances;
mod panels;

pub use f32_distances::{F32Centers, F32Distances, F32Scores, NearestCenter};
pub use panels::Panels;

/// The squared distance between two points.
pub fn dist_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| {
        let difference = a - b;
        sum + difference * difference
    })
}

/// The dot product of two points.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests;
