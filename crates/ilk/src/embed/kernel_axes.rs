//! The axes of a kernel's space: those of most variance, or of most entropy.

use ndarray::{Array1, Array2, ArrayView2, Axis, CowArray};
use serde::{Deserialize, Serialize};

use super::{affinity::Affinity, at_least_one, centering::Centering};
use crate::Result;
use crate::error::{check_dims, check_length};
use crate::numerics::linalg::{
    Eigen, fix_sign, product, symmetric_eigen, symmetric_eigen_asking, top_eigen_asking,
    top_eigen_observed,
};
use crate::observe::{Observer, Silent, ask};

/// Up to this many points all axes are computed.
const MAX_ALL_AXES: usize = 1000;

/// Of more points, at most one axis in this many is computed.
const POINTS_PER_AXIS: usize = 20;

/// Which axes of a kernel's space are kept.
///
/// With K = E Λ Eᵀ the kernel matrix, the coordinates of the points along all axes are the rows of
/// E Λ^½, whose dot products are K.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisChoice {
    /// Those of the largest eigenvalues: kernel principal component analysis (Schölkopf, Smola and
    /// Müller 1998).
    Variance {
        /// Whether the mean of all points, in the kernel's space, is moved to the origin first. Then
        /// the eigenvalues are n times variances; otherwise they are second moments.
        center: bool,
    },
    /// Those with most of the quadratic Renyi entropy of the density that the kernel estimates,
    /// 1ᵀ K 1 = Σ ψ_j with ψ_j = (√λ_j e_jᵀ 1)²: kernel entropy component analysis (Jenssen 2010; MSSC
    /// (4.6) to (4.13)). An axis along which the coordinates sum to 0, as within a ring, has none, however
    /// large its eigenvalue is.
    Entropy,
}

impl AxisChoice {
    pub(super) fn is_centered(self) -> bool {
        self == Self::Variance { center: true }
    }
}

/// The axes that were kept, in the order of the [choice](AxisChoice).
///
/// A row of the kernel matrix may stand for a group of points in one place. With M the diagonal matrix of the
/// groups' masses (1 for single points),
///
/// ```text
/// M^½ K M^½ = E Λ Eᵀ,     coordinates M^-½ E Λ^½,     ψ_j = λ_j (Σ_a √m_a E_aj)²
/// ```
///
/// are what the points of each group have where they are listed one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelAxes {
    /// λ of every axis. Negative ones, and those that are rounding alone, are 0.
    pub eigenvalues: Array1<f64>,
    /// e of every axis, in columns of unit length. The entry of largest magnitude is positive.
    pub eigenvectors: Array2<f64>,
    /// λ of every axis that was computed, the largest first.
    pub spectrum: Array1<f64>,
    /// ψ of the same axes.
    pub entropies: Array1<f64>,
    /// The positions of the same axes in the order of the choice; the first are those that were kept.
    pub order: Vec<usize>,
    /// Whether no axis that was not computed can be among those to be kept.
    pub is_certain: bool,
    /// M^½, as a column; none where all masses are 1.
    mass_roots: Option<Array2<f64>>,
    centering: Option<Centering>,
}

impl KernelAxes {
    /// The axes of a symmetric kernel matrix between points, or between groups of points with positive
    /// masses; as many as there are rows where more are asked for.
    ///
    /// Of up to 1,000 points all axes are computed. Of more, those of the largest eigenvalues are, to
    /// the `tolerance` of [`top_eigen`](crate::numerics::linalg::top_eigen). For the
    /// [entropy](AxisChoice::Entropy) their number is doubled until the entropy of all others together is less than that of the last one kept (then the choice is
    /// certain), until the second half added none to those kept, or until it is n / 20.
    ///
    /// # Errors
    /// Those of a matrix that is empty or not square, of another number of masses, and of no axes at all;
    /// [`Error::NoConvergence`](crate::Error::NoConvergence) for values that are not finite.
    pub fn new(
        kernel: ArrayView2<'_, f64>,
        masses: Option<&[f64]>,
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
    ) -> Result<Self> {
        Self::observed(kernel, masses, choice, n_components, tolerance, &Silent)
    }

    /// As [`new`](Self::new), with cancellation.
    pub(super) fn observed(
        kernel: ArrayView2<'_, f64>,
        masses: Option<&[f64]>,
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let search = AxisSearch { tolerance, max_all: MAX_ALL_AXES, observer };
        Self::with_spectrum(kernel, masses, choice, n_components, search)
    }

    /// The same for coordinates alone: of few points, too, no more axes are computed than the choice takes.
    pub(crate) fn for_coordinates(
        kernel: ArrayView2<'_, f64>,
        masses: Option<&[f64]>,
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let search = AxisSearch { tolerance, max_all: 0, observer };
        Self::with_spectrum(kernel, masses, choice, n_components, search)
    }

