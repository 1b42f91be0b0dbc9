//! Kernel learning from comparisons, and the same learner under other groupings, as methods.

use super::MethodInfo;
use super::learned_groups::{LearnedGrouping, N_CLUSTERS, N_INIT, Plan};
use super::learning::{joined, learns_a_kernel, parameters};
use super::skms::SELF_TUNING;
use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{ConstraintKind, InputKind};
use crate::similarity::KernelName;
use crate::supervise::logdet::Projection;

const INPUTS: &[InputKind] = &[InputKind::Points, InputKind::Kernel];

/// What kernel learning from comparisons takes and offers.
pub(super) static SKLR: MethodInfo = MethodInfo {
    name: "sklr",
    class: "SKLR",
    summary: "A self-tuning kernel is bent until it agrees with comparisons and pairs; kernel k-means finds the groups in its space.",
    paper: "Amid, Gionis and Ukkonen, A Kernel-Learning Approach to Semi-Supervised Clustering with Relative Distance Comparisons, 2015",
    inputs: INPUTS,
    supervision: &ConstraintKind::ALL,
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: Sklr::PARAMETERS,
};

/// What kernel k-means on a learned kernel takes and offers.
pub(super) static SKKM: MethodInfo = MethodInfo {
    name: "skkm",
    class: "SKkm",
    summary: "A Gaussian kernel is bent until it agrees with the answers; kernel k-means finds the groups in its space.",
    paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014 (there Kkm)",
    inputs: INPUTS,
    supervision: &ConstraintKind::ALL,
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: Skkm::PARAMETERS,
};

/// What spectral clustering with a learned kernel takes and offers.
pub(super) static KSC: MethodInfo = MethodInfo {
    name: "ksc",
    class: "KSC",
    summary: "A Gaussian kernel is bent until it agrees with the answers, and is the affinity of spectral clustering.",
    paper: "Anand, Mittal, Tuzel and Meer, Semi-Supervised Kernel Mean Shift Clustering, 2014",
    inputs: INPUTS,
    supervision: &ConstraintKind::ALL,
    needs_clusters: true,
    predicts: true,
    weighs: false,
    parameters: Ksc::PARAMETERS,
};

learns_a_kernel! {
    /// Semi-supervised kernel learning from relative comparisons (SKLR): a self-tuning kernel is bent
    /// until "of these three, that one is the odd one" holds in its space, and groups are found there.
    ///
    /// A comparison says nothing about how many clusters there are, so one kernel serves several
    /// resolutions: learn once ([`KernelLearning`](crate::supervise::KernelLearning)), group with any
    /// number. Pairs and labels bend the same kernel; see [`logdet`](crate::supervise::logdet) for the
    /// problem that is solved.
    ///
    /// ```
    /// use ilk::method::{Method, Sklr};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]].map(Vec::from))?;
    /// let mut said = Constraints::new(6);
    /// said.odd_one_out(0, 2, 3)?.odd_one_out(3, 5, 2)?;
    /// let sklr = Sklr { n_clusters: 2, ..Sklr::default() };
    /// let fit = Method::Sklr(sklr).fit(&Problem::new(points, said)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Sklr {
        kernel: KernelName::SelfTuning,
        /// Number of clusters.
        pub n_clusters: usize = 8,
        /// The neighbour whose distance is a point's width in the self-tuning kernel.
        pub n_neighbors: usize = SELF_TUNING,
        /// How groups are found.
        pub grouping: LearnedGrouping = LearnedGrouping::KernelKMeans,
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10,
        /// Whether pairs that other pairs outvote are left out.
        pub doubt: bool = true,
        /// Points that are grouped, at most; others are placed by them.
        pub sample: usize = 5000,
        /// Seed of everything random.
        pub seed: u64 = 0,
    }
}

