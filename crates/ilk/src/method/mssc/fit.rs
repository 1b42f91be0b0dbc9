//! All stages of mean shift spectral clustering.

use super::bandwidth::{Partitioned, SpectralSettings};
use super::divide::divide;
use super::partitions::LIMIT;
use super::{FirstStage, Mssc, PartitionEmbedding};
use crate::Result;
use crate::group::{Label, StopReason, renumber_by_appearance};
use crate::method::{Method, MethodInfo};
use crate::observe::Observer;
use crate::outcome::{AnyModel, Chosen, Fit, KnnClassifier, MergedModel, PartitionReport};
use crate::parameter::AutoOr;
use crate::problem::aggregate::Combine;
use crate::problem::{Points, Problem};
use crate::refine::RefinementSpace;
use crate::select::grouped::Grouped;
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};

impl Method for Mssc {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let count = ClusterCount { given: self.n_clusters, is_precomputed: false, seed: self.seed };
        count.fit(problem, observer, |n_clusters| {
            let mssc = Self { n_clusters, ..self.clone() };
            let is_open = self.bandwidth == AutoOr::Auto && self.spectral_bandwidth == AutoOr::Auto;
            let declared = SupervisedFit {
                in_learned_space: is_open.then(|| mssc.clone()),
                // Nearly every bandwidth of affinities keeps constraints in the space that was learned from them, so
                // these would choose it badly.
                uses_constraints_in_learned_space: false,
                ..SupervisedFit::new(mssc, n_clusters.fixed(), self.refine, self.seed)
            };
            declared.fit(problem, observer)
        })
    }
}

impl SupervisedGrouping for Mssc {
    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let points = Self::INFO.points_of(problem)?;
        let ones = vec![1; points.len()];
        let distinct = problem.distinct()?;
        let Some((distinct, rows)) = &distinct else {
            return self.group_distinct(points, &ones, problem, observer);
        };
        let distinct_points = Self::INFO.points_of(distinct)?;
        let mut grouped =
            self.group_distinct(distinct_points, &rows.counts(), distinct, observer)?;
        grouped.grouping.labels = rows.spread(&grouped.grouping.labels);
        if let Some(partitions) = &mut grouped.partitions {
            partitions.of_point = rows.spread(&partitions.of_point);
        }
        grouped.space = RefinementSpace::Points(points.clone());
        Ok(grouped)
    }
}

impl Mssc {
    /// The clusters of points of which no two coincide, each of which was given as often as `copies` says.
    fn group_distinct<'a>(
        &self,
        points: &Points,
        copies: &[usize],
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let weights = problem.weights();
        let mut found = self.partitions(points, weights, observer)?;
        let constraints = problem.constraints();
        if !constraints.is_empty() {
            divide(points, &constraints.closure(), &mut found.of_point, &mut found.count);
        }
        if found.count > LIMIT {
            return Err(self.too_many(found.count, found.grouping.bandwidth));
        }
        let masses = found.masses(weights);
        let mut sizes = vec![0; found.count];
        for (&partition, copies) in found.of_point.iter().zip(copies) {
            sizes[partition] += copies;
        }
        let partitioned = Partitioned {
            points,
            weights,
            of_point: &found.of_point,
            masses: &masses,
            sizes: &sizes,
            constraints: constraints.on_sets(&found.of_point, found.count, Combine::Majority)?,
        };
        let mut settings = self.spectral_settings(&partitioned, observer)?;
        let (clusters, affinity) = if let Some(known) = settings.clusters.take() {
            known
        } else {
            let affinity = partitioned.affinity(settings.bandwidth, observer)?;
            if found.count <= self.n_clusters.resolved() {
                ((0..found.count).collect(), affinity)
            } else {
                let affinity = self.supervised(affinity, &partitioned.constraints, observer)?;
                let embedding = settings.embedding;
                (self.clusters(embedding, &affinity, &partitioned, observer)?, affinity)
            }
        };
        let labels: Vec<Label> = found.of_point.iter().map(|&p| Some(clusters[p])).collect();
        let (labels, n_clusters) = renumber_by_appearance(&labels);
        let mut clusters = vec![None; found.count];
        for (&partition, &label) in found.of_point.iter().zip(&labels) {
            clusters[partition] = label;
        }
        let model = if constraints.is_empty() {
            MergedModel::new(found.model, clusters).into()
        } else {
            AnyModel::KnnClassifier(KnnClassifier::with_default_neighbors(points, &labels)?)
        };
        let mut grouping = found.grouping;
        let bandwidth = grouping.bandwidth;
        let is_blurred = self.first_stage == FirstStage::MeanShift && self.blurring;
        if is_blurred && grouping.stop == StopReason::MaxIterations {
            // Blurred points never rest before all are in one place.
            grouping.stop = StopReason::FixedCount;
        }
        grouping.labels = labels;
        grouping.n_clusters = n_clusters;
        grouping.centers = None;
        let mut grouped = Grouped::of_points(grouping, model, points);
        grouped.chosen = self.chosen(bandwidth, &settings);
        grouped.partitions = Some(PartitionReport { of_point: found.of_point, affinity });
        Ok(grouped)
    }

    fn chosen(&self, bandwidth: Option<f64>, settings: &SpectralSettings) -> Vec<Chosen> {
        let mut chosen = Vec::new();
        if let (AutoOr::Auto, Some(bandwidth)) = (self.bandwidth, bandwidth) {
            chosen.push(Chosen::new("bandwidth", bandwidth, "the spread of the points"));
        }
        if self.spectral_bandwidth == AutoOr::Auto {
            chosen.push(Chosen::new("spectral_bandwidth", settings.bandwidth, settings.by));
        }
        if self.embedding == PartitionEmbedding::Auto {
            let by = "the cut of their clusters among neighbours";
            chosen.push(Chosen::new("embedding", PartitionEmbedding::from(settings.embedding), by));
        }
        chosen
    }
}
