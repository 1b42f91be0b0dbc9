//! A known number of groups in the space of a learned kernel: what SKLR, `SKkm` and KSC share.

use super::skms;
use crate::embed::LEADING_DIMS;
use crate::error::check_n_clusters;
use crate::group::kernel_kmeans::{Space, WeightedKernelKMeans};
use crate::group::spectral::Spectral;
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput};
use crate::method::{AnyMethod, Method};
use crate::observe::{Observer, Unreported, ask};
use crate::outcome::{AnyModel, Chosen, Fit, KnnClassifier, LearnedKernelModel};
use crate::parameter::AutoOr;
use crate::problem::{Input, Points, Problem};
use crate::refine::{Refinement, cluster_means};
use crate::select::folds::has_enough_constraints;
use crate::select::grouped::Grouped;
use crate::select::held_out::TOO_FEW_ANSWERS;
use crate::select::kernel_learning::{SelectedSettings, resolved_settings, select_settings};
use crate::select::learned_space::{AFFINITY_NEIGHBORS, LearnedFeatures, spectral_of_neighbors};
use crate::select::n_clusters::ClusterCount;
use crate::select::sample::{ProblemSample, with_precomputed_kernel};
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};
use crate::similarity::{FeatureMap, KernelName};
use crate::supervise::kernel_learning::{BaseKernel, KernelLearning, LearnedKernelFit};
use crate::{Error, Result};

crate::choice! {
    /// How groups are found in the space of a learned kernel.
    #[derive(Default)]
    pub enum LearnedGrouping {
        /// Kernel k-means.
        #[default]
        KernelKMeans = "kernel_kmeans",
        /// Mean shift, which finds the number of clusters itself.
        MeanShift = "mean_shift",
        /// Spectral clustering, with the learned kernel (its positive values) as the affinity of neighbours.
        Spectral = "spectral",
    }
}

/// What is to be done, with all that the methods differ in.
#[derive(Debug, Clone)]
pub(super) struct LearnedKernelPipeline {
    pub(super) learning: KernelLearning,
    pub(super) grouping: LearnedGrouping,
    /// Neighbours with which a point has affinity for spectral clustering; 0 is all points.
    pub(super) affinity_neighbors: AutoOr<usize>,
    pub(super) n_clusters: AutoOr<usize>,
    pub(super) n_init: usize,
    pub(super) sample: usize,
    pub(super) filter_inconsistent: bool,
    pub(super) refine: Refinement,
}

/// Groups in the space of a learned kernel.
pub(super) struct GroupedInSpace {
    pub(super) learned: LearnedKernelFit,
    pub(super) map: FeatureMap,
    pub(super) space: Points,
    pub(super) grouping: Grouping,
    /// The model of these groups in that space.
    pub(super) model: AnyModel,
}

impl GroupedInSpace {
    /// The groups as those of the problem, with the settings that were chosen.
    pub(super) fn into_grouped<'a>(self, chosen: Vec<Chosen>) -> Grouped<'a> {
        let learned = LearnedFeatures { kernel: self.learned.kernel, map: self.map };
        let grouped = Grouped::of_points(self.grouping, self.model, &self.space);
        Grouped { learned: Some(learned), chosen, ..grouped }
    }
}

