//! The method that chooses: a consensus of many fits, each weighted by the constraints that it predicts.

mod ablation;
mod agree;
mod deadline;
mod fit;
mod kernel_rows;
mod members;
mod recipes;
mod trials;

pub use ablation::{ConsensusTrials, Ingredient};
pub use members::Members;

use super::{Method, MethodInfo};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::{AutoOr, Range};
use crate::problem::{ConstraintKind, InputKind, Problem};
use crate::select::sample::with_precomputed_kernel;
use crate::similarity::AffinityName;
use crate::{Error, Result};

crate::parameters! {
    /// Clusters without a choice of method, width or number of clusters: a weighted consensus of many fits.
    ///
    /// 1. Pairs that the other pairs contradict are left out.
    /// 2. A list of recipes (k-means in spaces learned from the constraints at several widths, ranks and strengths;
    ///    constraint propagation; semi-supervised kernel k-means; k-means, mixtures and spectral clustering without
    ///    constraints) is run at several numbers of clusters on a sample, each with a third of the constrained points
    ///    held out in turn. The score s of a member is the [agreement](crate::select::ConstraintAgreement) of its
    ///    clusters with the constraints that it was not given.
    /// 3. A member at k clusters has the weight p exp(4 m s / √(m + 5) + a_k), where m is the number of pairs of the
    ///    scarcer kind, so that few constraints leave all members about equal, and a_k grows with how much the methods
    ///    without constraints agree among each other when they look for k clusters, and with how well separated these are
    ///    (silhouettes of k-means): that is the choice of k without constraints. Before any score, all members that are
    ///    given no constraints together have the weight 5 / (5 + m) and the others the rest: p is that divided by their
    ///    number.
    /// 4. The members with weight are fitted again with all constraints, and their co-association (the weight of the
    ///    members in which two points share a cluster, 1 or 0 where constraints say so) is cut by average linkage. Where
    ///    there are enough constraints, held-out ones choose where to cut; otherwise the cut is at an agreement of one half.
    ///    Unless this consensus predicts held-out constraints better than that of the members without constraints,
    ///    the latter is taken: few or misleading constraints do no harm.
    /// 5. Constrained points that still break a constraint move to the cluster that the points that they agree with
    ///    support.
    ///
    /// Every member votes for the cluster of a point, also of a new one; the votes, sharpened or softened so that they
    /// predict held-out pairs best, are the [confidence](crate::outcome::Clustering::confidence).
    ///
    /// Weighting by held-out constraints goes back to constraint-based selection (Pourrajabi and others 2014; van
    /// Craenendonck and Blockeel 2017) and evidence accumulation (Fred and Jain 2005).
    ///
    /// With `n_fits` results repeat for a seed. With a `budget` in seconds a slow machine tries fewer recipes: after half of
    /// it no further round of them begins, after three quarters those that are still being tried are dropped (but for the
    /// quick ones), and a member that is not fitted with all constraints at its end is left out (but for the heaviest). What
    /// is tried always repeats.
    ///
    /// A new point of a kernel matrix is the row of its kernel values with the points of the fit; those members vote on it that
    /// can place it.
    ///
    /// ```
    /// use ilk::method::{Auto, Method};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// // Two rows of ten points.
    /// let rows: Vec<Vec<f64>> =
    ///     (0..20).map(|i| vec![f64::from(i % 10) * 0.3, f64::from(i / 10) * 5.0]).collect();
    /// let points = Points::from_rows(&rows)?;
    /// let mut constraints = Constraints::new(20);
    /// constraints.must_link(0, 9)?.cannot_link(9, 10)?;
    /// let fit = Auto::default().fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.n_clusters, 2);
    /// let confidence = fit.clustering.confidence.as_ref().unwrap();
    /// assert!(confidence.confidence.iter().all(|&sure| sure > 0.5));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Auto {
        /// Number of clusters. auto: found.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Kernels of the members: Gaussians of several widths, or the one whose matrix is given. precomputed: the rows
        /// given are those of a kernel matrix.
        pub kernel: AffinityName = AffinityName::Gaussian;
        /// Seconds that finding the members takes, about, where the caller has a clock and n_fits is not given.
        pub budget: f64 = 20.0, in Range::POSITIVE;
        /// Recipes that are tried at most, the likeliest first, whatever the time. auto: all that the budget allows.
        pub n_fits: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Methods that may be members. auto: all that the input allows.
        pub members: AutoOr<Members> = AutoOr::Auto;
        /// Points on which the consensus is formed, at most, constrained ones first; the others are assigned as new
        /// points are.
        pub sample: usize = 1500, in Range::Integer { min: 50, max: 10_000 };
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

/// Nodes of a graph or rows of a kernel matrix above which there is no consensus: its matrix is dense.
const MAX_WHOLE: usize = 4000;

impl Auto {
    /// What the consensus takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "auto",
        class: "Auto",
        summary: "A consensus of many fits, each weighted by the constraints that it predicts; finds the number of clusters and tells how sure it is of every point.",
        paper: "Fred and Jain, Combining Multiple Clusterings Using Evidence Accumulation, 2005; van Craenendonck and Blockeel, Constraint-based clustering selection, 2017",
        version: 6,
        inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supervision: &ConstraintKind::ALL,
        takes_clusters: true,
        predicts: &[InputKind::Points, InputKind::Kernel],
        supports_weights: &[],
        parameters: Self::PARAMETERS,
    };

    /// The number of clusters, where it is given.
    fn given_clusters(&self) -> Option<usize> {
        match self.n_clusters {
            AutoOr::Fixed(k) => Some(k),
            AutoOr::Auto => None,
        }
    }
}

impl Method for Auto {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let n = problem.len();
        if let Some(k) = self.given_clusters().filter(|&k| k > n) {
            return Err(Error::TooManyClusters { k, n });
        }
        let is_precomputed = self.kernel == AffinityName::Precomputed;
        fit::fit(self, &*with_precomputed_kernel(problem, is_precomputed)?, observer)
    }
}
