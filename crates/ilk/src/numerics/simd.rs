//! Vectors of eight doubles or sixteen floats, and the choice of the instruction set at run time.
//!
//! A loop body is written once, generic over [`Simd`]. [`simd_dispatch!`] compiles it for AVX-512,
//! for AVX2 with FMA, and portably, and chooses at run time. Every version has the same number of
//! lanes, and both x86 versions fuse multiply-adds, so AVX-512 and AVX2 machines compute the same
//! bits. The compiler alone would vectorise these loops over the dimensions, with gathers, several
//! times slower.
//!
//! Unsafe code is confined to this module: a body receives [`Available`], the proof that the
//! machine has the instructions of a vector type, and makes its vectors through that. docs/simd.md
//! says why this is not the crate `pulp`, and what other processors run.

use std::marker::PhantomData;

pub(crate) use portable::{Portable32, Portable64};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2x32, Avx2x64, Avx512x32, Avx512x64};

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

/// Proof that the machine has the instructions of `V`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Available<V>(PhantomData<V>);

impl<V: Simd> Available<V> {
    /// A vector with the same value in all lanes.
    #[inline(always)]
    pub(crate) fn splat(self, value: V::Scalar) -> V {
        V::splat(self, value)
    }

    /// The first `WIDTH` values of a slice, which must be that long.
    #[inline(always)]
    pub(crate) fn load(self, values: &[V::Scalar]) -> V {
        V::load(self, values)
    }

    /// Writes those of the first `WIDTH` numbers of `from` whose bit is set in `mask` to `to`, one
    /// after the other. The other places among the first `WIDTH` of `to`, which must be that long,
    /// are left with arbitrary values.
    #[inline(always)]
    pub(crate) fn compress_u32(self, mask: u32, from: &[u32], to: &mut [u32]) {
        V::compress_u32(self, mask, from, to);
    }
}

/// A vector of floating-point numbers in registers.
pub(crate) trait Simd: Copy {
    /// The type of a lane.
    type Scalar: Copy;
    /// Number of lanes.
    const WIDTH: usize;
    /// Number of registers.
    const REGISTERS: usize;

    /// A vector exists only where its instructions do.
    #[inline(always)]
    fn simd(self) -> Available<Self> {
        Available(PhantomData)
    }

    /// What `body` returns, compiled with the instructions of the vector; none where the machine has not
    /// all of them.
    fn run<R>(body: impl FnMut(Available<Self>) -> R) -> Option<R>;

    fn splat(simd: Available<Self>, value: Self::Scalar) -> Self;
    fn load(simd: Available<Self>, values: &[Self::Scalar]) -> Self;
    fn compress_u32(simd: Available<Self>, mask: u32, from: &[u32], to: &mut [u32]);

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
    /// As [`Available::compress_u32`], for the lanes of this vector.
    fn compress(self, mask: u32, to: &mut [Self::Scalar]);
    /// 2^k, where self is k plus 1.5 * 2^(bits of the mantissa) plus the exponent's bias: that sum
    /// has k plus the bias in its low bits, and a shift moves them to the exponent.
    fn exponent_from_low_bits(self) -> Self;
}

/// Calls a body that is generic over [`Simd`] with the widest instructions that the machine has. The
/// body gets [`Available`] as its first argument, and is compiled for every instruction set.
macro_rules! simd_dispatch {
    (f64x8, $($call:tt)*) => { simd_dispatch!(Avx512x64, Avx2x64, Portable64, $($call)*) };
    (f32x16, $($call:tt)*) => { simd_dispatch!(Avx512x32, Avx2x32, Portable32, $($call)*) };
    ($avx512:ident, $avx2:ident, $portable:ident,
     $body:ident $(::<$($generic:tt),+>)? ($($arg:expr),* $(,)?)) => {
        'dispatched: {
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::numerics::simd::{$avx2, $avx512, Simd as _};
                let result = $avx512::run(
                    #[inline(always)]
                    |simd| $body $(::<$($generic),+>)? (simd, $($arg),*),
                );
                if let Some(result) = result {
                    break 'dispatched result;
                }
                let result = $avx2::run(
                    #[inline(always)]
                    |simd| $body $(::<$($generic),+>)? (simd, $($arg),*),
                );
                if let Some(result) = result {
                    break 'dispatched result;
                }
            }
            let simd = $crate::numerics::simd::$portable::AVAILABLE;
            $body $(::<$($generic),+>)? (simd, $($arg),*)
        }
    };
}
pub(crate) use simd_dispatch;
