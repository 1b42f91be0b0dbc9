//! The vectors of x86-64.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of instructions say where they come from, and there are seventy"
)]

use std::arch::x86_64::*;
use std::marker::PhantomData;

use super::{Available, Simd, portable::compress};

/// Evaluates instructions that work on registers alone.
macro_rules! registers {
    ($instructions:expr) => {
        // SAFETY: the operands are registers of vectors that were made through `Available`, or the
        // function has one as its argument: the machine has the instructions. They touch no memory.
        unsafe { $instructions }
    };
}

/// Methods that apply one instruction to two vectors of one register.
macro_rules! lanewise {
    ($($method:ident = $instruction:ident),*) => {
        $(#[inline(always)]
        fn $method(self, other: Self) -> Self {
            Self(registers!($instruction(self.0, other.0)))
        })*
    };
}

/// Methods that apply one instruction to two vectors of two registers.
macro_rules! lanewise_pair {
    ($($method:ident = $instruction:ident),*) => {
        $(#[inline(always)]
        fn $method(self, other: Self) -> Self {
            registers!(Self($instruction(self.0, other.0), $instruction(self.1, other.1)))
        })*
    };
}

macro_rules! avx512 {
    ($name:ident, $register:ty, $scalar:ty, $width:expr, $splat:ident, $load:ident, $store:ident,
     $add:ident, $sub:ident, $mul:ident, $fma:ident, $max:ident, $min:ident, $compare:ident,
     $blend:ident, $to_bits:ident, $shift:ident::<$by:literal>, $from_bits:ident, $mask:ty,
     $compress:ident, $compress_u32:ident, $load_u32:ident, $store_u32:ident,) => {
        #[doc = concat!("An AVX-512 vector of ", stringify!($width), " ", stringify!($scalar), ".")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        impl Simd for $name {
            type Scalar = $scalar;
            const WIDTH: usize = $width;
            const REGISTERS: usize = 1;

            fn run<R>(body: impl FnMut(Available<Self>) -> R) -> Option<R> {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
                fn compiled<V, R>(mut body: impl FnMut(Available<V>) -> R) -> R {
                    body(Available(PhantomData))
                }
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                {
                    // SAFETY: all its features were detected just now.
                    Some(unsafe { compiled(body) })
                } else {
                    None
                }
            }
            #[inline(always)]
            fn splat(_: Available<Self>, value: $scalar) -> Self {
                Self(registers!($splat(value)))
            }
            #[inline(always)]
            fn load(_: Available<Self>, values: &[$scalar]) -> Self {
                let values = &values[..$width];
                // SAFETY: the machine has the instructions (see `registers!`); the slice is a vector long.
                Self(unsafe { $load(values.as_ptr()) })
            }
            #[inline(always)]
            fn store(self, values: &mut [$scalar]) {
                let values = &mut values[..$width];
                // SAFETY: the machine has the instructions (see `registers!`); the slice is a vector long.
                unsafe { $store(values.as_mut_ptr(), self.0) }
            }
            lanewise!(add = $add, sub = $sub, mul = $mul, max = $max, min = $min);
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                Self(registers!($fma(self.0, factor.0, summand.0)))
            }
            #[inline(always)]
            fn where_at_most(self, bound: Self, value: Self) -> Self {
                Self(registers!($blend($compare::<_CMP_LE_OQ>(self.0, bound.0), value.0)))
            }
            #[inline(always)]
            fn mask_at_most(self, bound: Self) -> u32 {
                u32::from(registers!($compare::<_CMP_LE_OQ>(self.0, bound.0)))
            }
            #[inline(always)]
            fn compress(self, mask: u32, to: &mut [$scalar]) {
                let to = &mut to[..$width];
                // SAFETY: the machine has the instructions (see `registers!`); `to` is a vector long.
                unsafe { $store(to.as_mut_ptr(), $compress(mask as $mask, self.0)) }
            }
            #[inline(always)]
            fn compress_u32(_: Available<Self>, mask: u32, from: &[u32], to: &mut [u32]) {
                let (from, to) = (&from[..$width], &mut to[..$width]);
                // SAFETY: the machine has the instructions (see `registers!`); both slices are a vector long.
                unsafe {
                    let kept = $compress_u32(mask as $mask, $load_u32(from.as_ptr().cast()));
                    $store_u32(to.as_mut_ptr().cast(), kept);
                }
            }
            #[inline(always)]
            fn exponent_from_low_bits(self) -> Self {
                Self(registers!($from_bits($shift::<$by>($to_bits(self.0)))))
            }
        }
    };
}

