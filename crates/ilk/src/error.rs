//! The one error type of the engine. Every variant carries the data of what went wrong, so that an
//! interface (shell, Python) can add its own words for the place: a file's line, an id.

pub(crate) mod stored;

use crate::problem::ConstraintKind;

/// What every fallible function of the engine returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can be wrong with what was asked.
///
/// Rows, columns, points, edges (`entry`) and the entries of a kind of constraint count from 0. A `point`
/// that is text is an id, or the number where points have no ids. `found` is what was given, `expected`
/// what is needed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields of a variant are the words of its message")]
pub enum Error {
    /// The input has no rows or no columns.
    #[error(
        "the input is empty: it has {rows} rows and {columns} columns; at least one of each is needed"
    )]
    Empty { rows: usize, columns: usize },
    /// A value is NaN or infinite.
    #[error("the value in row {row}, column {column} is {value}; replace or drop it")]
    NotFinite { row: usize, column: usize, value: f64 },
    /// A coordinate is so large that squared distances overflow.
    #[error(
        "the value in row {row}, column {column} is {value:e}, and squares of such numbers overflow; divide the \
         column by a power of 10, so that no value is beyond 1e151"
    )]
    TooFar { row: usize, column: usize, value: f64 },
    /// The points differ by so little that squared distances underflow.
    #[error(
        "the points differ by {spread:e} at most, and squares of such numbers underflow; multiply the columns by a \
         power of 10, so that some values differ by 1e-150 or more"
    )]
    TooClose { spread: f64 },
    /// A row has another length than the first.
    #[error("row {row} has {found} values, but row 0 has {expected}")]
    Ragged { row: usize, found: usize, expected: usize },
    /// A list has another number of entries than what it belongs to.
    #[error("{what} has {found} entries where {expected} are needed")]
    WrongLength { what: &'static str, found: usize, expected: usize },
    /// A kernel matrix has another number of rows than of columns.
    #[error("the kernel matrix has {rows} rows and {columns} columns; it must be square")]
    NotSquare { rows: usize, columns: usize },
    /// A kernel matrix or graph is not symmetric.
    #[error(
        "{what} is not symmetric: entry ({row}, {column}) is {value}, entry ({column}, {row}) is {mirrored}"
    )]
    Asymmetric { what: &'static str, row: usize, column: usize, value: f64, mirrored: f64 },
    /// An edge ends at a node that does not exist.
    #[error("edge {entry} ends at node {node}, but there are only {n} nodes (0 to {last})", last = n.saturating_sub(1))]
    EdgeOutOfRange { entry: usize, node: usize, n: usize },
    /// An edge's weight is negative or not finite.
    #[error("edge {entry} ({u}, {v}) has weight {weight}; weights must be finite and not negative")]
    BadEdgeWeight { entry: usize, u: usize, v: usize, weight: f64 },
    /// An edge is listed twice with different weights.
    #[error(
        "edges {first} and {second} both join nodes {u} and {v}, with weights {first_weight} and {second_weight}; keep one, or their sum"
    )]
    DuplicateEdge {
        u: usize,
        v: usize,
        first: usize,
        second: usize,
        first_weight: f64,
        second_weight: f64,
    },
    /// The offsets of compressed sparse rows do not fit.
    #[error(
        "offset {position} of the graph is {value}; offsets must start at 0, never fall, and end at the number of neighbours, {n_neighbors}"
    )]
    BadOffsets { position: usize, value: usize, n_neighbors: usize },
    /// The neighbours of a node are not sorted, or one is repeated.
    #[error(
        "the neighbours of node {node} must be sorted and each given once, but {neighbor} comes after {previous}"
    )]
    UnsortedNeighbors { node: usize, neighbor: usize, previous: usize },
    /// The compressed rows of sparse points do not fit.
    #[error("row {row} of the sparse points cannot be read: {reason}")]
    BadSparseRows { row: usize, reason: &'static str },
    /// A map of pixels is not as large as the image it is about.
    #[error(
        "the map is {} x {} pixels, but the image is {} x {}; make it as large as the image",
        found.0, found.1, expected.0, expected.1
    )]
    WrongSize { found: (usize, usize), expected: (usize, usize) },
    /// A point's weight is not a positive finite number.
    #[error("point {point} has weight {weight}; weights must be positive and finite")]
    BadPointWeight { point: String, weight: f64 },
    /// A constraint names the same point twice.
    #[error("{kind} {entry} names point {point} twice; a point cannot be compared with itself")]
    SelfPair { kind: ConstraintKind, entry: usize, point: String },
    /// A constraint names a point that does not exist.
    #[error("{kind} {entry} names point {point}, but there are only {n} points (0 to {last})", last = n.saturating_sub(1))]
    OutOfRange { kind: ConstraintKind, entry: usize, point: usize, n: usize },
    /// A constraint names an id that is not in the data.
    #[error("{kind} {entry} names id {id:?}, which is not in the data")]
    UnknownId { kind: ConstraintKind, entry: usize, id: String },
    /// Two points have the same id.
    #[error("id {id:?} stands in rows {first} and {second}; ids must be unique")]
    DuplicateId { id: String, first: usize, second: usize },
    /// A constraint's weight is not a positive finite number.
    #[error("{kind} {entry} has weight {weight}; weights must be positive and finite")]
    BadWeight { kind: ConstraintKind, entry: usize, weight: f64 },
    /// A constraint names another number of points than its kind has.
    #[error("{kind} {entry} names {found} points where {expected} are needed")]
    WrongArity { kind: ConstraintKind, entry: usize, found: usize, expected: usize },
    /// A label was added without its name.
    #[error("label {entry} has no name; add labels with a call that takes one")]
    LabelWithoutName { entry: usize },
    /// One point was given two labels.
    #[error("point {point} is labelled {first:?} and {second:?}; keep one")]
    TwoLabels { point: String, first: String, second: String },
    /// The constraints contradict each other, and the method needs consistent ones.
    #[error(
        "the constraints contradict each other (contradictions: {count}); take back an answer of each, the first: {first}"
    )]
    Contradiction { count: usize, first: String },
    /// A parameter is outside its range.
    #[error("{parameter} = {value} is out of range: {expected}")]
    BadParameter { parameter: &'static str, value: String, expected: String },
    /// A text that is no value of a parameter.
    #[error("{value:?} is not {expected}")]
    NotAValue { value: String, expected: String },
    /// More clusters were asked for than there are points.
    #[error("{k} clusters were asked for, but there are only {n} points")]
    TooManyClusters { k: usize, n: usize },
    /// The affinities of a point add up to less than 0, where clusters are weighed by those sums.
    #[error(
        "the affinities of point {point} add up to {degree}, and normalized_cut divides by such sums; use an \
         affinity without negative values, such as a Gaussian kernel, or objective=ratio_association"
    )]
    NegativeDegree { point: usize, degree: f64 },
    /// No method has this name.
    #[error("there is no method {name:?}; known methods: {known}")]
    UnknownMethod { name: String, known: String },
    /// No data set has this name.
    #[error("there is no data set {name:?}; known data sets: {known}")]
    UnknownDataset { name: String, known: String },
    /// A method does not take this input or this kind of supervision.
    #[error("{method} cannot use {what}; {alternatives}")]
    Unsupported { method: &'static str, what: String, alternatives: String },
    /// A model that was read from a file cannot be one: its parts contradict each other.
    #[error("{reason}")]
    InvalidModel { reason: String },
    /// New points have another number of columns than the fitted ones.
    #[error("the new points have {found} columns, but the model was fitted on {expected}")]
    WrongDimensions { found: usize, expected: usize },
    /// Two labellings that must be compared have different lengths.
    #[error("the labellings have different lengths: {left} and {right}")]
    LengthMismatch { left: usize, right: usize },
    /// A matrix that must be positive definite is not.
    #[error("the matrix is not positive definite: pivot {pivot} is not positive")]
    NotPositiveDefinite { pivot: usize },
    /// An eigenvalue iteration did not converge.
    #[error("the eigenvalue decomposition did not converge")]
    NoConvergence,
    /// Something would need more memory than is sensible.
    #[error("{what} would need {bytes} bytes; {instead}")]
    TooLarge { what: &'static str, bytes: u128, instead: &'static str },
    /// The observer asked to stop.
    #[error("cancelled after {iterations} iterations")]
    Cancelled { iterations: usize },
}

