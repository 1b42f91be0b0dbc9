//! Kernel values between points, a block at a time.

use std::ops::Range;

use ndarray::{Array2, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::bandwidth::{Resolved, rules};
use super::{Bandwidth, Kernel, Profile};
use crate::numerics::distances::{Panels, dist_sq, dot};
use crate::numerics::neighbors::Neighbors;
use crate::problem::Points;
use crate::{Error, Result};

/// The largest matrix that [`Gram::full`] and [`Gram::cross`] make: 4 GiB, 23,170 points a side.
pub const MAX_BYTES: u128 = 4 << 30;

/// A kernel fitted to points: it gives any part of their n x n kernel matrix, and holds none of it.
///
/// ```
/// use ilk::ndarray::array;
/// use ilk::problem::Points;
/// use ilk::similarity::{Bandwidth, Gram, Kernel};
///
/// let points = Points::new(array![[0.0], [1.0], [5.0]])?;
/// let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(1.0)), &points, 0)?;
/// assert_eq!(gram.value(0, 1), (-0.5f64).exp());
/// // Row sums, without the matrix.
/// let sums = gram.map_blocks(|_, block| block.chunks(3).map(|row| row.iter().sum()).collect::<Vec<f64>>());
/// assert_eq!(sums.concat().len(), 3);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gram<'a> {
    points: &'a Points,
    panels: Panels,
    shape: Shape,
}

/// A kernel with all its numbers.
#[derive(Debug, Clone)]
enum Shape {
    Radial {
        profile: Profile,
        widths: Resolved,
        truncation: f64,
        /// The k of the neighbour that gives a point its bandwidth; none for bandwidths that were
        /// given and cannot be extended to new points.
        neighbor: Option<usize>,
    },
    Dot {
        degree: u32,
        scale: f64,
        offset: f64,
    },
}

impl<'a> Gram<'a> {
    /// Fits the kernel to the points: checks its parameters and finds its bandwidths. The seed
    /// matters where a bandwidth rule samples.
    pub fn new(kernel: &Kernel, points: &'a Points, seed: u64) -> Result<Self> {
        kernel.check()?;
        let shape = match *kernel {
            Kernel::Radial {
                profile,
                ref bandwidth,
                truncation,
            } => Shape::Radial {
                profile,
                widths: bandwidth.resolve(points, seed)?,
                truncation,
                neighbor: match *bandwidth {
                    Bandwidth::Neighbor(k) => Some(k),
                    _ => None,
                },
            },
            Kernel::SelfTuning { neighbors } => Shape::Radial {
                profile: Profile::Rbf,
                widths: Bandwidth::Neighbor(neighbors).resolve(points, seed)?,
                truncation: 0.0,
                neighbor: Some(neighbors),
            },
            Kernel::Linear => Shape::Dot {
                degree: 1,
                scale: 1.0,
                offset: 0.0,
            },
            Kernel::Polynomial {
                degree,
                scale,
                offset,
            } => Shape::Dot {
                degree,
                scale,
                offset,
            },
        };
        Ok(Self {
            points,
            panels: Panels::new(points.view()),
            shape,
        })
    }

    /// A radial kernel whose bandwidths are known, one for all points or one a point. What it knows
    /// of new points it must be told.
    pub(super) fn with_widths(
        profile: Profile,
        truncation: f64,
        points: &'a Points,
        widths: Resolved,
    ) -> Self {
        let shape = Shape::Radial {
            profile,
            widths,
            truncation,
            neighbor: None,
        };
        Self {
            points,
            panels: Panels::new(points.view()),
            shape,
        }
    }

