//! Kernel learning by the log-determinant divergence.
//!
//! One learner takes must-links, cannot-links and comparisons of distances, hard or soft, all at
//! once. Of all kernels it returns the one nearest to the given kernel that does what was said, up
//! to slack:
//!
//! min  D(C, C0) + the cost of what is missed,   D(C, C0) = tr(C C0⁻¹) - log det(C C0⁻¹) - c
//!
//! where C is the kernel on the c constrained points alone. The rest of the kernel follows from it
//! (see [`Solution`]), so that the cost of learning does not depend on how many points there are.
//!
//! # The dual
//! Every row has a matrix M of rank one (a pair: δ z z' with z = e_a - e_b) or two (a comparison:
//! ρ u u' - v v' with u = e_i - e_j and v = e_i - e_k) and a dual λ. With A = Σ λ M, the kernel of
//! given duals has C⁻¹ = C0⁻¹ + A, and the dual to be maximised is
//!
//! log det(I + C0 A) + Σ φ(λ)
//!
//! with φ = γ log(1 - δ λ ξ0 / γ) and λ >= 0 for a pair; for a comparison 0 <= λ <= penalty with L1
//! slack, -λ² / (2 penalty) with L2 slack. Any duals give a kernel and a lower bound of the optimum;
//! what the kernel's objective is above it is the duality gap, which ends the work.
//!
//! # The steps
//! 1. A sweep gives each row in turn the dual that is best while the others stand still, which is a
//!    closed form (`pair.rs`, `comparison.rs`) and changes C by rank one or two (`state.rs`). A row
//!    that is at rest costs O(1), one that moves O(c²). Where C has r dimensions, far fewer than
//!    points, C = F M F', and M changes instead (`middle.rs`): both are O(r²).
//! 2. Sweeps crawl where many rows pull on few dimensions, for pairs the more the larger γ is. When
//!    those that are left would take longer (`pace.rs`), Newton steps on the dual within its bounds
//!    take over (`newton.rs`, `bounded.rs`, `hessian.rs`), with a sweep after each.
//! 3. Everything final is made anew from the duals through a factor of C0 that may be singular
//!    (`factor.rs`), and certified by the gap.
//!
//! Learning again after an answer was added or taken back starts from the duals that are known
//! ([`Terms::carried`]).
//!
//! # Papers
//! Anand, Mittal, Tuzel, Meer: Semi-supervised kernel mean shift clustering, problem (30). Amid,
//! Gionis, Ukkonen: A kernel-learning approach to semi-supervised clustering with relative distance
//! comparisons, problem (9).

mod bounded;
mod comparison;
mod factor;
mod hessian;
mod kernel;
mod middle;
mod newton;
mod pace;
mod pair;
mod paper;
mod params;
mod precondition;
mod rows;
mod solution;
mod solve;
mod state;
mod sweep;
mod terms;

pub use params::{LogDet, Projection, Slack};
pub use solution::{Solution, Stage, TraceStep};
pub use solve::Start;
pub use terms::{Row, Targets, Terms};

use rows::Slacked;
