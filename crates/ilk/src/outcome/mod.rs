//! What came out: labels, what happened on the way, which constraints held, and a model for new
//! points.

mod clustering;
mod model;
mod report;

pub use clustering::{Clustering, Fit};
pub use model::Model;
pub use report::{ConstraintReport, KindReport};
