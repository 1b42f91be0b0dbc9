//! The parameters of k-means with penalties.

use serde::{Deserialize, Serialize};

use crate::group::kernel_kmeans::KernelKMeans;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::supervise::penalty::{PENALTY_FORMS, Penalty};
use crate::{Error, Result};

/// k-means with penalties (HMRF-KMeans, after the hidden Markov random field that it maximises): k
/// clusters with the smallest
///
/// ```text
/// Σ_i v_i |x_i - m_{l_i}|²  +  Σ_{(i,j) in M, l_i ≠ l_j} w_ij  +  Σ_{(i,j) in C, l_i = l_j} w_ij
/// ```
///
/// with m the means, l the labels, M the must-links, C the cannot-links, v the weights of the points
/// and w those of the pairs times the `penalty` (Basu, Bilenko and Mooney 2004; equation (2) of Kulis,
/// Basu, Dhillon and Mooney 2009).
///
/// First means are those of must-link components, a large one and then always the farthest by size times
/// squared distance; where there are fewer than clusters, single points are added as in k-means++. Then
/// two steps alternate until no label changes:
///
/// 1. Points, in random order and again until all stay, take the label of least cost, given the means and
///    the labels of those with which they are paired (iterated conditional modes).
/// 2. Means follow.
///
/// Neither raises the sum. The last point of a cluster stays in it. Of `n_init` runs from different
/// starts the one with the lowest sum is returned.
///
/// Use it where clusters are round in the space of the points and answers may be wrong. Pairs move the
/// points that they name and, through the means, little else.
///
/// ```
/// use ilk::group::hmrf_kmeans::HmrfKMeans;
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [2.0], [5.0], [5.2]].map(Vec::from))?;
/// let mut said = Constraints::new(5);
/// said.must_link(2, 3)?;
/// let params = HmrfKMeans { n_clusters: 2, ..HmrfKMeans::default() };
/// let (grouping, means) = params.fit(&points, None, &said, &Silent)?;
/// assert_eq!(grouping.labels, [0, 0, 1, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HmrfKMeans {
    /// Number of clusters.
    pub n_clusters: usize,
    /// What a broken pair costs, in squared distance. `Auto`: v n / (k C) for n points, k clusters, C
    /// pairs and v the mean squared distance of points to their mean, so that all pairs together weigh
    /// about as much as the distances do, in any unit. The paper has n / (k C), which is the same where
    /// v = 1.
    pub penalty: Penalty,
    /// Runs from different starts, of which the best is kept.
    pub n_init: usize,
    /// At most this many steps a run.
    pub max_iter: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for HmrfKMeans {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            penalty: Penalty::Auto,
            n_init: 10,
            max_iter: 300,
            seed: 0,
        }
    }
}

impl HmrfKMeans {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        KernelKMeans::PARAMETERS[0],
        ParameterInfo {
            name: "penalty",
            doc: "What a broken pair costs, in squared distance. auto: all pairs together about as much as the distances.",
            range: Range::Text(PENALTY_FORMS),
            default: "auto",
        },
        KernelKMeans::PARAMETERS[1],
        KernelKMeans::PARAMETERS[3],
        KernelKMeans::PARAMETERS[5],
    ];

    /// Refuses values out of range, and more clusters than points.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("n_clusters", self.n_clusters as f64),
                ("n_init", self.n_init as f64),
                ("max_iter", self.max_iter as f64),
            ],
        )?;
        self.penalty.check()?;
        if self.n_clusters > n {
            let k = self.n_clusters;
            return Err(Error::TooManyClusters { k, n });
        }
        Ok(())
    }
}
