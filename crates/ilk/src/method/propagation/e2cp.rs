//! Exhaustive and efficient constraint propagation as a method.

use super::pipeline::{AffinityAdaptation, affinity_params};
use crate::Result;
use crate::embed::Laplacian;
use crate::method::{Method, MethodInfo};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::Range;
use crate::problem::{ConstraintKind, InputKind, Problem};

affinity_params! {
    /// Exhaustive and efficient constraint propagation (E2CP): pairs are propagated over a graph of
    /// neighbours to the pairs near them, affinities are adjusted accordingly, and spectral clustering groups the
    /// points.
    ///
    /// 1. Every point has affinity with its nearest neighbours; labels become pairs.
    /// 2. Pairs are propagated and affinities raised or lowered by them
    ///    ([`Propagated`](crate::supervise::propagate::Propagated), which has the equations), on the edges
    ///    of the graph and on other pairs of points with large propagated values.
    /// 3. [`Spectral`](crate::group::spectral::Spectral) clustering. Where there are labels, one more descent
    ///    starts from them; and where most of two labels would still share a cluster although every cluster has
    ///    a label, the labels themselves are [propagated](crate::supervise::propagate) over the graph.
    ///
    /// A kernel matrix as input holds affinities; those of a graph are taken as they are. New points are
    /// assigned by their neighbours, which needs points. Points that coincide are one.
    ///
    /// Use it where groups are connected and few pairs are known: a pair says something about all points
    /// around it. Nothing n x n is held. Where what belongs together is not near, a learned kernel does
    /// better ([`Skkm`](crate::method::Skkm)).
    ///
    /// ```
    /// use ilk::method::{E2cp, Method};
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// // One row of points, which the constraints cut in the middle.
    /// let points = Points::from_rows(&(0..12).map(|i| vec![f64::from(i)]).collect::<Vec<_>>())?;
    /// let mut constraints = Constraints::new(12);
    /// constraints.must_link(0, 5)?.must_link(6, 11)?.cannot_link(5, 6)?;
    /// let params = E2cp { n_clusters: AutoOr::Fixed(2), n_neighbors: 2, ..E2cp::default() };
    /// let fit = params.fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels[..6], [Some(0); 6]);
    /// assert_eq!(fit.clustering.labels[6..], [Some(1); 6]);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct E2cp {
        /// How far pairs are propagated: the share of a value that comes from the neighbours.
        pub alpha: f64 = 0.6, in Range::between(0.0, 0.999);
    }
}

/// Pairs that are no edges of the graph become some where their propagated value is
/// larger than this; with all of them clusters are no better (`docs/benchmarks.md`).
const THRESHOLD: f64 = 0.01;

impl E2cp {
    /// What E2CP takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "e2cp",
        class: "E2CP",
        summary: "Pairs are propagated over a graph of neighbours to the pairs near them; spectral clustering follows.",
        paper: "Lu and Ip, Exhaustive and Efficient Constraint Propagation, 2013",
        version: 6,
        inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[],
        parameters: Self::PARAMETERS,
    };
}

impl Method for E2cp {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let adaptation = AffinityAdaptation::Propagated { alpha: self.alpha, threshold: THRESHOLD };
        self.pipeline(adaptation, Laplacian::Sym).fit(problem, observer)
    }
}
