//! LtHash: hashes of sets.

use crate::buffer::Many;
use crate::errors;
use karat_hash::lthash::{LEN, LtHash as Sum};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The LtHash of a set of inputs: they are added and removed in any order.
///
/// >>> import karat
/// >>> a = karat.LtHash([b"one", b"two"])
/// >>> a.remove([b"one"])
/// >>> a == karat.LtHash([b"two"])
/// True
#[pyclass(frozen, module = "karat", name = "LtHash")]
// Boxed: Python's memory is aligned to 16 bytes only, and the sum to more.
pub struct LtHash(Mutex<Box<Sum>>);

impl LtHash {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<Sum>> {
        let locked = self.0.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl LtHash {
    #[new]
    #[pyo3(signature = (inputs=None, /))]
    fn new(py: Python<'_>, inputs: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let sum = Self(Mutex::new(Box::new(Sum::new())));
        if let Some(inputs) = inputs {
            sum.add(py, inputs)?;
        }
        Ok(sum)
    }

    /// The sum that `to_bytes` wrote.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        let bytes = <&[u8; LEN]>::try_from(data)
            .map_err(|_| errors::value(format!("an LtHash has {LEN} bytes, not {}", data.len())))?;
        Ok(Self(Mutex::new(Box::new(Sum::from_bytes(bytes)))))
    }

    /// Adds inputs, a list of objects with buffers.
    #[pyo3(signature = (inputs, /))]
    fn add(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<()> {
        let inputs = Many::of(inputs, "inputs")?;
        let slices = inputs.slices();
        let mut part = Sum::new();
        py.detach(|| {
            part.add_all(&slices);
        });
        self.lock(py).add(&part);
        Ok(())
    }

    /// Removes inputs that were added.
    #[pyo3(signature = (inputs, /))]
    fn remove(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<()> {
        let inputs = Many::of(inputs, "inputs")?;
        let slices = inputs.slices();
        let mut part = Sum::new();
        py.detach(|| {
            part.add_all(&slices);
        });
        self.lock(py).sub(&part);
        Ok(())
    }

    /// The sum itself, 2048 bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock(py).to_bytes())
    }

    /// 32 bytes that stand for the sum.
    fn checksum<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock(py).checksum())
    }

    /// Another one with the same sum.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(self.lock(py).clone()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        // One lock at a time: they may be the same.
        let sum = self.lock(py).clone();
        sum == *other.lock(py)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = slf.get_type().getattr("from_bytes")?;
        Ok((from_bytes, (slf.get().to_bytes(slf.py()),)))
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LtHash>()
}
