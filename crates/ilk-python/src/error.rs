//! The engine's errors in Python's words.

use ilk::method::AnyMethod;
use ilk::problem::ConstraintKind;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyPermissionError,
    PyValueError,
};
use pyo3::{PyErr, PyResult};

use crate::constraints;

/// Turns the engine's errors into Python's.
pub(crate) trait OrRaise<T> {
    /// The value, or the error as the exception a Python user expects.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for ilk::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| of_engine(&error))
    }
}

impl<T> OrRaise<T> for ilk_io::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| of_file(&error))
    }
}

/// JSON that is no value of the engine.
pub(crate) fn not_understood(error: &serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("parameters not understood: {error}"))
}

/// The message with the names that a Python user knows: classes, and the arguments of `fit`.
fn in_python(error: &ilk::Error) -> String {
    use ilk::Error as E;
    let message = error.to_string();
    match error {
        E::SelfPair { kind, .. }
        | E::OutOfRange { kind, .. }
        | E::UnknownId { kind, .. }
        | E::BadWeight { kind, .. }
        | E::WrongArity { kind, .. } => {
            message.replacen(&kind.to_string(), constraints::name(*kind), 1)
        }
        E::Unsupported { method, what, alternatives } => {
            format!("{} cannot use {}; {}", words(method), words(what), words(alternatives))
        }
        E::WrongLength { what: "the list of points of the constraints", found, expected } => {
            format!(
                "the constraints are about {found} points, but X has {expected}; constraints on some \
                 of their points are constraints.subset(points)"
            )
        }
        E::BadParameter { .. } => message.replace("true or false", "True or False"),
        _ => message,
    }
}

/// A text in which methods, and kinds of constraints, have their names in Python.
fn words(text: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_end_matches([',', ';', '.']);
        let method = AnyMethod::ALL.iter().find(|info| info.name == bare).map(|info| info.class);
        let kind = ConstraintKind::ALL.into_iter().find(|kind| kind.to_string() == bare);
        match method.or(kind.map(constraints::name)) {
            Some(name) => word.replacen(bare, name, 1),
            None => word.to_owned(),
        }
    };
    text.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

fn of_engine(error: &ilk::Error) -> PyErr {
    let message = in_python(error);
    match error {
        ilk::Error::Cancelled { .. } => PyKeyboardInterrupt::new_err(message),
        ilk::Error::TooLarge { .. } => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

fn of_file(error: &ilk_io::Error) -> PyErr {
    let message = error.to_string();
    match error {
        ilk_io::Error::Engine(error) => of_engine(error),
        ilk_io::Error::NotFound { .. } | ilk_io::Error::MissingFolder { .. } => {
            PyFileNotFoundError::new_err(message)
        }
        ilk_io::Error::CannotRead { source, .. } | ilk_io::Error::CannotWrite { source, .. } => {
            match source.kind() {
                std::io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
                _ => PyOSError::new_err(message),
            }
        }
        _ => PyValueError::new_err(message),
    }
}
