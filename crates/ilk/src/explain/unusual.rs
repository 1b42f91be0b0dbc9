//! Rows that are worth a look: those between clusters, and those far from all others.

use crate::Result;
use crate::group::Label;
use crate::numerics::neighbors::{NeighborTable, Neighbors, SelfNeighbor};
use crate::problem::Points;

use super::cluster_sizes;
use super::point::N_NEAREST;
use super::sample::Sample;

/// Rows of each kind that are listed.
pub const MAX_UNUSUAL: usize = 10;
/// A row is an outlier where its nearest rows are this many times as far as those of the median row.
const FAR: f64 = 3.0;

/// Rows that are worth a look.
#[derive(Debug, Clone, PartialEq)]
pub struct UnusualRows {
    /// Up to [`MAX_UNUSUAL`] rows of whose [`N_NEAREST`] nearest rows (fewer where its cluster has fewer others) at least
    /// half are of other clusters, those with the smallest share of their own first.
    pub boundary: Vec<BoundaryRow>,
    /// Up to [`MAX_UNUSUAL`] rows that are far from all others, the farthest first.
    pub outliers: Vec<OutlyingRow>,
    /// How many rows were compared with each other. Fewer than have a cluster: the rows are those of a sample.
    pub n_compared: usize,
}

/// A row between clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundaryRow {
    /// The row.
    pub row: usize,
    /// The share of its nearest rows that are in its own cluster.
    pub share: f64,
    /// The cluster that most of its other nearest rows are in; of several the one with the smallest number.
    pub other: usize,
}

/// A row far from all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlyingRow {
    /// The row.
    pub row: usize,
    /// The distance to the farthest of its [`N_NEAREST`] nearest rows, over the median of all rows.
    pub ratio: f64,
}

impl UnusualRows {
    /// Of the rows that have a cluster, given the points in the coordinates in which they were grouped. `seed` draws
    /// the sample of rows that are compared, where there are many.
    ///
    /// # Errors
    /// Those of [`Explanation::new`](super::Explanation::new).
    pub fn new(points: &Points, labels: &[Label], seed: u64) -> Result<Self> {
        let sizes = cluster_sizes(points, labels)?;
        let sample = Sample::new(labels, &sizes, seed);
        let rows = &sample.rows;
        if rows.len() < 2 {
            let n_compared = rows.len();
            return Ok(Self { boundary: Vec::new(), outliers: Vec::new(), n_compared });
        }
        let compared = points.select(rows);
        let nearest =
            Neighbors::new(compared.view()).nearest_all(N_NEAREST, SelfNeighbor::Excluded);
        let clusters: Vec<usize> = rows.iter().filter_map(|&row| labels[row]).collect();
        Ok(Self {
            boundary: boundary(rows, &clusters, &sizes, &nearest),
            outliers: outliers(rows, &nearest),
            n_compared: rows.len(),
        })
    }
}

fn boundary(
    rows: &[usize],
    clusters: &[usize],
    sizes: &[usize],
    nearest: &NeighborTable,
) -> Vec<BoundaryRow> {
    let of_row = |at: usize| {
        let near = nearest.row(at);
        // The others of a small cluster are all that can be near.
        let near = &near[..near.len().min(sizes[clusters[at]] - 1)];
        let others = near.iter().map(|it| clusters[it.index]);
        let mut others: Vec<usize> = others.filter(|&other| other != clusters[at]).collect();
        if 2 * others.len() < near.len() || others.is_empty() {
            return None;
        }
        others.sort_unstable();
        let most = others.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len())?;
        let share = (near.len() - others.len()) as f64 / near.len() as f64;
        Some(BoundaryRow { row: rows[at], share, other: most[0] })
    };
    let mut all: Vec<BoundaryRow> = (0..rows.len()).filter_map(of_row).collect();
    all.sort_by(|a, b| a.share.total_cmp(&b.share).then(a.row.cmp(&b.row)));
    all.truncate(MAX_UNUSUAL);
    all
}

fn outliers(rows: &[usize], nearest: &NeighborTable) -> Vec<OutlyingRow> {
    let distance = |at: usize| nearest.row(at).last().map_or(0.0, |last| last.dist_sq.sqrt());
    let distances: Vec<f64> = (0..rows.len()).map(distance).collect();
    let mut sorted = distances.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    // Where most rows have copies, no distance is far by itself.
    if median.is_nan() || median <= 0.0 {
        return Vec::new();
    }
    let ratios = distances
        .iter()
        .zip(rows)
        .map(|(distance, &row)| OutlyingRow { row, ratio: distance / median });
    let mut all: Vec<OutlyingRow> =
        ratios.filter(|it| it.ratio.is_finite() && it.ratio >= FAR).collect();
    all.sort_by(|a, b| b.ratio.total_cmp(&a.ratio).then(a.row.cmp(&b.row)));
    all.truncate(MAX_UNUSUAL);
    all
}
