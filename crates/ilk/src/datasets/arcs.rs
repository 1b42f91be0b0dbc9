//! Half circles hooked into each other.

use std::f64::consts::{FRAC_PI_2, PI};

use super::Dataset;
use super::canvas::{Arc, Canvas, Spacing};
use super::generator::{LENGTH, POSITIVE, count, parameters};
use crate::Result;

parameters! {
    /// Two half moons of radius 1, one hooked into the other.
    ///
    /// The upper moon is centred on (0, 0), the lower on (1, 0.5); points are evenly spaced along
    /// them before noise. As scikit-learn's `make_moons`.
    Moons: "moons", "make_moons", "constrained mean shift's moons; scikit-learn";
    /// Points in all; the upper moon has the smaller half.
    n: usize = 200 in count(2);
    /// Standard deviation of the noise in each coordinate.
    noise: f64 = 0.05 in LENGTH;
}

impl Moons {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let mut canvas = Canvas::new(self.n, 2, seed)?;
        let upper =
            Arc { center: [0.0, 0.0], radius: 1.0, angles: [0.0, PI], spacing: Spacing::Ends };
        let lower = Arc { center: [1.0, 0.5], angles: [PI, 2.0 * PI], ..upper };
        canvas.arc(upper, self.noise, self.n / 2, 0);
        canvas.arc(lower, self.noise, self.n - self.n / 2, 1);
        Ok(canvas.finish(Self::INFO.name))
    }
}

parameters! {
    /// Two hooked half circles, a left and a right one with different noise, and a wide blob.
    ///
    /// No straight line separates the half circles, and the blob in the upper right corner is less
    /// dense than either. The thesis gives the counts (250, 250, 100), that the noises differ and
    /// that the blob's is the largest; the lengths here are those with which 50 blurring steps of
    /// bandwidth 1 leave as many partitions as there (6, 6 and 10).
    HalfCircles: "half-circles", "make_half_circles", "mean-shift spectral clustering, figure 6.12";
    /// Points on each half circle.
    per_arc: usize = 250 in count(1);
    /// Points in the blob.
    blob: usize = 100 in count(1);
    /// Radius of the half circles; everything else is placed by it.
    radius: f64 = 11.0 in POSITIVE;
    /// Standard deviation of the noise on the left half circle.
    noise: f64 = 0.5 in LENGTH;
    /// Standard deviation of the noise on the right half circle.
    noise_right: f64 = 0.8 in LENGTH;
    /// Standard deviation of the blob.
    spread: f64 = 4.0 in LENGTH;
}

impl HalfCircles {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let r = self.radius;
        let mut canvas = Canvas::new(2 * self.per_arc + self.blob, 2, seed)?;
        let left = Arc {
            center: [0.0, 0.0],
            radius: r,
            angles: [FRAC_PI_2, 3.0 * FRAC_PI_2],
            spacing: Spacing::Ends,
        };
        let right = Arc { center: [-0.5 * r, -r], angles: [-FRAC_PI_2, FRAC_PI_2], ..left };
        canvas.arc(left, self.noise, self.per_arc, 0);
        canvas.arc(right, self.noise_right, self.per_arc, 1);
        canvas.blob(&[1.4 * r, r], self.spread, self.blob, 2);
        Ok(canvas.finish(Self::INFO.name))
    }
}
