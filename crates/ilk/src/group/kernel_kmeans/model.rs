//! A fitted kernel k-means, for new points.

use serde::{Deserialize, Serialize};

use super::means::{ClusterMember, Mean, Means};
use crate::error::stored::{checked_on_read, ensure_len};
use crate::observe::{Event, Observer, Silent, report};
use crate::similarity::{Gram, Kernel, KernelValues, Landmarks};
use crate::{Result, error::check_length, group::Label, numerics::sparse::Sparse, problem::Points};

/// Kernel values that are computed at a time: 64 MiB.
const VALUES: usize = 1 << 23;

checked_on_read! {
    /// The means of the clusters, and how a new point is compared with them.
    ///
    /// Training points get the labels that the fit gave them, unless the kernel is so indefinite that a
    /// point of the best partition is not nearest to its own mean, as a given kernel matrix can be.
    pub struct KernelKMeansModel {
        means: Means,
        source: RowContent,
    }
}

/// What the columns of new points are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowContent {
    /// What the means are made of: features, or kernel values with the points of the fit.
    Rows,
    /// Edge weights to the nodes of the fit, which are divided by their sum.
    Shares,
    /// Coordinates, from which the kernel values with the points of the fit are computed.
    Points(Landmarks),
}

impl KernelKMeansModel {
    fn checked(self) -> Result<Self> {
        if let RowContent::Points(points) = &self.source {
            let what = "the list of points of the fit";
            ensure_len(what, points.len(), self.means.dims())?;
        }
        Ok(self)
    }

    /// New points come as features, or as kernel values with all points of the fit.
    pub fn of_rows(means: Means) -> Self {
        let source = RowContent::Rows;
        Self { means, source }
    }

    /// New nodes come as edge weights to all nodes of the fit. `links` are the edge weights between
    /// those, and `counts` says how many nodes each stands for. Where clusters are weighted by degrees
    /// (`is_normalised`), a new node's edge weights are divided by their sum.
    pub fn of_links(
        links: &Sparse,
        counts: &[f64],
        labels: &[Label],
        n_clusters: usize,
        is_normalised: bool,
    ) -> Self {
        let (mass, square) = (0.0, 0.0);
        let mut clusters = vec![Mean { mass, square }; n_clusters];
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
        let source = if is_normalised { RowContent::Shares } else { RowContent::Rows };
        let members = labels.iter().zip(counts).enumerate();
        let members = members.filter_map(|(point, (label, &weight))| {
            label.map(|cluster| ClusterMember { point, cluster, weight })
        });
        Self {
            means: Means::Kernel { n: labels.len(), members: members.collect(), clusters },
            source,
        }
    }

    /// New points come as coordinates; `kernel` compares them with `points`, those of the fit.
    ///
    /// # Errors
    /// [`Error::WrongLength`](crate::Error::WrongLength) where the means are of another number of points; those of [`Gram::new`].
    pub fn of_points(means: Means, kernel: &Kernel, points: &Points) -> Result<Self> {
        check_length("the list of points of the fit", points.len(), means.dims())?;
        let values = KernelValues::Gram(Gram::new(kernel, points, 0)?);
        let all: Vec<usize> = (0..points.len()).collect();
        let source = RowContent::Points(values.landmarks(&all));
        Ok(Self { means, source })
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.means.n_clusters()
    }

    /// Number of columns that new points must have: dimensions, or, where the fit was on a kernel
    /// matrix, points of the fit.
    pub fn dims(&self) -> usize {
        match &self.source {
            RowContent::Rows | RowContent::Shares => self.means.dims(),
            RowContent::Points(landmarks) => landmarks.dims(),
        }
    }

    /// The clusters of new points: those with the nearest means.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_observed(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let landmarks = match &self.source {
            RowContent::Rows => return self.means.assign(points.view()),
            RowContent::Shares => {
                let mut shares = points.view().to_owned();
                for mut row in shares.rows_mut() {
                    let sum = row.sum();
                    if sum > 0.0 {
                        row /= sum;
                    }
                }
                return self.means.assign(shares.view());
            }
            RowContent::Points(landmarks) => landmarks,
        };
        let rows: Vec<usize> = (0..points.len()).collect();
        let mut labels = Vec::with_capacity(points.len());
        for (done, rows) in rows.chunks((VALUES / landmarks.len()).max(1)).enumerate() {
            let values = landmarks.values(&points.select(rows))?;
            labels.extend(self.means.assign(values.view())?);
            let event = Event::new("predict", done + 1, labels.len(), points.len());
            report(observer, &event)?;
        }
        Ok(labels)
    }
}
