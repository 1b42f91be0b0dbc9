//! Fitting: descents from several starts, and the best of them.

use ndarray::{Array2, ArrayView2, Axis, CowArray, Ix2};
use rayon::prelude::*;

use super::cloud::{Cloud, check, directions};
use super::descent::{Descent, Scatter, descend};
use super::model::KMeansModel;
use super::params::{Distance, KMeans, Start};
use crate::group::watch::Watch;
use crate::group::{Grouping, Label, StopReason, in_order_of_appearance, numbers_in};
use crate::observe::Observer;
use crate::{Error, Result};

impl KMeans {
    /// Finds the clusters of rows of finite numbers, numbered in the order of their first points, and
    /// their centres.
    ///
    /// `weights` says how many points each point counts for, 0 or more.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`] where there are fewer points than clusters; [`Error::Empty`],
    /// [`Error::WrongLength`], [`Error::BadParameter`] (also of centres that are given),
    /// [`Error::Cancelled`].
    pub fn fit(
        &self,
        rows: ArrayView2<'_, f64>,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, KMeansModel)> {
        self.check_all(rows, weights)?;
        let start = self.given(rows.ncols())?;
        let rows = self.rows(rows);
        let cloud = self.cloud(&rows, weights);
        let scatter = Scatter::new(&cloud);
        if let Some(start) = start {
            let watch = Watch::new("k-means", observer, 1);
            let descent = descend(self, &cloud, &scatter, start, &watch)?;
            return self.finish(&rows, &cloud, descent, in_order_of_centers);
        }
        let watch = Watch::new("k-means", observer, self.n_init);
        let best = (0..self.n_init)
            .into_par_iter()
            .map(|run| {
                watch.goes_on(0)?;
                let start = cloud.select(&self.starts(&cloud, run));
                let descent = descend(self, &cloud, &scatter, start, &watch);
                watch.finish();
                descent
            })
            .try_reduce_with(|best, descent| {
                Ok(if descent.objective < best.objective {
                    descent
                } else {
                    best
                })
            });
        // There is at least one descent.
        let best = best.unwrap_or(Err(Error::Cancelled { iterations: 0 }))?;
        self.finish(&rows, &cloud, best, in_order_of_points)
    }

    /// The points at which the first descent of [`fit`](Self::fit) starts: one a cluster, or fewer
    /// where there are fewer different points with a weight. Where centres are given it is none.
    ///
    /// # Errors
    /// Those of [`fit`](Self::fit).
    pub fn seeds(&self, rows: ArrayView2<'_, f64>, weights: Option<&[f64]>) -> Result<Vec<usize>> {
        self.check_all(rows, weights)?;
        let rows = self.rows(rows);
        let cloud = self.cloud(&rows, weights);
        let starts = self.starts(&cloud, 0);
        Ok(starts.into_iter().map(|i| cloud.first[i]).collect())
    }

    fn check_all(&self, rows: ArrayView2<'_, f64>, weights: Option<&[f64]>) -> Result<()> {
        self.check()?;
        check(rows, weights)?;
        if self.n_clusters > rows.nrows() {
            return Err(Error::TooManyClusters {
                k: self.n_clusters,
                n: rows.nrows(),
            });
        }
        Ok(())
    }

    /// The centres that are given, if they are.
    fn given(&self, dims: usize) -> Result<Option<Array2<f64>>> {
        let Start::Centers(rows) = &self.init else {
            return Ok(None);
        };
        let bad = |value: String, expected: &str| {
            Err(Error::BadParameter {
                parameter: "init",
                value,
                expected: expected.to_owned(),
            })
        };
        if rows.len() != self.n_clusters {
            let expected = "there must be one for each of the n_clusters clusters";
            return bad(format!("{} centres", rows.len()), expected);
        }
        for (c, row) in rows.iter().enumerate() {
            if row.len() != dims {
                let expected = "a centre must have as many coordinates as a point";
                return bad(
                    format!("centre {c} with {} coordinates", row.len()),
                    expected,
                );
            }
            if !row.iter().all(|x| x.is_finite()) {
                return bad(format!("centre {c}"), "its coordinates must be finite");
            }
            if self.distance == Distance::Cosine && row.iter().all(|&x| x == 0.0) {
                return bad(format!("centre {c}"), "at the origin it has no direction");
            }
        }
        let centers = Array2::from_shape_vec((rows.len(), dims), rows.concat());
        Ok(centers
            .ok()
            .map(|centers| self.rows(centers.view()).into_owned()))
    }

    /// Rows one after the other: as they are, or their directions.
    fn rows<'a>(&self, rows: ArrayView2<'a, f64>) -> CowArray<'a, f64, Ix2> {
        match self.distance {
            Distance::Cosine => directions(rows).into(),
            Distance::Euclidean if rows.is_standard_layout() => rows.into(),
            Distance::Euclidean => rows.as_standard_layout().into_owned().into(),
        }
    }

    fn cloud<'a>(&self, rows: &'a CowArray<'_, f64, Ix2>, weights: Option<&[f64]>) -> Cloud<'a> {
        Cloud::new(rows.view(), weights, self.distance)
    }

    /// Gives every input row its label and numbers the clusters that have any.
    fn finish(
        &self,
        rows: &CowArray<'_, f64, Ix2>,
        cloud: &Cloud<'_>,
        descent: Descent,
        order: impl Fn(&[Label]) -> Vec<usize>,
    ) -> Result<(Grouping, KMeansModel)> {
        let model = KMeansModel::new(descent.centers, self.distance);
        let place_of = cloud.place_of.iter();
        let mut labels: Vec<Label> = place_of
            .map(|place| Some(descent.labels[(*place)?]))
            .collect();
        // Points without a weight, and those without a direction, which stay without a label.
        let others: Vec<usize> = (0..labels.len()).filter(|&i| labels[i].is_none()).collect();
        if !others.is_empty() && model.n_clusters() > 0 {
            let found = model.assign(rows.select(Axis(0), &others).view())?;
            for (&i, label) in others.iter().zip(found) {
                labels[i] = label;
            }
        }
        let used = order(&labels);
        let number = numbers_in(&used);
        for cluster in labels.iter_mut().flatten() {
            *cluster = number[cluster];
        }
        let centers: Array2<f64> = model.centers().select(Axis(0), &used);
        let grouping = Grouping {
            labels,
            n_clusters: used.len(),
            centers: Some(centers.clone()),
            rest: None,
            bandwidth: None,
            iterations: descent.trace.len(),
            stop: if descent.converged {
                StopReason::Converged
            } else {
                StopReason::MaxIterations
            },
            trace: descent.trace,
            history: Vec::new(),
        };
        Ok((grouping, KMeansModel::new(centers, self.distance)))
    }
}

/// The clusters that have points, in the order of their first ones.
fn in_order_of_points(labels: &[Label]) -> Vec<usize> {
    in_order_of_appearance(labels.iter().copied().flatten())
}

/// The clusters that have points, as they are numbered.
fn in_order_of_centers(labels: &[Label]) -> Vec<usize> {
    let mut order = in_order_of_points(labels);
    order.sort_unstable();
    order
}
