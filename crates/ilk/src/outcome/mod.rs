//! The results of a fit: labels, the course of the run, which constraints hold, and a model for new
//! points.

mod chosen;
mod clustering;
mod confidence;
mod consensus;
mod knn_classifier;
mod leaderboard;
mod learned_kernel;
mod merged;
mod model;
mod report;
mod transductive;
mod warning;

pub use chosen::Chosen;
pub use clustering::{Clustering, Fit, PartitionReport};
pub(crate) use confidence::Calibration;
pub use confidence::{Confidence, PointConfidence};
pub use consensus::{ConsensusModel, VotingMember};
pub(crate) use consensus::{add_votes, shares};
pub use knn_classifier::KnnClassifier;
pub(crate) use knn_classifier::assign_unlabelled;
pub use leaderboard::{ClusterCountSupport, MemberReport};
pub use learned_kernel::LearnedKernelModel;
pub use merged::MergedModel;
pub use model::{AnyModel, Model};
pub use report::{ConstraintReport, KindReport};
pub use transductive::TransductiveModel;
pub use warning::Warning;
