//! A known number of groups in the space of a learned kernel: what SKLR, `SKkm` and KSC share.

use serde::{Deserialize, Serialize};

use super::choose::{Choice, choose, found};
use super::heard::heard;
use super::sample::{Sample, as_named};
use super::settling::Settling;
use super::skms;
use crate::group::Grouping;
use crate::group::kernel_kmeans::{KernelKMeans, Space};
use crate::group::mean_shift::MeanShift;
use crate::group::spectral::Spectral;
use crate::observe::{Observer, Silent};
use crate::outcome::{Clustering, EmbeddedModel, Fit, Model};
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{Input, Points, Problem};
use crate::settle::Vote;
use crate::similarity::FeatureMap;
use crate::supervise::learning::{Base, KernelLearning, Learned};
use crate::{Error, Result};

/// How groups are found in the space of a learned kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum LearnedGrouping {
    /// Kernel k-means.
    #[default]
    #[serde(rename = "kernel_kmeans")]
    KernelKMeans,
    /// Mean shift, which finds the number of clusters itself.
    MeanShift,
    /// Spectral clustering, with the learned kernel (its positive values) as the affinity.
    Spectral,
}

impl LearnedGrouping {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["kernel_kmeans", "mean_shift", "spectral"];
}

/// The parameter that says how many clusters there are.
pub(super) const N_CLUSTERS: ParameterInfo = ParameterInfo {
    name: "n_clusters",
    doc: "Number of clusters.",
    range: Range::Integer {
        min: 1,
        max: u64::MAX,
    },
    default: "8",
};

/// The parameter that says how often to start anew.
pub(super) const N_INIT: ParameterInfo = ParameterInfo {
    name: "n_init",
    doc: "Descents from different starts, of which the best is kept.",
    range: Range::Integer {
        min: 1,
        max: 10_000,
    },
    default: "10",
};

/// What is to be done, with all that the methods differ in.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) learning: KernelLearning,
    pub(super) grouping: LearnedGrouping,
    pub(super) n_clusters: usize,
    pub(super) n_init: usize,
    pub(super) sample: usize,
    pub(super) doubt: bool,
}

/// Groups in the space of a learned kernel.
struct Grouped {
    learned: Learned,
    map: FeatureMap,
    space: Points,
    grouping: Grouping,
    model: Model,
}

