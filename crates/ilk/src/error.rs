//! The one error type of the engine. Every variant carries the data of what went wrong, so that a
//! door (shell, Python) can add its own words for the place: a file's line, an id.

use crate::problem::ConstraintKind;

/// What every fallible function of the engine returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can be wrong with what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input has no rows or no columns.
    #[error(
        "the input is empty: it has {rows} rows and {columns} columns; at least one of each is needed"
    )]
    Empty {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
    },
    /// A value is NaN or infinite.
    #[error("the value in row {row}, column {column} is {value}; replace or drop it")]
    NotFinite {
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// The value itself.
        value: f64,
    },
    /// A row has another length than the first.
    #[error("row {row} has {found} values, but row 0 has {expected}")]
    Ragged {
        /// Row, counted from 0.
        row: usize,
        /// Values in that row.
        found: usize,
        /// Values in row 0.
        expected: usize,
    },
    /// A list has another number of entries than what it belongs to.
    #[error("{what} has {found} entries where {expected} are needed")]
    WrongLength {
        /// What was given.
        what: &'static str,
        /// Entries found.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// A kernel matrix has another number of rows than of columns.
    #[error("the kernel matrix has {rows} rows and {columns} columns; it must be square")]
    NotSquare {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
    },
    /// A kernel matrix or graph is not symmetric.
    #[error(
        "{what} is not symmetric: entry ({row}, {column}) is {value}, entry ({column}, {row}) is {mirrored}"
    )]
    Asymmetric {
        /// "the kernel matrix" or "the graph".
        what: &'static str,
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// Entry (row, column).
        value: f64,
        /// Entry (column, row).
        mirrored: f64,
    },
    /// An edge ends at a node that does not exist.
    #[error("edge {entry} ends at node {node}, but there are only {n} nodes (0 to {last})", last = n.saturating_sub(1))]
    EdgeOutOfRange {
        /// Which edge, counted from 0.
        entry: usize,
        /// The node given.
        node: usize,
        /// Number of nodes.
        n: usize,
    },
    /// An edge's weight is negative or not finite.
    #[error("edge {entry} ({u}, {v}) has weight {weight}; weights must be finite and not negative")]
    BadEdgeWeight {
        /// Which edge, counted from 0.
        entry: usize,
        /// One end.
        u: usize,
        /// The other end.
        v: usize,
        /// The weight given.
        weight: f64,
    },
    /// An edge is listed twice with different weights.
    #[error(
        "edges {first} and {second} both join nodes {u} and {v}, with weights {first_weight} and {second_weight}; keep one, or their sum"
    )]
    DuplicateEdge {
        /// One end.
        u: usize,
        /// The other end.
        v: usize,
        /// Which edge came first, counted from 0.
        first: usize,
        /// Which edge came later.
        second: usize,
        /// The weight of the first.
        first_weight: f64,
        /// The weight of the second.
        second_weight: f64,
    },
    /// The offsets of compressed sparse rows do not fit.
    #[error(
        "offset {position} of the graph is {value}; offsets must start at 0, never fall, and end at the number of neighbours, {n_neighbors}"
    )]
    BadOffsets {
        /// Which offset, counted from 0.
        position: usize,
        /// Its value.
        value: usize,
        /// Number of neighbours.
        n_neighbors: usize,
    },
    /// The neighbours of a node are not sorted, or one is repeated.
    #[error(
        "the neighbours of node {node} must be sorted and each given once, but {neighbor} comes after {previous}"
    )]
    UnsortedNeighbors {
        /// The node.
        node: usize,
        /// The neighbour that is out of place.
        neighbor: usize,
        /// The neighbour before it.
        previous: usize,
    },
    /// A map of pixels is not as large as the picture it is about.
    #[error(
        "the map is {} x {} pixels, but the picture is {} x {}; make it as large as the picture",
        found.0, found.1, expected.0, expected.1
    )]
    WrongSize {
        /// Its width and height.
        found: (usize, usize),
        /// Those of the picture.
        expected: (usize, usize),
    },
    /// A point's weight is not a positive finite number.
    #[error("point {point} has weight {weight}; weights must be positive and finite")]
    BadPointWeight {
        /// The point, by id if there are ids.
        point: String,
        /// The weight given.
        weight: f64,
    },
    /// A constraint names the same point twice.
    #[error("{kind} {entry} names point {point} twice; a point cannot be compared with itself")]
    SelfPair {
        /// Kind of constraint.
        kind: ConstraintKind,
        /// Which entry of its kind, counted from 0.
        entry: usize,
        /// The point, by id if there are ids.
        point: String,
    },
    /// A constraint names a point that does not exist.
    #[error("{kind} {entry} names point {point}, but there are only {n} points (0 to {last})", last = n.saturating_sub(1))]
    OutOfRange {
        /// Kind of constraint.
        kind: ConstraintKind,
        /// Which entry of its kind, counted from 0.
        entry: usize,
        /// The index given.
        point: usize,
        /// Number of points.
        n: usize,
    },
    /// A constraint names an id that is not in the data.
    #[error("{kind} {entry} names id {id:?}, which is not in the data")]
    UnknownId {
        /// Kind of constraint.
        kind: ConstraintKind,
        /// Which entry of its kind, counted from 0.
        entry: usize,
        /// The id given.
        id: String,
    },
    /// Two points have the same id.
    #[error("id {id:?} stands in rows {first} and {second}; ids must be unique")]
    DuplicateId {
        /// The id.
        id: String,
        /// Its first row, counted from 0.
        first: usize,
        /// Its second row, counted from 0.
        second: usize,
    },
    /// A constraint's weight is not a positive finite number.
    #[error("{kind} {entry} has weight {weight}; weights must be positive and finite")]
    BadWeight {
        /// Kind of constraint.
        kind: ConstraintKind,
        /// Which entry of its kind, counted from 0.
        entry: usize,
        /// The weight given.
        weight: f64,
    },
    /// A constraint names another number of points than its kind has.
    #[error("{kind} {entry} names {found} points where {expected} are needed")]
    WrongArity {
        /// Kind of constraint.
        kind: ConstraintKind,
        /// Which entry of its kind, counted from 0.
        entry: usize,
        /// Points named.
        found: usize,
        /// Points of an entry of this kind.
        expected: usize,
    },
    /// A label was added without its name.
    #[error("label {entry} has no name; add labels with a call that takes one")]
    LabelWithoutName {
        /// Which label, counted from 0.
        entry: usize,
    },
    /// One point was given two labels.
    #[error("point {point} is labelled {first:?} and {second:?}; keep one")]
    TwoLabels {
        /// The point, by id if there are ids.
        point: String,
        /// The label given first.
        first: String,
        /// The label given later.
        second: String,
    },
    /// What was said contradicts itself, and the method cannot go on with that.
    #[error(
        "the constraints contradict each other (contradictions: {count}); take back an answer of each, the first: {first}"
    )]
    Contradiction {
        /// Number of contradictions.
        count: usize,
        /// The first of them, with what proves it.
        first: String,
    },
    /// A parameter is outside its range.
    #[error("{parameter} = {value} is out of range: {expected}")]
    BadParameter {
        /// Name of the parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        expected: String,
    },
    /// More clusters were asked for than there are points.
    #[error("{k} clusters were asked for, but there are only {n} points")]
    TooManyClusters {
        /// Clusters asked for.
        k: usize,
        /// Points there are.
        n: usize,
    },
    /// The affinities of a point add up to less than 0, where clusters are weighed by those sums.
    #[error(
        "the affinities of point {point} add up to {degree}, and normalized_cut divides by such sums; use an \
         affinity without negative values, such as a Gaussian kernel, or objective=ratio_association"
    )]
    NegativeDegree {
        /// The point.
        point: usize,
        /// The sum of its affinities.
        degree: f64,
    },
    /// No method has this name.
    #[error("there is no method {name:?}; known methods: {known}")]
    UnknownMethod {
        /// The name given.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// No data set has this name.
    #[error("there is no data set {name:?}; known data sets: {known}")]
    UnknownDataset {
        /// The name given.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// A method does not take this input or this kind of supervision.
    #[error("{method} cannot use {what}; {alternatives}")]
    Unsupported {
        /// The method's name.
        method: &'static str,
        /// What it was given.
        what: String,
        /// Which methods can, or that none can yet.
        alternatives: String,
    },
    /// New points have another number of columns than the fitted ones.
    #[error("the new points have {found} columns, but the model was fitted on {expected}")]
    WrongDimensions {
        /// Columns found.
        found: usize,
        /// Columns of the model.
        expected: usize,
    },
    /// Two labellings that must be compared have different lengths.
    #[error("the labellings have different lengths: {left} and {right}")]
    LengthMismatch {
        /// Length of the first.
        left: usize,
        /// Length of the second.
        right: usize,
    },
    /// A matrix that must be positive definite is not.
    #[error("the matrix is not positive definite: pivot {pivot} is not positive")]
    NotPositiveDefinite {
        /// The first pivot that failed, counted from 0.
        pivot: usize,
    },
    /// An eigenvalue iteration did not converge.
    #[error("the eigenvalue decomposition did not converge")]
    NoConvergence,
    /// Something would need more memory than is sensible.
    #[error("{what} would need {bytes} bytes; {instead}")]
    TooLarge {
        /// What would be allocated.
        what: &'static str,
        /// How much it would take.
        bytes: u128,
        /// What to do instead.
        instead: &'static str,
    },
    /// The observer asked to stop.
    #[error("cancelled after {iterations} iterations")]
    Cancelled {
        /// Iterations done.
        iterations: usize,
    },
}
