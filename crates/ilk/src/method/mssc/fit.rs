//! All stages of mean shift spectral clustering.

use super::first::LIMIT;
use super::lift::{divide, lifted};
use super::width::Partitioned;
use super::{FirstStage, KernelWidth, Mssc};
use crate::group::{Label, StopReason};
use crate::method::distinct::without_copies;
use crate::method::settling::Settling;
use crate::observe::Observer;
use crate::outcome::{Chosen, Clustering, ConstraintReport, Fit, Model, PartitionReport};
use crate::problem::{Input, Points, Problem};
use crate::settle::{Vote, by_appearance};
use crate::{Error, Result};

impl Mssc {
    pub(in crate::method) fn fit(
        &self,
        points: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        self.check()?;
        let n = points.len();
        if self.n_clusters > n {
            let k = self.n_clusters;
            return Err(Error::TooManyClusters { k, n });
        }
        let ones = vec![1; n];
        let Some((distinct, place_of)) = without_copies(points, problem)? else {
            return self.fit_distinct(points, &ones, problem, observer);
        };
        let Input::Points(places) = distinct.input() else {
            return self.fit_distinct(points, &ones, problem, observer);
        };
        let mut copies = vec![0; places.len()];
        for &place in &place_of {
            copies[place] += 1;
        }
        let mut fit = self.fit_distinct(places, &copies, &distinct, observer)?;
        let found = &mut fit.clustering;
        found.labels = place_of.iter().map(|&place| found.labels[place]).collect();
        found.report = ConstraintReport::new(problem.constraints(), &found.labels);
        if let Some(partitions) = &mut found.partitions {
            let of_point = &partitions.of_point;
            partitions.of_point = place_of.iter().map(|&place| of_point[place]).collect();
        }
        Ok(fit)
    }

    /// The clusters of points of which no two coincide, each of which was given as often as `copies` says.
    fn fit_distinct(
        &self,
        points: &Points,
        copies: &[usize],
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let n = points.len();
        let weights = problem.weights();
        let mut found = self.partitions(points, weights, observer)?;
        let said = problem.constraints();
        if !said.is_empty() {
            divide(
                points,
                &said.closure(),
                &mut found.of_point,
                &mut found.count,
            );
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
            said: lifted(said, &found.of_point, found.count)?,
        };
        let width = self.spectral_bandwidth(&partitioned, observer)?;
        let (clusters, affinity) = if let Some(known) = width.clusters {
            known
        } else {
            let affinity = partitioned.affinity(width.bandwidth, observer)?;
            if found.count <= self.n_clusters {
                ((0..found.count).collect(), affinity)
            } else {
                self.clusters(affinity, &partitioned, observer)?
            }
        };
        let labels: Vec<Label> = found.of_point.iter().map(|&p| Some(clusters[p])).collect();
        let (labels, n_clusters) = by_appearance(&labels);
        let mut clusters = vec![None; found.count];
        for (&partition, &label) in found.of_point.iter().zip(&labels) {
            clusters[partition] = label;
        }
        let model = if said.is_empty() {
            Model::Merged {
                parts: Box::new(found.model),
                clusters,
            }
        } else {
            Model::Vote(Vote::new(points, &labels, Settling::voters(n))?)
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
        let mut clustering = Clustering::new(grouping, said);
        clustering.chosen = self.chosen(bandwidth, width.bandwidth, width.by);
        clustering.partitions = Some(PartitionReport {
            of_point: found.of_point,
            affinity,
        });
        Ok(Fit { clustering, model })
    }

    fn chosen(&self, bandwidth: Option<f64>, spectral_bandwidth: f64, by: &str) -> Vec<Chosen> {
        let mut chosen = Vec::new();
        if let (KernelWidth::Auto, Some(bandwidth)) = (self.bandwidth, bandwidth) {
            chosen.push(Chosen::new(
                "bandwidth",
                bandwidth,
                "the spread of the points",
            ));
        }
        if self.spectral_bandwidth == KernelWidth::Auto {
            chosen.push(Chosen::new("spectral_bandwidth", spectral_bandwidth, by));
        }
        chosen
    }
}
