//! The arithmetic under all stations. It imports none of them.

pub mod blocks;
pub mod cells;
pub mod chebyshev;
pub mod distances;
pub mod exp;
pub mod linalg;
pub mod neighbors;
pub mod quantile;
pub mod rng;
pub(crate) mod simd;
pub mod sparse;
pub mod union_find;
