//! Arithmetic that all stages use. It imports none of them.
//!
//! For users there are [`rng`], [`sparse`] and [`linalg::principal_axes`]. What is hidden from this
//! page is public for the crate's own tests, benches and the command `ilk` alone, and may change at
//! any time.

pub(crate) mod accumulator;
pub(crate) mod average_linkage;
#[doc(hidden)]
pub mod ball;
pub(crate) mod ball_f32;
#[doc(hidden)]
pub mod blocks;
pub(crate) mod cached;
pub(crate) mod cells;
pub(crate) mod chebyshev;
#[doc(hidden)]
pub mod distances;
#[doc(hidden)]
pub mod distinct_rows;
#[doc(hidden)]
pub mod exp;
pub(crate) mod extrema;
pub(crate) mod gaussian_sums;
mod kd_order;
pub(crate) mod kernel_sums;
pub mod linalg;
pub(crate) mod mass_boxes;
#[doc(hidden)]
pub mod neighbors;
#[doc(hidden)]
pub mod quantile;
pub(crate) mod ragged;
pub(crate) mod rank_updates;
pub mod rng;
pub(crate) mod simd;
pub mod sparse;
pub(crate) mod union_find;
pub(crate) mod weight_products;

use std::cmp::Ordering;

use ndarray::{ArrayRef, ArrayView2, Dimension};

/// The lexicographic order of two rows.
pub(crate) fn lexicographic(a: &[f64], b: &[f64]) -> Ordering {
    let each = a.iter().zip(b).map(|(x, y)| x.total_cmp(y));
    each.fold(Ordering::Equal, Ordering::then)
}

/// The values of an array in row-major order.
pub(crate) fn rows_of<D: Dimension>(array: &ArrayRef<f64, D>) -> &[f64] {
    array.as_slice().expect("the array is in standard layout")
}

/// Rows of `dims` values, stored one after the other, as a matrix.
pub(crate) fn view_rows(rows: &[f64], dims: usize) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((rows.len() / dims, dims), rows).expect("all rows are whole")
}

/// As [`rows_of`], to be written to.
pub(crate) fn rows_of_mut<D: Dimension>(array: &mut ArrayRef<f64, D>) -> &mut [f64] {
    array.as_slice_mut().expect("the array is in standard layout")
}
