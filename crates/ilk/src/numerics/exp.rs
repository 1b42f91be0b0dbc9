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

use multiversion::{multiversion, target::target_cfg_f};

/// Replaces every value by its exponential.
pub fn exp_in_place(values: &mut [f64]) {
    exp_slice(values);
}

/// Replaces every value by its exponential, in single precision.
pub fn exp_in_place_f32(values: &mut [f32]) {
    exp_slice_f32(values);
}

#[multiversion(targets(
    "x86_64+avx512f+avx512dq+avx512vl+avx512bw+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exp_slice(values: &mut [f64]) {
    const FMA: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    for value in values {
        *value = exp::<FMA>(*value);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512dq+avx512vl+avx512bw+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exp_slice_f32(values: &mut [f32]) {
    const FMA: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    for value in values {
        *value = exp_f32::<FMA>(*value);
    }
}

/// a b + c, fused where the machine can. Without the instruction a fused operation is a call into
/// a library, fifty times slower than two roundings.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
pub(crate) fn fma<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// a b + c in single precision, fused where the machine can.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
pub(crate) fn fma_f32<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// One lane of the double-precision exponential; a loop over it vectorises.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
pub(crate) fn exp<const FMA: bool>(x: f64) -> f64 {
    /// Adding it rounds to a whole number and leaves that number in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const Q: [f64; 10] = [
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
    // Beyond these every result is 0 or infinite. Written so that NaN passes through.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let k = fma::<FMA>(x, std::f64::consts::LOG2_E, ROUND) - ROUND;
    let r = fma::<FMA>(k, -LN2_HIGH, x);
    let r = fma::<FMA>(k, -LN2_LOW, r);
    let mut q = Q[9];
    for c in Q[..9].iter().rev() {
        q = fma::<FMA>(q, r, *c);
    }
    let p = 1.0 + fma::<FMA>(q, r * r, r);
    let half = (k * 0.5 + ROUND) - ROUND;
    p * power_of_two(half) * power_of_two(k - half)
}

/// 2^k for whole k from -1022 to 1023.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
fn power_of_two(k: f64) -> f64 {
    const ROUND_AND_BIAS: f64 = 6_755_399_441_055_744.0 + 1023.0;
    f64::from_bits((k + ROUND_AND_BIAS).to_bits() << 52)
}

/// One lane of the single-precision exponential; a loop over it vectorises.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
pub(crate) fn exp_f32<const FMA: bool>(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -0.000_212_194_44;
    const Q: [f32; 5] = [0.5, 0.166_665_76, 0.041_666_556, 0.008_363_179, 0.001_392_618_4];
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let k = fma_f32::<FMA>(x, std::f32::consts::LOG2_E, ROUND) - ROUND;
    let r = fma_f32::<FMA>(k, -LN2_HIGH, x);
    let r = fma_f32::<FMA>(k, -LN2_LOW, r);
    let mut q = Q[4];
    for c in Q[..4].iter().rev() {
        q = fma_f32::<FMA>(q, r, *c);
    }
    let p = 1.0 + fma_f32::<FMA>(q, r * r, r);
    let half = (k * 0.5 + ROUND) - ROUND;
    p * power_of_two_f32(half) * power_of_two_f32(k - half)
}

/// 2^k for whole k from -126 to 127.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must inherit the caller's target features")]
fn power_of_two_f32(k: f32) -> f32 {
    const ROUND_AND_BIAS: f32 = 12_582_912.0 + 127.0;
    f32::from_bits((k + ROUND_AND_BIAS).to_bits() << 23)
}
