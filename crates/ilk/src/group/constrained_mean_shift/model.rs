//! A fitted constrained mean shift, for new points.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::apart::Apart;
use super::shift::ConstrainedMeanShift;
use crate::group::Label;
use crate::observe::Observer;
use crate::problem::Points;
use crate::{Error, Result};

/// What is kept to place new points: the data, what is apart, and the bandwidths.
///
/// The density that a new point climbs changes in every iteration, and so do the constraints, which
/// are anchored at the moving centres. So the shift is done again with the new points as passengers,
/// which costs as much as the fit did and needs no memory of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CmsModel {
    dims: usize,
    points: Vec<f64>,
    weights: Option<Vec<f64>>,
    apart: Apart,
    params: ConstrainedMeanShift,
    merge_kernel: f64,
    merge_weight: f64,
    n_clusters: usize,
}

impl CmsModel {
    /// The model of a shift whose labels are
    /// [`components`](super::Shifted::components) of these thresholds.
    pub fn new(
        params: ConstrainedMeanShift,
        points: &Points,
        weights: Option<&[f64]>,
        apart: Apart,
        [merge_kernel, merge_weight]: [f64; 2],
        n_clusters: usize,
    ) -> Self {
        Self {
            dims: points.dims(),
            points: points.as_slice().to_vec(),
            weights: weights.map(<[f64]>::to_vec),
            apart,
            params: ConstrainedMeanShift {
                history: 0,
                ..params
            },
            merge_kernel,
            merge_weight,
            n_clusters,
        }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The clusters of new points. Training points get the labels that the fit gave them; of points
    /// that coincide and got different ones, that of the first.
    pub fn predict_watched(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        if points.dims() != self.dims {
            return Err(Error::WrongDimensions {
                found: points.dims(),
                expected: self.dims,
            });
        }
        let rows = self.points.len() / self.dims.max(1);
        let data = Points::from_shape(rows, self.dims, self.points.clone())?;
        self.apart.check(rows)?;
        let weights = self.weights.as_deref();
        let passengers = Some(points);
        let shifted = self
            .params
            .shift(&data, weights, &self.apart, passengers, observer)?;
        let labels = shifted.components(self.merge_kernel, self.merge_weight);
        // Centres of points with different labels may have met, so that a passenger's centre alone
        // does not tell which of them it started with.
        let first_at = first_at_each_place(&data);
        let label_of = |new: usize| {
            let known = first_at.get(&place(points.row(new)));
            labels[known.copied().unwrap_or(data.len() + new)]
        };
        Ok((0..points.len()).map(|new| Some(label_of(new))).collect())
    }
}

/// The first point at every place.
fn first_at_each_place(points: &Points) -> HashMap<Vec<u64>, usize> {
    let mut first_at = HashMap::with_capacity(points.len());
    for point in 0..points.len() {
        first_at.entry(place(points.row(point))).or_insert(point);
    }
    first_at
}

/// A place as a key; 0 and -0 are one.
fn place(row: &[f64]) -> Vec<u64> {
    row.iter().map(|x| (x + 0.0).to_bits()).collect()
}
