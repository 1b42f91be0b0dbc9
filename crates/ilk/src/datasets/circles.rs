//! Whole circles: inside each other, or crossing.

use super::Dataset;
use super::canvas::{Arc, Canvas, Spacing};
use super::generator::{LENGTH, POSITIVE, count, parameters};
use crate::Result;

parameters! {
    /// A circle inside another.
    ///
    /// Both are centred on (0, 0); angles are uniform.
    TwoCircles: "two-circles", "make_two_circles", "semi-supervised kernel k-means, section 6";
    /// Points on each circle.
    per_circle: usize = 100 in count(1);
    /// Radius of the inner circle.
    inner: f64 = 1.0 in POSITIVE;
    /// Radius of the outer circle.
    outer: f64 = 3.0 in POSITIVE;
    /// Standard deviation of the noise in each coordinate.
    noise: f64 = 0.15 in LENGTH;
}

impl TwoCircles {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let circles = [([0.0, 0.0], self.inner), ([0.0, 0.0], self.outer)];
        draw(&circles, self.per_circle, self.noise, seed, Self::INFO.name)
    }
}

parameters! {
    /// Five circles that cross like the Olympic rings.
    ///
    /// Centres (-4.4, 0), (0, 0), (4.4, 0), (-2.2, -2) and (2.2, -2); angles are uniform.
    OlympicCircles: "olympic-circles", "make_olympic_circles", "semi-supervised kernel mean shift, figure 9";
    /// Points on each circle.
    per_circle: usize = 300 in count(1);
    /// Radius of the circles; the centres stay where they are.
    radius: f64 = 2.0 in POSITIVE;
    /// Standard deviation of the noise in each coordinate.
    noise: f64 = 0.08 in LENGTH;
}

impl OlympicCircles {
    /// The centres, in the order of the labels.
    pub const CENTERS: [[f64; 2]; 5] =
        [[-4.4, 0.0], [0.0, 0.0], [4.4, 0.0], [-2.2, -2.0], [2.2, -2.0]];

    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let circles = Self::CENTERS.map(|center| (center, self.radius));
        draw(&circles, self.per_circle, self.noise, seed, Self::INFO.name)
    }
}

parameters! {
    /// Circles of radius 1, 2, 3, ... around one centre.
    ///
    /// All are centred on (0, 0); angles are uniform. Every circle has the same number of points,
    /// so that the outer ones are sparse.
    ConcentricCircles: "concentric-circles", "make_concentric_circles", "semi-supervised kernel mean shift, figures 3 and 10";
    /// Number of circles.
    circles: usize = 10 in crate::parameter::Range::Integer { min: 1, max: 1_000_000 };
    /// Points on each circle.
    per_circle: usize = 100 in count(1);
    /// Standard deviation of the noise in each coordinate.
    noise: f64 = 0.1 in LENGTH;
}

impl ConcentricCircles {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let circles: Vec<_> =
            (1..=self.circles).map(|radius| ([0.0, 0.0], radius as f64)).collect();
        draw(&circles, self.per_circle, self.noise, seed, Self::INFO.name)
    }
}

fn draw(
    circles: &[([f64; 2], f64)],
    per_circle: usize,
    noise: f64,
    seed: u64,
    name: &'static str,
) -> Result<Dataset> {
    let mut canvas = Canvas::new(circles.len().saturating_mul(per_circle), 2, seed)?;
    for (label, &(center, radius)) in circles.iter().enumerate() {
        let circle = Arc::circle(center, radius, Spacing::Random);
        canvas.arc(circle, noise, per_circle, label);
    }
    Ok(canvas.finish(name))
}
