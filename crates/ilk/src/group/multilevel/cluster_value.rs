//! What a cluster of given links and mass is worth.

/// The worth of a cluster c with links S_c = z_c' M z_c and mass W_c = Σ α_i. The sum over all clusters is
/// maximised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ClusterValue {
    /// S_c / W_c, as in weighted kernel k-means.
    Density,
    /// (S_c - γ W_c² / T) / T with T the mass of all nodes: modularity where α are degrees.
    Modularity {
        /// γ / T.
        resolution: f64,
        /// T.
        total: f64,
    },
    /// The logarithm of the likelihood of a group over T: (S_c ln(ω_c / ω_out) - (ω_c - ω_out) W_c² / T) / T with the
    /// density ω_c = S_c T / W_c² and that between groups ω_out. A group that is no denser is worth its links less
    /// those expected.
    Likelihood {
        /// ω_out / T.
        between: f64,
        /// T.
        total: f64,
    },
}

impl ClusterValue {
    /// The worth of a cluster.
    pub(super) fn of(self, links: f64, mass: f64) -> f64 {
        match self {
            Self::Density => links / mass,
            Self::Modularity { resolution, total } => (links - resolution * mass * mass) / total,
            Self::Likelihood { between, total } => {
                let expected = between * mass * mass;
                let surplus = links - expected;
                let value =
                    if surplus > 0.0 { links * (links / expected).ln() - surplus } else { surplus };
                value / total
            }
        }
    }

    /// The change where a node of this mass leaves a cluster and takes `lost` links with it, both directions
    /// and its loop counted. `value` is the worth of the cluster before.
    ///
    /// With the density ρ this is (α ρ - lost) / (W - α).
    pub(super) fn leave(self, (links, mass, value): (f64, f64, f64), node: f64, lost: f64) -> f64 {
        match self {
            Self::Likelihood { .. } => self.of(links - lost, mass - node) - value,
            Self::Density => (node * value - lost) / (mass - node),
            Self::Modularity { resolution, total } => {
                (resolution * node * (2.0 * mass - node) - lost) / total
            }
        }
    }

    /// The change where a node joins a cluster and adds `won` links: (won - α ρ) / (W + α) with the density ρ.
    pub(super) fn join(self, (links, mass, value): (f64, f64, f64), node: f64, won: f64) -> f64 {
        match self {
            Self::Likelihood { .. } => self.of(links + won, mass + node) - value,
            Self::Density => (won - node * value) / (mass + node),
            Self::Modularity { resolution, total } => {
                (won - resolution * node * (2.0 * mass + node)) / total
            }
        }
    }

    /// At least what joining a cluster adds that the node has no links with, of clusters that all have at least
    /// this mass and this worth.
    pub(super) fn join_unlinked(self, (mass, value): (f64, f64), node: f64, own: f64) -> f64 {
        match self {
            Self::Density => (own - node * value).max(0.0) / (mass + node),
            Self::Modularity { .. } => self.join((0.0, mass, value), node, own),
            // More mass alone is worth less.
            Self::Likelihood { .. } => {
                if own > 0.0 {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ClusterValue;

    #[test]
    fn leaving_and_joining_change_the_worth_by_the_difference() {
        let (total, mass, links) = (40.0, 9.0, 6.0);
        for value in [
            ClusterValue::Density,
            ClusterValue::Modularity { resolution: 1.3 / total, total },
            ClusterValue::Likelihood { between: 0.4 / total, total },
        ] {
            let before = value.of(links, mass);
            let cluster = (links, mass, before);
            for (node, loops) in [(1.5, 1.0), (2.0, 3.5), (0.5, -2.0)] {
                let left = value.of(links - loops, mass - node) - before;
                let joined = value.of(links + loops, mass + node) - before;
                assert!((value.leave(cluster, node, loops) - left).abs() < 1e-12, "{value:?}");
                assert!((value.join(cluster, node, loops) - joined).abs() < 1e-12, "{value:?}");
            }
        }
    }
}
