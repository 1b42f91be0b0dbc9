//! The affinity of groups of points.

use std::ops::Range;

use ndarray::Array2;

use super::{Bandwidth, Gram, Kernel};
use crate::observe::{Observer, Progress};
use crate::{
    Error, Result, error::check_length, numerics::cells::Cells, numerics::distances::dot,
    numerics::linalg::mirror_upper, problem::Points,
};

/// The Cauchy-Schwarz affinity of groups of points: the cosine of the angle between their densities,
///
/// ```text
/// A_ab = V_ab / sqrt(V_aa V_bb),     V_ab = Σ_{i in a} Σ_{j in b} m_i m_j exp(-|x_i - x_j|² / (2 h²))
/// ```
///
/// with m the weights of the points. V_ab / (M_a M_b) is the integral of the product of the two groups'
/// kernel density estimates, up to a constant; M cancels. A group of one point has with another such
/// group the kernel itself as affinity, so that groups of single points give the kernel matrix.
///
/// The n x n kernel is streamed, a few rows at a time: memory is linear in the number of points and
/// quadratic in that of groups. Time is quadratic in the number of points, unless points are pooled: with
/// `cell` above 0 the points of one group that share a grid cell of that many bandwidths count as their
/// weighted mean. The error is of the order of the square of the cell.
///
/// ```
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
/// use ilk::similarity::CauchySchwarzAffinity;
///
/// let points = Points::from_rows(&[[0.0], [1.0], [9.0]].map(Vec::from))?;
/// let affinity = CauchySchwarzAffinity::exact(1.0);
/// let between = affinity.between(&points, None, &[0, 0, 1], &Silent)?;
/// assert_eq!(between[[0, 0]], 1.0);
/// assert!(between[[0, 1]] < 1e-9);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CauchySchwarzAffinity {
    /// h, above 0.
    pub bandwidth: f64,
    /// The side of grid cells whose points are pooled, in bandwidths; 0: none are.
    pub cell: f64,
    /// Where more than this many points and means of points are left, cells get larger, up to a bandwidth.
    pub max_members: usize,
}

/// How much larger cells get at a time.
const LARGER: f64 = 1.5;

impl CauchySchwarzAffinity {
    /// Without pooling.
    pub const fn exact(bandwidth: f64) -> Self {
        Self { bandwidth, cell: 0.0, max_members: usize::MAX }
    }

    /// The affinities between all groups, where `groups` has the group of every point, from 0 without
    /// gaps, and `weights` are positive. The matrix is symmetric to the bit, with 1 on the diagonal.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::BadPointWeight`], [`Error::BadParameter`], also of groups with numbers
    /// above those of points, [`Error::Cancelled`].
    pub fn between(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        groups: &[usize],
        observer: &dyn Observer,
    ) -> Result<Array2<f64>> {
        if !(self.cell >= 0.0 && self.cell.is_finite()) {
            let expected = "it must be a finite number from 0";
            return Err(Error::bad_parameter("cell", self.cell, expected));
        }
        check(points.len(), weights, groups)?;
        let n_groups = groups.iter().max().map_or(0, |last| last + 1);
        let mut members = Members::by_group(points, weights, groups);
        let mut cell = self.cell;
        if cell > 0.0 {
            members = members.pooled(cell * self.bandwidth)?;
            while members.group_of.len() > self.max_members && cell < 1.0 {
                cell = (LARGER * cell).min(1.0);
                members = members.pooled(cell * self.bandwidth)?;
            }
        }
        let mut between = members.kernel_sums(self.bandwidth, n_groups, observer)?;
        let own = between.diag().to_owned();
        for ((a, b), value) in between.indexed_iter_mut() {
            let scale = (own[a] * own[b]).sqrt();
            *value = match a == b {
                true => 1.0,
                // A group without points has nothing in common with any.
                false if scale == 0.0 => 0.0,
                false => (*value / scale).clamp(0.0, 1.0),
            };
        }
        Ok(between)
    }
}

