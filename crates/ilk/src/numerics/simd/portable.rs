//! Vectors in plain arrays: what runs on processors other than x86-64 with AVX2. The compiler turns
//! them into the vector instructions that every processor of the target has, NEON on AArch64.

use std::marker::PhantomData;

use super::{Available, Simd};

/// Moves the values whose bit is set in `mask` to the front of `to`.
#[inline(always)]
pub(super) fn compress<T: Copy>(mask: u32, from: &[T], to: &mut [T]) {
    let (mut left, mut count) = (mask, 0);
    while left != 0 {
        to[count] = from[left.trailing_zeros() as usize];
        left &= left - 1;
        count += 1;
    }
}

/// Methods that apply one function to every pair of lanes.
macro_rules! lanewise {
    ($($method:ident = $f:expr),*) => {
        $(#[inline(always)]
        fn $method(self, other: Self) -> Self {
            self.zip(other, $f)
        })*
    };
}

/// A vector in a plain array.
macro_rules! portable {
    ($name:ident, $scalar:ty, $width:expr, $shift:expr) => {
        #[doc = concat!("A portable vector of ", stringify!($width), " ", stringify!($scalar), ".")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name([$scalar; $width]);

        impl $name {
            /// A plain array needs no special instructions.
            pub(crate) const AVAILABLE: Available<Self> = Available(PhantomData);

            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($scalar, $scalar) -> $scalar) -> Self {
                Self(std::array::from_fn(|l| f(self.0[l], other.0[l])))
            }
        }

        impl Simd for $name {
            type Scalar = $scalar;
            const WIDTH: usize = $width;
            const REGISTERS: usize = 4;

            fn run<R>(mut body: impl FnMut(Available<Self>) -> R) -> Option<R> {
                Some(body(Self::AVAILABLE))
            }
            #[inline(always)]
            fn splat(_: Available<Self>, value: $scalar) -> Self {
                Self([value; $width])
            }
            #[inline(always)]
            fn load(_: Available<Self>, values: &[$scalar]) -> Self {
                Self(std::array::from_fn(|l| values[l]))
            }
            #[inline(always)]
            fn store(self, values: &mut [$scalar]) {
                values[..$width].copy_from_slice(&self.0);
            }
            lanewise!(add = |a, b| a + b, sub = |a, b| a - b, mul = |a, b| a * b);
            lanewise!(
                max = |a, b| if a > b { a } else { b },
                min = |a, b| if a < b { a } else { b }
            );
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
            fn compress_u32(_: Available<Self>, mask: u32, from: &[u32], to: &mut [u32]) {
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
