//! Spectral learning as a method.

use super::pipeline::{AffinityAdaptation, affinity_params};
use crate::Result;
use crate::embed::Laplacian;
use crate::method::{Method, MethodInfo};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::problem::{ConstraintKind, InputKind, Problem};

affinity_params! {
    /// Spectral learning: affinities of must-linked points become 1, those of cannot-linked
    /// points 0 ([`edited`](crate::supervise::edit_affinity::edited)), and the rows of the leading eigenvectors of the
    /// additively normalised affinities ([`spectral_rows`](crate::embed::spectral_rows)) are grouped.
    ///
    /// Inputs are those of [`E2cp`](super::E2cp), and so is all else. Use it as the simplest
    /// semi-supervised baseline; a pair changes the affinity of its two points alone, so few pairs change little.
    ///
    /// ```
    /// use ilk::method::{Method, SpectralLearning};
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(5);
    /// constraints.must_link(0, 1)?.cannot_link(2, 3)?;
    /// let params = SpectralLearning { n_clusters: AutoOr::Fixed(2), ..SpectralLearning::default() };
    /// let fit = params.fit(&Problem::new(points, constraints)?, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct SpectralLearning {}
}

impl SpectralLearning {
    /// What spectral learning takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "spectral-learning",
        class: "SpectralLearning",
        summary: "Affinities are set to 1 for must-links and to 0 for cannot-links; spectral clustering follows.",
        paper: "Kamvar, Klein and Manning, Spectral Learning, 2003",
        version: 6,
        inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[],
        parameters: Self::PARAMETERS,
    };
}

impl Method for SpectralLearning {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let pipeline = self.pipeline(AffinityAdaptation::Edited, Laplacian::Unnormalized);
        pipeline.fit(problem, observer)
    }
}
