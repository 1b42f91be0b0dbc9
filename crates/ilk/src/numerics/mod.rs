//! numerics

pub mod union_find;
