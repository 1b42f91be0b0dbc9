//! Which pivots come next.

use ndarray::Array2;
use rayon::prelude::*;

use super::factor::CholeskyFactor;
use crate::numerics::distances::dot;
use crate::numerics::linalg::product_into;
use crate::numerics::rows_of;
use crate::similarity::KernelValues;

/// Rows that are handled together.
const CHUNK: usize = 1024;

/// With no more points than this all are candidates.
const FEW: usize = 2048;

/// Of more points, one in so many is a candidate.
const ONE_IN: usize = 16;

/// A residual and its point; the larger residual comes first, of equal ones the smaller index.
type Residual = (f64, usize);

fn comes_before(a: Residual, b: Residual) -> bool {
    a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// The points with the largest residuals, and the first of those that are none of them.
#[derive(Debug)]
pub(super) struct PivotCandidates {
    points: Vec<usize>,
    best_other: Option<Residual>,
}

/// The candidates among all points.
pub(super) fn candidates(residuals: &[f64]) -> PivotCandidates {
    let n = residuals.len();
    let mut points: Vec<usize> = (0..n).collect();
    let count = FEW.max(n / ONE_IN);
    if n <= count {
        return PivotCandidates { points, best_other: None };
    }
    let (_, &mut other, _) = points.select_nth_unstable_by(count, |&a, &b| {
        residuals[b].total_cmp(&residuals[a]).then(a.cmp(&b))
    });
    points.truncate(count);
    points.sort_unstable();
    PivotCandidates { points, best_other: Some((residuals[other], other)) }
}

/// The next pivots in the order of the plain method, and their rows in the columns that they add.
///
/// They are found on the candidates alone. Residuals only fall, so as long as the largest among the
/// candidates comes before what any other point started with, it is the largest of all: the pivots
/// are those of the plain method, which passes over all n rows for each, and one pass does for
/// many of them.
#[derive(Debug)]
pub(super) struct Leading {
    pub(super) pivots: Vec<usize>,
    /// Lower triangular.
    pub(super) rows: Array2<f64>,
}

impl Leading {
    /// At most `most` pivots, all with residuals above `floor`.
    pub(super) fn find(
        values: &KernelValues<'_>,
        factor: &CholeskyFactor,
        candidates: &PivotCandidates,
        floor: f64,
        most: usize,
    ) -> Self {
        let points = &candidates.points;
        let old = factor.rows(points);
        let mut residuals: Vec<f64> = points.iter().map(|&i| factor.residuals[i]).collect();
        // New columns, row by row.
        let mut new = vec![0.0; points.len() * most];
        let mut chosen: Vec<usize> = Vec::new();
        values.with_part(points, |fill| {
            while chosen.len() < most {
                let Some((residual, at)) = largest(&residuals) else {
                    break;
                };
                let is_first = match candidates.best_other {
                    None => true,
                    Some(other) => comes_before((residual, points[at]), other),
                };
                if residual <= floor || !is_first {
                    break;
                }
                let t = chosen.len();
                let own = new[at * most..at * most + t].to_vec();
                let scale = residual.sqrt();
                residuals
                    .par_chunks_mut(CHUNK)
                    .zip(new.par_chunks_mut(CHUNK * most))
                    .enumerate()
                    .for_each_init(
                        || (Vec::new(), Vec::new()),
                        |(column, products), (chunk, (residuals, new))| {
                            let rows = chunk * CHUNK..chunk * CHUNK + residuals.len();
                            column.resize(rows.len(), 0.0);
                            fill(at, rows.clone(), column);
                            if old.ncols() > 0 {
                                products.resize(rows.len(), 0.0);
                                let old_rows = old.slice(ndarray::s![rows, ..]);
                                let right = old.row(at).insert_axis(ndarray::Axis(1));
                                product_into(rows_of(&old_rows), right, products);
                                for (x, product) in column.iter_mut().zip(products) {
                                    *x -= *product;
                                }
                            }
                            let each = residuals.iter_mut().zip(new.chunks_exact_mut(most));
                            for (x, (residual, new)) in column.iter().zip(each) {
                                let l = (x - dot(&new[..t], &own)) / scale;
                                new[t] = l;
                                *residual -= l * l;
                            }
                        },
                    );
                residuals[at] = 0.0;
                new[at * most + t] = scale;
                chosen.push(at);
            }
        });
        let rows = Array2::from_shape_fn((chosen.len(), chosen.len()), |(s, t)| {
            if t <= s { new[chosen[s] * most + t] } else { 0.0 }
        });
        Self { pivots: chosen.iter().map(|&at| points[at]).collect(), rows }
    }
}

/// The largest value and where it stands, the first of equal ones; none where there are none.
fn largest(values: &[f64]) -> Option<Residual> {
    let better = |a: Residual, b: Residual| if comes_before(b, a) { b } else { a };
    values.iter().copied().zip(0..).reduce(better)
}
