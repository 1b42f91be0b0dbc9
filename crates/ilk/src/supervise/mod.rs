//! Bend the similarity to what was said.

pub mod doubt;
pub mod edit;
pub mod labels;
mod learned;
pub mod learning;
pub mod logdet;
pub mod penalty;
pub mod propagate;
pub mod reach;
pub mod targets;

pub use learned::{Embedding, LearnedKernel};
pub use learning::{KernelLearning, Learned};
