//! Models in which the models of several members vote.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::AnyModel;
use super::confidence::{Calibration, Confidence};
use crate::Result;
use crate::error::stored::{checked_on_read, ensure, ensure_below, ensure_finite};
use crate::group::Label;
use crate::observe::{Observer, Silent};
use crate::problem::Points;

/// A member of a consensus, and what its clusters are in terms of those of the consensus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VotingMember {
    model: Box<AnyModel>,
    weight: f64,
    /// One row a cluster of the member: how its points divide among the clusters of the consensus.
    shares: Array2<f64>,
}

impl VotingMember {
    /// A member with a weight, whose `labels` of the points of the fit are compared with those of the consensus.
    pub(crate) fn new(
        model: AnyModel,
        weight: f64,
        labels: &[Label],
        consensus: (&[Label], usize),
    ) -> Self {
        let shares = shares(labels, model.n_clusters(), consensus);
        Self { model: Box::new(model), weight, shares }
    }
}

/// How the points of every cluster of `labels` divide among the clusters of a consensus; evenly where there are none.
pub(crate) fn shares(
    labels: &[Label],
    n_clusters: usize,
    (consensus, n_consensus): (&[Label], usize),
) -> Array2<f64> {
    let mut shares = Array2::<f64>::zeros((n_clusters, n_consensus));
    for pair in labels.iter().zip(consensus) {
        if let (Some(own), Some(agreed)) = pair {
            shares[[*own, *agreed]] += 1.0;
        }
    }
    for mut row in shares.rows_mut() {
        let total = row.sum();
        if total > 0.0 {
            row /= total;
        } else {
            row.fill(1.0 / n_consensus.max(1) as f64);
        }
    }
    shares
}

checked_on_read! {
    /// Members that vote on the cluster of a point.
    ///
    /// A member that puts a point into its cluster a votes for cluster c of the consensus with the share of the points
    /// of a that the consensus puts into c, times its weight. The votes, raised to
    /// a power and mixed with the chance that all members err alike, are the confidence. A point of the fit keeps the label
    /// that the fit gave it.
    pub struct ConsensusModel {
        members: Vec<VotingMember>,
        n_clusters: usize,
        /// The power of the votes.
        sharpness: f64,
        /// The chance that the members all err alike.
        #[serde(default)]
        common_error: f64,
        /// Points of the fit for which the votes alone would not give the label of the fit.
        exceptions: Vec<(Vec<f64>, usize)>,
    }
}

impl ConsensusModel {
    /// A model of these members.
    pub(crate) fn new(
        members: Vec<VotingMember>,
        n_clusters: usize,
        calibration: Calibration,
    ) -> Self {
        let Calibration { sharpness, common_error } = calibration;
        Self { members, n_clusters, sharpness, common_error, exceptions: Vec::new() }
    }

    /// The same, with the points of the fit whose labels are not what the members vote for.
    pub(crate) fn with_labels_of(mut self, points: &Points, labels: &[Label]) -> Result<Self> {
        let voted = self.predict_observed(points, &Silent)?;
        for (point, (voted, label)) in voted.iter().zip(labels).enumerate() {
            if let (true, Some(label)) = (voted != label, *label) {
                self.exceptions.push((points.row(point).to_vec(), label));
            }
        }
        self.exceptions.sort_by(|a, b| crate::numerics::lexicographic(&a.0, &b.0));
        self.exceptions.dedup_by(|a, b| a.0 == b.0);
        Ok(self)
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        self.members.first().map_or(0, |member| member.model.dims())
    }

    /// The clusters of new points.
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        Ok(self.predict_confidence(points, observer)?.labels())
    }

    /// The probabilities of the clusters of new points.
    pub fn predict_confidence(
        &self,
        points: &Points,
        observer: &dyn Observer,
    ) -> Result<Confidence> {
        let mut votes = Array2::<f64>::zeros((points.len(), self.n_clusters));
        for member in &self.members {
            let found = member.model.predict_observed(points, observer)?;
            add_votes(&mut votes, &found, member.weight, &member.shares);
        }
        let calibration =
            Calibration { sharpness: self.sharpness, common_error: self.common_error };
        let mut confidence = Confidence::of_votes(votes, calibration);
        for point in 0..points.len() {
            let row = points.row(point);
            let at = self
                .exceptions
                .binary_search_by(|known| crate::numerics::lexicographic(&known.0, row));
            if let Ok(at) = at {
                confidence.assign(point, self.exceptions[at].1);
            }
        }
        Ok(confidence)
    }

    fn checked(self) -> Result<Self> {
        ensure(!self.members.is_empty(), || "it has no members".to_owned())?;
        ensure(self.sharpness.is_finite() && self.sharpness > 0.0, || {
            format!("its votes have the power {}", self.sharpness)
        })?;
        ensure((0.0..1.0).contains(&self.common_error), || {
            format!("its members err alike with the chance {}", self.common_error)
        })?;
        let dims = self.dims();
        for member in &self.members {
            ensure(member.model.dims() == dims, || {
                format!("its members take {dims} and {} columns", member.model.dims())
            })?;
            let expected = (member.model.n_clusters(), self.n_clusters);
            ensure(member.shares.dim() == expected, || {
                format!("its shares are {:?}, not {expected:?}", member.shares.dim())
            })?;
            ensure_finite("a share of a member", &member.shares)?;
            ensure(member.weight.is_finite() && member.weight >= 0.0, || {
                format!("a member has the weight {}", member.weight)
            })?;
        }
        for (row, _) in &self.exceptions {
            ensure(row.len() == dims, || format!("a point has {} columns, not {dims}", row.len()))?;
            ensure_finite("a point", row)?;
        }
        let clusters = self.exceptions.iter().map(|(_, cluster)| *cluster);
        ensure_below("the cluster of a point", clusters, self.n_clusters)?;
        let sorted =
            self.exceptions.is_sorted_by(|a, b| crate::numerics::lexicographic(&a.0, &b.0).is_lt());
        ensure(sorted, || "its points are not in order".to_owned())?;
        Ok(self)
    }
}

/// Adds the votes of a member for every point.
pub(crate) fn add_votes(
    votes: &mut Array2<f64>,
    labels: &[Label],
    weight: f64,
    shares: &Array2<f64>,
) {
    let n_clusters = votes.ncols().max(1);
    let even = Array1::from_elem(votes.ncols(), 1.0 / n_clusters as f64);
    for (mut of_point, label) in votes.rows_mut().into_iter().zip(labels) {
        let share = match *label {
            Some(cluster) if cluster < shares.nrows() => shares.row(cluster),
            _ => even.view(),
        };
        of_point.scaled_add(weight, &share);
    }
}
