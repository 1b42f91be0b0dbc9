//! Methods that learn a kernel from constraints and find the groups in its space.

mod parameters;
mod pipeline;
mod sklr;
mod skms;

pub use pipeline::LearnedGrouping;
pub use sklr::{Ksc, Skkm, Sklr};
pub use skms::Skms;

pub(super) use pipeline::regroup;
