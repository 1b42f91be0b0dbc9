//! From points to partitions.

use super::{FirstStage, Mssc};
use crate::group::kmeans::KMeans;
use crate::group::mean_shift::MeanShift;
use crate::group::mixture::GaussianMixture;
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput, Label};
use crate::observe::Observer;
use crate::outcome::{AnyModel, MergedModel};
use crate::parameter::AutoOr;
use crate::problem::Points;
use crate::similarity::Bandwidth;
use crate::similarity::bandwidth::rules::silverman;
use crate::{Error, Result};

/// The bandwidth as a share of Silverman's, which is meant for one heap.
const OF_SILVERMAN: f64 = 0.3;

/// The thesis's upper limit of partitions.
const MOST: usize = 2500;

/// Of more partitions the affinities would take more than half a gigabyte.
pub(super) const LIMIT: usize = 8000;

/// How much wider or narrower the bandwidth gets at a time where there are too many partitions or too few.
const STEP: f64 = 1.5;

/// Partitions that a cluster should have, on average.
const A_CLUSTER: usize = 3;

/// A bandwidth is not narrowed more often than this: points that coincide cannot be separated.
const NARROWER: usize = 12;

/// Dimensions up to which blurring pools centres by cells.
const CELL_DIMS: usize = 8;

/// Differences of coordinates that a shift of many dimensions may take: points squared, times dimensions, times
/// iterations. A second or two on one core.
const SHIFT_WORK: f64 = 3e9;

/// Steps of the k-means that pools points.
const POOLING: usize = 10;

/// Partitions of points.
pub(super) struct Partitions {
    /// The partition of every point, from 0 without gaps.
    pub(super) of_point: Vec<usize>,
    pub(super) count: usize,
    /// What gives new points a partition; as many as `count`, in the same order.
    pub(super) model: AnyModel,
    /// How they were found.
    pub(super) grouping: Grouping,
}

/// How many partitions there are for bandwidths around one.
#[derive(Debug, Clone, PartialEq)]
pub struct BandwidthScan {
    /// The bandwidths, rising.
    pub bandwidths: Vec<f64>,
    /// How many partitions the shift finds with each.
    pub partitions: Vec<usize>,
    /// How many of these have one point.
    pub singletons: Vec<usize>,
}