impl Error {
    /// [`BadParameter`](Self::BadParameter).
    pub(crate) fn bad_parameter(
        parameter: &'static str,
        value: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::BadParameter { parameter, value: value.to_string(), expected: expected.into() }
    }

    /// [`Unsupported`](Self::Unsupported).
    pub(crate) fn unsupported(method: &'static str, what: &str, alternatives: &str) -> Self {
        Self::Unsupported { method, what: what.to_owned(), alternatives: alternatives.to_owned() }
    }
}

/// Refuses a list with another number of entries than what it belongs to.
pub(crate) fn check_length(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongLength { what, found, expected })
}

/// Refuses new points with another number of columns than the fitted ones.
pub(crate) fn check_dims(found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongDimensions { found, expected })
}

/// Refuses more clusters than points.
pub(crate) fn check_n_clusters(k: usize, n: usize) -> Result<()> {
    if k > n {
        return Err(Error::TooManyClusters { k, n });
    }
    Ok(())
}

/// The most memory that one matrix or graph may take: 4 GiB, which is a kernel matrix of 23,170
/// points.
pub const MAX_BYTES: u128 = 4 << 30;

/// Refuses what would take more than [`MAX_BYTES`], before it is allocated. `instead` says what to do.
pub(crate) fn check_memory(what: &'static str, bytes: u128, instead: &'static str) -> Result<()> {
    check_memory_limit(what, bytes, MAX_BYTES, instead)
}

/// As [`check_memory`], with another limit.
pub(crate) fn check_memory_limit(
    what: &'static str,
    bytes: u128,
    limit: u128,
    instead: &'static str,
) -> Result<()> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Error::TooLarge { what, bytes, instead })
}

/// The bytes of a dense matrix of 64-bit numbers.
pub(crate) fn matrix_bytes(rows: usize, columns: usize) -> u128 {
    8 * rows as u128 * columns as u128
}
