//! The exponential function on whole slices, in SIMD.
//!
//! Kernel methods spend most of their time in exp, and the standard library computes one value at a
//! time. Here the same arithmetic runs on every lane of the widest registers that the machine has
//! (chosen at run time), without branches:
//!
//! 1. reduce: x = k ln 2 + r with k whole and |r| <= ln 2 / 2, ln 2 in two parts (Cody and Waite);
//! 2. approximate: exp(r) = 1 + r + r² q(r), q interpolated in the Chebyshev nodes of that interval
//!    (relative error 1.7e-17 in f64, 1.0e-8 in f32);
//! 3. scale: multiply by 2^k in two factors, so that results below the smallest normal number are
//!    rounded once and results above the largest become infinite.
//!
//! The result is within 2 ulp (f64) and 4 ulp (f32) of the true value over the whole range; NaN
//! stays NaN.

use super::simd::{Available, Simd, simd_dispatch};

/// Replaces every value by its exponential.
pub fn exp_in_place(values: &mut [f64]) {
    simd_dispatch!(f64x8, exp_slice::<_, 8>(values));
}

/// Replaces every value by its exponential, in single precision.
pub fn exp_in_place_f32(values: &mut [f32]) {
    simd_dispatch!(f32x16, exp_slice::<_, 16>(values));
}

/// Values in vectors of `N`; the last ones in a vector that is filled up.
#[inline(always)]
fn exp_slice<V: Simd<Scalar: ExpConstants>, const N: usize>(
    simd: Available<V>,
    values: &mut [V::Scalar],
) {
    let (whole, tail) = values.as_chunks_mut::<N>();
    for chunk in whole {
        exp(simd.load(chunk)).store(chunk);
    }
    let mut last = [V::Scalar::ZERO; N];
    last[..tail.len()].copy_from_slice(tail);
    exp(simd.load(&last)).store(&mut last);
    tail.copy_from_slice(&last[..tail.len()]);
}

/// The constants of the algorithm, by precision.
pub(crate) trait ExpConstants: Copy + 'static {
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;
    /// 1.5 * 2^(bits of the mantissa): adding it rounds to a whole number, left in the low bits.
    const ROUND: Self;
    /// `ROUND` plus the bias of the exponent.
    const ROUND_AND_BIAS: Self;
    const LOG2_E: Self;
    /// The upper part of -ln 2, with zeros at the end, so that products with k are exact.
    const MINUS_LN2_HIGH: Self;
    /// The rest of -ln 2.
    const MINUS_LN2_LOW: Self;
    /// Above it every result is infinite.
    const OVERFLOW: Self;
    /// Below it every result is 0.
    const UNDERFLOW: Self;
    /// Below it results are no longer normal numbers.
    const SMALLEST_NORMAL: Self;
    /// The coefficients of q, constant term first.
    const Q: &'static [Self];
}

impl ExpConstants for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const HALF: f64 = 0.5;
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const ROUND_AND_BIAS: f64 = 6_755_399_441_055_744.0 + 1023.0;
    const LOG2_E: f64 = std::f64::consts::LOG2_E;
    const MINUS_LN2_HIGH: f64 = -0.693_147_180_369_123_8;
    const MINUS_LN2_LOW: f64 = -1.908_214_929_270_587_7e-10;
    const OVERFLOW: f64 = 710.0;
    const UNDERFLOW: f64 = -746.0;
    const SMALLEST_NORMAL: f64 = -708.0;
    const Q: &'static [f64] = &[
        0.500_000_000_000_000_1,
        0.166_666_666_666_666_69,
        0.041_666_666_666_624_13,
        0.008_333_333_333_330_062,
        0.001_388_888_891_721_371_7,
        0.000_198_412_698_630_536_18,
        2.480_152_129_595_437_6e-5,
        2.755_726_845_999_706_4e-6,
        2.762_008_844_540_974_6e-7,
        2.510_038_549_551_032e-8,
    ];
}

impl ExpConstants for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const HALF: f32 = 0.5;
    const ROUND: f32 = 12_582_912.0;
    const ROUND_AND_BIAS: f32 = 12_582_912.0 + 127.0;
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    const MINUS_LN2_HIGH: f32 = -0.693_359_4;
    const MINUS_LN2_LOW: f32 = 0.000_212_194_44;
    const OVERFLOW: f32 = 89.0;
    const UNDERFLOW: f32 = -104.0;
    const SMALLEST_NORMAL: f32 = -87.0;
    const Q: &'static [f32] = &[0.5, 0.166_665_76, 0.041_666_556, 0.008_363_179, 0.001_392_618_4];
}

/// exp of every lane, over the whole range.
#[inline(always)]
pub(crate) fn exp<V: Simd<Scalar: ExpConstants>>(x: V) -> V {
    let constant = |c: V::Scalar| x.simd().splat(c);
    let x = constant(V::Scalar::OVERFLOW).min(constant(V::Scalar::UNDERFLOW).max(x));
    let (k, p) = reduce(x);
    let round = constant(V::Scalar::ROUND);
    let half = k.mul_add(constant(V::Scalar::HALF), round).sub(round);
    let bias = constant(V::Scalar::ROUND_AND_BIAS);
    p.mul(half.add(bias).exponent_from_low_bits())
        .mul(k.sub(half).add(bias).exponent_from_low_bits())
}

/// exp of lanes that are at most 0. Where the result would not be a normal number it is the
/// smallest one or a little more, never 0: a sum of such values means that all of them underflowed.
#[inline(always)]
pub(crate) fn exp_nonpositive<V: Simd<Scalar: ExpConstants>>(x: V) -> V {
    let constant = |c: V::Scalar| x.simd().splat(c);
    let (k, p) = reduce(constant(V::Scalar::SMALLEST_NORMAL).max(x));
    p.mul(k.add(constant(V::Scalar::ROUND_AND_BIAS)).exponent_from_low_bits())
}

/// x = k ln 2 + r; returns k and exp(r).
#[inline(always)]
fn reduce<V: Simd<Scalar: ExpConstants>>(x: V) -> (V, V) {
    let constant = |c: V::Scalar| x.simd().splat(c);
    let round = constant(V::Scalar::ROUND);
    let k = x.mul_add(constant(V::Scalar::LOG2_E), round).sub(round);
    let r = k.mul_add(constant(V::Scalar::MINUS_LN2_HIGH), x);
    let r = k.mul_add(constant(V::Scalar::MINUS_LN2_LOW), r);
    let mut q = constant(V::Scalar::ZERO);
    for (i, &c) in V::Scalar::Q.iter().rev().enumerate() {
        q = if i == 0 { constant(c) } else { q.mul_add(r, constant(c)) };
    }
    let p = constant(V::Scalar::ONE).add(q.mul_add(r.mul(r), r));
    (k, p)
}

#[cfg(test)]
mod tests;
