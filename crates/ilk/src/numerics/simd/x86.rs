//! The vectors of x86-64.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of instructions say where they come from, and there are seventy"
)]

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
            const REGISTERS: usize = 1;

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
            const REGISTERS: usize = 2;

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
