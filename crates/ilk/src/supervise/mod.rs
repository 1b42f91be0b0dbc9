//! Learning from constraints: kernels, affinities and penalties.

pub mod edit_affinity;
pub mod filter_inconsistent;
pub mod kernel_learning;
mod learned_kernel;
pub mod logdet;
pub mod neighborhood_size;
pub mod penalty;
pub mod propagate;
pub mod targets;

pub use kernel_learning::{KernelLearning, LearnedKernelFit};
pub use learned_kernel::LearnedKernel;
