//! Squared distances and dot products, a block at a time.
//!
//! Distances are sums of squared differences, never |a|² + |b|² - 2ab: that form loses every digit
//! when two points lie close together far from the origin, and can even turn negative. Each sum runs
//! over the dimensions in order, on every route and with every instruction set, so that the same
//! pair has the same bits wherever it is asked for, and d(a, b) those of d(b, a).

mod panels;
mod rough;

pub use panels::Panels;
pub use rough::{Nearest, Places, Rough, Scan};

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
