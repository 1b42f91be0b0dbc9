//! What can be wrong with a list of edges.

use std::path::PathBuf;

use super::{Place, Position};

/// What is wrong with a list of edges.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphProblem {
    /// The weight of an edge is no number, negative or not finite.
    #[error(
        "{place}: the edge of {u:?} and {v:?} has the weight {value:?}; write a number of at least 0, or leave it out for 1"
    )]
    BadEdgeWeight {
        /// Where.
        place: Place,
        /// One end.
        u: String,
        /// The other end.
        v: String,
        /// The weight, as it is written in the file.
        value: String,
    },
    /// An edge is listed twice with different weights.
    #[error("{}, {second}: the edge of {u:?} and {v:?} has weight {second_weight} here, but {first_weight} in {first}; keep one of the two, or their sum", path.display())]
    TwoEdgeWeights {
        /// The file.
        path: PathBuf,
        /// One end.
        u: String,
        /// The other end.
        v: String,
        /// Where it stands first.
        first: Position,
        /// Where it stands again.
        second: Position,
        /// Its weight there.
        first_weight: f64,
        /// Its weight here.
        second_weight: f64,
    },
    /// A line of an edge list is something else.
    #[error(
        "{place}: {found} fields are no edge; write two ids and, if there are weights, a number, with blanks between (other separators need a header and a name that ends in .csv)"
    )]
    NotAnEdge {
        /// Where.
        place: Place,
        /// Fields in the line.
        found: usize,
    },
    /// There are no edges in a file that should list some.
    #[error("{}: there is no edge; at least one is needed", path.display())]
    NoEdges {
        /// The file.
        path: PathBuf,
    },
    /// There are more nodes than can be numbered.
    #[error("{place}: more than 4,294,967,295 nodes; leave some out")]
    TooManyNodes {
        /// Where the first comes that has no number.
        place: Place,
    },
}
