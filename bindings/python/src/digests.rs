//! Digests without an object: of one message, of many, of files.

use crate::buffer::{Data, Exchange, Many, Writable, detached};
use crate::constructors::{self, bytes};
use crate::errors;
use crate::hash::{self, Hash, once};
use crate::number::Number;
use karat_dyn::{Algorithm, Hasher, Options};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

/// Bytes of a file that are read before a signal may end it.
const PIECE: usize = 1 << 20;

/// The digest of one message, in one call. `length` is for hashes with extendable output.
///
/// >>> import karat
/// >>> karat.digest("blake3", b"abc").hex()[:8]
/// '6437b3ac'
#[pyfunction]
#[pyo3(signature = (name, data, /, *, length=None, digest_size=None, key=None))]
fn digest<'py>(
    py: Python<'py>,
    name: &str,
    data: Data<'py>,
    length: Option<Number<'_, '_, isize>>,
    digest_size: Option<Number<'_, '_, usize>>,
    key: Option<Data<'py>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = name.parse().map_err(errors::hash)?;
    let options = Options {
        digest_size: constructors::digest_size(algorithm, digest_size)?,
        key: bytes(&key),
        ..Options::default()
    };
    let length = length.map(hash::size).transpose()?;
    once(py, algorithm, &options, data.as_slice(), length)
}

/// The digests of many messages, several at a time: much faster than one after another.
///
/// `messages` is a list of objects with buffers, or an array of two dimensions whose rows
/// are the messages; nothing is copied. With `out`, a writable buffer, the digests are
/// written into it one behind the other.
///
/// >>> import karat
/// >>> [d.hex()[:8] for d in karat.hash_many("sha256", [b"abc", b""])]
/// ['ba7816bf', 'e3b0c442']
#[pyfunction]
#[pyo3(signature = (name, messages, /, *, length=None, digest_size=None, key=None, out=None))]
fn hash_many<'py>(
    py: Python<'py>,
    name: &str,
    messages: &Bound<'py, PyAny>,
    length: Option<Number<'_, '_, isize>>,
    digest_size: Option<Number<'_, '_, usize>>,
    key: Option<Data<'py>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let algorithm: Algorithm = name.parse().map_err(errors::hash)?;
    let length = length.map(hash::size).transpose()?;
    let options = Options {
        digest_size: constructors::digest_size(algorithm, digest_size)?,
        key: bytes(&key),
        ..Options::default()
    };
    let usual = options.digest_size(algorithm).map_err(errors::hash)?;
    let size = match (algorithm.is_extendable(), length) {
        (true, Some(length)) => length,
        (true, None) if usual == 0 => {
            return Err(PyTypeError::new_err(format!(
                "{algorithm} has no usual length: give length="
            )));
        }
        (false, Some(length)) if length != usual => {
            return Err(PyTypeError::new_err(format!(
                "a digest of {algorithm} has {usual} bytes here, not {length}"
            )));
        }
        _ => usual,
    };
    let messages = Many::of(messages, "messages")?;
    let slices = messages.slices();
    let total: usize = slices.iter().map(|m| m.len()).sum();
    let work = |out: &mut [u8]| {
        detached(py, total, || {
            karat_dyn::hash_many(algorithm, &options, &slices, out)
        })
        .map_err(errors::hash)
    };
    let needed = size
        .checked_mul(slices.len())
        .ok_or_else(|| errors::value(format!("digests of {size} bytes each")))?;
    if let Some(out) = out {
        let mut exchange = Exchange {
            read: Vec::new(),
            write: vec![Writable::of(out)?],
        };
        let (_, mut out) = exchange.slices()?;
        let found = out[0].len();
        if found != needed {
            return Err(errors::value(format!(
                "out has {found} bytes, the digests take {needed}"
            )));
        }
        let from = out[0].as_ptr() as usize;
        let overlaps = slices.iter().any(|m| {
            let start = m.as_ptr() as usize;
            start < from + found && from < start + m.len()
        });
        if overlaps {
            return Err(errors::value("out overlaps a message"));
        }
        work(out[0])?;
        return Ok(None);
    }
    let mut digests = Vec::new();
    digests
        .try_reserve_exact(needed)
        .map_err(|_| errors::value(format!("{needed} bytes of digests are too many")))?;
    digests.resize(needed, 0);
    work(&mut digests)?;
    let list = match size {
        0 => PyList::new(py, slices.iter().map(|_| PyBytes::new(py, &[])))?,
        _ => PyList::new(py, digests.chunks_exact(size).map(|d| PyBytes::new(py, d)))?,
    };
    Ok(Some(list))
}

/// What is wrong, without the number, which Python says itself.
fn text(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" (os error").unwrap_or(text.len());
    text[..end].to_owned()
}

/// A hash of the file at `path`, read by `name`'s hasher; `karat.file_digest` is for users.
#[pyfunction]
fn file_hash<'py>(py: Python<'py>, path: PathBuf, name: &str) -> PyResult<Bound<'py, Hash>> {
    let algorithm: Algorithm = name.parse().map_err(errors::hash)?;
    let mut hasher = Hasher::new(algorithm, &Options::default()).map_err(errors::hash)?;
    let named = |error: std::io::Error| match error.raw_os_error() {
        // Python finds the class by the number, and says the name.
        Some(number) => PyOSError::new_err((number, text(&error), path.clone().into_os_string())),
        None => error.into(),
    };
    let mut file = File::open(&path).map_err(named)?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = py.detach(|| {
            let read = file.read(&mut piece)?;
            hasher.update(&piece[..read]);
            std::io::Result::Ok(read)
        });
        let read = read.map_err(named)?;
        if read == 0 {
            return Hash::new(py, hasher, None);
        }
        py.check_signals()?;
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(digest, module)?)?;
    module.add_function(wrap_pyfunction!(hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(file_hash, module)?)
}
