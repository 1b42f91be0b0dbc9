//! k-means in which broken pairs cost.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`HmrfKMeans`], the parameters |
//! | `start` | first means, from must-link components |
//! | `fit` | one run from one start, and the best of several |

mod fit;
mod params;
mod start;

pub use params::HmrfKMeans;
