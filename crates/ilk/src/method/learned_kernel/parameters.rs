//! Parameters of every method that learns a kernel.

/// Declares a method that learns a kernel: its own parameters, and those that all of them have.
macro_rules! kernel_learning_params {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            kernel: $kernel:expr,
            $($own:tt)*
        }
    ) => {
        $crate::parameters! {
            $(#[$about])*
            pub struct $name {
                $($own)*
                /// The kernel that is adapted to the constraints.
                pub kernel: $crate::similarity::KernelName = $kernel;
                /// Width of the Gaussian kernel. auto: chosen by held-out constraints, or, with few of them, as
                /// divergence: the width whose kernel changes least.
                pub sigma: $crate::supervise::kernel_learning::Sigma = Default::default();
                /// How strongly pairs pull; inf makes their targets hard.
                pub gamma: $crate::supervise::kernel_learning::Gamma = Default::default();
                /// How much of the kernel is kept: all, or the largest eigenvalues. auto: chosen by held-out
                /// constraints, or, with few of them, all.
                pub rank: $crate::supervise::kernel_learning::Rank = Default::default();
                /// Squared distances in kernel space below which must-links are pulled and above which
                /// cannot-links are pushed.
                pub targets: $crate::supervise::kernel_learning::TargetRule = Default::default();
                /// How many times as far the odd one is as the other two are from each other, in squared
                /// distances.
                pub ratio: f64 = 2.0, in $crate::parameter::Range::between(1.0, 1e6);
                /// How comparisons give way when they cannot all hold: in proportion, with the square, or not at
                /// all.
                pub slack: $crate::supervise::logdet::Slack = Default::default();
                /// What a comparison that does not hold costs.
                pub penalty: f64 = 1.0, in $crate::parameter::Range::POSITIVE;
                /// How the constraints are met. dual: to the optimum; sweeps: the same without second-order
                /// steps; paper: the papers' own procedures, whose result depends on the order of the
                /// constraints.
                pub projection: $crate::supervise::logdet::Projection = Default::default();
                /// The duality gap, relative to the objective, at which learning stops.
                pub tol: f64 = 1e-9, in $crate::parameter::Range::POSITIVE;
                /// At most this many sweeps over the constraints.
                pub max_iter: usize = 10_000, in $crate::parameter::Range::COUNT;
                /// Whether pairs that most other pairs contradict are left out.
                pub filter_inconsistent: bool = true;
                /// How far labels are refined by the neighbours in the learned space and the constraints: not at all,
                /// or up to this step. auto: held-out constraints decide, also whether the kernel is learned.
                pub refine: $crate::refine::Refinement = Default::default();
                /// Points that are grouped, at most, all constrained ones among them; the others are assigned as
                /// new points are.
                pub sample: usize = 5000, in $crate::parameter::Range::Integer {
                    min: 1,
                    max: 1_000_000,
                };
                /// Seed of everything random.
                pub seed: u64 = 0;
            }
        }

        impl $name {
            /// How the kernel is learned; `neighbors` is for the self-tuning kernel.
            fn learning(&self, neighbors: usize) -> $crate::supervise::kernel_learning::KernelLearning {
                $crate::supervise::kernel_learning::KernelLearning {
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
        }
    };
}

pub(super) use kernel_learning_params;
