//! The smallest eigenvectors of the Laplacian of a graph.

use ndarray::{Array, Array1, Array2, ArrayView2, Axis, RemoveAxis, Slice, concatenate};
use serde::{Deserialize, Serialize};

use super::affinity::{Affinity, positive};
use super::at_least_one;
use crate::numerics::linalg::{Eigen, fix_sign, top_eigen, top_eigen_of};
use crate::numerics::union_find::UnionFind;
use crate::{Error, Result};

/// A Laplacian of affinities W without their diagonal, with D the row sums of W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Laplacian {
    /// Lsym = I - D^-½ W D^-½ (MSSC (2.114)).
    #[default]
    Sym,
    /// Lrw = I - D^-1 W (MSSC (2.113)). It has the eigenvalues of Lsym, and D^-½ times its
    /// eigenvectors, so that yᵀ D y = 1.
    Rw,
    /// L = D - W (MSSC (2.100)).
    Unnormalized,
}

impl Laplacian {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["sym", "rw", "unnormalized"];

    fn is_normalized(self) -> bool {
        self != Self::Unnormalized
    }
}

/// A denominator of an extension smaller than this tells nothing.
const VANISHING: f64 = 1e-9;

/// The eigenvectors of a [`Laplacian`] with the smallest eigenvalues.
///
/// The eigenvalue 0 comes once for each part of the graph that no edge joins to the rest (MSSC theorem
/// 2); its vectors are the indicators of these parts, the largest part first (equally large ones by
/// their first points). A point without edges is such a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct LaplacianAxes {
    laplacian: Laplacian,
    eigenvalues: Array1<f64>,
    eigenvectors: Array2<f64>,
    degrees: Vec<f64>,
    n_parts: usize,
}

/// How axes are written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "LaplacianAxes", deny_unknown_fields)]
struct Stored {
    laplacian: Laplacian,
    eigenvalues: Vec<f64>,
    eigenvectors: Array2<f64>,
    degrees: Vec<f64>,
    n_parts: usize,
}

impl From<LaplacianAxes> for Stored {
    fn from(axes: LaplacianAxes) -> Self {
        Self {
            laplacian: axes.laplacian,
            eigenvalues: axes.eigenvalues.to_vec(),
            eigenvectors: axes.eigenvectors,
            degrees: axes.degrees,
            n_parts: axes.n_parts,
        }
    }
}

impl TryFrom<Stored> for LaplacianAxes {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        for (what, found, expected) in [
            (
                "the list of eigenvalues",
                stored.eigenvalues.len(),
                stored.eigenvectors.ncols(),
            ),
            (
                "the list of degrees",
                stored.degrees.len(),
                stored.eigenvectors.nrows(),
            ),
        ] {
            if found != expected {
                return Err(Error::WrongLength {
                    what,
                    found,
                    expected,
                });
            }
        }
        Ok(Self {
            laplacian: stored.laplacian,
            eigenvalues: stored.eigenvalues.into(),
            eigenvectors: stored.eigenvectors,
            degrees: stored.degrees,
            n_parts: stored.n_parts,
        })
    }
}

