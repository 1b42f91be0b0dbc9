//! Mean shift as a method: the constraints choose the bandwidth, then every point climbs to a mode.
//!
//! Mean shift itself cannot use a pair. But its bandwidth sets the resolution, and pairs show which one is
//! right: too large a bandwidth joins cannot-linked points, too small a one separates must-linked points. So with
//! `bandwidth = auto` and any pairs or labels, mean shift runs over a grid of bandwidths, and the one whose
//! clusters agree best is proposed. Every pair is a fair test, because the shift itself does not use it. Only both
//! kinds of pairs bound the bandwidth on both sides. Without pairs it is the bandwidth around which clusters change
//! least, and where there are enough constraints to hold some out, it stays so unless the proposed one predicts these
//! better.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::mean_shift::MeanShift;
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::problem::{ConstraintKind, InputKind, Problem};
use crate::refine::Refinement;
use crate::select::shifts::MeanShiftByConstraints;
use crate::select::supervised::SupervisedFit;
use crate::select::supervision::Supervision;

impl MeanShift {
    /// What mean shift takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "mean-shift",
        class: "MeanShift",
        summary: "Points climb to the modes of their density; a mode is a cluster. Pairs and labels choose the bandwidth.",
        paper: "Fukunaga and Hostetler 1975; Comaniciu and Meer 2002",
        version: 5,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: false,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for MeanShift {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let grouping = MeanShiftByConstraints::new(self, problem, observer)?;
        let declared = SupervisedFit {
            // Constraints choose one number, the bandwidth, which few of them can do.
            without_trials: Some(Supervision::GROUPING),
            ..SupervisedFit::new(grouping, None, Refinement::Auto, self.seed)
        };
        declared.fit(problem, observer)
    }
}
