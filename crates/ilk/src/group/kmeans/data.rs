//! The distinct points with a weight above 0.

use std::borrow::Cow;
use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis, CowArray, Ix2};
use rayon::prelude::*;

use super::params::Distance;
use crate::group::seeding::WeightedPoints;
use crate::numerics::distances::{F32Centers, F32Distances, F32Scores, NearestCenter, dist_sq};
use crate::numerics::{distinct_rows::DistinctRows, view_rows};

/// Points per parallel block.
pub(super) const BLOCK: usize = 512;

/// Points whose distances to all centres are computed together.
const SCAN: usize = 64;

/// Points whose squared distances are summed side by side.
const TILE: usize = 4;

/// Distinct points with weights above 0. For the cosine they have length 1, and points at the origin
/// are left out.
pub(super) struct KMeansData<'a> {
    rows: Cow<'a, [f64]>,
    dims: usize,
    pub(super) weights: Vec<f64>,
    pub(super) f32_distances: F32Distances,
    /// The first input row of each distinct point.
    pub(super) first: Vec<usize>,
    /// The distinct point of each input row; none for rows that are left out.
    pub(super) distinct_row_of: Vec<Option<usize>>,
}

impl<'a> KMeansData<'a> {
    /// Takes rows in standard layout; for the cosine, [`directions`].
    pub(super) fn new(
        rows: ArrayView2<'a, f64>,
        weights: Option<&[f64]>,
        distance: Distance,
    ) -> Self {
        let (n, dims) = rows.dim();
        let counts = |i: &usize| {
            let has_weight = weights.is_none_or(|weights| weights[*i] > 0.0);
            has_weight && distance.applies_to(rows.row(*i))
        };
        let kept: Vec<usize> = (0..n).filter(counts).collect();
        let distinct = if kept.len() == n {
            DistinctRows::new(rows)
        } else {
            DistinctRows::new(rows.select(Axis(0), &kept).view())
        };
        let weights = weights.map(|weights| kept.iter().map(|&i| weights[i]).collect::<Vec<_>>());
        let weights = distinct.weights(weights.as_deref());
        let mut distinct_row_of = vec![None; n];
        for (&i, &place) in kept.iter().zip(&distinct.distinct_row_of) {
            distinct_row_of[i] = Some(place);
        }
        let first: Vec<usize> = distinct.first.iter().map(|&at| kept[at]).collect();
        let flat = rows.to_slice().expect("standard layout");
        let rows: Cow<'a, [f64]> = if first.len() == n {
            flat.into()
        } else {
            let row = |&i: &usize| &flat[i * dims..(i + 1) * dims];
            first.iter().flat_map(row).copied().collect()
        };
        Self {
            f32_distances: F32Distances::new(&rows, dims),
            rows,
            dims,
            weights,
            first,
            distinct_row_of,
        }
    }

    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    pub(super) fn view(&self) -> ArrayView2<'_, f64> {
        view_rows(&self.rows, self.dims)
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.dims..(i + 1) * self.dims]
    }

    pub(super) fn select(&self, points: &[usize]) -> Array2<f64> {
        self.view().select(Axis(0), points)
    }

    /// The sum of squared distances of all points to `center(point)`, times their weights, in blocks of fixed size.
    pub(super) fn scatter_about<'c>(&self, center: impl Fn(usize) -> &'c [f64] + Sync) -> f64 {
        let blocks = self.weights.par_chunks(BLOCK).enumerate();
        let sum = |(block, weights): (usize, &[f64])| {
            let (first, mut sum) = (block * BLOCK, 0.0);
            let tiles = weights.chunks_exact(TILE);
            let rest = (first + weights.len() - tiles.remainder().len()..).zip(tiles.remainder());
            for (tile, weights) in tiles.enumerate() {
                let point = |at: usize| first + tile * TILE + at;
                let rows: [&[f64]; TILE] = std::array::from_fn(|at| self.row(point(at)));
                let centers: [&[f64]; TILE] = std::array::from_fn(|at| center(point(at)));
                let squares = dist_sq_each(rows, centers, self.dims);
                sum += weights.iter().zip(squares).map(|(weight, sq)| weight * sq).sum::<f64>();
            }
            sum + rest.map(|(i, weight)| weight * dist_sq(self.row(i), center(i))).sum::<f64>()
        };
        blocks.map(sum).collect::<Vec<f64>>().iter().sum()
    }

    pub(super) fn mean(&self) -> Vec<f64> {
        let mass: f64 = self.weights.iter().sum();
        let blocks = self.weights.par_chunks(BLOCK).enumerate();
        let mean = |(block, weights): (usize, &[f64])| {
            let mut mean = vec![0.0; self.dims];
            for (i, weight) in (block * BLOCK..).zip(weights) {
                let share = weight / mass;
                for (mean, x) in mean.iter_mut().zip(self.row(i)) {
                    *mean += share * x;
                }
            }
            mean
        };
        let blocks: Vec<Vec<f64>> = blocks.map(mean).collect();
        let mut mean = vec![0.0; self.dims];
        for block in blocks {
            for (mean, part) in mean.iter_mut().zip(block) {
                *mean += part;
            }
        }
        mean
    }
}

