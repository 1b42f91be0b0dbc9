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
#[allow(
    clippy::wildcard_imports,
    reason = "the names of instructions say where they come from, and there are seventy"
)]
mod x86 {
    use std::arch::x86_64::*;

    use super::Simd;

    macro_rules! avx512 {
        ($name:ident, $register:ty, $scalar:ty, $width:expr, $splat:ident, $load:ident, $store:ident,
         $add:ident, $sub:ident, $mul:ident, $fma:ident, $max:ident, $min:ident, $compare:ident,
         $blend:ident, $shift:expr, $mask:ty, $compress:ident, $compress_u32:ident,
         $load_u32:ident, $store_u32:ident) => {
            #[doc = concat!("An AVX-512 vector of ", stringify!($width), " ", stringify!($scalar), ".")]
            #[derive(Clone, Copy)]
            pub(crate) struct $name($register);

            impl Simd for $name {
                type Scalar = $scalar;
                const WIDTH: usize = $width;

                #[inline(always)]
                unsafe fn splat(value: $scalar) -> Self {
                    Self(unsafe { $splat(value) })
                }
                #[inline(always)]
                unsafe fn load(values: &[$scalar]) -> Self {
                    let values = &values[..$width];
                    Self(unsafe { $load(values.as_ptr()) })
                }
                #[inline(always)]
                fn store(self, values: &mut [$scalar]) {
                    let values = &mut values[..$width];
                    unsafe { $store(values.as_mut_ptr(), self.0) }
                }
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    Self(unsafe { $add(self.0, other.0) })
                }
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    Self(unsafe { $sub(self.0, other.0) })
                }
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    Self(unsafe { $mul(self.0, other.0) })
                }
                #[inline(always)]
                fn mul_add(self, factor: Self, summand: Self) -> Self {
                    Self(unsafe { $fma(self.0, factor.0, summand.0) })
                }
                #[inline(always)]
                fn max(self, other: Self) -> Self {
                    Self(unsafe { $max(self.0, other.0) })
                }
                #[inline(always)]
                fn min(self, other: Self) -> Self {
                    Self(unsafe { $min(self.0, other.0) })
                }
                #[inline(always)]
                fn where_at_most(self, bound: Self, value: Self) -> Self {
                    Self(unsafe { $blend($compare::<_CMP_LE_OQ>(self.0, bound.0), value.0) })
                }
                #[inline(always)]
                fn mask_at_most(self, bound: Self) -> u32 {
                    u32::from(unsafe { $compare::<_CMP_LE_OQ>(self.0, bound.0) })
                }
                #[inline(always)]
                fn compress(self, mask: u32, to: &mut [$scalar]) {
                    let to = &mut to[..$width];
                    unsafe { $store(to.as_mut_ptr(), $compress(mask as $mask, self.0)) }
                }
                #[inline(always)]
                unsafe fn compress_u32(mask: u32, from: &[u32], to: &mut [u32]) {
                    let (from, to) = (&from[..$width], &mut to[..$width]);
                    unsafe {
                        let kept = $compress_u32(mask as $mask, $load_u32(from.as_ptr().cast()));
                        $store_u32(to.as_mut_ptr().cast(), kept);
                    }
                }
                #[inline(always)]
                fn exponent_from_low_bits(self) -> Self {
                    Self(unsafe { $shift(self.0) })
                }
            }
        };
    }

    #[inline(always)]
    unsafe fn shift_512d(v: __m512d) -> __m512d {
        unsafe { _mm512_castsi512_pd(_mm512_slli_epi64::<52>(_mm512_castpd_si512(v))) }
    }
    #[inline(always)]
    unsafe fn shift_512(v: __m512) -> __m512 {
        unsafe { _mm512_castsi512_ps(_mm512_slli_epi32::<23>(_mm512_castps_si512(v))) }
    }

    avx512!(
        Avx512x64,
        __m512d,
        f64,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_fmadd_pd,
        _mm512_max_pd,
        _mm512_min_pd,
        _mm512_cmp_pd_mask,
        _mm512_maskz_mov_pd,
        shift_512d,
        __mmask8,
        _mm512_maskz_compress_pd,
        _mm256_maskz_compress_epi32,
        _mm256_loadu_si256,
        _mm256_storeu_si256
    );
    avx512!(
        Avx512x32,
        __m512,
        f32,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        _mm512_mul_ps,
        _mm512_fmadd_ps,
        _mm512_max_ps,
        _mm512_min_ps,
        _mm512_cmp_ps_mask,
        _mm512_maskz_mov_ps,
        shift_512,
        __mmask16,
        _mm512_maskz_compress_ps,
        _mm512_maskz_compress_epi32,
        _mm512_loadu_si512,
        _mm512_storeu_si512
    );

    macro_rules! avx2 {
        ($name:ident, $register:ty, $scalar:ty, $width:expr, $splat:ident, $load:ident, $store:ident,
         $add:ident, $sub:ident, $mul:ident, $fma:ident, $max:ident, $min:ident, $compare:ident,
         $and:ident, $movemask:ident, $shift:expr) => {
            #[doc = concat!("A pair of AVX2 registers: ", stringify!($width), " ", stringify!($scalar), ".")]
            #[derive(Clone, Copy)]
            pub(crate) struct $name($register, $register);

            impl Simd for $name {
                type Scalar = $scalar;
                const WIDTH: usize = $width;

                #[inline(always)]
                unsafe fn splat(value: $scalar) -> Self {
                    unsafe { Self($splat(value), $splat(value)) }
                }
                #[inline(always)]
                unsafe fn load(values: &[$scalar]) -> Self {
                    let values = &values[..$width];
                    unsafe { Self($load(values.as_ptr()), $load(values.as_ptr().add($width / 2))) }
                }
                #[inline(always)]
                fn store(self, values: &mut [$scalar]) {
                    let values = &mut values[..$width];
                    unsafe {
                        $store(values.as_mut_ptr(), self.0);
                        $store(values.as_mut_ptr().add($width / 2), self.1);
                    }
                }
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    unsafe { Self($add(self.0, other.0), $add(self.1, other.1)) }
                }
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    unsafe { Self($sub(self.0, other.0), $sub(self.1, other.1)) }
                }
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    unsafe { Self($mul(self.0, other.0), $mul(self.1, other.1)) }
                }
                #[inline(always)]
                fn mul_add(self, factor: Self, summand: Self) -> Self {
                    unsafe {
                        Self(
                            $fma(self.0, factor.0, summand.0),
                            $fma(self.1, factor.1, summand.1),
                        )
                    }
                }
                #[inline(always)]
                fn max(self, other: Self) -> Self {
                    unsafe { Self($max(self.0, other.0), $max(self.1, other.1)) }
                }
                #[inline(always)]
                fn min(self, other: Self) -> Self {
                    unsafe { Self($min(self.0, other.0), $min(self.1, other.1)) }
                }
                #[inline(always)]
                fn where_at_most(self, bound: Self, value: Self) -> Self {
                    unsafe {
                        Self(
                            $and($compare::<_CMP_LE_OQ>(self.0, bound.0), value.0),
                            $and($compare::<_CMP_LE_OQ>(self.1, bound.1), value.1),
                        )
                    }
                }
                #[inline(always)]
                fn mask_at_most(self, bound: Self) -> u32 {
                    unsafe {
                        let low = $movemask($compare::<_CMP_LE_OQ>(self.0, bound.0));
                        let high = $movemask($compare::<_CMP_LE_OQ>(self.1, bound.1));
                        (low | high << ($width / 2)) as u32
                    }
                }
                #[inline(always)]
                fn compress(self, mask: u32, to: &mut [$scalar]) {
                    let mut lanes = [0.0; $width];
                    self.store(&mut lanes);
                    super::compress(mask, &lanes, to);
                }
                #[inline(always)]
                unsafe fn compress_u32(mask: u32, from: &[u32], to: &mut [u32]) {
                    super::compress(mask, from, to);
                }
                #[inline(always)]
                fn exponent_from_low_bits(self) -> Self {
                    unsafe { Self($shift(self.0), $shift(self.1)) }
                }
            }
        };
    }

    #[inline(always)]
    unsafe fn shift_256d(v: __m256d) -> __m256d {
        unsafe { _mm256_castsi256_pd(_mm256_slli_epi64::<52>(_mm256_castpd_si256(v))) }
    }
    #[inline(always)]
    unsafe fn shift_256(v: __m256) -> __m256 {
        unsafe { _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_castps_si256(v))) }
    }

    avx2!(
        Avx2x64,
        __m256d,
        f64,
        8,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_fmadd_pd,
        _mm256_max_pd,
        _mm256_min_pd,
        _mm256_cmp_pd,
        _mm256_and_pd,
        _mm256_movemask_pd,
        shift_256d
    );
    avx2!(
        Avx2x32,
        __m256,
        f32,
        16,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_mul_ps,
        _mm256_fmadd_ps,
        _mm256_max_ps,
        _mm256_min_ps,
        _mm256_cmp_ps,
        _mm256_and_ps,
        _mm256_movemask_ps,
        shift_256
    );
}

#[cfg(test)]
mod tests;