impl LaplacianAxes {
    /// The first `count` eigenvectors (all, if there are fewer) of the Laplacian of affinities, to residuals
    /// of `tolerance` times its largest eigenvalue; see
    /// [`top_eigen_of`](crate::numerics::linalg::top_eigen_of). Negative affinities count as 0, and a
    /// point's affinity with itself does not count.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotSquare`], [`Error::BadParameter`] for no eigenvectors at all;
    /// [`Error::NoConvergence`] for affinities that are not finite, and for eigenvalues of a large
    /// sparse graph that are too close together.
    pub fn new<'a>(
        affinity: impl Into<Affinity<'a>>,
        laplacian: Laplacian,
        count: usize,
        tolerance: f64,
    ) -> Result<Self> {
        let affinity = affinity.into();
        affinity.check()?;
        at_least_one(count)?;
        let n = affinity.len();
        let count = count.min(n);
        let operator = Operator::new(affinity, laplacian)?;
        let known = count.min(operator.parts.count);
        let mut eigenvalues = Array1::zeros(count);
        let mut eigenvectors = operator.null_vectors(known);
        if count > known {
            let eigen = operator.next(count - known, tolerance)?;
            for (entry, &value) in eigenvalues.iter_mut().skip(known).zip(&eigen.values) {
                *entry = operator.eigenvalue(value);
            }
            eigenvectors = concatenate(Axis(1), &[eigenvectors.view(), eigen.vectors.view()])
                .unwrap_or_default();
        }
        if laplacian == Laplacian::Rw {
            for (mut row, scale) in eigenvectors.rows_mut().into_iter().zip(&operator.scale) {
                row *= *scale;
            }
            for column in eigenvectors.columns_mut() {
                fix_sign(column);
            }
        }
        Ok(Self {
            laplacian,
            eigenvalues,
            eigenvectors,
            n_parts: operator.parts.count,
            degrees: operator.degrees,
        })
    }

    /// The eigenvalues, ascending from 0.
    pub fn eigenvalues(&self) -> &Array1<f64> {
        &self.eigenvalues
    }

    /// The eigenvectors in columns; a row is what an embedding takes as a point's coordinates. The entry
    /// of largest magnitude is positive.
    pub fn eigenvectors(&self) -> &Array2<f64> {
        &self.eigenvectors
    }

    /// The row sums of the affinities.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// How many parts the graph falls into: the multiplicity of the eigenvalue 0.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// The same with at most so many eigenvectors.
    #[must_use]
    pub(super) fn truncated(self, count: usize) -> Self {
        let count = count.min(self.eigenvalues.len());
        Self {
            eigenvalues: part(&self.eigenvalues, Axis(0), ..count),
            eigenvectors: part(&self.eigenvectors, Axis(1), ..count),
            ..self
        }
    }

    /// The same without the first eigenvector.
    #[must_use]
    pub(super) fn without_first(self) -> Self {
        Self {
            eigenvalues: part(&self.eigenvalues, Axis(0), 1..),
            eigenvectors: part(&self.eigenvectors, Axis(1), 1..),
            ..self
        }
    }

    /// The coordinates of a new point with these affinities w to the points, by the equation that theirs satisfy
    /// (Nyström): with d its degree Σ w,
    ///
    /// ```text
    /// Lsym  y = Σ_j w_j / √(d d_j) y_j / (1 - λ)
    /// Lrw   y = Σ_j w_j / d        y_j / (1 - λ)
    /// L     y = Σ_j w_j            y_j / (d - λ)
    /// ```
    ///
    /// A coordinate whose denominator vanishes is 0. False where the point has no affinity to any.
    pub(super) fn extend(
        &self,
        affinities: impl Iterator<Item = (usize, f64)> + Clone,
        out: &mut [f64],
    ) -> bool {
        out.fill(0.0);
        let degree: f64 = affinities.clone().map(|(_, w)| positive(w)).sum();
        if degree == 0.0 {
            return false;
        }
        for (j, w) in affinities {
            let w = positive(w);
            if w == 0.0 {
                continue;
            }
            let share = match self.laplacian {
                Laplacian::Sym => w / (degree * self.degrees[j]).sqrt(),
                Laplacian::Rw => w / degree,
                Laplacian::Unnormalized => w,
            };
            // A point without edges has no degree, and tells as much as one of its own would.
            let share = if share.is_finite() { share } else { 1.0 };
            for (out, y) in out.iter_mut().zip(self.eigenvectors.row(j)) {
                *out += share * y;
            }
        }
        let (whole, scale) = if self.laplacian.is_normalized() {
            (1.0, 1.0)
        } else {
            (degree, degree)
        };
        for (out, value) in out.iter_mut().zip(&self.eigenvalues) {
            let denominator = whole - value;
            *out = if denominator.abs() > VANISHING * scale {
                *out / denominator
            } else {
                0.0
            };
        }
        true
    }

    /// The coordinates of new points, given by their affinities to all points in rows, as in a fit of
    /// a matrix. A point without affinity to any is at the origin.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn transform(&self, affinities: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        if affinities.ncols() != self.degrees.len() {
            return Err(Error::WrongDimensions {
                found: affinities.ncols(),
                expected: self.degrees.len(),
            });
        }
        let mut out = Array2::zeros((affinities.nrows(), self.eigenvalues.len()));
        for (mut out, row) in out.rows_mut().into_iter().zip(affinities.rows()) {
            if let Some(out) = out.as_slice_mut() {
                self.extend(row.iter().copied().enumerate(), out);
            }
        }
        Ok(out)
    }
}

/// Some entries along an axis.
fn part<D: RemoveAxis>(
    array: &Array<f64, D>,
    axis: Axis,
    range: impl Into<Slice>,
) -> Array<f64, D> {
    array.slice_axis(axis, range.into()).to_owned()
}

/// The parts of a graph that no edge joins.
struct Parts {
    /// The part of every point; the largest is 0.
    of: Vec<usize>,
    count: usize,
}

impl Parts {
    fn new(affinity: Affinity<'_>) -> Self {
        let n = affinity.len();
        let mut sets = UnionFind::new(n);
        for i in 0..n {
            affinity.visit_others(i, |j, _| {
                sets.union(i, j);
            });
        }
        let (by_first, count) = sets.components();
        let mut sizes = vec![0_usize; count];
        for &part in &by_first {
            sizes[part] += 1;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&part| std::cmp::Reverse(sizes[part]));
        let mut rank = vec![0; count];
        for (at, &part) in order.iter().enumerate() {
            rank[part] = at;
        }
        Self {
            of: by_first.iter().map(|&part| rank[part]).collect(),
            count,
        }
    }
}

