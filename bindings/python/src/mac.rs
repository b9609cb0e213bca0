//! HMAC, HKDF, PBKDF2.

use crate::buffer::{Data, Many, detached};
use crate::constructors::bytes;
use crate::errors;
use crate::number::Number;
use karat_dyn::MacAlgorithm;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::num::NonZeroU32;

/// HMAC of a message, as `hmac.digest`: compare it by `hmac.compare_digest`.
///
/// >>> import karat
/// >>> karat.hmac_digest(b"key", b"message", "sha256").hex()[:8]
/// '6e9ef29b'
#[pyfunction]
#[pyo3(signature = (key, msg, digest, /))]
fn hmac_digest<'py>(
    py: Python<'py>,
    key: Data<'py>,
    msg: Data<'py>,
    digest: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm: MacAlgorithm = digest.parse().map_err(errors::hash)?;
    let (key, msg) = (key.as_slice(), msg.as_slice());
    let mac = detached(py, msg.len(), || karat_dyn::hmac(algorithm, key, msg));
    Ok(PyBytes::new(py, &mac))
}

/// HMACs of many messages under one key, several at a time.
#[pyfunction]
#[pyo3(signature = (key, messages, digest, /))]
fn hmac_many<'py>(
    py: Python<'py>,
    key: Data<'py>,
    messages: &Bound<'py, PyAny>,
    digest: &str,
) -> PyResult<Bound<'py, PyList>> {
    let algorithm: MacAlgorithm = digest.parse().map_err(errors::hash)?;
    let messages = Many::of(messages, "messages")?;
    let slices = messages.slices();
    let total = slices.iter().map(|m| m.len()).sum();
    let key = key.as_slice();
    let macs = detached(py, total, || karat_dyn::hmac_many(algorithm, key, &slices));
    let each = macs.chunks_exact(algorithm.size());
    PyList::new(py, each.map(|mac| PyBytes::new(py, mac)))
}

/// HKDF (RFC 5869): `length` bytes of key material from a secret.
#[pyfunction]
#[pyo3(signature = (digest, secret, length, /, *, salt=None, info=None))]
fn hkdf<'py>(
    py: Python<'py>,
    digest: &str,
    secret: Data<'py>,
    length: Number<'_, '_, usize>,
    salt: Option<Data<'py>>,
    info: Option<Data<'py>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm: MacAlgorithm = digest.parse().map_err(errors::hash)?;
    // Before any room is made for it.
    let length = length.within("length", 0..=255 * algorithm.size())?;
    let mut out = vec![0; length];
    let (salt, info) = (bytes(&salt), bytes(&info));
    karat_dyn::hkdf(algorithm, secret.as_slice(), salt, info, &mut out).map_err(errors::hash)?;
    Ok(PyBytes::new(py, &out))
}

/// PBKDF2 (RFC 8018), as `hashlib.pbkdf2_hmac`.
#[pyfunction]
#[pyo3(signature = (hash_name, password, salt, iterations, dklen=None))]
fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    hash_name: &str,
    password: Data<'py>,
    salt: Data<'py>,
    iterations: Number<'_, '_, u32>,
    dklen: Option<Number<'_, '_, isize>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm: MacAlgorithm = hash_name.parse().map_err(errors::hash)?;
    let rounds = iterations.within("iterations", 1..)?;
    let rounds = NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN);
    let length = match dklen {
        Some(length) => length.within("dklen", 1..)?.unsigned_abs(),
        None => algorithm.size(),
    };
    let (password, salt) = (password.as_slice(), salt.as_slice());
    PyBytes::new_with(py, length, |out| {
        py.detach(|| karat_dyn::pbkdf2(algorithm, password, salt, rounds, out));
        Ok(())
    })
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hmac_digest, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_many, module)?)?;
    module.add_function(wrap_pyfunction!(hkdf, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2_hmac, module)?)
}
