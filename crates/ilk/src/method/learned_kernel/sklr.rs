//! Kernel learning from comparisons, and the same learner under other groupings, as methods.

use super::parameters::kernel_learning_params;
use super::pipeline::{LearnedGrouping, LearnedKernelPipeline};
use super::skms::SELF_TUNING;
use crate::Result;
use crate::method::{Method, MethodInfo};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::{AutoOr, Range};
use crate::problem::{ConstraintKind, InputKind, Problem};
use crate::refine::Refinement;
use crate::select::learned_space::AFFINITY_NEIGHBORS;
use crate::similarity::KernelName;
use crate::supervise::kernel_learning::Rank;
use crate::supervise::logdet::Projection;

const INPUTS: &[InputKind] = &[InputKind::Points, InputKind::Kernel];

kernel_learning_params! {
    /// Semi-supervised kernel learning from relative comparisons (SKLR): a self-tuning kernel is
    /// learned until "of these three, that one is the odd one" holds in its space, and groups are found there.
    ///
    /// A comparison says nothing about how many clusters there are, so one kernel serves several
    /// resolutions: learn once ([`KernelLearning`](crate::supervise::KernelLearning)), group with any
    /// number. Pairs and labels change the same kernel; see [`logdet`](crate::supervise::logdet) for the
    /// problem that is solved.
    ///
    /// ```
    /// use ilk::method::{Method, Sklr};
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(6);
    /// constraints.odd_one_out(0, 2, 3)?.odd_one_out(3, 5, 2)?;
    /// let sklr = Sklr { n_clusters: AutoOr::Fixed(2), ..Sklr::default() };
    /// let fit = sklr.fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Sklr {
        kernel: KernelName::SelfTuning,
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// The neighbour whose distance is a point's width in the self-tuning kernel.
        pub n_neighbors: usize = SELF_TUNING, in Range::COUNT;
        /// How groups are found in the learned space; mean_shift finds their number itself.
        pub grouping: LearnedGrouping = LearnedGrouping::KernelKMeans;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
    }
}

kernel_learning_params! {
    /// Kernel k-means with a learned kernel: as [`Skms`](super::Skms), but the number of clusters is
    /// given and k-means finds them. The SKMS paper calls it Kkm, the SKLR paper `SKkm`.
    pub struct Skkm {
        kernel: KernelName::Gaussian,
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
    }
}

kernel_learning_params! {
    /// Spectral clustering with a learned kernel (KSC): the kernel's positive values are the affinities of points with
    /// their neighbours in its space.
    pub struct Ksc {
        kernel: KernelName::Gaussian,
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Neighbours in the learned space with which a point has affinity. 0: all points, as in the paper. auto: chosen
        /// by held-out constraints between 10 and all, or, with few of them, 10.
        pub n_neighbors: AutoOr<usize> = AutoOr::Auto, in Range::at_least(0);
        /// Descents of the last step from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
    }
}

impl Sklr {
    /// What kernel learning from comparisons takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "sklr",
        class: "SKLR",
        summary: "A self-tuning kernel is learned from comparisons and pairs; kernel k-means finds the groups in its space.",
        paper: "Amid, Gionis and Ukkonen, A Kernel-Learning Approach to Semi-Supervised Clustering with Relative Distance Comparisons, 2015",
        version: 6,
        inputs: INPUTS,
        supervision: &ConstraintKind::ALL,
        takes_clusters: true,
        predicts: INPUTS,
        supports_weights: INPUTS,
        parameters: Self::PARAMETERS,
    };

    /// The paper's settings: comparisons are met one by one, in the order given, and none may be
    /// missed.
    pub fn paper() -> Self {
        Self {
            projection: Projection::Paper,
            filter_inconsistent: false,
            refine: Refinement::Off,
            rank: Rank::Frobenius(0.99),
            ..Self::default()
        }
    }
}

impl Skkm {
    /// What kernel k-means on a learned kernel takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "skkm",
        class: "SKkm",
        summary: "A Gaussian kernel is learned from the constraints; kernel k-means finds the groups in its space.",
        paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014 (there Kkm)",
        version: 6,
        inputs: INPUTS,
        supervision: &ConstraintKind::ALL,
        takes_clusters: true,
        predicts: INPUTS,
        supports_weights: INPUTS,
        parameters: Self::PARAMETERS,
    };
}

impl Ksc {
    /// What spectral clustering with a learned kernel takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "ksc",
        class: "KSC",
        summary: "A Gaussian kernel is learned from the constraints, and is the affinity of neighbours for spectral clustering.",
        paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014",
        version: 6,
        inputs: INPUTS,
        supervision: &ConstraintKind::ALL,
        takes_clusters: true,
        predicts: INPUTS,
        supports_weights: &[],
        parameters: Self::PARAMETERS,
    };
}

/// Gives a method of this family its pipeline and its `Method`.
macro_rules! learned_kernel_method {
    ($name:ident, $neighbors:expr, $grouping:expr, $affinity_neighbors:expr) => {
        impl $name {
            /// What is done, with all that the methods differ in.
            pub(super) fn pipeline(&self) -> Result<LearnedKernelPipeline> {
                self.check()?;
                Ok(LearnedKernelPipeline {
                    learning: self.learning($neighbors(self)),
                    grouping: $grouping(self),
                    affinity_neighbors: $affinity_neighbors(self),
                    n_clusters: self.n_clusters,
                    n_init: self.n_init,
                    sample: self.sample,
                    filter_inconsistent: self.filter_inconsistent,
                    refine: self.refine,
                })
            }
        }

        impl Method for $name {
            fn info(&self) -> &'static MethodInfo {
                Self::INFO
            }

            fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
                Self::INFO.check_supports(problem)?;
                self.pipeline()?.fit(problem, observer)
            }
        }
    };
}

learned_kernel_method!(Sklr, |sklr: &Sklr| sklr.n_neighbors, |sklr: &Sklr| sklr.grouping, |_| {
    AFFINITY_NEIGHBORS.into()
});
learned_kernel_method!(Skkm, |_| SELF_TUNING, |_| LearnedGrouping::KernelKMeans, |_| AutoOr::Auto);
learned_kernel_method!(Ksc, |_| SELF_TUNING, |_| LearnedGrouping::Spectral, |ksc: &Ksc| ksc
    .n_neighbors);
