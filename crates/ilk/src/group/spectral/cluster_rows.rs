//! From coordinates to clusters.

use ndarray::{Array2, ArrayView2, Axis};

use crate::embed::{AxisChoice, KernelMap, Laplacian};
use crate::error::stored::{checked_on_read, ensure, ensure_not_negative};
use crate::group::kmeans::{Distance, KMeans, KMeansInit, KMeansModel};
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, Label, checks::check_rows_and_weights,
};
use crate::{Result, observe::Observer, problem::Points};

/// A row shorter than this share of the mean length is 0 but for rounding.
const ZERO_LENGTH: f64 = 1e-8;

/// Up to this many rows the first descent may start from the angles of all pairs.
const MAX_ANGULAR_INIT: usize = 10_000;

/// How the rows of an embedding are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowComparison {
    /// By distance, as for kernel PCA, L and Lrw.
    Distance,
    /// By angle, as for KECA: groups lie in different directions from the origin. The first descent starts
    /// at the two rows with the largest angle, and then always at the one with the smallest sum of
    /// cosines (MSSC (4.17)); of more than 10,000 rows it starts as the others do.
    Angle,
    /// By distance between rows of unit length, as for Lsym.
    UnitDistance,
}

impl From<AxisChoice> for RowComparison {
    fn from(choice: AxisChoice) -> Self {
        match choice {
            AxisChoice::Entropy => Self::Angle,
            AxisChoice::Variance { .. } => Self::Distance,
        }
    }
}

impl From<Laplacian> for RowComparison {
    fn from(laplacian: Laplacian) -> Self {
        match laplacian {
            Laplacian::Sym => Self::UnitDistance,
            Laplacian::Rw | Laplacian::Unnormalized => Self::Distance,
        }
    }
}

/// Groups the rows of an embedding by k-means, into at most as many clusters as there are rows.
///
/// Where they are compared by angle or brought to unit length, a row of 0 has no direction and belongs to no
/// cluster. A row counts as many points as its weight says.
///
/// # Errors
/// Those of [`KMeans`].
pub fn group_rows(
    rows: ArrayView2<'_, f64>,
    weights: Option<&[f64]>,
    compare: RowComparison,
    kmeans: &KMeans,
    observer: &dyn Observer,
) -> Result<(Grouping, RowModel)> {
    check_rows_and_weights(rows, weights)?;
    let n = rows.nrows();
    let comparable = ComparableRows::new(rows, compare);
    let distance = match compare {
        RowComparison::Angle => Distance::Cosine,
        // Rows without direction have no cluster by angle, but one by distance.
        _ if comparable.kept.is_empty() => Distance::Cosine,
        RowComparison::Distance | RowComparison::UnitDistance => Distance::Euclidean,
    };
    let init = match compare {
        RowComparison::Angle if n <= MAX_ANGULAR_INIT => KMeansInit::Angular,
        _ => KMeansInit::PlusPlus,
    };
    let with_clusters = |n_clusters: usize| KMeans {
        n_clusters: kmeans.n_clusters.at_most(n_clusters).into(),
        distance,
        init: init.clone(),
        ..kmeans.clone()
    };
    let (grouping, groups) = if comparable.kept.is_empty() {
        let zeros = Array2::zeros(rows.dim());
        let input = GroupingInput::new(zeros.view()).with_weights(weights);
        with_clusters(n).group(input, observer)?
    } else {
        let kept = &comparable.kept;
        let weights: Option<Vec<f64>> =
            weights.map(|weights| kept.iter().map(|&i| weights[i]).collect());
        let input = GroupingInput::new(comparable.rows.view()).with_weights(weights.as_deref());
        let (grouping, groups) = with_clusters(kept.len()).group(input, observer)?;
        (comparable.over_all(grouping), groups)
    };
    let model = RowModel {
        unit: compare != RowComparison::Distance,
        shortest: comparable.shortest,
        groups,
    };
    Ok((grouping, model))
}

