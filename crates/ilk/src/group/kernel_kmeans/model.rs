//! A fitted kernel k-means, for new points.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::means::{Mean, Means, Member};
use crate::group::Label;
use crate::numerics::sparse::Sparse;
use crate::observe::{Event, Observer, Silent};
use crate::problem::Points;
use crate::similarity::{Gram, Kernel};
use crate::{Error, Result};

/// Kernel values that are found at a time: 64 MiB.
const VALUES: usize = 1 << 23;

/// The means of the clusters, and how a new point is compared with them.
///
/// Training points get the labels that the fit gave them, unless the kernel is so indefinite that a
/// point of the best partition is not nearest to its own mean. No self-tuning kernel has been seen
/// to be; a kernel matrix of any other origin can be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelKMeansModel {
    means: Means,
    source: Source,
}

/// What the rows are that new points are given in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    /// What the means are made of: features, or kernel values with the points of the fit.
    Rows,
    /// Links with the nodes of the fit, of which shares count.
    Shares,
    /// Points, whose kernel values with those of the fit have to be found.
    Points { kernel: Kernel, points: Array2<f64> },
}

impl KernelKMeansModel {
    /// New points come as features, or as kernel values with all points of the fit.
    pub fn of_rows(means: Means) -> Self {
        let source = Source::Rows;
        Self { means, source }
    }

    /// New nodes come as links with all nodes of the fit, whose links, and how many nodes each counts
    /// for, are given with their clusters. Where clusters are weighed by degrees (`is_normalised`) it is
    /// the share of a node's links that counts.
    pub fn of_links(
        links: &Sparse,
        counts: &[f64],
        labels: &[Label],
        n_clusters: usize,
        is_normalised: bool,
    ) -> Self {
        let mut clusters = vec![
            Mean {
                mass: 0.0,
                square: 0.0
            };
            n_clusters
        ];
        for (i, &label) in labels.iter().enumerate() {
            let Some(cluster) = label else { continue };
            let (mut all, mut inside) = (0.0, 0.0);
            for (j, value) in links.entries(i) {
                let value = counts[i] * counts[j] * value;
                all += value;
                inside += if labels[j] == label { value } else { 0.0 };
            }
            clusters[cluster].mass += if is_normalised { all } else { counts[i] };
            clusters[cluster].square += inside;
        }
        for mean in &mut clusters {
            mean.square /= mean.mass * mean.mass;
        }
        let members = labels.iter().zip(counts).enumerate();
        let members = members.filter_map(|(point, (label, &weight))| {
            label.map(|cluster| Member {
                point,
                cluster,
                weight,
            })
        });
        Self {
            means: Means::Kernel {
                n: labels.len(),
                members: members.collect(),
                clusters,
            },
            source: if is_normalised {
                Source::Shares
            } else {
                Source::Rows
            },
        }
    }

    /// New points come as points; `kernel` compares them with `points`, those of the fit.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where the means are of another number of points.
    pub fn of_points(means: Means, kernel: Kernel, points: &Points) -> Result<Self> {
        if means.columns() != points.len() {
            return Err(Error::WrongLength {
                what: "the list of points of the fit",
                found: points.len(),
                expected: means.columns(),
            });
        }
        let points = points.view().to_owned();
        let source = Source::Points { kernel, points };
        Ok(Self { means, source })
    }

    /// The means.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.means.n_clusters()
    }

    /// Number of columns that new points must have: dimensions, or, where the fit was on a kernel
    /// matrix, points of the fit.
    pub fn dims(&self) -> usize {
        match &self.source {
            Source::Rows | Source::Shares => self.means.columns(),
            Source::Points { points, .. } => points.ncols(),
        }
    }

    /// The clusters of new points: those with the nearest means.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_watched(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_watched(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let (kernel, known) = match &self.source {
            Source::Rows => return self.means.assign(points.view()),
            Source::Shares => {
                let mut shares = points.view().to_owned();
                for mut row in shares.rows_mut() {
                    let sum = row.sum();
                    if sum > 0.0 {
                        row /= sum;
                    }
                }
                return self.means.assign(shares.view());
            }
            Source::Points { kernel, points } => (kernel, Points::new(points.clone())?),
        };
        let gram = Gram::new(kernel, &known, 0)?;
        let rows: Vec<usize> = (0..points.len()).collect();
        let mut labels = Vec::with_capacity(points.len());
        for (done, rows) in rows.chunks((VALUES / known.len()).max(1)).enumerate() {
            let values = gram.cross(&points.select(rows))?;
            labels.extend(self.means.assign(values.view())?);
            let event = Event::new("predict", done + 1, labels.len(), points.len());
            if observer.event(&event).is_break() {
                return Err(Error::Cancelled {
                    iterations: done + 1,
                });
            }
        }
        Ok(labels)
    }
}
