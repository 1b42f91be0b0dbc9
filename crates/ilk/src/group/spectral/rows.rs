//! From coordinates to clusters, and how many there are.

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::kernel_axes::{AxisChoice, KernelAxes};
use super::kernel_map::KernelMap;
use super::laplacian::{Laplacian, LaplacianAxes};
use crate::Result;
use crate::group::kmeans::{Distance, KMeans, KMeansModel, Start, check};
use crate::group::{Grouping, Label};
use crate::observe::Observer;
use crate::problem::Points;

/// A row shorter than this share of the mean length is 0 but for rounding.
const ZERO: f64 = 1e-8;

/// Of more rows, the start that looks at all pairs is left out.
const PAIRS: usize = 10_000;

/// Numbers of clusters above this are not proposed.
pub const MOST: usize = 15;

/// The share of all that an axis holds if it holds little.
const SMALL: f64 = 0.01;

/// What is added to eigenvalues of a Laplacian before their ratio is taken: smaller ones are as good as 0.
const FLOOR: f64 = 1e-3;

/// How the rows of an embedding are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// By distance, as for kernel PCA, L and Lrw.
    Distance,
    /// By angle, as for KECA: groups lie in different directions from the origin. The first descent starts
    /// at the two rows with the largest angle, and then always at the one with the smallest sum of
    /// cosines (MSSC (4.17)); of more than 10,000 rows it starts as the others do.
    Angle,
    /// By distance, after each was brought to length 1, as for Lsym.
    UnitDistance,
}

impl From<AxisChoice> for Rows {
    fn from(choice: AxisChoice) -> Self {
        match choice {
            AxisChoice::Entropy => Self::Angle,
            AxisChoice::Variance { .. } => Self::Distance,
        }
    }
}

impl From<Laplacian> for Rows {
    fn from(laplacian: Laplacian) -> Self {
        match laplacian {
            Laplacian::Sym => Self::UnitDistance,
            Laplacian::Rw | Laplacian::Unnormalized => Self::Distance,
        }
    }
}

/// Groups the rows of an embedding by k-means, into at most as many clusters as there are rows.
///
/// Where they are compared by angle or brought to length 1, a row of 0 has no direction and belongs to no
/// cluster. `weights` says how many points each row counts for.
///
/// # Errors
/// Those of [`KMeans::fit`].
pub fn group_rows(
    rows: ArrayView2<'_, f64>,
    weights: Option<&[f64]>,
    compare: Rows,
    kmeans: &KMeans,
    observer: &dyn Observer,
) -> Result<(Grouping, RowModel)> {
    check(rows, weights)?;
    let shortest = match compare {
        Rows::Distance => 0.0,
        Rows::Angle | Rows::UnitDistance => ZERO * mean_length(rows),
    };
    let rows = prepared(rows, compare, shortest);
    let params = KMeans {
        n_clusters: kmeans.n_clusters.min(rows.nrows()),
        distance: match compare {
            Rows::Angle => Distance::Cosine,
            Rows::Distance | Rows::UnitDistance => Distance::Euclidean,
        },
        init: match compare {
            Rows::Angle if rows.nrows() <= PAIRS => Start::Angular,
            _ => Start::PlusPlus,
        },
        ..kmeans.clone()
    };
    let placed: Vec<usize> = (0..rows.nrows())
        .filter(|&i| compare == Rows::Distance || rows.row(i).iter().any(|&x| x != 0.0))
        .collect();
    let (grouping, groups) = if placed.len() == rows.nrows() || placed.is_empty() {
        let params = KMeans {
            distance: if placed.is_empty() {
                Distance::Cosine
            } else {
                params.distance
            },
            ..params
        };
        params.fit(rows.view(), weights, observer)?
    } else {
        let params = KMeans {
            n_clusters: params.n_clusters.min(placed.len()),
            ..params
        };
        let some: Option<Vec<f64>> =
            weights.map(|weights| placed.iter().map(|&i| weights[i]).collect());
        let few = rows.select(Axis(0), &placed);
        let (mut grouping, groups) = params.fit(few.view(), some.as_deref(), observer)?;
        let mut labels: Vec<Label> = vec![None; rows.nrows()];
        for (&i, label) in placed.iter().zip(&grouping.labels) {
            labels[i] = *label;
        }
        grouping.labels = labels;
        (grouping, groups)
    };
    let model = RowModel {
        unit: compare != Rows::Distance,
        shortest,
        groups,
    };
    Ok((grouping, model))
}

