//! A fitted constrained mean shift, for new points.

use ndarray::{Axis, concatenate};

use super::params::ConstrainedMeanShift;
use crate::error::stored::{
    checked_on_read, ensure, ensure_below, ensure_finite, ensure_len, ensure_not_negative,
    ensure_positive,
};
use crate::problem::{CannotLinkSets, Points};
use crate::{
    Result, error::check_dims, group::Label, numerics::distinct_rows::DistinctRows,
    observe::Observer,
};

checked_on_read! {
    /// The data, the cannot-link sets and the bandwidths.
    ///
    /// The density on which a new point moves changes in every iteration, and so do the weights of the
    /// constraints, which depend on the moving centres. So `predict` repeats the shift, with a centre without
    /// mass for every new point: that takes as long as the fit, but the model need not hold all iterations.
    pub struct CmsModel {
        dims: usize,
        points: Vec<f64>,
        weights: Option<Vec<f64>>,
        #[serde(rename = "apart")]
        separated: CannotLinkSets,
        params: ConstrainedMeanShift,
        merge_kernel: f64,
        merge_weight: f64,
        n_clusters: usize,
    }
}

/// Fails where a file holds numbers with which no shift can have been done.
fn check_shift(params: &ConstrainedMeanShift) -> Result<()> {
    ensure(!params.bandwidths.is_empty(), || "it has no bandwidth".to_owned())?;
    ensure_positive("a bandwidth", &params.bandwidths)?;
    let truncation = params.truncation;
    ensure(truncation > 0.0 && truncation <= 1.0, || {
        format!("its kernel is truncated at {truncation}")
    })?;
    ensure_not_negative(
        "the width of a constraint",
        [&params.constraint_scale, &params.narrowest],
    )?;
    match &params.early_stop {
        None => Ok(()),
        Some(rule) => ensure_not_negative(
            "a number of the rule to stop",
            [&rule.merge_kernel, &rule.merge_weight, &rule.min_movement],
        ),
    }
}

impl CmsModel {
    fn checked(mut self) -> Result<Self> {
        let n = self.data()?.len();
        if let Some(weights) = &self.weights {
            ensure_len("the list of weights", weights.len(), n)?;
            ensure_positive("the weight of a point", weights)?;
        }
        self.separated.check(n)?;
        check_shift(&self.params)?;
        let thresholds = [&self.merge_kernel, &self.merge_weight];
        ensure_finite("a threshold for merging", thresholds)?;
        let n_clusters = self.n_clusters;
        ensure((1..=n).contains(&n_clusters), || {
            format!("it has {n_clusters} clusters of {n} points")
        })?;
        self.params.history = 0;
        Ok(self)
    }

    fn data(&self) -> Result<Points> {
        let rows = self.points.len() / self.dims.max(1);
        Points::from_shape(rows, self.dims, self.points.clone())
    }

    /// The model of a shift whose labels are
    /// [`components`](super::ShiftedCenters::components) of these thresholds.
    pub fn new(
        params: ConstrainedMeanShift,
        points: &Points,
        weights: Option<&[f64]>,
        separated: CannotLinkSets,
        [merge_kernel, merge_weight]: [f64; 2],
        n_clusters: usize,
    ) -> Self {
        Self {
            dims: points.dims(),
            points: points.as_slice().to_vec(),
            weights: weights.map(<[f64]>::to_vec),
            separated,
            params: ConstrainedMeanShift { history: 0, ..params },
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
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        check_dims(points.dims(), self.dims)?;
        let data = self.data()?;
        let (params, weights) = (&self.params, self.weights.as_deref());
        let shifted = params.shift(&data, weights, &self.separated, Some(points), observer)?;
        let labels = shifted.components(self.merge_kernel, self.merge_weight);
        // Only the shift shows whether a file holds the numbers of another fit.
        let clusters = labels.iter().copied();
        ensure_below("the cluster of a point", clusters, self.n_clusters)?;
        // Centres of points with different labels may coincide in the end, so that the final centre of a
        // new point does not show with which of them it started.
        let all_rows = concatenate![Axis(0), data.view(), points.view()];
        let distinct = DistinctRows::new(all_rows.view());
        let label_of = |new: usize| {
            let first = distinct.first[distinct.distinct_row_of[data.len() + new]];
            let is_known = first < data.len();
            labels[if is_known { first } else { data.len() + new }]
        };
        Ok((0..points.len()).map(|new| Some(label_of(new))).collect())
    }
}