/// Rows as k-means compares them, without those that have no direction where that is what counts.
pub(super) struct ComparableRows {
    /// The rows that are grouped.
    pub(super) rows: Array2<f64>,
    /// Their positions among all rows, ascending.
    pub(super) kept: Vec<usize>,
    /// Number of all rows.
    n: usize,
    /// A row that is not longer has no direction.
    shortest: f64,
}

impl ComparableRows {
    pub(super) fn new(rows: ArrayView2<'_, f64>, compare: RowComparison) -> Self {
        let n = rows.nrows();
        if compare == RowComparison::Distance {
            return Self { rows: rows.to_owned(), kept: (0..n).collect(), n, shortest: 0.0 };
        }
        let shortest = ZERO_LENGTH * mean_length(rows);
        let rows = unit_rows(rows, shortest);
        let kept: Vec<usize> = (0..n).filter(|&i| has_direction(&rows, i)).collect();
        Self { rows: rows.select(Axis(0), &kept), kept, n, shortest }
    }

    /// The grouping of all rows, where those that were left out have no cluster.
    pub(super) fn over_all(&self, grouping: Grouping) -> Grouping {
        let mut labels: Vec<Label> = vec![None; self.n];
        for (&i, &label) in self.kept.iter().zip(&grouping.labels) {
            labels[i] = label;
        }
        Grouping { labels, ..grouping }
    }
}

/// Rows of unit length; 0 for those that are not longer than `shortest`.
fn unit_rows(rows: ArrayView2<'_, f64>, shortest: f64) -> Array2<f64> {
    let mut rows = rows.to_owned();
    for mut row in rows.rows_mut() {
        let length = row.dot(&row).sqrt();
        if length > shortest {
            row /= length;
        } else {
            row.fill(0.0);
        }
    }
    rows
}

fn has_direction(rows: &Array2<f64>, i: usize) -> bool {
    rows.row(i).iter().any(|&x| x != 0.0)
}

fn mean_length(rows: ArrayView2<'_, f64>) -> f64 {
    let total: f64 = rows.rows().into_iter().map(|row| row.dot(&row).sqrt()).sum();
    total / rows.nrows().max(1) as f64
}

checked_on_read! {
    /// The clusters of rows of an embedding.
    pub struct RowModel {
        /// Whether rows are brought to unit length.
        unit: bool,
        /// Rows that are not longer than this have no direction.
        shortest: f64,
        groups: KMeansModel,
    }
}

impl RowModel {
    fn checked(self) -> Result<Self> {
        ensure_not_negative("the length of the shortest row", [&self.shortest])?;
        Ok(self)
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.groups.n_clusters()
    }

    /// The clusters of rows.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn assign(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<Label>> {
        if !self.unit {
            return self.groups.assign(rows);
        }
        let rows = unit_rows(rows, self.shortest);
        let labels = self.groups.assign(rows.view())?;
        let labels = labels.into_iter().enumerate();
        Ok(labels.map(|(i, label)| label.filter(|_| has_direction(&rows, i))).collect())
    }
}

checked_on_read! {
    /// Clusters in the space of a kernel. New points are mapped there, and get the cluster of the
    /// nearest centre.
    pub struct SpectralModel {
        map: KernelMap,
        rows: RowModel,
    }
}

impl SpectralModel {
    fn checked(self) -> Result<Self> {
        let (axes, dims) = (self.map.n_components(), self.rows.groups.dims());
        ensure(axes == dims, || {
            format!("its clusters have {dims} dimensions, but its map has {axes}")
        })?;
        Ok(self)
    }

    /// Clusters of rows in the space of the map.
    pub fn new(map: KernelMap, rows: RowModel) -> Self {
        Self { map, rows }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.rows.n_clusters()
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        self.map.dims()
    }

    /// The clusters of new points. Where the kernel was given as a matrix, they are rows of kernel values
    /// with the points of the fit.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        let mut labels = Vec::with_capacity(points.len());
        for block in points.blocks() {
            labels.extend(self.rows.assign(self.map.transform(&block)?.view())?);
        }
        Ok(labels)
    }
}
