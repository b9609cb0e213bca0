//! Errors of the crates below as Python's exceptions.

use karat_dyn::Error;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    karat,
    VerifyError,
    PyValueError,
    "A proof does not show what it should."
);

/// As `hashlib`: options that a hash does not have are the wrong type of call, all else is
/// a wrong value.
pub fn hash(error: Error) -> PyErr {
    match error {
        Error::NotTaken { .. } | Error::Needed { .. } => PyTypeError::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    }
}

pub fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub fn verify(error: impl std::fmt::Display) -> PyErr {
    VerifyError::new_err(error.to_string())
}
