//! What a user should know of a fit that ended well.

use std::fmt;

use super::Clustering;
use crate::group::StopReason;
use crate::problem::Constraints;

/// The share of the constraints above which their being broken is worth a warning.
const MANY_BROKEN: f64 = 0.2;

/// Something about a fit that its user should not miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// The labels have more classes than there were to be clusters.
    MoreLabelsThanClusters {
        /// Classes of the labels.
        classes: usize,
        /// The number of clusters that was asked for.
        clusters: usize,
    },
    /// Fewer clusters were found than were asked for.
    FewerClusters {
        /// Clusters that were found.
        found: usize,
        /// Clusters that were asked for.
        requested: usize,
    },
    /// The run ended before it converged.
    NotConverged {
        /// Iterations of the run.
        iterations: usize,
    },
    /// The run was cancelled, and this is the best that it had.
    Cancelled {
        /// Members of the consensus.
        members: usize,
    },
    /// Constraints contradict each other, so that some of them are broken.
    Contradictions {
        /// How many contradictions there are.
        count: usize,
    },
    /// More than a fifth of the constraints are broken, besides one for each contradiction.
    ManyBroken {
        /// Constraints that the clusters violate.
        broken: usize,
        /// All constraints.
        given: usize,
    },
}

impl Warning {
    /// Its name, as interfaces write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MoreLabelsThanClusters { .. } => "more_labels_than_clusters",
            Self::FewerClusters { .. } => "fewer_clusters",
            Self::NotConverged { .. } => "not_converged",
            Self::Cancelled { .. } => "cancelled",
            Self::Contradictions { .. } => "contradictions",
            Self::ManyBroken { .. } => "many_broken",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoreLabelsThanClusters { classes, clusters } => write!(
                f,
                "the labels have {classes} classes, but {clusters} clusters were asked for, so that classes share a \
                 cluster; ask for {classes}, or leave n_clusters at auto"
            ),
            Self::FewerClusters { found, requested } => write!(
                f,
                "{found} clusters were found where {requested} were asked for: too few points differ, or the \
                 constraints join them"
            ),
            Self::NotConverged { iterations } => write!(
                f,
                "the run ended after {iterations} iterations, before it converged; raise max_iter, or tol"
            ),
            Self::Cancelled { members } => write!(
                f,
                "the fit was cancelled before all methods were tried: these are the clusters of the {members} \
                 members that there were, and a fit that ends may find better ones"
            ),
            Self::Contradictions { count } => write!(
                f,
                "the constraints contradict each other in {count} places, so that not all of them are kept; \
                 Constraints.check, or `ilk check`, lists each with its proof"
            ),
            Self::ManyBroken { broken, given } => write!(
                f,
                "{broken} of {given} constraints are broken: some may be wrong, or this method and its settings \
                 cannot follow them"
            ),
        }
    }
}

impl Clustering {
    /// What a user should know of this clustering, which was found with these constraints.
    pub fn warnings(&self, constraints: &Constraints) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let classes = constraints.label_names().len();
        if let Some(clusters) = self.requested_clusters {
            if classes > clusters {
                warnings.push(Warning::MoreLabelsThanClusters { classes, clusters });
            }
            if self.n_clusters < clusters {
                let (found, requested) = (self.n_clusters, clusters);
                warnings.push(Warning::FewerClusters { found, requested });
            }
        }
        if self.stop == StopReason::MaxIterations {
            warnings.push(Warning::NotConverged { iterations: self.iterations });
        }
        if self.stop == StopReason::Cancelled {
            warnings.push(Warning::Cancelled { members: self.iterations });
        }
        let (kept, broken) = (self.report.kept(), self.report.broken());
        // Only then can there be a contradiction; to look for one takes a while.
        let contradictions = if broken > 0 { constraints.check().n_contradictions() } else { 0 };
        if contradictions > 0 {
            warnings.push(Warning::Contradictions { count: contradictions });
        }
        let given = kept + broken;
        // Each contradiction breaks one constraint, whatever the clusters are.
        if broken.saturating_sub(contradictions) as f64 > MANY_BROKEN * given as f64 {
            warnings.push(Warning::ManyBroken { broken, given });
        }
        warnings
    }
}
