//! Kernel values between points, a block at a time.

use std::ops::Range;

use ndarray::Array2;
use rayon::prelude::*;

use super::bandwidth::{ResolvedBandwidth, rules};
use super::{Bandwidth, Kernel, Profile, fill_rows::filled_rows};
use crate::error::{check_dims, check_memory, matrix_bytes};
use crate::numerics::distances::{Panels, dist_sq, dot};
use crate::{
    Error, Result, numerics::cached::Cached, numerics::linalg::mirror_upper,
    numerics::neighbors::Neighbors, problem::Points,
};

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
pub struct Gram {
    points: Points,
    panels: Panels,
    kernel: ResolvedKernel,
    /// The points among which a new point has its neighbours.
    training: Points,
    /// Of `training`; built when the first new point needs it.
    index: Cached<Neighbors>,
}

/// A kernel with all its numbers.
#[derive(Debug, Clone)]
enum ResolvedKernel {
    Radial {
        profile: Profile,
        widths: ResolvedBandwidth,
        truncation: f64,
        /// The k of the neighbour whose distance is the bandwidth of a point. None where bandwidths
        /// were given as numbers.
        neighbor: Option<usize>,
    },
    /// A polynomial of the dot product.
    Dot(Kernel),
}

impl Gram {
    /// Fits the kernel to the points: checks its parameters and finds its bandwidths. The seed
    /// matters where a bandwidth rule samples.
    pub fn new(kernel: &Kernel, points: &Points, seed: u64) -> Result<Self> {
        kernel.check()?;
        let resolved = match kernel.general() {
            Kernel::Radial { profile, bandwidth, truncation } => ResolvedKernel::Radial {
                profile,
                widths: bandwidth.resolve(points, seed)?,
                truncation,
                neighbor: bandwidth.neighbor(),
            },
            kernel => ResolvedKernel::Dot(kernel),
        };
        Ok(Self::of(resolved, points.clone()))
    }

    fn of(kernel: ResolvedKernel, points: Points) -> Self {
        Self {
            panels: Panels::new(points.view()),
            kernel,
            training: points.clone(),
            points,
            index: Cached::default(),
        }
    }

    /// A radial kernel whose bandwidth at a point is the distance to the point's k-th neighbour among
    /// `training`.
    pub(super) fn self_tuning(
        profile: Profile,
        truncation: f64,
        k: usize,
        points: &Points,
        training: &Points,
    ) -> Self {
        let index = Neighbors::new(training.view());
        let widths = (0..points.len())
            .into_par_iter()
            .map(|i| rules::new_point_neighbor(&index, points.row(i), k))
            .collect();
        let kernel = ResolvedKernel::Radial {
            profile,
            widths: ResolvedBandwidth::PerPoint(widths),
            truncation,
            neighbor: Some(k),
        };
        Self { training: training.clone(), index: index.into(), ..Self::of(kernel, points.clone()) }
    }

    /// The same kernel on the points `chosen`; each keeps its bandwidth.
    pub(super) fn restricted(&self, chosen: &[usize]) -> Self {
        let mut kernel = self.kernel.clone();
        if let ResolvedKernel::Radial {
            widths: ResolvedBandwidth::PerPoint(each), neighbor, ..
        } = &mut kernel
        {
            *each = chosen.iter().map(|&i| each[i]).collect();
            *neighbor = None;
        }
        Self::of(kernel, self.points.select(chosen))
    }

    /// The kernel without rules that would read a number off all points: `chosen` of the points
    /// alone give it the same values. Only the distance to a neighbour remains a rule.
    pub(super) fn resolved(&self, chosen: &[usize]) -> Kernel {
        match &self.kernel {
            ResolvedKernel::Radial { profile, widths, truncation, neighbor } => Kernel::Radial {
                profile: *profile,
                bandwidth: match (widths, neighbor) {
                    (_, Some(k)) => Bandwidth::Neighbor(*k),
                    // A width of 0, where all points coincide, is no bandwidth to give; this one has
                    // the same values.
                    (ResolvedBandwidth::Fixed(h), None) => {
                        Bandwidth::Fixed(h.max(f64::MIN_POSITIVE.sqrt()))
                    }
                    (ResolvedBandwidth::PerPoint(each), None) => {
                        Bandwidth::PerPoint(chosen.iter().map(|&i| each[i]).collect())
                    }
                },
                truncation: *truncation,
            },
            ResolvedKernel::Dot(polynomial) => polynomial.clone(),
        }
    }

    /// The points that the kernel was fitted to.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The bandwidths, for radial kernels.
    pub fn bandwidth(&self) -> Option<&ResolvedBandwidth> {
        match &self.kernel {
            ResolvedKernel::Radial { widths, .. } => Some(widths),
            ResolvedKernel::Dot(_) => None,
        }
    }

