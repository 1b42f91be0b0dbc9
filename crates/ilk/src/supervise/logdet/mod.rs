//! Kernel learning by the log-determinant divergence.
//!
//! One learner takes must-links, cannot-links and comparisons of distances, hard or soft, all at
//! once. Of all kernels it returns the one nearest to the given kernel that satisfies the constraints,
//! up to slack:
//!
//! min  D(C, C0) + the cost of violations,   D(C, C0) = tr(C C0⁻¹) - log det(C C0⁻¹) - c
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
//! the difference to the kernel's objective is the duality gap, which is the stopping criterion.
//!
//! # The steps
//! 1. A sweep sets each row in turn to the dual that is optimal while the others are fixed, which is a
//!    closed form (`pair.rs`, `comparison.rs`) and changes C by rank one or two (`packed_gram.rs`). A
//!    row whose dual is optimal costs O(1), one that changes O(c²). Where C has r dimensions, far fewer than
//!    points, C = F M F', and M changes instead (`low_rank_gram.rs`): both are O(r²).
//! 2. Sweeps converge slowly where many rows act on few dimensions, for pairs the more the larger γ
//!    is. When the remaining ones would take longer (`phase.rs`), Newton steps on the dual within its
//!    bounds follow (`newton.rs`, `box_qp.rs`, `hessian.rs`), with a sweep after each.
//! 3. The final kernel is computed from the duals through a factor of C0 that may be singular
//!    (`factor.rs`), and certified by the gap.
//!
//! Learning again after a constraint was added or removed starts from the known duals
//! ([`DistanceConstraints::warm_start`]).
//!
//! # Papers
//! Anand, Mittal, Tuzel, Meer: Semi-supervised kernel mean shift clustering, problem (30). Amid,
//! Gionis, Ukkonen: A kernel-learning approach to semi-supervised clustering with relative distance
//! comparisons, problem (9).

mod box_qp;
mod comparison;
mod current_gram;
mod distance_constraints;
mod factor;
mod fit;
mod hessian;
mod low_rank_gram;
mod newton;
mod packed_gram;
mod pair;
mod paper;
mod params;
mod phase;
mod precondition;
mod rows;
mod solution;
mod sweep;

pub use distance_constraints::{DistanceConstraint, DistanceConstraints, Targets};
pub use fit::InitialGram;
pub use params::{LogDet, Projection, Slack};
pub use solution::{IterationKind, LogDetIteration, Solution};

use rows::SlackedRow;
