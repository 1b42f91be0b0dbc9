//! What came out: labels, what happened on the way, which constraints held, and a model for new
//! points.

mod chosen;
mod clustering;
mod embedded;
mod model;
mod report;

pub use chosen::Chosen;
pub use clustering::{Clustering, Fit, PartitionReport};
pub use embedded::EmbeddedModel;
pub use model::Model;
pub use report::{ConstraintReport, KindReport};
