//! Vectors of eight doubles or sixteen floats, and the choice of instruction set at run time.
//!
//! A loop is written once, generic over [`Simd`], and [`simd_dispatch!`] compiles it for AVX-512,
//! for AVX2 with FMA, and portably. Every version works on the same number of lanes with fused
//! multiply-adds, so AVX-512 and AVX2 machines compute the same bits. Left to itself the compiler
//! vectorises these loops over the dimensions, with gathers, five times slower.
//!
//! The only unsafe code of the engine is here and in the bodies that `simd_dispatch!` calls. The
//! rule: making a vector from memory or from a number is unsafe, because the machine must have the
//! instructions; a vector that exists is proof of that, so everything else is safe.

/// A vector of floating-point numbers in registers.
pub(crate) trait Simd: Copy {
    /// What it holds.
    type Scalar: Copy;
    /// How many it holds.
    const WIDTH: usize;
    /// How many registers that takes.
    const REGISTERS: usize;

    /// All lanes the same.
    ///
    /// # Safety
    /// The machine must have the instructions of this type.
    unsafe fn splat(value: Self::Scalar) -> Self;

    /// The first `WIDTH` values of a slice, which must be that long.
    ///
    /// # Safety
    /// The machine must have the instructions of this type.
    unsafe fn load(values: &[Self::Scalar]) -> Self;

    /// Writes the lanes to the first `WIDTH` places of a slice, which must be that long.
    fn store(self, values: &mut [Self::Scalar]);

    /// Lane by lane self + other.
    fn add(self, other: Self) -> Self;
    /// Lane by lane self - other.
    fn sub(self, other: Self) -> Self;
    /// Lane by lane self * other.
    fn mul(self, other: Self) -> Self;
    /// Lane by lane self * factor + summand, rounded once where the machine can.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// The larger; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// `value` in the lanes where self <= bound, 0 elsewhere.
    fn where_at_most(self, bound: Self, value: Self) -> Self;
    /// Bit l is set where lane l of self is at most that of `bound`.
    fn mask_at_most(self, bound: Self) -> u32;
    /// Writes the lanes whose bit is set in `mask` to `to`, one after the other. The rest of the
    /// first `WIDTH` places of `to`, which must be that long, gets anything.
    fn compress(self, mask: u32, to: &mut [Self::Scalar]);
    /// As [`compress`](Self::compress), for the first `WIDTH` numbers of `from`.
    ///
    /// # Safety
    /// The machine must have the instructions of this type.
    unsafe fn compress_u32(mask: u32, from: &[u32], to: &mut [u32]);
    /// 2^k, where self is k plus 1.5 * 2^(bits of the mantissa) plus the exponent's bias: that sum
    /// has k plus the bias in its low bits, and a shift takes them to the exponent.
    fn exponent_from_low_bits(self) -> Self;
}

/// Compiles a body that is generic over [`Simd`] for every instruction set, and chooses at run time.
macro_rules! simd_dispatch {
    ($(#[$attr:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident,
     f64x8) => {
        simd_dispatch!($(#[$attr])* $vis fn $name($($arg: $type),*) = $body,
            Avx512x64, Avx2x64, Portable64);
    };
    ($(#[$attr:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident,
     f32x16) => {
        simd_dispatch!($(#[$attr])* $vis fn $name($($arg: $type),*) = $body,
            Avx512x32, Avx2x32, Portable32);
    };
    ($(#[$attr:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident,
     $avx512:ident, $avx2:ident, $portable:ident) => {
        $(#[$attr])*
        #[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
        $vis fn $name($($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
                #[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
                fn avx512($($arg: $type),*) {
                    // SAFETY: this function only runs where its features were detected.
                    unsafe { $body::<$crate::numerics::simd::$avx512>($($arg),*) }
                }
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
                fn avx2($($arg: $type),*) {
                    // SAFETY: this function only runs where its features were detected.
                    unsafe { $body::<$crate::numerics::simd::$avx2>($($arg),*) }
                }
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("fma")
                {
                    // SAFETY: the features were detected just now.
                    return unsafe { avx512($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the features were detected just now.
                    return unsafe { avx2($($arg),*) };
                }
            }
            // SAFETY: the portable vectors need no special instructions.
            unsafe { $body::<$crate::numerics::simd::$portable>($($arg),*) }
        }
    };
}
pub(crate) use simd_dispatch;

/// Moves the values whose bit is set in `mask` to the front of `to`.
#[inline(always)]
fn compress<T: Copy>(mask: u32, from: &[T], to: &mut [T]) {
    let (mut left, mut count) = (mask, 0);
    while left != 0 {
        to[count] = from[left.trailing_zeros() as usize];
        left &= left - 1;
        count += 1;
    }
}

/// A vector in plain arrays, for machines without the instructions below.
macro_rules! portable {
    ($name:ident, $scalar:ty, $width:expr, $shift:expr) => {
        #[doc = concat!("A portable vector of ", stringify!($width), " ", stringify!($scalar), ".")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name([$scalar; $width]);

        impl $name {
            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($scalar, $scalar) -> $scalar) -> Self {
                Self(std::array::from_fn(|l| f(self.0[l], other.0[l])))
            }
        }

        impl Simd for $name {
            type Scalar = $scalar;
            const WIDTH: usize = $width;
            const REGISTERS: usize = 4;

            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                Self([value; $width])
            }
            #[inline(always)]
            unsafe fn load(values: &[$scalar]) -> Self {
                Self(std::array::from_fn(|l| values[l]))
            }
            #[inline(always)]
            fn store(self, values: &mut [$scalar]) {
                values[..$width].copy_from_slice(&self.0);
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.zip(other, |a, b| a + b)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.zip(other, |a, b| a - b)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.zip(other, |a, b| a * b)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                // Without the instruction a fused operation is a library call, fifty times slower
                // than two roundings.
                Self(std::array::from_fn(|l| {
                    if cfg!(target_arch = "aarch64") {
                        self.0[l].mul_add(factor.0[l], summand.0[l])
                    } else {
                        self.0[l] * factor.0[l] + summand.0[l]
                    }
                }))
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.zip(other, |a, b| if a > b { a } else { b })
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.zip(other, |a, b| if a < b { a } else { b })
            }
            #[inline(always)]
            fn where_at_most(self, bound: Self, value: Self) -> Self {
                let mask = self.zip(bound, |a, b| if a <= b { 1.0 } else { 0.0 });
                mask.zip(value, |m, v| if m > 0.0 { v } else { 0.0 })
            }
            #[inline(always)]
            fn mask_at_most(self, bound: Self) -> u32 {
                let lanes = self.0.iter().zip(&bound.0).enumerate();
                lanes.fold(0, |mask, (l, (a, b))| mask | (u32::from(a <= b) << l))
            }
            #[inline(always)]
            fn compress(self, mask: u32, to: &mut [$scalar]) {
                compress(mask, &self.0, to);
            }
            #[inline(always)]
            unsafe fn compress_u32(mask: u32, from: &[u32], to: &mut [u32]) {
                compress(mask, from, to);
            }
            #[inline(always)]
            fn exponent_from_low_bits(self) -> Self {
                Self(self.0.map(|v| <$scalar>::from_bits(v.to_bits() << $shift)))
            }
        }
    };
}

portable!(Portable64, f64, 8, 52);
portable!(Portable32, f32, 16, 23);

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2x32, Avx2x64, Avx512x32, Avx512x64};

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;
