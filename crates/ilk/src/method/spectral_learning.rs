//! Spectral learning as a method.

use serde::{Deserialize, Serialize};

use super::MethodInfo;
use super::affinity::{self, AffinityName, Plan};
use super::kernel_kmeans::KernelWidth;
use crate::Result;
use crate::group::spectral::Normalisation;
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::ParameterInfo;
use crate::problem::{ConstraintKind, InputKind, Problem};
use crate::supervise::edit::edited;

/// What spectral learning takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "spectral-learning",
    class: "SpectralLearning",
    summary: "Affinities are set to 1 for must-links and to 0 for cannot-links; spectral clustering follows.",
    paper: "Kamvar, Klein and Manning, Spectral Learning, 2003",
    inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: true,
    predicts: true,
    weighs: false,
    parameters: SpectralLearning::PARAMETERS,
};

/// Spectral learning: affinities of must-linked points become 1, those of points that a cannot-link
/// keeps apart 0 ([`edited`]), and the rows of the leading eigenvectors of the
/// [additively normalised](Normalisation::Additive) affinities are grouped.
///
/// Inputs are those of [`E2cp`](super::E2cp), and so is all else. Use it as the simplest thing that
/// listens at all; pairs touch nobody but the two points they name, so few of them change little.
///
/// ```
/// use ilk::method::{Method, SpectralLearning};
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points, Problem};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
/// let mut said = Constraints::new(5);
/// said.must_link(0, 1)?.cannot_link(2, 3)?;
/// let params = SpectralLearning { n_clusters: 2, ..SpectralLearning::default() };
/// let fit = Method::SpectralLearning(params).fit(&Problem::new(points, said)?, &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpectralLearning {
    /// Number of clusters.
    pub n_clusters: usize,
    /// Where affinities come from.
    pub affinity: AffinityName,
    /// The width of the Gaussian; by default each point's own.
    pub sigma: KernelWidth,
    /// Neighbours with which a point has affinity; with as many as there are points, all do.
    pub n_neighbors: usize,
    /// Descents of k-means from different starts, of which the best is kept.
    pub n_init: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for SpectralLearning {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            affinity: AffinityName::Gaussian,
            sigma: KernelWidth::Auto,
            n_neighbors: 10,
            n_init: 10,
            seed: 0,
        }
    }
}

impl SpectralLearning {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &affinity::PARAMETERS;

    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let plan = Plan {
            n_clusters: self.n_clusters,
            affinity: self.affinity,
            sigma: self.sigma,
            n_neighbors: self.n_neighbors,
            normalisation: Normalisation::Additive,
            n_init: self.n_init,
            seed: self.seed,
        };
        plan.fit(problem, edited, observer)
    }
}
