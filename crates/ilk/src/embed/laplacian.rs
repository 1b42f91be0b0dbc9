//! The smallest eigenvectors of the Laplacian of a graph.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};
use serde::{Deserialize, Serialize};

use super::affinity::{Affinity, positive};
use super::{at_least_one, laplacian_operator::LaplacianOperator};
use crate::error::stored::{ensure_finite, ensure_not_negative};
use crate::error::{check_dims, check_length};
use crate::observe::{Observer, Silent};
use crate::{Error, Result, numerics::linalg::fix_sign};

crate::choice! {
    /// A Laplacian of affinities W, with D the diagonal matrix of their row sums.
    #[derive(Default)]
    pub enum Laplacian {
        /// Lsym = I - D^-½ W D^-½ (MSSC (2.114)).
        #[default]
        Sym = "sym",
        /// Lrw = I - D^-1 W (MSSC (2.113)). It has the eigenvalues of Lsym, and D^-½ times its
        /// eigenvectors, so that yᵀ D y = 1.
        Rw = "rw",
        /// L = D - W (MSSC (2.100)).
        Unnormalized = "unnormalized",
    }
}

impl Laplacian {
    pub(super) fn is_normalized(self) -> bool {
        self != Self::Unnormalized
    }
}

/// In the extension to new points a denominator below this is 0 but for rounding.
const ZERO_DENOMINATOR: f64 = 1e-9;

/// The eigenvectors of a [`Laplacian`] with the smallest eigenvalues.
///
/// The multiplicity of the eigenvalue 0 is the number of connected components of the graph (MSSC theorem
/// 2). Its vectors are the indicators of the components, the largest first (equally large ones by their
/// first points). A point without edges is a component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LaplacianAxesFile")]
pub struct LaplacianAxes {
    laplacian: Laplacian,
    #[serde(serialize_with = "super::as_list")]
    eigenvalues: Array1<f64>,
    eigenvectors: Array2<f64>,
    degrees: Vec<f64>,
    n_connected_components: usize,
}

/// The form of [`LaplacianAxes`] in a file.
#[derive(Deserialize)]
#[serde(rename = "LaplacianAxes", deny_unknown_fields)]
struct LaplacianAxesFile {
    laplacian: Laplacian,
    eigenvalues: Vec<f64>,
    eigenvectors: Array2<f64>,
    degrees: Vec<f64>,
    n_connected_components: usize,
}

impl TryFrom<LaplacianAxesFile> for LaplacianAxes {
    type Error = Error;

    fn try_from(stored: LaplacianAxesFile) -> Result<Self> {
        let (n, count) = stored.eigenvectors.dim();
        check_length("the list of eigenvalues", stored.eigenvalues.len(), count)?;
        check_length("the list of degrees", stored.degrees.len(), n)?;
        ensure_finite("an eigenvalue", &stored.eigenvalues)?;
        ensure_finite("an entry of an eigenvector", &stored.eigenvectors)?;
        ensure_not_negative("the degree of a point", &stored.degrees)?;
        Ok(Self {
            laplacian: stored.laplacian,
            eigenvalues: stored.eigenvalues.into(),
            eigenvectors: stored.eigenvectors,
            degrees: stored.degrees,
            n_connected_components: stored.n_connected_components,
        })
    }
}