    /// The k of the neighbour whose distance is the bandwidth of a point, where that is the rule.
    fn neighbor(&self) -> Option<usize> {
        match self.kernel {
            ResolvedKernel::Radial { neighbor, .. } => neighbor,
            ResolvedKernel::Dot(_) => None,
        }
    }

    /// The value between points `i` and `j`.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.points.row(i), self.points.row(j));
        let mut value = [match self.kernel {
            ResolvedKernel::Radial { .. } => dist_sq(a, b),
            ResolvedKernel::Dot(_) => dot(a, b),
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
    /// [`Error::TooLarge`] above [`MAX_BYTES`](crate::error::MAX_BYTES).
    pub fn full(&self) -> Result<Array2<f64>> {
        let n = self.len();
        check_matrix_size(n, n)?;
        let step = self.panels.block_rows();
        let mut matrix = filled_rows(n, n, step, |upper, rows, out| {
            let width = n - rows.start;
            upper.resize(rows.len() * width, 0.0);
            self.block(rows.clone(), rows.start..n, upper);
            for (out, upper) in out.chunks_exact_mut(n).zip(upper.chunks_exact(width)) {
                out[rows.start..].copy_from_slice(upper);
            }
        });
        mirror_upper(matrix.view_mut());
        Ok(matrix)
    }

    /// The values between other points (in rows) and these (in columns).
    ///
    /// Where bandwidths come from neighbours, another point takes its distance to its k-th neighbour
    /// among these, and a point of these in the same place is taken to be itself: so the rows of
    /// these points come out as in [`full`](Self::full).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`] above [`MAX_BYTES`](crate::error::MAX_BYTES);
    /// [`Error::BadParameter`] where every point was given a bandwidth, but the others have none.
    pub fn cross(&self, others: &Points) -> Result<Array2<f64>> {
        let (rows, n, dims) = (others.len(), self.len(), self.points.dims());
        check_dims(others.dims(), dims)?;
        check_matrix_size(rows, n)?;
        self.check_extends()?;
        let step = self.panels.block_rows();
        Ok(filled_rows(rows, n, step, |_, rows, out| {
            let queries = &others.as_slice()[rows.start * dims..rows.end * dims];
            self.fill_new(queries, out);
        }))
    }

    /// Refuses a kernel whose bandwidths were listed, one a point: a new point has none.
    pub(super) fn check_extends(&self) -> Result<()> {
        let is_list = matches!(self.bandwidth(), Some(ResolvedBandwidth::PerPoint(_)));
        if is_list && self.neighbor().is_none() {
            return Err(Error::bad_parameter(
                "bandwidth",
                format!("a list of {}", self.len()),
                "new points have no bandwidth in such a list; give one number or a rule",
            ));
        }
        Ok(())
    }

    /// The values between new points (rows of coordinates) and all points, written row by row. The
    /// kernel passes [`check_extends`](Self::check_extends).
    pub(super) fn fill_new(&self, queries: &[f64], out: &mut [f64]) {
        let dims = self.points.dims();
        let width = |i: usize| match self.neighbor() {
            Some(k) => {
                let query = &queries[i * dims..(i + 1) * dims];
                let index = || Neighbors::new(self.training.view());
                rules::new_point_neighbor(self.index.get(index), query, k)
            }
            None => self.width(0),
        };
        self.fill(queries, width, &(0..self.len()), out);
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
        match self.kernel {
            ResolvedKernel::Radial { .. } => self.panels.dist_sq(queries, columns.clone(), out),
            ResolvedKernel::Dot(_) => self.panels.dot(queries, columns.clone(), out),
        }
        if !columns.is_empty() {
            for (i, row) in out.chunks_exact_mut(columns.len()).enumerate() {
                self.weigh(row, width(i), columns);
            }
        }
    }

    /// From squared distances or dot products to kernel values; `own` is the row's bandwidth.
    fn weigh(&self, row: &mut [f64], own: f64, columns: &Range<usize>) {
        match &self.kernel {
            ResolvedKernel::Radial {
                profile,
                widths: ResolvedBandwidth::Fixed(h),
                truncation,
                ..
            } => profile.weigh(row, *h, *truncation),
            ResolvedKernel::Radial {
                profile,
                widths: ResolvedBandwidth::PerPoint(each),
                truncation,
                ..
            } => profile.weigh_each(row, own, &each[columns.clone()], *truncation),
            ResolvedKernel::Dot(polynomial) => polynomial.of_dots(row),
        }
    }
}

/// Refuses a matrix above [`MAX_BYTES`](crate::error::MAX_BYTES).
pub(crate) fn check_matrix_size(rows: usize, columns: usize) -> Result<()> {
    check_memory(
        "the kernel matrix",
        matrix_bytes(rows, columns),
        "visit it in blocks (Gram::map_blocks), use a sparse graph of neighbours, or sample the points",
    )
}