impl WeightedPoints for KMeansData<'_> {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        let centers_f32 = self.f32_distances.f32_centers(self.select(from).view());
        let exact = |i: usize, c: usize| dist_sq(self.row(i), self.row(from[c]));
        self.f32_distances.dist_sq(to, &centers_f32, &mut F32Scores::default(), exact, out);
    }
}

/// The squared distances of some pairs of rows, side by side, so that no sum waits for another.
fn dist_sq_each(a: [&[f64]; TILE], b: [&[f64]; TILE], dims: usize) -> [f64; TILE] {
    let (a, b) = (a.map(|row| &row[..dims]), b.map(|row| &row[..dims]));
    let mut squares = [0.0; TILE];
    for k in 0..dims {
        for (at, square) in squares.iter_mut().enumerate() {
            let difference = a[at][k] - b[at][k];
            *square += difference * difference;
        }
    }
    squares
}

/// Visits the nearest centre to each of some points: `visit(position in points, nearest)`.
pub(super) fn scan(
    f32_distances: &F32Distances,
    points: &[usize],
    rows: &[f64],
    centers_f32: &F32Centers,
    centers: ArrayView2<'_, f64>,
    buffer: &mut F32Scores,
    mut visit: impl FnMut(usize, NearestCenter),
) {
    let row = |i: usize| &rows[i * centers.ncols()..][..centers.ncols()];
    for (chunk, points) in points.chunks(SCAN).enumerate() {
        f32_distances.scan(points, centers_f32, buffer);
        for (at, &i) in points.iter().enumerate() {
            let nearest = f32_distances.nearest(i, centers_f32, buffer, at, row(i), centers);
            visit(chunk * SCAN + at, nearest);
        }
    }
}

/// The nearest centre to every row of a flat array.
pub(super) fn nearest(rows: &[f64], centers: ArrayView2<'_, f64>) -> Vec<usize> {
    let dims = centers.ncols();
    let f32_distances = F32Distances::new(rows, dims);
    let centers_f32 = f32_distances.f32_centers(centers);
    let mut labels = vec![0; rows.len() / dims];
    labels.par_chunks_mut(BLOCK).enumerate().for_each_init(
        F32Scores::default,
        |buffer, (block, labels)| {
            let points: Vec<usize> = (block * BLOCK..).take(labels.len()).collect();
            let visit = |at: usize, nearest: NearestCenter| labels[at] = nearest.center;
            scan(&f32_distances, &points, rows, &centers_f32, centers, buffer, visit);
        },
    );
    labels
}

impl Distance {
    /// Whether a row has a distance from centres: at the origin there is no direction.
    pub(super) fn applies_to(self, row: ArrayView1<'_, f64>) -> bool {
        self == Self::Euclidean || row.iter().any(|&x| x != 0.0)
    }

    /// The rows in standard layout, scaled to length 1 for the cosine.
    pub(super) fn standard_rows(self, rows: ArrayView2<'_, f64>) -> CowArray<'_, f64, Ix2> {
        match self {
            Self::Cosine => directions(rows).into(),
            Self::Euclidean if rows.is_standard_layout() => rows.into(),
            Self::Euclidean => rows.as_standard_layout().into_owned().into(),
        }
    }
}

/// The rows scaled to length 1; those at the origin stay there.
pub(super) fn directions(rows: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut directions = rows.as_standard_layout().into_owned();
    for mut row in directions.rows_mut() {
        // Dividing by the largest coordinate first keeps squares from under- and overflowing.
        let largest = row.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        if largest > 0.0 {
            row.mapv_inplace(|x| x / largest);
            let norm = row.dot(&row).sqrt();
            row.mapv_inplace(|x| x / norm);
        }
    }
    directions
}