fn check(n: usize, weights: Option<&[f64]>, groups: &[usize]) -> Result<()> {
    check_length("the list of groups", groups.len(), n)?;
    let n_weights = weights.map_or(n, <[f64]>::len);
    check_length("the list of point weights", n_weights, n)?;
    if let Some(group) = groups.iter().find(|&&group| group >= n) {
        let expected = format!("{n} points have groups from 0 to {} at most", n - 1);
        return Err(Error::bad_parameter("groups", group, expected));
    }
    let mut each = weights.unwrap_or(&[]).iter().enumerate();
    match each.find(|(_, weight)| !(**weight > 0.0 && weight.is_finite())) {
        Some((point, &weight)) => Err(Error::BadPointWeight { point: point.to_string(), weight }),
        None => Ok(()),
    }
}

/// Points in the order of their groups.
struct Members {
    points: Points,
    weights: Vec<f64>,
    group_of: Vec<usize>,
}

impl Members {
    fn by_group(points: &Points, weights: Option<&[f64]>, groups: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&i| groups[i]);
        Self {
            points: points.select(&order),
            weights: order.iter().map(|&i| weights.map_or(1.0, |each| each[i])).collect(),
            group_of: order.iter().map(|&i| groups[i]).collect(),
        }
    }

    /// One member for all that share a group and a grid cell.
    fn pooled(&self, side: f64) -> Result<Self> {
        let dims = self.points.dims();
        let merged = Cells::new(side).merge_rows(
            (self.points.as_slice(), dims),
            &self.weights,
            |i| Some(self.group_of[i] as f64),
            |_| {},
        );
        let mut sums = vec![0.0; merged.rows.len()];
        for (i, &cell) in merged.cell_of.iter().enumerate() {
            for (sum, x) in sums[cell * dims..].iter_mut().zip(self.points.row(i)) {
                *sum += self.weights[i] * x;
            }
        }
        let weights = merged.weights;
        let mean = |(cell, k): (usize, usize)| sums[cell * dims + k] / weights[cell];
        Ok(Self {
            points: Points::new(Array2::from_shape_fn((weights.len(), dims), mean))?,
            group_of: merged.first.iter().map(|&i| self.group_of[i]).collect(),
            weights,
        })
    }

    /// V, the sums of the kernel between groups. Only the rows of the first of two groups are read.
    fn kernel_sums(
        &self,
        bandwidth: f64,
        n_groups: usize,
        observer: &dyn Observer,
    ) -> Result<Array2<f64>> {
        let kernel = Kernel::gaussian(Bandwidth::Fixed(bandwidth));
        let gram = Gram::new(&kernel, &self.points, 0)?;
        let n = self.points.len();
        let progress = Progress::new(observer, "affinity of partitions", n);
        let first_column = |row: usize| {
            let group = self.group_of[row];
            self.group_of.partition_point(|&other| other < group)
        };
        let of_rows = |rows: Range<usize>, block: &mut [f64]| {
            if !progress.goes_on() {
                return Vec::new();
            }
            let first = first_column(rows.start);
            let sums = self.sums_of_rows(rows.start, first, block, n_groups);
            progress.report(1, rows.len(), 0.0, None);
            sums
        };
        let sums = gram.map_blocks_from(first_column, of_rows);
        progress.check(1)?;
        let mut between = Array2::zeros((n_groups, n_groups));
        for (group, sums) in sums.into_iter().flatten() {
            for (total, sum) in between.row_mut(group).iter_mut().zip(sums) {
                *total += sum;
            }
        }
        mirror_upper(between.view_mut());
        Ok(between)
    }

    /// What some rows of the kernel, of points from `start` on with those from `first` on, add to the sums of
    /// their groups with groups that do not come before them.
    fn sums_of_rows(
        &self,
        start: usize,
        first: usize,
        block: &[f64],
        n_groups: usize,
    ) -> Vec<(usize, Vec<f64>)> {
        let mut sums: Vec<(usize, Vec<f64>)> = Vec::new();
        let (group_of, weights) = (&self.group_of[first..], &self.weights[first..]);
        for (row, i) in block.chunks_exact(group_of.len()).zip(start..) {
            let group = self.group_of[i];
            if sums.last().is_none_or(|(last, _)| *last != group) {
                sums.push((group, vec![0.0; n_groups]));
            }
            let Some((_, sums)) = sums.last_mut() else {
                continue;
            };
            let mut from = group_of.partition_point(|&other| other < group);
            for others in group_of[from..].chunk_by(|a, b| a == b) {
                let columns = from..from + others.len();
                let sum = dot(&weights[columns.clone()], &row[columns]);
                sums[others[0]] += self.weights[i] * sum;
                from += others.len();
            }
        }
        sums
    }
}
