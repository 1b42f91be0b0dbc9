//! Rings around each other, and a blob outside.

use super::Dataset;
use super::canvas::{Arc, Canvas, Spacing};
use super::generator::{LENGTH, POSITIVE, count, parameters};
use crate::{Result, parameter::Range};

parameters! {
    /// Rings around each other and a dense blob outside of them.
    ///
    /// Ring i (from 0) has radius (2 i + 1) sⁱ r and (2 i + 1) m points, evenly spaced before noise,
    /// so that each is a little less dense than the one inside; the blob lies on the diagonal beyond
    /// the last. The thesis gives the counts (110 inside, 330 outside, 60 in the blob), that the noises
    /// of the rings differ, the second eigenvalue of the kernel with h = 3.7 (22.4, which separates the
    /// inner radius), and the axes of most entropy: 1, 2, 5 for 3.7, and 1, 2, 3 for 4.5 (which separate the
    /// outer one).
    RingsAndBlob: "rings-and-blob", "make_rings_and_blob", "mean-shift spectral clustering, section 4.4, figure 4.1";
    /// Number of rings.
    rings: usize = 2 in Range::Integer { min: 1, max: 10_000 };
    /// Points on the innermost ring, m.
    per_ring: usize = 110 in count(1);
    /// Points in the blob.
    blob: usize = 60 in count(1);
    /// Radius of the innermost ring, r.
    radius: f64 = 7.5 in POSITIVE;
    /// How much wider each ring is than in proportion to its points, s.
    stretch: f64 = 1.15 in POSITIVE;
    /// Standard deviation of the noise on the innermost ring; ring i has i + 1 times as much.
    noise: f64 = 0.35 in LENGTH;
    /// Standard deviation of the blob.
    spread: f64 = 1.0 in LENGTH;
}

impl RingsAndBlob {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        // 1 + 3 + 5 + ... rings of the innermost's size.
        let n = self.rings * self.rings * self.per_ring + self.blob;
        let mut canvas = Canvas::new(n, 2, seed)?;
        for ring in 0..self.rings {
            let times = 2 * ring + 1;
            let radius = times as f64 * self.stretch.powf(ring as f64) * self.radius;
            let circle = Arc::circle([0.0, 0.0], radius, Spacing::Turn);
            let noise = (ring + 1) as f64 * self.noise;
            canvas.arc(circle, noise, times * self.per_ring, ring);
        }
        let last = self.stretch.powf(self.rings as f64 - 1.0);
        let beyond = (2 * self.rings) as f64 * last * self.radius;
        canvas.blob(&[beyond, beyond], self.spread, self.blob, self.rings);
        Ok(canvas.finish(Self::INFO.name))
    }
}
