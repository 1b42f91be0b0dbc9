//! A consensus over a kernel matrix: a new point is the row of its kernel values with the points of the fit.

use super::fit::voting_members;
use super::recipes::MemberFit;
use crate::Result;
use crate::group::kernel_kmeans::KernelKMeansModel;
use crate::group::{Label, n_clusters};
use crate::numerics::sparse::Sparse;
use crate::outcome::{AnyModel, Calibration, ConsensusModel, VotingMember};
use crate::problem::{Input, Points};

/// The rows of a kernel matrix, as its points would be given again; `None` for another input.
pub(super) fn rows_of_kernel(input: &Input) -> Result<Option<Points>> {
    match input {
        Input::Kernel(kernel) => Points::new(kernel.view().to_owned()).map(Some),
        Input::Points(_) | Input::Graph(_) => Ok(None),
    }
}

/// The model of a consensus that puts the points with these rows of kernel values into the clusters `labels`: the
/// members that can place a row vote, and where none can, it goes to the nearest mean of the clusters.
pub(super) fn model_of_kernel(
    rows: &Points,
    refits: Vec<(MemberFit, f64)>,
    labels: &[Label],
    calibration: Calibration,
) -> Result<AnyModel> {
    let consensus = (labels, n_clusters(labels));
    let mut members = voting_members(refits, consensus);
    if members.is_empty() {
        let kernel = Sparse::from_dense(rows.view());
        let counts = vec![1.0; rows.len()];
        let means = KernelKMeansModel::of_links(&kernel, &counts, labels, consensus.1, false);
        members.push(VotingMember::new(means.into(), 1.0, labels, consensus));
    }
    let model = ConsensusModel::new(members, consensus.1, calibration);
    Ok(model.with_labels_of(rows, labels)?.into())
}