impl Mssc {
    /// Finds partitions.
    pub(super) fn partitions(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Partitions> {
        match self.first_stage {
            FirstStage::MeanShift => match self.n_pools(points) {
                Some(n_pools) => self.shift_pools(points, weights, n_pools, observer),
                None => self.shift(points, weights, observer),
            },
            FirstStage::KMeans => {
                let kmeans = KMeans {
                    n_clusters: self.count(points.len())?.into(),
                    n_init: 1,
                    seed: self.seed,
                    ..KMeans::default()
                };
                let (grouping, model) = kmeans
                    .group(GroupingInput::new(points.view()).with_weights(weights), observer)?;
                Ok(Partitions::new(grouping, AnyModel::KMeans(model)))
            }
            FirstStage::Mixture => {
                let mixture = GaussianMixture {
                    n_clusters: self.count(points.len())?.into(),
                    seed: self.seed,
                    ..GaussianMixture::default()
                };
                let (grouping, model) = mixture
                    .group(GroupingInput::new(points.view()).with_weights(weights), observer)?;
                Ok(Partitions::new(grouping, AnyModel::Mixture(model)))
            }
        }
    }

    /// Partitions for k-means and the mixture.
    fn count(&self, n: usize) -> Result<usize> {
        let usual = (10 * self.n_clusters.resolved()).max(2 * (n as f64).sqrt() as usize);
        let count = self.n_partitions.unwrap_or(usual.min(LIMIT)).min(n);
        if count > LIMIT {
            return Err(self.too_many(count, None));
        }
        Ok(count)
    }

    /// The error of more than [`LIMIT`] partitions.
    pub(super) fn too_many(&self, count: usize, bandwidth: Option<f64>) -> Error {
        let (parameter, value, other) = if let Some(bandwidth) = bandwidth {
            ("bandwidth", bandwidth.to_string(), "larger")
        } else {
            let given = self.n_partitions;
            let given = given.map_or_else(|| "none".to_owned(), |given| given.to_string());
            ("n_partitions", given, "smaller")
        };
        Error::BadParameter {
            parameter,
            value,
            expected: format!(
                "it gives {count} partitions, and more than {LIMIT} are too many for their spectrum; take a \
                 {other} one"
            ),
        }
    }

    fn shift(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Partitions> {
        let mut bandwidth = self.first_bandwidth(points);
        let enough = (A_CLUSTER * self.n_clusters.resolved()).min(points.len()).min(MOST);
        let mut narrowed = 0;
        loop {
            let params = self.mean_shift(bandwidth);
            let (grouping, model) =
                params.group(GroupingInput::new(points).with_weights(weights), observer)?;
            let count = grouping.n_clusters;
            let is_too_few = count < enough && narrowed < NARROWER;
            let is_too_many = count > MOST;
            if self.bandwidth != AutoOr::Auto || !(is_too_few || is_too_many) {
                return Ok(Partitions::new(grouping, AnyModel::MeanShift(model)));
            }
            if is_too_many {
                bandwidth *= STEP;
                // Not back again, whatever comes of it.
                narrowed = NARROWER;
            } else {
                bandwidth /= STEP;
                narrowed += 1;
            }
        }
    }

    /// The bandwidth with which the shift is tried first.
    fn first_bandwidth(&self, points: &Points) -> f64 {
        match self.bandwidth {
            AutoOr::Fixed(bandwidth) => bandwidth,
            AutoOr::Auto => {
                let bandwidth = OF_SILVERMAN * silverman(points);
                // Where all points coincide, any will do.
                if bandwidth > 0.0 { bandwidth } else { 1.0 }
            }
        }
    }

    fn mean_shift(&self, bandwidth: f64) -> MeanShift {
        MeanShift {
            bandwidth: Bandwidth::Fixed(bandwidth),
            blurring: self.blurring,
            cell: self.cell,
            max_iter: self.max_iter,
            seed: self.seed,
            ..MeanShift::default()
        }
    }

    /// How many pools are shifted in place of the points; none where the points are.
    ///
    /// In few dimensions centres soon share cells and are pooled by these. In many they do not, and a step takes a
    /// distance for every two points.
    fn n_pools(&self, points: &Points) -> Option<usize> {
        if points.len() > self.pool {
            return Some((self.pool / 100).max(1));
        }
        if points.dims() <= CELL_DIMS || self.bandwidth != AutoOr::Auto {
            return None;
        }
        let affordable = (SHIFT_WORK / (points.dims() * self.max_iter) as f64).sqrt() as usize;
        let affordable = affordable.max(A_CLUSTER * self.n_clusters.resolved());
        (points.len() > affordable).then_some(affordable)
    }

    /// Three stages in place of two: k-means pools the points, and the pools are shifted.
    fn shift_pools(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        n_pools: usize,
        observer: &dyn Observer,
    ) -> Result<Partitions> {
        let kmeans = KMeans {
            n_clusters: n_pools.into(),
            n_init: 1,
            max_iter: POOLING,
            seed: self.seed,
            ..KMeans::default()
        };
        let (pooled, pools) =
            kmeans.group(GroupingInput::new(points.view()).with_weights(weights), observer)?;
        let centers = Points::new(pools.centers().to_owned())?;
        let pooled = Partitions::new(pooled, AnyModel::KMeans(pools));
        let shifted = self.shift(&centers, Some(&pooled.masses(weights)), observer)?;
        let partition_of_pool: Vec<Label> = shifted.of_point.iter().map(|&p| Some(p)).collect();
        let labels = pooled.of_point.iter().map(|&pool| partition_of_pool[pool]);
        let grouping = Grouping { labels: labels.collect(), ..shifted.grouping };
        let model = MergedModel::new(pooled.model, partition_of_pool);
        Ok(Partitions::new(grouping, model.into()))
    }

    /// How many partitions the first stage finds for bandwidths from a quarter of `bandwidth` to twice as
    /// much; of the one that is tried first where it is left open.
    ///
    /// # Errors
    /// Those of a fit; [`Error::Unsupported`] where the first stage has no bandwidth.
    pub fn sweep(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<BandwidthScan> {
        self.check()?;
        if self.first_stage != FirstStage::MeanShift {
            return Err(Error::Unsupported {
                method: "a sweep over bandwidths",
                what: "a first stage without any".to_owned(),
                alternatives: "it can use mean_shift".to_owned(),
            });
        }
        let middle = self.first_bandwidth(points);
        let mut sweep = BandwidthScan {
            bandwidths: Vec::new(),
            partitions: Vec::new(),
            singletons: Vec::new(),
        };
        for step in -8..=4 {
            let bandwidth = middle * 2f64.powf(f64::from(step) / 4.0);
            let fixed = Self { bandwidth: AutoOr::Fixed(bandwidth), ..self.clone() };
            let found = fixed.partitions(points, weights, observer)?;
            let mut sizes = vec![0; found.count];
            for &partition in &found.of_point {
                sizes[partition] += 1;
            }
            sweep.bandwidths.push(bandwidth);
            sweep.partitions.push(found.count);
            sweep.singletons.push(sizes.iter().filter(|&&size| size == 1).count());
        }
        Ok(sweep)
    }
}

impl Partitions {
    fn new(grouping: Grouping, model: AnyModel) -> Self {
        let of_point = grouping.labels.iter().map(|label| label.unwrap_or(0));
        Self { of_point: of_point.collect(), count: grouping.n_clusters, model, grouping }
    }

    /// The weight of the points of every partition.
    pub(super) fn masses(&self, weights: Option<&[f64]>) -> Vec<f64> {
        let mut masses = vec![0.0; self.count];
        for (i, &partition) in self.of_point.iter().enumerate() {
            masses[partition] += weights.map_or(1.0, |weights| weights[i]);
        }
        masses
    }
}
