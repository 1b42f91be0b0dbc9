//! The arithmetic under everything; it imports none of the stations.

pub mod distances;
pub mod neighbors;
pub mod rng;
pub mod union_find;
