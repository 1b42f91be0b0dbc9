//! The members of a consensus and the numbers of clusters that it tried, and how each was judged.

use std::fmt;

/// A method with its settings that took part in a consensus.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberReport {
    /// The name of the method, as on the command line.
    pub method: String,
    /// The number of clusters that it was given; none where it finds that itself.
    pub n_clusters: Option<usize>,
    /// Its other settings, by parameter, in the form in which they can be given.
    pub settings: Vec<(String, String)>,
    /// How far its clusters agree with constraints that it was not given, from -1 over 0 (chance) to 1; none without
    /// constraints.
    pub score: Option<f64>,
    /// Its share of the votes.
    pub weight: f64,
}

/// The options of `ilk cluster` that run this method alone.
impl fmt::Display for MemberReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--method {}", self.method)?;
        if let Some(k) = self.n_clusters {
            write!(f, " --clusters {k}")?;
        }
        for (parameter, value) in &self.settings {
            write!(f, " --set {parameter}={value}")?;
        }
        Ok(())
    }
}

/// What speaks for a number of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterCountSupport {
    /// The number.
    pub n_clusters: usize,
    /// The mean agreement (adjusted Rand index) of every two methods that looked for so many without constraints: how stable
    /// such clusters are.
    pub agreement: f64,
    /// How well the clusters of one of them are separated: the mean silhouette of k-means' clusters, or the modularity of
    /// a graph's; at least 0.
    pub separation: f64,
    /// How far the consensus, cut into so many clusters, agrees with constraints that it was not given; none where there are
    /// too few of them.
    pub score: Option<f64>,
}