learns_a_kernel! {
    /// Kernel k-means with a learned kernel: as [`Skms`](super::Skms), but the number of clusters is
    /// given and k-means finds them. The SKMS paper calls it Kkm, the SKLR paper `SKkm`.
    pub struct Skkm {
        kernel: KernelName::Gaussian,
        /// Number of clusters.
        pub n_clusters: usize = 8,
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10,
        /// Whether pairs that other pairs outvote are left out.
        pub doubt: bool = true,
        /// Points that are grouped, at most; others are placed by them.
        pub sample: usize = 5000,
        /// Seed of everything random.
        pub seed: u64 = 0,
    }
}

learns_a_kernel! {
    /// Spectral clustering with a learned kernel (KSC): the kernel's positive values are the affinity.
    pub struct Ksc {
        kernel: KernelName::Gaussian,
        /// Number of clusters.
        pub n_clusters: usize = 8,
        /// Descents of the last step from different starts, of which the best is kept.
        pub n_init: usize = 10,
        /// Whether pairs that other pairs outvote are left out.
        pub doubt: bool = true,
        /// Points that are grouped, at most; others are placed by them.
        pub sample: usize = 5000,
        /// Seed of everything random.
        pub seed: u64 = 0,
    }
}

const OWN: [ParameterInfo; 5] = [
    N_CLUSTERS,
    N_INIT,
    super::heard::PARAMETER,
    super::sample::PARAMETER,
    super::SEED,
];

impl Sklr {
    /// The paper's settings: comparisons are met one by one, in the order given, and none may be
    /// missed.
    pub fn paper() -> Self {
        Self {
            projection: Projection::Paper,
            doubt: false,
            rank: crate::supervise::learning::Rank::Frobenius(0.99),
            ..Self::default()
        }
    }

    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &joined::<7, 11, 18>(
        joined::<2, 5, 7>(
            [
                ParameterInfo {
                    name: "n_neighbors",
                    doc: "The neighbour whose distance is a point's width in the self-tuning kernel.",
                    range: Range::Integer {
                        min: 1,
                        max: u64::MAX,
                    },
                    default: "100",
                },
                ParameterInfo {
                    name: "grouping",
                    doc: "How groups are found in the learned space; mean_shift finds their number itself.",
                    range: Range::Choice(LearnedGrouping::NAMES),
                    default: "kernel_kmeans",
                },
            ],
            OWN,
        ),
        parameters("self_tuning"),
    );

    pub(super) fn plan(&self) -> Result<Plan> {
        check_numbers(Self::PARAMETERS, &self.learning_numbers())?;
        let own = own_numbers(self.n_clusters, self.n_init, self.sample);
        check_numbers(Self::PARAMETERS, &own)?;
        check_numbers(
            Self::PARAMETERS,
            &[("n_neighbors", self.n_neighbors as f64)],
        )?;
        Ok(Plan {
            learning: self.learning(self.n_neighbors),
            grouping: self.grouping,
            n_clusters: self.n_clusters,
            n_init: self.n_init,
            sample: self.sample,
            doubt: self.doubt,
        })
    }
}

fn own_numbers(n_clusters: usize, n_init: usize, sample: usize) -> [(&'static str, f64); 3] {
    [
        ("n_clusters", n_clusters as f64),
        ("n_init", n_init as f64),
        ("sample", sample as f64),
    ]
}

/// What the two differ in.
macro_rules! with_gaussian {
    ($name:ident, $grouping:expr) => {
        impl $name {
            /// The parameters as data.
            pub const PARAMETERS: &'static [ParameterInfo] =
                &joined::<5, 11, 16>(OWN, parameters("gaussian"));

            pub(super) fn plan(&self) -> Result<Plan> {
                check_numbers(Self::PARAMETERS, &self.learning_numbers())?;
                let own = own_numbers(self.n_clusters, self.n_init, self.sample);
                check_numbers(Self::PARAMETERS, &own)?;
                Ok(Plan {
                    learning: self.learning(SELF_TUNING),
                    grouping: $grouping,
                    n_clusters: self.n_clusters,
                    n_init: self.n_init,
                    sample: self.sample,
                    doubt: self.doubt,
                })
            }
        }
    };
}

with_gaussian!(Skkm, LearnedGrouping::KernelKMeans);
with_gaussian!(Ksc, LearnedGrouping::Spectral);