    fn with_spectrum(
        kernel: ArrayView2<'_, f64>,
        masses: Option<&[f64]>,
        choice: AxisChoice,
        n_components: usize,
        search: AxisSearch<'_>,
    ) -> Result<Self> {
        Affinity::from(kernel).check()?;
        let n = kernel.nrows();
        let n_masses = masses.map_or(n, <[f64]>::len);
        check_length("the list of masses", n_masses, n)?;
        at_least_one(n_components)?;
        let centering = choice.is_centered().then(|| Centering::new(kernel, shares(masses, n)));
        let mut matrix = CowArray::from(kernel);
        if let Some(centering) = &centering {
            matrix = centering.apply(kernel).into();
        }
        let mut roots = Array1::ones(n);
        if let Some(masses) = masses {
            roots = masses.iter().map(|mass| mass.sqrt()).collect();
            for ((a, b), value) in matrix.indexed_iter_mut() {
                *value *= roots[a] * roots[b];
            }
        }
        let wanted = n_components.min(n);
        let axes = if choice == AxisChoice::Entropy {
            Self::of_entropy(matrix.view(), &roots, wanted, search)?
        } else {
            let count = if n <= search.max_all || is_dense(n, wanted) { n } else { wanted };
            let eigen = search.leading(matrix.view(), count)?;
            Self::chosen(eigen, &roots, choice, wanted)
        };
        Ok(Self { mass_roots: masses.map(|_| roots.insert_axis(Axis(1))), centering, ..axes })
    }

    /// Computes more and more axes, with ψ_j = (√λ_j e_jᵀ u)² for a direction u, until the others cannot
    /// change the choice.
    fn of_entropy(
        kernel: ArrayView2<'_, f64>,
        direction: &Array1<f64>,
        wanted: usize,
        search: AxisSearch<'_>,
    ) -> Result<Self> {
        let n = kernel.nrows();
        let total = direction.dot(&kernel.dot(direction));
        let most = if n <= MAX_ALL_AXES { n } else { (n / POINTS_PER_AXIS).max(wanted) };
        let first = 2 * wanted + 8;
        let mut count = if n <= search.max_all || is_dense(n, first) { n } else { most.min(first) };
        loop {
            let eigen = search.leading(kernel, count)?;
            let mut axes = Self::chosen(eigen, direction, AxisChoice::Entropy, wanted);
            let last = axes.entropies[axes.order[wanted - 1]];
            axes.is_certain = count == n || total - axes.entropies.sum() <= last;
            let is_stable = axes.kept().iter().all(|&at| at < count / 2);
            if axes.is_certain || is_stable || count == most {
                return Ok(axes);
            }
            count = if is_dense(n, 2 * count) { most } else { most.min(2 * count) };
        }
    }

    /// The axes of the kernel F Fᵀ, with F the features of the points in rows, centred before where the choice
    /// asks for it; and the matrix V of coordinates F V.
    pub(super) fn of_features(
        features: ArrayView2<'_, f64>,
        choice: AxisChoice,
        n_components: usize,
    ) -> Result<(Self, Array2<f64>)> {
        at_least_one(n_components)?;
        let inner = symmetric_eigen(product(features.t(), features).view())?;
        let rounding = features.nrows() as f64
            * f64::EPSILON
            * inner.values.first().map_or(0.0, |largest| largest.max(0.0));
        // 1ᵀ of an axis without the axis itself, since of very many few are kept.
        let sums = inner.vectors.t().dot(&features.sum_axis(Axis(0)));
        let sums = &sums * &inner.values.mapv(inverse_root);
        let ordered = Ordered::new(&inner.values, &sums, rounding, choice);
        let wanted = n_components.min(inner.values.len());
        let kept = &ordered.order[..wanted];
        let mut rotation = inner.vectors.select(Axis(1), kept);
        let mut vectors = product(features, rotation.view());
        for ((mut along, mut axis), &at) in
            vectors.columns_mut().into_iter().zip(rotation.columns_mut()).zip(kept)
        {
            if fix_sign(along.view_mut()) {
                axis.mapv_inplace(|x| -x);
            }
            if inner.values[at] > 0.0 {
                along /= inner.values[at].sqrt();
            }
        }
        Ok((ordered.keeping(vectors), rotation))
    }

    /// Orders axes, and keeps the first.
    fn chosen(eigen: Eigen, direction: &Array1<f64>, choice: AxisChoice, wanted: usize) -> Self {
        let rounding = eigen.rounding();
        let Eigen { values, vectors } = eigen;
        let sums = vectors.t().dot(direction);
        let ordered = Ordered::new(&values, &sums, rounding, choice);
        let vectors = vectors.select(Axis(1), &ordered.order[..wanted]);
        ordered.keeping(vectors)
    }