/// Rows as k-means takes them.
fn prepared(rows: ArrayView2<'_, f64>, compare: Rows, shortest: f64) -> Array2<f64> {
    let mut rows = rows.to_owned();
    if compare == Rows::Distance {
        return rows;
    }
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

fn mean_length(rows: ArrayView2<'_, f64>) -> f64 {
    let total: f64 = rows
        .rows()
        .into_iter()
        .map(|row| row.dot(&row).sqrt())
        .sum();
    total / rows.nrows().max(1) as f64
}

/// The clusters of rows of an embedding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowModel {
    /// Whether rows are brought to length 1.
    unit: bool,
    /// Rows that are not longer than this have no direction.
    shortest: f64,
    groups: KMeansModel,
}

impl RowModel {
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
        let rows = prepared(rows, Rows::Angle, self.shortest);
        let labels = self.groups.assign(rows.view())?;
        let placed = rows
            .rows()
            .into_iter()
            .map(|row| row.iter().any(|&x| x != 0.0));
        let labels = labels.into_iter().zip(placed);
        Ok(labels
            .map(|(label, placed)| label.filter(|_| placed))
            .collect())
    }
}

/// Clusters in the space of a kernel: new points are mapped there, and go with the nearest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpectralModel {
    map: KernelMap,
    rows: RowModel,
}

/// Points mapped at a time, so that a million of them need no more memory than these.
const AT_A_TIME: usize = 20_000;

impl SpectralModel {
    /// Clusters of rows in the space into which the map goes.
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
        let dims = points.dims();
        let mut labels = Vec::with_capacity(points.len());
        for block in points.as_slice().chunks(AT_A_TIME * dims) {
            let block = Points::from_shape(block.len() / dims, dims, block.to_vec())?;
            labels.extend(self.rows.assign(self.map.transform(&block)?.view())?);
        }
        Ok(labels)
    }
}

/// A number of clusters, from 2 to [`MOST`], by the largest gap after that many axes: ψ_k / ψ_k+1 for
/// the [entropy](AxisChoice::Entropy), λ_k / λ_k+1 without the mean at the origin, and λ_k-1 / λ_k with
/// it, as k groups then span k - 1 axes. What is small, 1% of the sum of all, is added below the line: a
/// gap among axes that hold little tells nothing.
pub fn clusters_of_kernel(axes: &KernelAxes, choice: AxisChoice) -> usize {
    let falling: Vec<f64> = axes
        .order
        .iter()
        .map(|&at| match choice {
            AxisChoice::Entropy => axes.entropies[at],
            AxisChoice::Variance { .. } => axes.spectrum[at],
        })
        .collect();
    // The ratio after the first value belongs to 2 clusters where the mean is at the origin.
    let (from, offset) = match choice {
        AxisChoice::Variance { center: true } => (0, 2),
        _ => (1, 1),
    };
    let floor = SMALL * falling.iter().sum::<f64>();
    let ratio = |at: usize| falling[at] / (falling[at + 1] + floor);
    largest(from, falling.len(), offset, ratio)
}

/// A number of clusters, from 2 to [`MOST`], by the largest ratio λ_k+1 / (λ_k + 0.001) of the eigenvalues of a
/// normalised Laplacian; where the graph has more parts than 1, their number at least.
pub fn clusters_of_laplacian(axes: &LaplacianAxes) -> usize {
    let rising = axes.eigenvalues();
    let ratio = |at: usize| rising[at + 1] / (rising[at] + FLOOR);
    let found = largest(1, rising.len(), 1, ratio);
    found.max(axes.n_parts().min(MOST))
}

/// The position in `from..` (of which the last has no next) with the largest ratio, plus `offset`.
fn largest(from: usize, len: usize, offset: usize, ratio: impl Fn(usize) -> f64) -> usize {
    let last = (MOST + 1 - offset).min(len.saturating_sub(1));
    let best = (from..last).reduce(|best, at| if ratio(at) > ratio(best) { at } else { best });
    best.map_or_else(|| len.clamp(1, 2), |at| at + offset)
}