impl LaplacianAxes {
    /// The first `count` eigenvectors (all, if there are fewer) of the Laplacian of affinities, to residuals
    /// of `tolerance` times its largest eigenvalue; see
    /// [`top_eigen_of`](crate::numerics::linalg::top_eigen_of). Negative affinities, and those of a point with
    /// itself, count as 0.
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
        Self::of_affinity(affinity.into(), laplacian, false, (count, tolerance), &Silent)
    }

    /// As [`new`](Self::new); with `self_affinity` the affinity of a point with itself counts in its degree
    /// and on the diagonal of D^-½ W D^-½. L = D - W is the same with and without it.
    pub(super) fn of_affinity(
        affinity: Affinity<'_>,
        laplacian: Laplacian,
        self_affinity: bool,
        (count, tolerance): (usize, f64),
        observer: &dyn Observer,
    ) -> Result<Self> {
        affinity.check()?;
        at_least_one(count)?;
        let n = affinity.len();
        let count = count.min(n);
        let operator = LaplacianOperator::new(affinity, laplacian, self_affinity)?;
        let n_connected_components = operator.components.count;
        let known = count.min(n_connected_components);
        let mut eigenvalues = Array1::zeros(count);
        let mut eigenvectors = Array2::zeros((n, count));
        operator.write_null_vectors(&mut eigenvectors);
        if count > known {
            let eigen = operator.next(count - known, tolerance, observer)?;
            let others = Slice::from(known..);
            eigenvalues.slice_axis_mut(Axis(0), others).assign(&eigen.values);
            eigenvectors.slice_axis_mut(Axis(1), others).assign(&eigen.vectors);
        }
        if laplacian == Laplacian::Rw {
            eigenvectors *= &ArrayView2::from_shape((n, 1), &operator.scale).expect("n factors");
            for column in eigenvectors.columns_mut() {
                fix_sign(column);
            }
        }
        Ok(Self {
            laplacian,
            eigenvalues,
            eigenvectors,
            n_connected_components,
            degrees: operator.degrees,
        })
    }

    /// Which Laplacian it is.
    pub(super) fn laplacian(&self) -> Laplacian {
        self.laplacian
    }

    /// The eigenvalues, ascending from 0.
    pub fn eigenvalues(&self) -> &Array1<f64> {
        &self.eigenvalues
    }

    /// The eigenvectors in columns; a row holds a point's coordinates. The entry of largest magnitude of a
    /// column is positive.
    pub fn eigenvectors(&self) -> &Array2<f64> {
        &self.eigenvectors
    }

    /// The row sums of the affinities.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// Number of connected components of the graph: the multiplicity of the eigenvalue 0.
    pub fn n_connected_components(&self) -> usize {
        self.n_connected_components
    }

    /// The eigenvectors of a range alone.
    pub(super) fn part(self, range: Range<usize>) -> Self {
        let range = Slice::from(range);
        Self {
            eigenvalues: self.eigenvalues.slice_axis(Axis(0), range).to_owned(),
            eigenvectors: self.eigenvectors.slice_axis(Axis(1), range).to_owned(),
            ..self
        }
    }

    /// Writes the coordinates of a new point with affinities w to the points, by the equation that theirs
    /// satisfy (Nyström): with d its degree Σ w,
    ///
    /// ```text
    /// Lsym  y = Σ_j w_j / √(d d_j) y_j / (1 - λ)
    /// Lrw   y = Σ_j w_j / d        y_j / (1 - λ)
    /// L     y = Σ_j w_j            y_j / (d - λ)
    /// ```
    ///
    /// A coordinate whose denominator vanishes is 0. False where the point has no affinity to any; then
    /// all coordinates are 0.
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
            // A point without edges has the degree 0: the new point is then its only neighbour.
            let share = if share.is_finite() { share } else { 1.0 };
            for (out, y) in out.iter_mut().zip(self.eigenvectors.row(j)) {
                *out += share * y;
            }
        }
        let whole = if self.laplacian.is_normalized() { 1.0 } else { degree };
        for (out, value) in out.iter_mut().zip(&self.eigenvalues) {
            let denominator = whole - value;
            let is_zero = denominator.abs() <= ZERO_DENOMINATOR * whole;
            *out = if is_zero { 0.0 } else { *out / denominator };
        }
        true
    }

    /// The coordinates of new points, given by their affinities to all points in rows, as in a fit of
    /// a matrix. A point without affinity to any is at the origin.
    pub fn transform(&self, affinities: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        check_dims(affinities.ncols(), self.degrees.len())?;
        let mut out = Array2::zeros((affinities.nrows(), self.eigenvalues.len()));
        let mut coordinates = vec![0.0; self.eigenvalues.len()];
        for (mut out, row) in out.rows_mut().into_iter().zip(affinities.rows()) {
            self.extend(row.iter().copied().enumerate(), &mut coordinates);
            out.assign(&ArrayView1::from(&coordinates));
        }
        Ok(out)
    }
}