/// What of a graph its eigenvectors are found by: the top of N = D^-½ W D^-½, whose eigenvalues are 1 - λ, or
/// of -L. The vectors of λ = 0 are known, and moved to the other end of the spectrum.
struct Operator<'a> {
    affinity: Affinity<'a>,
    laplacian: Laplacian,
    degrees: Vec<f64>,
    /// What rows and columns are multiplied by: D^-½, or 1.
    scale: Vec<f64>,
    parts: Parts,
    /// The entry of every point in the null vector of its part, all of unit length.
    null: Vec<f64>,
    /// By how much λ = 0 is moved: further than all others are away, which is 2, or twice the largest degree.
    shift: f64,
}

impl<'a> Operator<'a> {
    fn new(affinity: Affinity<'a>, laplacian: Laplacian) -> Result<Self> {
        let n = affinity.len();
        let mut degrees = vec![0.0; n];
        for (i, degree) in degrees.iter_mut().enumerate() {
            affinity.visit_others(i, |_, w| *degree += w);
        }
        if degrees.iter().any(|degree| !degree.is_finite()) {
            return Err(Error::NoConvergence);
        }
        let parts = Parts::new(affinity);
        let root = |&degree: &f64| if degree > 0.0 { degree.sqrt() } else { 1.0 };
        let largest = degrees.iter().fold(0.0, |most: f64, d| most.max(*d));
        let (scale, mut null, shift) = if laplacian.is_normalized() {
            let roots: Vec<f64> = degrees.iter().map(root).collect();
            (roots.iter().map(|r| r.recip()).collect(), roots, 3.0)
        } else {
            (vec![1.0; n], vec![1.0; n], 3.0 * largest)
        };
        let mut lengths_sq = vec![0.0; parts.count];
        for (entry, &part) in null.iter().zip(&parts.of) {
            lengths_sq[part] += entry * entry;
        }
        for (entry, &part) in null.iter_mut().zip(&parts.of) {
            *entry /= f64::sqrt(lengths_sq[part]);
        }
        Ok(Self {
            affinity,
            laplacian,
            degrees,
            scale,
            parts,
            null,
            shift,
        })
    }

    fn null_vectors(&self, count: usize) -> Array2<f64> {
        let mut vectors = Array2::zeros((self.null.len(), count));
        for (i, (&entry, &part)) in self.null.iter().zip(&self.parts.of).enumerate() {
            if part < count {
                vectors[[i, part]] = entry;
            }
        }
        vectors
    }

    /// The eigenpairs after those of λ = 0.
    fn next(&self, count: usize, tolerance: f64) -> Result<Eigen> {
        let n = self.affinity.len();
        let normal = |i: usize, j: usize, value: f64| {
            if i == j {
                0.0
            } else {
                positive(value) * self.scale[i] * self.scale[j]
            }
        };
        // N has 1 for a point without edges, so that its λ is 0 as well.
        let diagonal: Vec<f64> = self
            .degrees
            .iter()
            .map(|&degree| match self.laplacian {
                Laplacian::Unnormalized => -degree,
                _ => f64::from(u8::from(degree == 0.0)),
            })
            .collect();
        match self.affinity {
            Affinity::Dense(dense) => {
                let mut matrix = dense.to_owned();
                for ((i, j), value) in matrix.indexed_iter_mut() {
                    *value = normal(i, j, *value);
                    if self.parts.of[i] == self.parts.of[j] {
                        *value -= self.shift * (self.null[i] * self.null[j]);
                    }
                    if i == j {
                        *value += diagonal[i];
                    }
                }
                top_eigen(matrix.view(), count, tolerance)
            }
            Affinity::Sparse(sparse) => {
                let mut matrix = sparse.clone().map(normal);
                if diagonal.iter().any(|&entry| entry != 0.0) {
                    matrix = matrix.plus_diagonal(&diagonal);
                }
                top_eigen_of(n, count, tolerance, |x| {
                    let mut image = matrix.times(x);
                    self.move_null(x, &mut image);
                    image
                })
            }
        }
    }

    /// Subtracts from the image of x what lies along the null vectors, times the shift.
    fn move_null(&self, x: ArrayView2<'_, f64>, image: &mut Array2<f64>) {
        let mut along = Array2::<f64>::zeros((self.parts.count, x.ncols()));
        for (row, (&part, &entry)) in x
            .rows()
            .into_iter()
            .zip(self.parts.of.iter().zip(&self.null))
        {
            along.row_mut(part).scaled_add(entry, &row);
        }
        for (mut row, (&part, &entry)) in image
            .rows_mut()
            .into_iter()
            .zip(self.parts.of.iter().zip(&self.null))
        {
            row.scaled_add(-self.shift * entry, &along.row(part));
        }
    }

    /// λ of an eigenvalue of what was decomposed.
    fn eigenvalue(&self, value: f64) -> f64 {
        if self.laplacian.is_normalized() {
            (1.0 - value).max(0.0)
        } else {
            (-value).max(0.0)
        }
    }
}