avx512! {
    Avx512x64, __m512d, f64, 8, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd,
    _mm512_sub_pd, _mm512_mul_pd, _mm512_fmadd_pd, _mm512_max_pd, _mm512_min_pd, _mm512_cmp_pd_mask,
    _mm512_maskz_mov_pd, _mm512_castpd_si512, _mm512_slli_epi64::<52>, _mm512_castsi512_pd,
    __mmask8, _mm512_maskz_compress_pd, _mm256_maskz_compress_epi32, _mm256_loadu_si256,
    _mm256_storeu_si256,
}
avx512! {
    Avx512x32, __m512, f32, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps,
    _mm512_sub_ps, _mm512_mul_ps, _mm512_fmadd_ps, _mm512_max_ps, _mm512_min_ps, _mm512_cmp_ps_mask,
    _mm512_maskz_mov_ps, _mm512_castps_si512, _mm512_slli_epi32::<23>, _mm512_castsi512_ps,
    __mmask16, _mm512_maskz_compress_ps, _mm512_maskz_compress_epi32, _mm512_loadu_si512,
    _mm512_storeu_si512,
}

macro_rules! avx2 {
    ($name:ident, $register:ty, $scalar:ty, $width:expr, $splat:ident, $load:ident, $store:ident,
     $add:ident, $sub:ident, $mul:ident, $fma:ident, $max:ident, $min:ident, $compare:ident,
     $and:ident, $movemask:ident, $to_bits:ident, $shift:ident::<$by:literal>, $from_bits:ident,) => {
        #[doc = concat!("A pair of AVX2 registers: ", stringify!($width), " ", stringify!($scalar), ".")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register, $register);

        impl Simd for $name {
            type Scalar = $scalar;
            const WIDTH: usize = $width;
            const REGISTERS: usize = 2;

            fn run<R>(body: impl FnMut(Available<Self>) -> R) -> Option<R> {
                #[target_feature(enable = "avx2,fma")]
                fn compiled<V, R>(mut body: impl FnMut(Available<V>) -> R) -> R {
                    body(Available(PhantomData))
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: all its features were detected just now.
                    Some(unsafe { compiled(body) })
                } else {
                    None
                }
            }
            #[inline(always)]
            fn splat(_: Available<Self>, value: $scalar) -> Self {
                registers!(Self($splat(value), $splat(value)))
            }
            #[inline(always)]
            fn load(_: Available<Self>, values: &[$scalar]) -> Self {
                let values = &values[..$width];
                // SAFETY: the machine has the instructions (see `registers!`); the slice is two registers long.
                unsafe { Self($load(values.as_ptr()), $load(values.as_ptr().add($width / 2))) }
            }
            #[inline(always)]
            fn store(self, values: &mut [$scalar]) {
                let values = &mut values[..$width];
                // SAFETY: the machine has the instructions (see `registers!`); the slice is two registers long.
                unsafe {
                    $store(values.as_mut_ptr(), self.0);
                    $store(values.as_mut_ptr().add($width / 2), self.1);
                }
            }
            lanewise_pair!(add = $add, sub = $sub, mul = $mul, max = $max, min = $min);
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                registers!(
                    Self(
                        $fma(self.0, factor.0, summand.0),
                        $fma(self.1, factor.1, summand.1),
                    )
                )
            }
            #[inline(always)]
            fn where_at_most(self, bound: Self, value: Self) -> Self {
                registers!(
                    Self(
                        $and($compare::<_CMP_LE_OQ>(self.0, bound.0), value.0),
                        $and($compare::<_CMP_LE_OQ>(self.1, bound.1), value.1),
                    )
                )
            }
            #[inline(always)]
            fn mask_at_most(self, bound: Self) -> u32 {
                registers!({
                    let low = $movemask($compare::<_CMP_LE_OQ>(self.0, bound.0));
                    let high = $movemask($compare::<_CMP_LE_OQ>(self.1, bound.1));
                    (low | high << ($width / 2)) as u32
                })
            }
            #[inline(always)]
            fn compress(self, mask: u32, to: &mut [$scalar]) {
                let mut lanes = [0.0; $width];
                self.store(&mut lanes);
                compress(mask, &lanes, to);
            }
            #[inline(always)]
            fn compress_u32(_: Available<Self>, mask: u32, from: &[u32], to: &mut [u32]) {
                compress(mask, from, to);
            }
            #[inline(always)]
            fn exponent_from_low_bits(self) -> Self {
                registers!(
                    Self(
                        $from_bits($shift::<$by>($to_bits(self.0))),
                        $from_bits($shift::<$by>($to_bits(self.1))),
                    )
                )
            }
        }
    };
}

avx2! {
    Avx2x64, __m256d, f64, 8, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd,
    _mm256_sub_pd, _mm256_mul_pd, _mm256_fmadd_pd, _mm256_max_pd, _mm256_min_pd, _mm256_cmp_pd,
    _mm256_and_pd, _mm256_movemask_pd, _mm256_castpd_si256, _mm256_slli_epi64::<52>,
    _mm256_castsi256_pd,
}
avx2! {
    Avx2x32, __m256, f32, 16, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps,
    _mm256_sub_ps, _mm256_mul_ps, _mm256_fmadd_ps, _mm256_max_ps, _mm256_min_ps, _mm256_cmp_ps,
    _mm256_and_ps, _mm256_movemask_ps, _mm256_castps_si256, _mm256_slli_epi32::<23>,
    _mm256_castsi256_ps,
}
