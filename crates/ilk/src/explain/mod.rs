//! What a cluster is, and why a point is where it is.
//!
//! Labels are numbers without a meaning. An [`Explanation`] describes every cluster by its size, its
//! typical rows, the features that set it apart, its silhouette and the cluster next to it. A [`PointExplanation`] is
//! about one point: the rows around it, the constraints that concern it, the runner-up and what would move it there.
//! [`UnusualRows`] are those between clusters and those far from all others. [`ConstraintUtility`] tells how much a set of
//! constraints adds to what the points show.
//!
//! Nothing here depends on the method that found the labels. Costs are linear in the number of points, but for the
//! distances between points, which are computed for a sample of about [`SAMPLE_ROWS`] of them.
//!
//! ```
//! use ilk::explain::Explanation;
//! use ilk::problem::Points;
//!
//! let points = Points::from_rows(&[[0.0, 5.0], [0.2, 9.0], [0.4, 7.0], [8.0, 7.0], [8.2, 6.0]].map(Vec::from))?;
//! let explanation = Explanation::new(&points, &[0, 0, 0, 1, 1].map(Some), 0)?;
//! let cluster = &explanation.clusters[0];
//! assert_eq!((cluster.size, cluster.typical[0]), (3, 2));
//! // The first feature sets it apart: the mean is about 2 standard deviations below that of the rest.
//! assert_eq!(cluster.features[0].feature, 0);
//! assert!((cluster.features[0].difference + 2.04).abs() < 0.01);
//! # Ok::<(), ilk::Error>(())
//! ```

mod cluster;
mod constraints;
mod distances;
mod features;
mod point;
mod sample;
mod unusual;

pub use cluster::{ClusterDescription, Explanation, MAX_TYPICAL, NearestCluster};
pub use constraints::{AtOdds, ConstraintUtility, MAX_AT_ODDS};
pub use features::FeatureDifference;
pub use point::{
    ConcerningConstraint, FeatureShift, N_NEAREST, NearRow, PointExplanation, RunnerUp,
};
pub use sample::SAMPLE_ROWS;
pub use unusual::{BoundaryRow, MAX_UNUSUAL, OutlyingRow, UnusualRows};

use crate::error::check_length;
use crate::group::{Label, n_clusters};
use crate::problem::Points;
use crate::{Error, Result};

/// The number of points of every cluster.
///
/// # Errors
/// [`Error::WrongLength`] for another number of labels than of points, [`Error::BadParameter`] for a cluster whose
/// number is not below that of the points.
fn cluster_sizes(points: &Points, labels: &[Label]) -> Result<Vec<usize>> {
    check_length("the list of labels", labels.len(), points.len())?;
    let k = n_clusters(labels);
    if k > points.len() {
        let expected =
            format!("clusters are numbered from 0, below the number of points, {}", points.len());
        return Err(Error::bad_parameter("labels", k - 1, expected));
    }
    let mut sizes = vec![0; k];
    for &cluster in labels.iter().flatten() {
        sizes[cluster] += 1;
    }
    Ok(sizes)
}