    /// The positions of the axes that were kept.
    pub fn kept(&self) -> &[usize] {
        &self.order[..self.eigenvalues.len()]
    }

    /// The coordinates of the points or groups: the rows of M^-½ E Λ^½ (MSSC (4.7), transposed).
    pub fn coordinates(&self) -> Array2<f64> {
        let mut coordinates = &self.eigenvectors * &self.eigenvalues.mapv(f64::sqrt);
        if let Some(roots) = &self.mass_roots {
            coordinates /= roots;
        }
        coordinates
    }

    /// The coordinates of new points or groups, from their kernel values with these in rows.
    pub fn project(&self, kernel: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let (weights, offset) = self.projection();
        check_dims(kernel.ncols(), weights.nrows())?;
        Ok(kernel.dot(&weights) - &offset)
    }

    /// W and b such that kernel values k(x, X) with all points have the coordinates k(x, X) W - b:
    /// W = M^½ E Λ^-½ (0 for an axis of eigenvalue 0), centred where the kernel was.
    pub(super) fn projection(&self) -> (Array2<f64>, Array1<f64>) {
        let scale = self.eigenvalues.mapv(inverse_root);
        let mut weights = &self.eigenvectors * &scale;
        if let Some(roots) = &self.mass_roots {
            weights *= roots;
        }
        if let Some(centering) = &self.centering {
            return centering.projection(weights);
        }
        let offset = Array1::zeros(weights.ncols());
        (weights, offset)
    }
}

/// Axes in the order of a choice.
struct Ordered {
    spectrum: Array1<f64>,
    entropies: Array1<f64>,
    order: Vec<usize>,
}

impl Ordered {
    /// Axes of these eigenvalues, of which those up to `rounding` are 0; `sums` are the products of the axes with the
    /// direction of entropy.
    fn new(values: &Array1<f64>, sums: &Array1<f64>, rounding: f64, choice: AxisChoice) -> Self {
        let spectrum = values.mapv(|value| if value > rounding { value } else { 0.0 });
        let entropies = &spectrum * sums * sums;
        let mut order: Vec<usize> = (0..spectrum.len()).collect();
        if choice == AxisChoice::Entropy {
            order.sort_by(|&a, &b| entropies[b].total_cmp(&entropies[a]));
        }
        Self { spectrum, entropies, order }
    }

    /// The first axes, whose vectors these are.
    fn keeping(self, vectors: Array2<f64>) -> KernelAxes {
        KernelAxes {
            eigenvalues: self.spectrum.select(Axis(0), &self.order[..vectors.ncols()]),
            eigenvectors: vectors,
            is_certain: true,
            spectrum: self.spectrum,
            entropies: self.entropies,
            order: self.order,
            mass_roots: None,
            centering: None,
        }
    }
}

/// 1 / √λ, or 0 for an axis of eigenvalue 0.
fn inverse_root(value: f64) -> f64 {
    if value > 0.0 { value.sqrt().recip() } else { 0.0 }
}

/// The share of every group in the mean of all points.
fn shares(masses: Option<&[f64]>, n: usize) -> Array1<f64> {
    match masses {
        None => Array1::from_elem(n, (n as f64).recip()),
        Some(masses) => {
            let total: f64 = masses.iter().sum();
            masses.iter().map(|mass| mass / total).collect()
        }
    }
}

/// Whether so many axes of few points take as long as all of them.
fn is_dense(n: usize, count: usize) -> bool {
    n <= MAX_ALL_AXES && count > n / POINTS_PER_AXIS
}

/// How eigenpairs are searched for.
#[derive(Clone, Copy)]
struct AxisSearch<'a> {
    tolerance: f64,
    /// Points up to which all axes are computed.
    max_all: usize,
    observer: &'a dyn Observer,
}

impl AxisSearch<'_> {
    /// The eigenpairs of the `count` largest eigenvalues.
    fn leading(self, matrix: ArrayView2<'_, f64>, count: usize) -> Result<Eigen> {
        let n = matrix.nrows();
        let go_on = || ask(self.observer);
        if count == n {
            symmetric_eigen_asking(matrix, &go_on)
        } else if n <= MAX_ALL_AXES {
            let matrix = matrix.as_standard_layout();
            let apply = |x: ArrayView2<'_, f64>| Ok(product(matrix.view(), x));
            top_eigen_observed(n, count, self.tolerance, apply, &go_on)
        } else {
            top_eigen_asking(matrix, count, self.tolerance, &go_on)
        }
    }
}
