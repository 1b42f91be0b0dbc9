//! Whether must-links hold.

use crate::problem::{Closure, Constraints};

crate::choice! {
    /// Whether the points that must-links join are treated as one set.
    #[derive(Default)]
    pub enum MustLinkPolicy {
        /// Always. A cannot-link between points that must-links join is ignored.
        Hard = "hard",
        /// In every component that no constraint contradicts. A component is contradicted where it
        /// holds both ends of a cannot-link, or two labels: at least one of those constraints is wrong,
        /// and the constraints alone do not show which. There each constraint counts for the points it
        /// names, and breaking it has its price.
        #[default]
        Uncontradicted = "uncontradicted",
        /// Never. A must-link has a price, as a cannot-link has: for constraints that are often wrong.
        Soft = "soft",
        /// As `Uncontradicted`, unless the neighbours contradict many must-links: then as `Soft`.
        ///
        /// Labels are refined with soft must-links first, which breaks b of the m must-links. They
        /// become soft where both hold: b / m > 1.25 (1.01 - v), with v the mean share of a point's
        /// neighbours in its own cluster, so more are broken than the data explain; and b is above 3% of
        /// the must-links and above 3% of the cannot-links, the share that careless annotation leaves.
        Auto = "auto",
    }
}

impl MustLinkPolicy {
    /// For each component, whether its points are one set. `Auto` is read as `Uncontradicted`.
    pub(crate) fn enforced(self, constraints: &Constraints, closure: &Closure) -> Vec<bool> {
        match self {
            Self::Hard => vec![true; closure.n_components()],
            Self::Uncontradicted | Self::Auto => {
                let contradicted = closure.contradicted(constraints);
                contradicted.into_iter().map(|is_wrong| !is_wrong).collect()
            }
            Self::Soft => vec![false; closure.n_components()],
        }
    }
}
