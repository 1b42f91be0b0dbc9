//! Affinities between points, dense or sparse.

use ndarray::{ArrayView2, Axis};

use crate::{Error, Result, numerics::sparse::Sparse, problem::Graph};

/// Symmetric affinities between points; negative ones count as 0.
#[derive(Debug, Clone, Copy)]
pub enum Affinity<'a> {
    /// The full matrix.
    Dense(ArrayView2<'a, f64>),
    /// The entries that are not 0.
    Sparse(&'a Sparse),
}

impl<'a> From<ArrayView2<'a, f64>> for Affinity<'a> {
    fn from(dense: ArrayView2<'a, f64>) -> Self {
        Self::Dense(dense)
    }
}

impl<'a> From<&'a Sparse> for Affinity<'a> {
    fn from(sparse: &'a Sparse) -> Self {
        Self::Sparse(sparse)
    }
}

impl<'a> From<&'a Graph> for Affinity<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self::Sparse(graph.matrix())
    }
}

impl Affinity<'_> {
    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.nrows(),
            Self::Sparse(sparse) => sparse.len(),
        }
    }

    /// Refuses a matrix that is empty or not square.
    pub(super) fn check(&self) -> Result<()> {
        let (rows, columns) = match self {
            Self::Dense(dense) => dense.dim(),
            Self::Sparse(sparse) => (sparse.len(), sparse.len()),
        };
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        Ok(())
    }

    /// Calls `visit(j, a_ij)` for every point j, i included, with an affinity to i above 0 (or NaN).
    pub(super) fn visit_row(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        let mut visit_positive = |j: usize, value: f64| {
            if positive(value) != 0.0 {
                visit(j, value);
            }
        };
        match self {
            Self::Dense(dense) => {
                for (j, &value) in dense.row(i).iter().enumerate() {
                    visit_positive(j, value);
                }
            }
            Self::Sparse(sparse) => {
                sparse.entries(i).for_each(|(j, value)| visit_positive(j, value));
            }
        }
    }

    /// Whether a point has affinity to any point, itself included.
    pub(super) fn has_affinity(&self, i: usize) -> bool {
        let mut has_any = false;
        self.visit_row(i, |_, _| has_any = true);
        has_any
    }

    /// What `run` makes of the affinities among some of the points, given in ascending order.
    pub(super) fn with_selected<T>(
        &self,
        points: &[usize],
        run: impl FnOnce(Affinity<'_>) -> T,
    ) -> T {
        match self {
            Self::Dense(dense) => {
                let rows = dense.select(Axis(0), points);
                run(rows.select(Axis(1), points).view().into())
            }
            Self::Sparse(sparse) => {
                let mut position = vec![None; sparse.len()];
                for (at, &point) in points.iter().enumerate() {
                    position[point] = Some(at);
                }
                let position = &position;
                let entries = points.iter().enumerate().flat_map(|(at, &point)| {
                    let row = sparse.entries(point);
                    row.filter_map(move |(j, value)| position[j].map(|to| (at, to, value)))
                });
                run((&Sparse::from_entries(points.len(), entries)).into())
            }
        }
    }
}

/// The affinity that counts: negative ones are 0. NaN stays, for the eigensolver to refuse.
pub(super) fn positive(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}