    /// The same kernel on `chosen` of these points, given as `points`; each keeps its bandwidth.
    pub(super) fn on<'b>(&self, chosen: &[usize], points: &'b Points) -> Gram<'b> {
        let mut shape = self.shape.clone();
        if let Shape::Radial {
            widths: Resolved::PerPoint(each),
            neighbor,
            ..
        } = &mut shape
        {
            *each = chosen.iter().map(|&i| each[i]).collect();
            *neighbor = None;
        }
        Gram {
            points,
            panels: Panels::new(points.view()),
            shape,
        }
    }

    /// The kernel without rules that would read a number off all points: `chosen` of the points
    /// alone give it the same values. Only the distance to a neighbour remains a rule.
    pub(super) fn settled(&self, chosen: &[usize]) -> Kernel {
        match &self.shape {
            Shape::Radial {
                profile,
                widths,
                truncation,
                neighbor,
            } => Kernel::Radial {
                profile: *profile,
                bandwidth: match (widths, neighbor) {
                    (_, Some(k)) => Bandwidth::Neighbor(*k),
                    // A width of 0, where all points coincide, is no bandwidth to give; this one has
                    // the same values.
                    (Resolved::Fixed(h), None) => Bandwidth::Fixed(h.max(f64::MIN_POSITIVE.sqrt())),
                    (Resolved::PerPoint(each), None) => {
                        Bandwidth::PerPoint(chosen.iter().map(|&i| each[i]).collect())
                    }
                },
                truncation: *truncation,
            },
            &Shape::Dot {
                degree,
                scale,
                offset,
            } => Kernel::Polynomial {
                degree,
                scale,
                offset,
            },
        }
    }

    /// The points that the kernel was fitted to.
    pub fn points(&self) -> &'a Points {
        self.points
    }

    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "points are never empty")]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The bandwidths, for radial kernels.
    pub fn bandwidth(&self) -> Option<&Resolved> {
        match &self.shape {
            Shape::Radial { widths, .. } => Some(widths),
            Shape::Dot { .. } => None,
        }
    }

    /// The value between points `i` and `j`.
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.points.row(i), self.points.row(j));
        let mut value = [match self.shape {
            Shape::Radial { .. } => dist_sq(a, b),
            Shape::Dot { .. } => dot(a, b),
        }];
        self.weigh(&mut value, self.width(i), &(j..j + 1));
        value[0]
    }

    /// The values between the points `rows` and the points `columns`, written row by row.
    ///
    /// # Panics
    /// Where a point does not exist, or `out` has another length than rows times columns.
    pub fn block(&self, rows: Range<usize>, columns: Range<usize>, out: &mut [f64]) {
        let dims = self.points.dims();
        let queries = &self.points.as_slice()[rows.start * dims..rows.end * dims];
        self.fill(queries, |i| self.width(rows.start + i), &columns, out);
    }

    /// A point's own bandwidth; kernels without any ignore it.
    pub(super) fn width(&self, i: usize) -> f64 {
        self.bandwidth().map_or(0.0, |widths| widths.of(i))
    }

    /// Visits all rows of the kernel matrix, a few at a time and in parallel, and returns what
    /// `visit(rows, block)` returned, in the order of the rows. The block holds the rows one after
    /// the other, n values each. Which rows come together depends on n alone, so results do not
    /// depend on the number of threads.
    pub fn map_blocks<T: Send>(
        &self,
        visit: impl Fn(Range<usize>, &mut [f64]) -> T + Sync,
    ) -> Vec<T> {
        self.map_blocks_from(|_| 0, visit)
    }

    /// As [`map_blocks`](Self::map_blocks), without the columns before `first_column(row)` of the first row
    /// of each block.
    pub(super) fn map_blocks_from<T: Send>(
        &self,
        first_column: impl Fn(usize) -> usize + Sync,
        visit: impl Fn(Range<usize>, &mut [f64]) -> T + Sync,
    ) -> Vec<T> {
        let n = self.len();
        let step = self.panels.block_rows();
        (0..n.div_ceil(step))
            .into_par_iter()
            .map_init(Vec::new, |block, at| {
                let rows = at * step..(at * step + step).min(n);
                let columns = first_column(rows.start)..n;
                block.resize(rows.len() * columns.len(), 0.0);
                self.block(rows.clone(), columns, block);
                visit(rows, block)
            })
            .collect()
    }

    /// The whole matrix. It is symmetric to the bit.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_BYTES`].
    pub fn full(&self) -> Result<Array2<f64>> {
        let n = self.len();
        check_size(n, n)?;
        let mut matrix = Array2::zeros((n, n));
        let step = self.panels.block_rows();
        if let Some(all) = matrix.as_slice_mut() {
            all.par_chunks_mut(step * n)
                .enumerate()
                .for_each_init(Vec::new, |upper, (at, out)| {
                    let rows = at * step..at * step + out.len() / n;
                    let width = n - rows.start;
                    upper.resize(rows.len() * width, 0.0);
                    self.block(rows.clone(), rows.start..n, upper);
                    for (out, upper) in out.chunks_exact_mut(n).zip(upper.chunks_exact(width)) {
                        out[rows.start..].copy_from_slice(upper);
                    }
                });
        }
        mirror(matrix.view_mut());
        Ok(matrix)
    }

    /// The values between other points (in rows) and these (in columns).
    ///
    /// Where bandwidths come from neighbours, another point takes its distance to its k-th neighbour
    /// among these, and a point of these in the same place is taken to be itself: so the rows of
    /// these points come out as in [`full`](Self::full).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`] above [`MAX_BYTES`];
    /// [`Error::BadParameter`] where every point was given a bandwidth, but the others have none.
    pub fn cross(&self, others: &Points) -> Result<Array2<f64>> {
        if others.dims() != self.points.dims() {
            return Err(Error::WrongDimensions {
                found: others.dims(),
                expected: self.points.dims(),
            });
        }
        let (rows, n, dims) = (others.len(), self.len(), self.points.dims());
        check_size(rows, n)?;
        let widths = self.widths_of(others)?;
        let mut matrix = Array2::zeros((rows, n));
        let step = self.panels.block_rows();
        if let Some(all) = matrix.as_slice_mut() {
            all.par_chunks_mut(step * n)
                .zip(others.as_slice().par_chunks(step * dims))
                .enumerate()
                .for_each(|(at, (out, queries))| {
                    self.fill(queries, |i| widths.of(at * step + i), &(0..n), out);
                });
        }
        Ok(matrix)
    }

    fn widths_of(&self, others: &Points) -> Result<Resolved> {
        match &self.shape {
            Shape::Dot { .. } => Ok(Resolved::Fixed(0.0)),
            Shape::Radial {
                widths: Resolved::Fixed(h),
                ..
            } => Ok(Resolved::Fixed(*h)),
            Shape::Radial {
                neighbor: Some(k), ..
            } => {
                let index = Neighbors::new(self.points.view());
                let each = (0..others.len())
                    .into_par_iter()
                    .map(|i| rules::new_point_neighbor(&index, others.row(i), *k))
                    .collect();
                Ok(Resolved::PerPoint(each))
            }
            Shape::Radial { neighbor: None, .. } => Err(Error::BadParameter {
                parameter: "bandwidth",
                value: format!("a list of {}", self.len()),
                expected: "new points have no bandwidth in such a list; give one number or a rule"
                    .to_owned(),
            }),
        }
    }

    /// The values between `queries` (rows of coordinates), of which the i-th has bandwidth
    /// `width(i)`, and the points `columns`, written row by row.
    pub(super) fn fill(
        &self,
        queries: &[f64],
        width: impl Fn(usize) -> f64,
        columns: &Range<usize>,
        out: &mut [f64],
    ) {
        match self.shape {
            Shape::Radial { .. } => self.panels.dist_sq(queries, columns.clone(), out),
            Shape::Dot { .. } => self.panels.dot(queries, columns.clone(), out),
        }
        if !columns.is_empty() {
            for (i, row) in out.chunks_exact_mut(columns.len()).enumerate() {
                self.weigh(row, width(i), columns);
            }
        }
    }

    /// From squared distances or dot products to kernel values; `own` is the row's bandwidth.
    fn weigh(&self, row: &mut [f64], own: f64, columns: &Range<usize>) {
        match &self.shape {
            Shape::Radial {
                profile,
                widths: Resolved::Fixed(h),
                truncation,
                ..
            } => profile.weigh(row, *h, *truncation),
            Shape::Radial {
                profile,
                widths: Resolved::PerPoint(each),
                truncation,
                ..
            } => profile.weigh_each(row, own, &each[columns.clone()], *truncation),
            Shape::Dot {
                degree,
                scale,
                offset,
            } => {
                let degree = i32::try_from(*degree).unwrap_or(i32::MAX);
                for value in row {
                    *value = (scale * *value + offset).powi(degree);
                }
            }
        }
    }
}

