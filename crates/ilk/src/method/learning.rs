//! Parameters of every method that learns a kernel.

use crate::group::mean_shift::MeanShift;
use crate::parameter::{ParameterInfo, Range};
use crate::similarity::KernelName;
use crate::supervise::learning::{GAMMA_FORMS, RANK_FORMS, SIGMA_FORMS, TARGET_FORMS};
use crate::supervise::logdet::{Projection, Slack};

const POSITIVE: Range = Range::Number {
    min: 0.0,
    inclusive: false,
    max: f64::INFINITY,
};

/// What all of them take; the default of `kernel` differs.
pub(super) const fn parameters(kernel: &'static str) -> [ParameterInfo; 11] {
    [
        ParameterInfo {
            name: "kernel",
            doc: "The kernel that is bent to the answers.",
            range: Range::Choice(KernelName::NAMES),
            default: kernel,
        },
        ParameterInfo {
            name: "sigma",
            doc: "Width of the Gaussian kernel. auto: chosen by held-out answers, or, with few answers, as divergence: the one that needs least bending.",
            range: Range::Text(SIGMA_FORMS),
            default: "auto",
        },
        ParameterInfo {
            name: "gamma",
            doc: "How strongly pairs pull; inf makes their targets hard.",
            range: Range::Text(GAMMA_FORMS),
            default: "10",
        },
        ParameterInfo {
            name: "rank",
            doc: "How much of the kernel is kept: all, or the largest eigenvalues. auto: chosen by held-out answers, or, with few answers, all.",
            range: Range::Text(RANK_FORMS),
            default: "auto",
        },
        ParameterInfo {
            name: "targets",
            doc: "Squared distances in kernel space below which must-links are pulled and above which cannot-links are pushed.",
            range: Range::Text(TARGET_FORMS),
            default: "auto",
        },
        ParameterInfo {
            name: "ratio",
            doc: "How many times as far the odd one is as the other two are from each other, in squared distances.",
            range: Range::Number {
                min: 1.0,
                inclusive: true,
                max: 1e6,
            },
            default: "2",
        },
        ParameterInfo {
            name: "slack",
            doc: "How comparisons give way when they cannot all hold: in proportion, with the square, or not at all.",
            range: Range::Choice(Slack::NAMES),
            default: "l1",
        },
        ParameterInfo {
            name: "penalty",
            doc: "What a comparison that does not hold costs.",
            range: POSITIVE,
            default: "1",
        },
        ParameterInfo {
            name: "projection",
            doc: "dual: to the optimum; sweeps: the same without second-order steps; paper: the papers' own procedures, whose result depends on the order of the answers.",
            range: Range::Choice(Projection::NAMES),
            default: "dual",
        },
        ParameterInfo {
            name: "tol",
            doc: "The duality gap, relative to the objective, at which learning stops.",
            range: POSITIVE,
            default: "0.000000001",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many sweeps over the constraints.",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "10000",
        },
    ]
}

/// Two lists as one.
pub(super) const fn joined<const A: usize, const B: usize, const N: usize>(
    first: [ParameterInfo; A],
    second: [ParameterInfo; B],
) -> [ParameterInfo; N] {
    assert!(A + B == N, "the lengths add up");
    let mut all = [MeanShift::PARAMETERS[0]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    all
}

/// Declares a method that learns a kernel: its own parameters, and those that all of them have.
macro_rules! learns_a_kernel {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            kernel: $kernel:expr,
            $($(#[$doc:meta])* pub $field:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
            /// The kernel that is bent to the answers.
            pub kernel: $crate::similarity::KernelName,
            /// The width σ of the Gaussian kernel.
            pub sigma: $crate::supervise::learning::Sigma,
            /// How strongly pairs pull: γ of the SKMS paper.
            pub gamma: $crate::supervise::learning::Gamma,
            /// How much of the kernel is kept.
            pub rank: $crate::supervise::learning::Rank,
            /// The squared distances to which pairs are pulled and pushed.
            pub targets: $crate::supervise::learning::TargetRule,
            /// How many times as far the odd one is: γ of the SKLR paper.
            pub ratio: f64,
            /// How comparisons give way.
            pub slack: $crate::supervise::logdet::Slack,
            /// What a comparison that does not hold costs.
            pub penalty: f64,
            /// How the constraints are met.
            pub projection: $crate::supervise::logdet::Projection,
            /// The relative duality gap at which learning stops.
            pub tol: f64,
            /// At most this many sweeps over the constraints.
            pub max_iter: usize,
        }

        impl Default for $name {
            fn default() -> Self {
                let solver = $crate::supervise::logdet::LogDet::default();
                Self {
                    $($field: $default,)*
                    kernel: $kernel,
                    sigma: Default::default(),
                    gamma: Default::default(),
                    rank: Default::default(),
                    targets: Default::default(),
                    ratio: solver.ratio,
                    slack: solver.slack,
                    penalty: solver.penalty,
                    projection: solver.projection,
                    tol: solver.tol,
                    max_iter: solver.max_iter,
                }
            }
        }

        impl $name {
            /// How the kernel is learned; `neighbors` is for the self-tuning kernel.
            fn learning(&self, neighbors: usize) -> $crate::supervise::learning::KernelLearning {
                $crate::supervise::learning::KernelLearning {
                    kernel: self.kernel,
                    sigma: self.sigma,
                    neighbors,
                    gamma: self.gamma,
                    rank: self.rank,
                    targets: self.targets,
                    solver: $crate::supervise::logdet::LogDet {
                        ratio: self.ratio,
                        slack: self.slack,
                        penalty: self.penalty,
                        projection: self.projection,
                        tol: self.tol,
                        max_iter: self.max_iter,
                        ..Default::default()
                    },
                    seed: self.seed,
                }
            }

            /// The numbers that must lie in their ranges.
            fn learning_numbers(&self) -> [(&'static str, f64); 4] {
                [
                    ("ratio", self.ratio),
                    ("penalty", self.penalty),
                    ("tol", self.tol),
                    ("max_iter", self.max_iter as f64),
                ]
            }
        }
    };
}

pub(super) use learns_a_kernel;