impl LearnedKernelPipeline {
    /// Finds the groups of a problem over points or a kernel matrix.
    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let given =
            &*with_precomputed_kernel(problem, self.learning.kernel == KernelName::Precomputed)?;
        self.learning.check()?;
        self.with_n_clusters(given, observer, |pipeline| {
            let sample = pipeline.sample(given)?;
            let finds_number = pipeline.grouping == LearnedGrouping::MeanShift;
            let n_clusters = (!finds_number).then(|| pipeline.n_clusters.resolved());
            let seed = pipeline.learning.seed;
            let declared = SupervisedFit {
                learns_kernel: true,
                filters_inconsistent: pipeline.filter_inconsistent,
                ..SupervisedFit::new(pipeline, n_clusters, self.refine, seed)
            };
            let mut fit = declared.fit(sample.problem(), observer)?;
            sample.extend_fit(&mut fit, given, observer)?;
            Ok(fit)
        })
    }

    /// Fits with the number of clusters decided, where one is wanted: mean shift finds it by itself.
    fn with_n_clusters(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
        fit: impl FnOnce(Self) -> Result<Fit>,
    ) -> Result<Fit> {
        if self.grouping == LearnedGrouping::MeanShift {
            check_n_clusters(self.n_clusters.resolved(), problem.len())?;
            return fit(self.clone());
        }
        let seed = self.learning.seed;
        let count = ClusterCount { given: self.n_clusters, is_precomputed: false, seed };
        count.fit(problem, observer, |n_clusters| fit(Self { n_clusters, ..self.clone() }))
    }

    /// Groups the points of a problem again, in the space of a kernel that was learned before.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for mean shift, which is given no number of clusters;
    /// [`Error::TooManyClusters`], [`Error::WrongDimensions`], [`Error::Cancelled`].
    pub(super) fn regroup(
        &self,
        before: &LearnedKernelModel,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let problem =
            &*with_precomputed_kernel(problem, self.learning.kernel == KernelName::Precomputed)?;
        self.with_n_clusters(problem, observer, |pipeline| {
            pipeline.regroup_in(before, problem, observer)
        })
    }

    fn regroup_in(
        &self,
        before: &LearnedKernelModel,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let sample = self.sample(problem)?;
        let sampled = sample.problem();
        let map = before.map();
        let space = Points::new(match sampled.input() {
            Input::Points(points) => map.transform(points)?,
            Input::Kernel(kernel) => map.transform(&Points::new(kernel.view().to_owned())?)?,
            Input::Graph(_) => {
                return Err(cannot_regroup("a graph".to_owned(), "points, kernel matrices"));
            }
        })?;
        let (mut grouping, model) = match self.grouping {
            LearnedGrouping::KernelKMeans => self.means(&space, sampled, observer)?,
            LearnedGrouping::Spectral => self.spectral(&space, problem, observer)?,
            LearnedGrouping::MeanShift => {
                let what = "grouping = mean_shift, which finds the number of clusters itself";
                return Err(cannot_regroup(what.to_owned(), "kernel_kmeans, spectral"));
            }
        };
        let kernel = before.kernel().clone();
        let model =
            AnyModel::LearnedKernel(Box::new(LearnedKernelModel::new(kernel, map.clone(), model)));
        sample.extend_labels(&mut grouping.labels, problem, &model, observer)?;
        Ok(Fit::new(grouping, model, problem.constraints()))
    }

    /// The points that are grouped; at least as many as clusters.
    fn sample<'a>(&self, problem: &'a Problem) -> Result<ProblemSample<'a>> {
        let size = self.sample.max(self.n_clusters.resolved());
        ProblemSample::of(problem, size, self.learning.seed)
    }

    /// Learns a kernel from the constraints and groups the points in its space.
    fn group_in(
        &self,
        base: &BaseKernel<'_>,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<GroupedInSpace> {
        let learned = base.learn(problem.constraints(), None, observer)?;
        let dims = match self.grouping {
            LearnedGrouping::KernelKMeans | LearnedGrouping::Spectral => None,
            LearnedGrouping::MeanShift => Some(LEADING_DIMS),
        };
        ask(observer)?;
        let embedding = base.embed(&learned, dims, observer)?;
        ask(observer)?;
        let space = Points::new(embedding.features)?;
        let (grouping, model) = match self.grouping {
            LearnedGrouping::MeanShift => {
                let neighbors = skms::neighbors(&space, &learned);
                let shift = skms::neighbor_shift(&space, neighbors, self.learning.seed)?;
                let (grouping, model) = shift
                    .group(GroupingInput::new(&space).with_weights(problem.weights()), observer)?;
                (grouping, AnyModel::MeanShift(model))
            }
            LearnedGrouping::KernelKMeans => self.means(&space, problem, observer)?,
            LearnedGrouping::Spectral => self.spectral(&space, problem, observer)?,
        };
        Ok(GroupedInSpace { learned, map: embedding.map, space, grouping, model })
    }

    /// Kernel k-means of the points of a problem, which are these in the space of the kernel.
    fn means(
        &self,
        space: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, AnyModel)> {
        let kmeans = WeightedKernelKMeans {
            n_clusters: self.n_clusters.at_most(space.len()),
            n_init: self.n_init,
            seed: self.learning.seed,
            ..WeightedKernelKMeans::default()
        };
        let features = Space::Features(space.view());
        let (grouping, means) =
            kmeans.group(GroupingInput::new(features).with_weights(problem.weights()), observer)?;
        Ok((grouping, AnyModel::Means(means)))
    }

    /// The pipelines of which held-out constraints choose one, the first where there are too few of them: a point has
    /// affinity with its neighbours or with all points.
    fn candidates(&self) -> Vec<Self> {
        if self.grouping != LearnedGrouping::Spectral || self.affinity_neighbors != AutoOr::Auto {
            return vec![self.clone()];
        }
        let with = |neighbors: usize| Self { affinity_neighbors: neighbors.into(), ..self.clone() };
        [AFFINITY_NEIGHBORS, 0].map(with).into()
    }

    /// Spectral clustering of the points of a problem, which are these in the space of the kernel.
    fn spectral(
        &self,
        space: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Grouping, AnyModel)> {
        if problem.weights().is_some() {
            return Err(Error::Unsupported {
                method: "spectral grouping",
                what: "weights of points".to_owned(),
                alternatives: "groupings that can: kernel_kmeans, mean_shift".to_owned(),
            });
        }
        let spectral = Spectral {
            n_clusters: self.n_clusters.at_most(space.len()),
            n_init: self.n_init,
            seed: self.learning.seed,
            ..Spectral::default()
        };
        let mut grouping = match self.affinity_neighbors.fixed().unwrap_or(AFFINITY_NEIGHBORS) {
            0 => spectral.fit_features(space.view(), observer)?,
            neighbors => spectral_of_neighbors(&spectral, space, neighbors, observer)?,
        };
        let clusters = grouping.n_clusters;
        grouping.centers =
            Some(cluster_means(space, problem.weights(), &grouping.labels, clusters));
        let classifier = KnnClassifier::with_default_neighbors(space, &grouping.labels)?;
        let classifier = classifier.tolerating_rounding();
        Ok((grouping, AnyModel::KnnClassifier(classifier)))
    }
}