/// Refuses a matrix above [`MAX_BYTES`].
pub(crate) fn check_size(rows: usize, columns: usize) -> Result<()> {
    let bytes = 8 * rows as u128 * columns as u128;
    if bytes > MAX_BYTES {
        return Err(Error::TooLarge {
            what: "the kernel matrix",
            bytes,
            instead: "visit it in blocks (Gram::map_blocks), use a sparse graph of neighbours, or sample the points",
        });
    }
    Ok(())
}

/// Copies the upper half of a square matrix into the lower: quarters of quarters, so that both
/// sides of a copy stay in the cache.
fn mirror(matrix: ArrayViewMut2<'_, f64>) {
    const SMALL: usize = 64;
    let n = matrix.nrows();
    if n <= SMALL {
        let mut matrix = matrix;
        for i in 0..n {
            for j in 0..i {
                matrix[[i, j]] = matrix[[j, i]];
            }
        }
        return;
    }
    let half = n / 2;
    let (top, bottom) = matrix.split_at(Axis(0), half);
    let (top_left, top_right) = top.split_at(Axis(1), half);
    let (bottom_left, bottom_right) = bottom.split_at(Axis(1), half);
    rayon::join(
        || rayon::join(|| mirror(top_left), || mirror(bottom_right)),
        || transpose(top_right, bottom_left),
    );
}

/// Writes the transpose of `from` into `to`.
fn transpose(from: ArrayViewMut2<'_, f64>, mut to: ArrayViewMut2<'_, f64>) {
    const SMALL: usize = 64;
    let (rows, columns) = from.dim();
    if rows.max(columns) <= SMALL {
        to.assign(&from.t());
    } else if rows >= columns {
        let (top, bottom) = from.split_at(Axis(0), rows / 2);
        let (left, right) = to.split_at(Axis(1), rows / 2);
        rayon::join(|| transpose(top, left), || transpose(bottom, right));
    } else {
        let (left, right) = from.split_at(Axis(1), columns / 2);
        let (top, bottom) = to.split_at(Axis(0), columns / 2);
        rayon::join(|| transpose(left, top), || transpose(right, bottom));
    }
}
