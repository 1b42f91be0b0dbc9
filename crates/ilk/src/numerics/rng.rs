//! Random numbers that repeat.
//!
//! A seed gives the same numbers for ever within a version, on every platform and for any number
//! of threads: the generator is `ChaCha` with 8 rounds, whole numbers are drawn without bias, and
//! [`Rng::normal`] takes no transcendental function on the way to its value. Parallel code gives
//! each block of work a stream of its own ([`rng_stream`]), never a share of one generator.

#[cfg(test)]
mod tests;

use rand::RngExt;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A seeded generator.
#[derive(Debug, Clone)]
pub struct Rng(ChaCha8Rng);

/// The generator of a seed.
pub fn rng(seed: u64) -> Rng {
    rng_stream(seed, 0)
}

/// One of 2^64 independent generators of a seed; stream 0 is [`rng`]'s.
pub fn rng_stream(seed: u64, stream: u64) -> Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(stream);
    Rng(generator)
}

impl Rng {
    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        self.0.random()
    }

    /// Uniform in 0, 1, ..., `n` - 1, each exactly as likely.
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to draw from.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// As [`Rng::below`], for counts of pairs and triplets that outgrow `usize`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below_u128(&mut self, n: u128) -> u128 {
        self.0.random_range(0..n)
    }

    /// Normal with mean 0 and variance 1.
    ///
    /// The ratio of uniforms: for (u, v) uniform in 0 < u <= 1, |v| <= sqrt(2/e), the quotient
    /// x = v/u is normal given that x^2 <= -4 ln u (Kinderman and Monahan 1977). Leva's (1992) two
    /// ellipses decide all but one draw in 80 without the logarithm. The logarithm only ever
    /// decides, so its last bit, which differs between platforms, is not in the value.
    pub fn normal(&mut self) -> f64 {
        // 2 sqrt(2/e), rounded up.
        const WIDTH: f64 = 1.7156;
        loop {
            let u = 1.0 - self.uniform();
            let v = WIDTH * (self.uniform() - 0.5);
            let x = u - 0.449_871;
            let y = v.abs() + 0.386_595;
            let q = x * x + y * (0.196 * y - 0.254_72 * x);
            if q < 0.275_97 || (q <= 0.278_46 && v * v <= -4.0 * u * u * u.ln()) {
                return v / u;
            }
        }
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        items.shuffle(&mut self.0);
    }

    /// As [`Rng::sample`], ascending.
    pub fn sorted_sample(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut drawn = self.sample(n, k);
        drawn.sort_unstable();
        drawn
    }

    /// `k` different numbers out of 0, 1, ..., `n` - 1, in random order; all of them if there are
    /// not more. Memory and time are O(k) when `k` is much smaller than `n`.
    pub fn sample(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut drawn = rand::seq::index::sample(&mut self.0, n, k.min(n)).into_vec();
        // rand leaves open how random the order is.
        self.shuffle(&mut drawn);
        drawn
    }
}
