//! From rows to clusters and centres: Lloyd's algorithm from several starts.

use ndarray::{Array2, ArrayView2, Axis, CowArray, Ix2};

use super::lloyd::{LloydRun, Scatter, descend};
use super::params::{Distance, KMeans, KMeansInit};
use super::{data::KMeansData, model::KMeansModel};
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, Label, Renumbering, StopReason,
    checks::check_rows_and_weights, restarts::best_of,
};
use crate::observe::{Observer, Progress, Silent};
use crate::{Error, Result};

impl GroupingAlgorithm for KMeans {
    type Input<'a> = GroupingInput<'a, ArrayView2<'a, f64>>;
    type Model = KMeansModel;

    /// Finds the clusters of rows of finite numbers, numbered in the order of their first points, and
    /// their centres. A weight is 0 or more.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, KMeansModel)> {
        let input = input.into();
        let (rows, weights) = (input.data, input.weights);
        self.check_all(rows, weights)?;
        let start = self.initial_centers(rows.ncols())?;
        let rows = self.distance.standard_rows(rows);
        let data = KMeansData::new(rows.view(), weights, self.distance);
        let scatter = Scatter::new(&data);
        if let Some(start) = start {
            let progress = Progress::new(observer, "k-means", 1);
            let found = descend(self, &data, &scatter, start, &progress)?;
            return self.finish(&rows, &data, found, true);
        }
        let progress = Progress::new(observer, "k-means", self.n_init);
        let run = |run: usize| {
            let start = data.select(&self.starts(&data, run, &progress)?);
            descend(self, &data, &scatter, start, &progress)
        };
        let best = best_of(self.n_init, &progress, run, |found| found.objective)?;
        self.finish(&rows, &data, best, false)
    }
}

impl KMeans {
    /// The points at which the first run of [`group`](GroupingAlgorithm::group) starts: one per cluster,
    /// or fewer where there are fewer distinct points with a weight above 0; none where the centres are
    /// given.
    ///
    /// # Errors
    /// Those of [`group`](GroupingAlgorithm::group).
    pub fn seeds(&self, rows: ArrayView2<'_, f64>, weights: Option<&[f64]>) -> Result<Vec<usize>> {
        self.check_all(rows, weights)?;
        let rows = self.distance.standard_rows(rows);
        let data = KMeansData::new(rows.view(), weights, self.distance);
        let progress = Progress::new(&Silent, "k-means", 1);
        let starts = self.starts(&data, 0, &progress)?;
        Ok(starts.into_iter().map(|i| data.first[i]).collect())
    }

    fn check_all(&self, rows: ArrayView2<'_, f64>, weights: Option<&[f64]>) -> Result<()> {
        self.check()?;
        check_rows_and_weights(rows, weights)?;
        self.n_clusters.given_n_clusters(rows.nrows()).map(|_| ())
    }

    /// The given initial centres, checked; `None` where they are to be chosen.
    fn initial_centers(&self, dims: usize) -> Result<Option<Array2<f64>>> {
        let KMeansInit::Centers(rows) = &self.init else {
            return Ok(None);
        };
        let bad =
            |value: String, expected: &str| Err(Error::bad_parameter("init", value, expected));
        if rows.len() != self.n_clusters.resolved() {
            let expected = "there must be one for each of the n_clusters clusters";
            return bad(format!("{} centres", rows.len()), expected);
        }
        for (c, row) in rows.iter().enumerate() {
            if row.len() != dims {
                let value = format!("centre {c} with {} coordinates", row.len());
                return bad(value, "a centre must have as many coordinates as a point");
            }
            if !row.iter().all(|x| x.is_finite()) {
                return bad(format!("centre {c}"), "its coordinates must be finite");
            }
            if self.distance == Distance::Cosine && row.iter().all(|&x| x == 0.0) {
                return bad(format!("centre {c}"), "at the origin it has no direction");
            }
        }
        let centers = Array2::from_shape_vec((rows.len(), dims), rows.concat());
        let standard =
            |centers: Array2<f64>| self.distance.standard_rows(centers.view()).into_owned();
        Ok(centers.ok().map(standard))
    }

    /// Labels every input row and numbers the clusters that have points.
    fn finish(
        &self,
        rows: &CowArray<'_, f64, Ix2>,
        data: &KMeansData<'_>,
        found: LloydRun,
        keeps_order: bool,
    ) -> Result<(Grouping, KMeansModel)> {
        let model = KMeansModel::new(found.centers, self.distance);
        let distinct_row_of = data.distinct_row_of.iter();
        let mut labels: Vec<Label> =
            distinct_row_of.map(|place| Some(found.labels[(*place)?])).collect();
        // Points of weight 0 take part here; points at the origin have no direction and stay unlabelled.
        let others: Vec<usize> = (0..labels.len()).filter(|&i| labels[i].is_none()).collect();
        if !others.is_empty() && model.n_clusters() > 0 {
            let found = model.assign(rows.select(Axis(0), &others).view())?;
            for (&i, label) in others.iter().zip(found) {
                labels[i] = label;
            }
        }
        let numbers = Renumbering::of(labels.iter().copied().flatten(), keeps_order);
        for label in &mut labels {
            *label = label.and_then(|cluster| numbers.get(cluster));
        }
        let centers: Array2<f64> = model.centers().select(Axis(0), &numbers.order);
        let stop = StopReason::of_descent(found.converged);
        let grouping = Grouping {
            centers: Some(centers.clone()),
            ..Grouping::new(labels, numbers.n_clusters(), stop, found.trace)
        };
        Ok((grouping, KMeansModel::new(centers, self.distance)))
    }
}