impl SupervisedGrouping for LearnedKernelPipeline {
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let candidates = self.candidates();
        let trial = |candidate: &Self| {
            let candidate = candidate.clone();
            move |base: &BaseKernel<'_>, problem: &Problem| {
                let grouped = candidate.group_in(base, problem, &Unreported(observer))?;
                Ok((grouped.grouping.labels, grouped.space))
            }
        };
        let trials: Vec<_> = candidates.iter().map(trial).collect();
        let SelectedSettings { learning, mut chosen, grouping } =
            select_settings(&self.learning, problem, &trials, observer)?;
        let selected = Self { learning, ..candidates[grouping].clone() };
        if candidates.len() > 1 {
            let is_held_out = has_enough_constraints(problem.constraints());
            let by = if is_held_out { "held-out answers" } else { TOO_FEW_ANSWERS };
            chosen.push(Chosen::new("n_neighbors", selected.affinity_neighbors, by));
        }
        Ok((selected, chosen))
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let constraints = problem.constraints();
        let base = self.learning.base(problem.input(), constraints, observer)?;
        let grouped = self.group_in(&base, problem, observer)?;
        let chosen = resolved_settings(&grouped.learned, &self.learning);
        Ok(grouped.into_grouped(chosen))
    }
}

/// The error for what cannot be grouped again; `instead` can.
fn cannot_regroup(what: String, instead: &str) -> Error {
    Error::Unsupported {
        method: "grouping again",
        what,
        alternatives: format!("it can use {instead}"),
    }
}

/// Finds a method's number of groups in a space that a fit of it learned; see
/// [`AnyMethod::regroup`].
pub(in crate::method) fn regroup(
    method: &AnyMethod,
    learned: &AnyModel,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    method.info().check_supports(problem)?;
    let pipeline = match method {
        AnyMethod::Sklr(params) => params.pipeline()?,
        AnyMethod::Skkm(params) => params.pipeline()?,
        AnyMethod::Ksc(params) => params.pipeline()?,
        _ => {
            let name = method.info().name.to_owned();
            return Err(cannot_regroup(name, "sklr, skkm, ksc"));
        }
    };
    match learned {
        AnyModel::LearnedKernel(learned) => pipeline.regroup(learned, problem, observer),
        _ => Err(cannot_regroup(
            "a model without a learned kernel".to_owned(),
            "models of sklr, skkm, ksc",
        )),
    }
}
