//! The matrix whose leading eigenvectors are the smallest of a Laplacian.

use std::cell::Cell;
use std::cmp::Reverse;

use ndarray::{Array2, ArrayView2};

use super::affinity::{Affinity, positive};
use super::laplacian::Laplacian;
use crate::numerics::linalg::{Eigen, top_eigen_asking, top_eigen_observed};
use crate::observe::{Event, Observer, ask, report};
use crate::{Error, Result, numerics::union_find::UnionFind};

/// Multiplications between two events of a sparse graph.
const EVENT: usize = 1 << 24;

/// The connected components of a graph.
pub(super) struct ConnectedComponents {
    /// The component of every point; the largest is 0.
    of: Vec<usize>,
    /// The multiplicity of the eigenvalue 0.
    pub(super) count: usize,
}

impl ConnectedComponents {
    fn new(affinity: Affinity<'_>) -> Self {
        let n = affinity.len();
        let mut sets = UnionFind::new(n);
        for i in 0..n {
            affinity.visit_row(i, |j, _| {
                sets.union(i, j);
            });
        }
        let (by_first, count) = sets.components();
        let mut sizes = vec![0_usize; count];
        for &component in &by_first {
            sizes[component] += 1;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&component| Reverse(sizes[component]));
        let mut rank = vec![0; count];
        for (at, &component) in order.iter().enumerate() {
            rank[component] = at;
        }
        Self { of: by_first.iter().map(|&component| rank[component]).collect(), count }
    }
}

/// The matrix whose largest eigenvalues belong to the smallest of a Laplacian: N = D^-½ W D^-½, with the
/// eigenvalues 1 - λ, or -L.
///
/// The vectors z of λ = 0 are known: one for each connected component. Deflation N - shift z zᵀ moves them to the
/// other end of the spectrum, so that the eigensolver finds those that follow.
pub(super) struct LaplacianOperator<'a> {
    affinity: Affinity<'a>,
    laplacian: Laplacian,
    /// Whether the diagonal of W is a part of N and D.
    has_diagonal: bool,
    pub(super) degrees: Vec<f64>,
    /// The factors of rows and columns: D^-½, or 1.
    pub(super) scale: Vec<f64>,
    pub(super) components: ConnectedComponents,
    /// The entry of every point in the null vector of its component, which has unit length.
    null: Vec<f64>,
    /// Larger than the largest eigenvalue of the Laplacian, which is at most 2, or twice the largest degree.
    shift: f64,
}

impl<'a> LaplacianOperator<'a> {
    pub(super) fn new(
        affinity: Affinity<'a>,
        laplacian: Laplacian,
        self_affinity: bool,
    ) -> Result<Self> {
        let n = affinity.len();
        // The diagonal cancels in D - W.
        let has_diagonal = self_affinity && laplacian.is_normalized();
        let mut degrees = vec![0.0; n];
        for (i, degree) in degrees.iter_mut().enumerate() {
            affinity.visit_row(i, |j, weight| {
                if j != i || has_diagonal {
                    *degree += weight;
                }
            });
        }
        if degrees.iter().any(|degree| !degree.is_finite()) {
            return Err(Error::NoConvergence);
        }
        let components = ConnectedComponents::new(affinity);
        let root = |&degree: &f64| if degree > 0.0 { degree.sqrt() } else { 1.0 };
        let largest = degrees.iter().fold(0.0, |most: f64, d| most.max(*d));
        let (scale, mut null, shift) = if laplacian.is_normalized() {
            let roots: Vec<f64> = degrees.iter().map(root).collect();
            (roots.iter().map(|r| r.recip()).collect(), roots, 3.0)
        } else {
            (vec![1.0; n], vec![1.0; n], 3.0 * largest)
        };
        let mut lengths_sq = vec![0.0; components.count];
        for (entry, &component) in null.iter().zip(&components.of) {
            lengths_sq[component] += entry * entry;
        }
        for (entry, &component) in null.iter_mut().zip(&components.of) {
            *entry /= f64::sqrt(lengths_sq[component]);
        }
        Ok(Self { affinity, laplacian, has_diagonal, degrees, scale, components, null, shift })
    }

    /// Writes the eigenvectors of λ = 0 into the first columns of a matrix of zeros, as many as fit.
    pub(super) fn write_null_vectors(&self, vectors: &mut Array2<f64>) {
        for (i, (&entry, &component)) in self.null.iter().zip(&self.components.of).enumerate() {
            if component < vectors.ncols() {
                vectors[[i, component]] = entry;
            }
        }
    }

    /// The eigenpairs of the Laplacian after those of λ = 0.
    pub(super) fn next(
        &self,
        count: usize,
        tolerance: f64,
        observer: &dyn Observer,
    ) -> Result<Eigen> {
        let mut eigen = self.top(count, tolerance, observer)?;
        let whole = f64::from(u8::from(self.laplacian.is_normalized()));
        eigen.values.mapv_inplace(|value| (whole - value).max(0.0));
        Ok(eigen)
    }

    /// The leading eigenpairs of the deflated matrix.
    fn top(&self, count: usize, tolerance: f64, observer: &dyn Observer) -> Result<Eigen> {
        let n = self.affinity.len();
        let normal = |i: usize, j: usize, value: f64| {
            if i == j && !self.has_diagonal {
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
                    if self.components.of[i] == self.components.of[j] {
                        *value -= self.shift * (self.null[i] * self.null[j]);
                    }
                    if i == j {
                        *value += diagonal[i];
                    }
                }
                top_eigen_asking(matrix.view(), count, tolerance, &|| ask(observer))
            }
            Affinity::Sparse(sparse) => {
                let mut matrix = sparse.clone().map(normal);
                if diagonal.iter().any(|&entry| entry != 0.0) {
                    matrix = matrix.plus_diagonal(&diagonal);
                }
                let (work, events) = (Cell::new(0), Cell::new(0));
                top_eigen_observed(
                    n,
                    count,
                    tolerance,
                    |x| {
                        work.set(work.get() + (n + matrix.n_entries()) * x.ncols());
                        if work.get() >= EVENT {
                            work.set(0);
                            events.set(events.get() + 1);
                            report(observer, &Event::new("eigenvectors", events.get(), 0, count))?;
                        }
                        let mut image = matrix.times(x);
                        self.deflate(x, &mut image);
                        Ok(image)
                    },
                    &|| ask(observer),
                )
            }
        }
    }

    /// Subtracts shift z zᵀ x from the image of x, for every null vector z.
    fn deflate(&self, x: ArrayView2<'_, f64>, image: &mut Array2<f64>) {
        let mut along = Array2::<f64>::zeros((self.components.count, x.ncols()));
        let entries = || self.components.of.iter().zip(&self.null);
        for (row, (&component, &entry)) in x.rows().into_iter().zip(entries()) {
            along.row_mut(component).scaled_add(entry, &row);
        }
        for (mut row, (&component, &entry)) in image.rows_mut().into_iter().zip(entries()) {
            row.scaled_add(-self.shift * entry, &along.row(component));
        }
    }
}
