//! The engine's errors in Python's words.

use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyPermissionError,
    PyValueError,
};
use pyo3::{PyErr, PyResult};

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

fn of_engine(error: &ilk::Error) -> PyErr {
    let message = error.to_string();
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
