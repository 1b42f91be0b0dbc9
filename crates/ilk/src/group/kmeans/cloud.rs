//! The points that count.

use std::borrow::Cow;
use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::params::Distance;
use crate::group::distinct::Distinct;
use crate::group::seeds::Spread;
use crate::numerics::distances::{Nearest, Places, Rough, Scan, dist_sq};
use crate::{Error, Result};

/// Points that are handled together.
pub(super) const BLOCK: usize = 512;

/// Points that are scanned together.
const SCAN: usize = 64;

/// Different points with weights above 0. For the cosine they are of length 1, and those at the
/// origin are left out.
pub(super) struct Cloud<'a> {
    rows: Cow<'a, [f64]>,
    dims: usize,
    pub(super) weights: Vec<f64>,
    pub(super) rough: Rough,
    /// The input row that each point is, the first of equal ones.
    pub(super) first: Vec<usize>,
    /// The point that each input row is; none for those that do not count.
    pub(super) place_of: Vec<Option<usize>>,
}

impl<'a> Cloud<'a> {
    /// Takes rows that are stored one after the other; for the cosine, [`directions`].
    pub(super) fn new(
        rows: ArrayView2<'a, f64>,
        weights: Option<&[f64]>,
        distance: Distance,
    ) -> Self {
        let (n, dims) = rows.dim();
        let counts = |i: usize| {
            let has_weight = weights.is_none_or(|weights| weights[i] > 0.0);
            let has_place = || rows.row(i).iter().any(|&x| x != 0.0);
            has_weight && (distance == Distance::Euclidean || has_place())
        };
        let kept: Vec<usize> = (0..n).filter(|&i| counts(i)).collect();
        let (distinct, weights) = if kept.len() == n {
            let distinct = Distinct::new(rows, |_| true);
            let weights = distinct.weights(weights);
            (distinct, weights)
        } else {
            let distinct = Distinct::new(rows.select(Axis(0), &kept).view(), |_| true);
            let weights =
                weights.map(|weights| kept.iter().map(|&i| weights[i]).collect::<Vec<_>>());
            let weights = distinct.weights(weights.as_deref());
            (distinct, weights)
        };
        let mut place_of = vec![None; n];
        for (&i, &place) in kept.iter().zip(&distinct.place_of) {
            place_of[i] = Some(place);
        }
        let first: Vec<usize> = distinct.first.iter().map(|&at| kept[at]).collect();
        let flat = rows.to_slice().unwrap_or(&[]);
        let rows: Cow<'a, [f64]> = if first.len() == n {
            flat.into()
        } else {
            let row = |&i: &usize| &flat[i * dims..(i + 1) * dims];
            first.iter().flat_map(row).copied().collect()
        };
        Self {
            rough: Rough::new(&rows, dims),
            rows,
            dims,
            weights,
            first,
            place_of,
        }
    }

    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.dims..(i + 1) * self.dims]
    }

    /// Some points as rows.
    pub(super) fn select(&self, points: &[usize]) -> Array2<f64> {
        let rows = points.iter().flat_map(|&i| self.row(i)).copied().collect();
        Array2::from_shape_vec((points.len(), self.dims), rows).unwrap_or_default()
    }

    /// The sum of `value(point)` over all points, times their weights, in blocks of fixed size.
    pub(super) fn sum(&self, value: impl Fn(usize) -> f64 + Sync) -> f64 {
        let blocks: Vec<f64> = self
            .weights
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, weights)| {
                let points = block * BLOCK..;
                points
                    .zip(weights)
                    .map(|(i, weight)| weight * value(i))
                    .sum()
            })
            .collect();
        blocks.iter().sum()
    }

    /// The mean of all points.
    pub(super) fn mean(&self) -> Vec<f64> {
        let mass: f64 = self.weights.iter().sum();
        let blocks: Vec<Vec<f64>> = self
            .weights
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, weights)| {
                let mut mean = vec![0.0; self.dims];
                for (i, weight) in (block * BLOCK..).zip(weights) {
                    let share = weight / mass;
                    for (mean, x) in mean.iter_mut().zip(self.row(i)) {
                        *mean += share * x;
                    }
                }
                mean
            })
            .collect();
        let mut mean = vec![0.0; self.dims];
        for block in blocks {
            for (mean, part) in mean.iter_mut().zip(block) {
                *mean += part;
            }
        }
        mean
    }
}

