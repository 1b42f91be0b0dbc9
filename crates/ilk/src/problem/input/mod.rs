//! The three shapes of data: points, a kernel matrix, a graph; and sparse points, of which coordinates are made first.

mod graph;
mod kernel;
mod points;
mod sparse_points;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::Result;
pub use graph::Graph;
pub use kernel::KernelMatrix;
pub use points::Points;
pub use sparse_points::{SparsePoints, to_unit_length};

/// How far the two halves of a kernel matrix or graph may differ, relative to its values: room for
/// the rounding of single precision, not for a matrix that was never meant to be symmetric.
pub const SYMMETRY_TOLERANCE: f64 = 1e-6;

/// The data of a problem.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Points in rows.
    Points(Points),
    /// A kernel matrix between all points.
    Kernel(KernelMatrix),
    /// A graph whose nodes are the points.
    Graph(Graph),
}

/// Which shape an input has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InputKind {
    /// Points in rows.
    Points,
    /// A kernel matrix.
    Kernel,
    /// A graph.
    Graph,
}

impl std::fmt::Display for InputKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Points => "points",
            Self::Kernel => "a kernel matrix",
            Self::Graph => "a graph",
        })
    }
}

impl Input {
    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "an input is never empty")]
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Kernel(kernel) => kernel.view().nrows(),
            Self::Graph(graph) => graph.len(),
        }
    }

    /// The input in which points, where they are the rows of a kernel matrix, are that matrix.
    ///
    /// # Errors
    /// Those of [`KernelMatrix::new`].
    pub(crate) fn with_rows_as_kernel(&self, are_rows: bool) -> Result<Cow<'_, Self>> {
        match self {
            Self::Points(rows) if are_rows => {
                Ok(Cow::Owned(KernelMatrix::new(rows.view().to_owned())?.into()))
            }
            _ => Ok(Cow::Borrowed(self)),
        }
    }

    /// Which shape it has.
    pub fn kind(&self) -> InputKind {
        match self {
            Self::Points(_) => InputKind::Points,
            Self::Kernel(_) => InputKind::Kernel,
            Self::Graph(_) => InputKind::Graph,
        }
    }
}

impl From<Points> for Input {
    fn from(points: Points) -> Self {
        Self::Points(points)
    }
}

impl From<KernelMatrix> for Input {
    fn from(kernel: KernelMatrix) -> Self {
        Self::Kernel(kernel)
    }
}

impl From<Graph> for Input {
    fn from(graph: Graph) -> Self {
        Self::Graph(graph)
    }
}