impl Plan {
    /// Finds the groups of a problem over points or a kernel matrix.
    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let given = &*as_named(problem, self.learning.kernel)?;
        let (problem, doubted) = heard(given, self.doubt)?;
        let sample = self.sample(&problem)?;
        let sampled = sample.problem();
        self.learning.check()?;
        let trial = |base: &Base<'_>, problem: &Problem| {
            let grouped = self.group(base, problem, &Silent)?;
            Ok((grouped.grouping.labels, grouped.space))
        };
        let Choice {
            learning,
            mut chosen,
        } = choose(&self.learning, sampled, trial, observer)?;
        let base = learning.base(sampled.input(), sampled.constraints(), observer)?;
        let grouped = self.group(&base, sampled, observer)?;
        chosen.extend(found(&grouped.learned, &learning));
        chosen.extend(doubted);
        let kernel = grouped.learned.kernel;
        let model = Model::Embedded(Box::new(EmbeddedModel::new(
            kernel,
            grouped.map,
            grouped.model,
        )));
        let mut grouping = grouped.grouping;
        sample.spread(&mut grouping.labels, given, &model, observer)?;
        let mut clustering = Clustering::new(grouping, given.constraints());
        clustering.chosen = chosen;
        Ok(Fit { clustering, model })
    }

    /// Groups the points of a problem again, in the space of a kernel that was learned before.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for mean shift, which is given no number of clusters;
    /// [`Error::TooManyClusters`], [`Error::WrongDimensions`], [`Error::Cancelled`].
    pub(super) fn regroup(
        &self,
        before: &EmbeddedModel,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let problem = &*as_named(problem, self.learning.kernel)?;
        let sample = self.sample(problem)?;
        let sampled = sample.problem();
        let map = before.map();
        let space = Points::new(match sampled.input() {
            Input::Points(points) => map.transform(points)?,
            Input::Kernel(kernel) => map.transform(&Points::new(kernel.view().to_owned())?)?,
            Input::Graph(_) => return Err(cannot("a graph".to_owned(), "points, kernel matrices")),
        })?;
        let (mut grouping, model) = match self.grouping {
            LearnedGrouping::KernelKMeans => self.means(&space, sampled, observer)?,
            LearnedGrouping::Spectral => self.spectral(&space, problem, observer)?,
            LearnedGrouping::MeanShift => {
                let what = "grouping = mean_shift, which finds the number of clusters itself";
                return Err(cannot(what.to_owned(), "kernel_kmeans, spectral"));
            }
        };
        let kernel = before.kernel().clone();
        let model = Model::Embedded(Box::new(EmbeddedModel::new(kernel, map.clone(), model)));
        sample.spread(&mut grouping.labels, problem, &model, observer)?;
        let clustering = Clustering::new(grouping, problem.constraints());
        Ok(Fit { clustering, model })
    }

    /// The points that are grouped; at least as many as clusters.
    fn sample<'a>(&self, problem: &'a Problem) -> Result<Sample<'a>> {
        if self.n_clusters > problem.len() {
            return Err(Error::TooManyClusters {
                k: self.n_clusters,
                n: problem.len(),
            });
        }
        let size = self.sample.max(self.n_clusters);
        Sample::of(problem, size, self.learning.seed)
    }

    /// Learns a kernel from what was said and groups the points in its space.
    fn group(
        &self,
        base: &Base<'_>,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped> {
        let learned = base.learn(problem.constraints(), None, observer)?;
        let dims = match self.grouping {
            LearnedGrouping::KernelKMeans | LearnedGrouping::Spectral => None,
            LearnedGrouping::MeanShift => Some(skms::MAX_DIMS),
        };
        let embedding = base.embed(&learned, dims)?;
        let space = Points::new(embedding.features)?;
        let (grouping, model) = match self.grouping {
            LearnedGrouping::MeanShift => {
                let neighbors = skms::neighbors(&space, &learned);
                let shift = MeanShift {
                    bandwidth: skms::reaches(&space, neighbors, self.learning.seed)?,
                    seed: self.learning.seed,
                    ..MeanShift::default()
                };
                let (grouping, model) = shift.fit(&space, problem.weights(), observer)?;
                (grouping, Model::MeanShift(model))
            }
            LearnedGrouping::KernelKMeans => self.means(&space, problem, observer)?,
            LearnedGrouping::Spectral => self.spectral(&space, problem, observer)?,
        };
        Ok(Grouped {
            learned,
            map: embedding.map,
            space,
            grouping,
            model,
        })
    }

    /// Kernel k-means of the points of a problem, which are these in the space of the kernel.
    fn means(
        &self,
        space: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Model)> {
        let kmeans = KernelKMeans {
            n_clusters: self.n_clusters.min(space.len()),
            n_init: self.n_init,
            seed: self.learning.seed,
            ..KernelKMeans::default()
        };
        let features = Space::Features(space.view());
        let (grouping, means) = kmeans.fit(features, problem.weights(), observer)?;
        Ok((grouping, Model::Means(means)))
    }

    /// Spectral clustering of the points of a problem, which are these in the space of the kernel.
    fn spectral(
        &self,
        space: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Model)> {
        if problem.weights().is_some() {
            return Err(Error::Unsupported {
                method: "spectral grouping",
                what: "weights of points".to_owned(),
                alternatives: "groupings that can: kernel_kmeans, mean_shift".to_owned(),
            });
        }
        let spectral = Spectral {
            n_clusters: self.n_clusters.min(space.len()),
            n_init: self.n_init,
            seed: self.learning.seed,
            ..Spectral::default()
        };
        let mut grouping = spectral.fit_features(space.view(), observer)?;
        let clusters = grouping.n_clusters;
        grouping.centers = Some(skms::means(space, &grouping.labels, clusters));
        let voters = Settling::voters(space.len());
        let vote = Vote::new(space, &grouping.labels, voters)?;
        Ok((grouping, Model::Vote(vote.up_to_rounding())))
    }
}

/// What groups cannot be made again with, and with what they can.
pub(super) fn cannot(what: String, instead: &str) -> Error {
    Error::Unsupported {
        method: "grouping again",
        what,
        alternatives: format!("it can use {instead}"),
    }
}