impl Spread for Cloud<'_> {
    fn len(&self) -> usize {
        self.weights.len()
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights[i]
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        let places = self.rough.places(self.select(from).view());
        let exact = |i: usize, c: usize| dist_sq(self.row(i), self.row(from[c]));
        self.rough
            .dist_sq(to, &places, &mut Scan::default(), exact, out);
    }
}

/// Visits the nearest of some centres to each of some points, `visit(number, nearest)`.
pub(super) fn scan(
    rough: &Rough,
    points: &[usize],
    rows: &[f64],
    places: &Places,
    centers: ArrayView2<'_, f64>,
    buffer: &mut Scan,
    mut visit: impl FnMut(usize, Nearest),
) {
    let row = |i: usize| &rows[i * centers.ncols()..][..centers.ncols()];
    for (chunk, points) in points.chunks(SCAN).enumerate() {
        rough.scan(points, places, buffer);
        for (at, &i) in points.iter().enumerate() {
            let nearest = rough.nearest(i, places, buffer, at, row(i), centers);
            visit(chunk * SCAN + at, nearest);
        }
    }
}

/// The nearest of some centres to every row, the rows one after the other.
pub(super) fn nearest(rows: &[f64], centers: ArrayView2<'_, f64>) -> Vec<usize> {
    let dims = centers.ncols();
    let rough = Rough::new(rows, dims);
    let places = rough.places(centers);
    let mut labels = vec![0; rows.len() / dims];
    labels.par_chunks_mut(BLOCK).enumerate().for_each_init(
        Scan::default,
        |buffer, (block, labels)| {
            let points: Vec<usize> = (block * BLOCK..).take(labels.len()).collect();
            scan(
                &rough,
                &points,
                rows,
                &places,
                centers,
                buffer,
                |at, nearest| {
                    labels[at] = nearest.place;
                },
            );
        },
    );
    labels
}

/// The rows scaled to length 1; those at the origin stay there.
pub(super) fn directions(rows: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut directions = rows.as_standard_layout().into_owned();
    for mut row in directions.rows_mut() {
        // Squares of tiny and of huge numbers do not fit; those of shares of the largest do.
        let largest = row.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        if largest > 0.0 {
            row.mapv_inplace(|x| x / largest);
            let norm = row.dot(&row).sqrt();
            row.mapv_inplace(|x| x / norm);
        }
    }
    directions
}

/// Refuses rows and weights that do not fit.
pub(in crate::group) fn check(rows: ArrayView2<'_, f64>, weights: Option<&[f64]>) -> Result<()> {
    let (n, dims) = rows.dim();
    if n == 0 || dims == 0 {
        return Err(Error::Empty {
            rows: n,
            columns: dims,
        });
    }
    let Some(weights) = weights else {
        return Ok(());
    };
    if weights.len() != n {
        return Err(Error::WrongLength {
            what: "the list of point weights",
            found: weights.len(),
            expected: n,
        });
    }
    let bad = |value: String, expected: String| {
        Err(Error::BadParameter {
            parameter: "weights",
            value,
            expected,
        })
    };
    let is_bad = |weight: &f64| !(weight.is_finite() && *weight >= 0.0);
    match weights.iter().position(is_bad) {
        Some(i) => bad(
            weights[i].to_string(),
            format!("the weight of point {i} must be finite and not negative"),
        ),
        None if weights.iter().all(|&weight| weight == 0.0) => bad(
            "all 0".to_owned(),
            "give a point a weight above 0".to_owned(),
        ),
        None => Ok(()),
    }
}
