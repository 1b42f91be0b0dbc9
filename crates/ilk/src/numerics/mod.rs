//! The arithmetic under everything else. It imports none of the stations.

pub mod distances;
pub mod neighbors;
