//! The three shapes of data: points, a kernel matrix, a graph.

use ndarray::{Array2, ArrayView2};

use crate::{Error, Result};

/// Points in rows: finite, at least one row and one column, stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    data: Array2<f64>,
}

impl Points {
    /// Checks and takes a matrix with a point a row.
    pub fn new(data: Array2<f64>) -> Result<Self> {
        let (rows, columns) = data.dim();
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        let data = if data.is_standard_layout() {
            data
        } else {
            data.as_standard_layout().into_owned()
        };
        if let Some(((row, column), &value)) = data.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(Error::NotFinite { row, column, value });
        }
        Ok(Self { data })
    }

    /// The points as a matrix.
    pub fn view(&self) -> ArrayView2<'_, f64> {
        self.data.view()
    }

    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "points are never empty")]
    pub fn len(&self) -> usize {
        self.data.nrows()
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.data.ncols()
    }

    /// All coordinates, row by row.
    pub fn as_slice(&self) -> &[f64] {
        self.data.as_slice().unwrap_or(&[])
    }

    /// One point.
    pub fn row(&self, i: usize) -> &[f64] {
        let d = self.dims();
        &self.as_slice()[i * d..(i + 1) * d]
    }
}

/// A symmetric kernel matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelMatrix {
    data: Array2<f64>,
}

impl KernelMatrix {
    /// The matrix.
    pub fn view(&self) -> ArrayView2<'_, f64> {
        self.data.view()
    }
}

/// An undirected weighted graph in compressed sparse rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    offsets: Vec<usize>,
    neighbors: Vec<usize>,
    weights: Vec<f64>,
}

impl Graph {
    /// Number of nodes.
    #[allow(clippy::len_without_is_empty, reason = "a graph is never empty")]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of a node and the weights of the edges to them.
    pub fn edges(&self, node: usize) -> (&[usize], &[f64]) {
        let range = self.offsets[node]..self.offsets[node + 1];
        (&self.neighbors[range.clone()], &self.weights[range])
    }
}

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
