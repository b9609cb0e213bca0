//! The object that all hash functions return.

use crate::buffer::{DETACH, Data, detached};
use crate::errors;
use karat_dyn::{Algorithm, Hasher, Length, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of a message that are kept as they are.
const SHORT: usize = 128;

/// What is known of the message. While it is short and the hash has no options, its bytes
/// wait for the end: then a function for whole messages takes them, without a hasher.
#[derive(Clone)]
enum Work {
    Short { held: usize, bytes: [u8; SHORT] },
    Running(Hasher),
}

impl Work {
    fn update(&mut self, algorithm: Algorithm, piece: &[u8]) {
        let (held, bytes) = match self {
            Self::Running(hasher) => return hasher.update(piece),
            Self::Short { held, bytes } => (held, bytes),
        };
        if let Some(room) = bytes.get_mut(*held..*held + piece.len()) {
            room.copy_from_slice(piece);
            *held += piece.len();
            return;
        }
        // `plain` was asked for an algorithm that needs no options.
        if let Ok(mut hasher) = Hasher::new(algorithm, &Options::default()) {
            hasher.update(&bytes[..*held]);
            hasher.update(piece);
            *self = Self::Running(hasher);
        }
    }

    fn digest(&self, algorithm: Algorithm, out: &mut [u8]) -> Result<(), karat_dyn::Error> {
        match self {
            Self::Running(hasher) => hasher.digest(out),
            Self::Short { held, bytes } => {
                karat_dyn::hash(algorithm, &Options::default(), &bytes[..*held], out)
            }
        }
    }

    /// The hasher of the message so far.
    fn hasher(&self, algorithm: Algorithm) -> Result<Hasher, karat_dyn::Error> {
        match self {
            Self::Running(hasher) => Ok(hasher.clone()),
            Self::Short { held, bytes } => {
                let mut hasher = Hasher::new(algorithm, &Options::default())?;
                hasher.update(&bytes[..*held]);
                Ok(hasher)
            }
        }
    }
}

/// A hash of a message that comes in pieces, as those of `hashlib`.
///
/// >>> import karat
/// >>> h = karat.sha256(b"a mess")
/// >>> h.update(b"age")
/// >>> h.hexdigest() == karat.sha256(b"a message").hexdigest()
/// True
#[pyclass(frozen, module = "karat", name = "Hash")]
pub struct Hash {
    work: Mutex<Work>,
    algorithm: Algorithm,
    digest_size: usize,
}

impl Hash {
    pub fn new(py: Python<'_>, hasher: Hasher, data: Option<&Data<'_>>) -> Self {
        let hash = Self {
            algorithm: hasher.algorithm(),
            digest_size: hasher.digest_size(),
            work: Mutex::new(Work::Running(hasher)),
        };
        if let Some(data) = data {
            hash.add(py, data.as_slice());
        }
        hash
    }

    /// A hash without options, of an algorithm that needs none.
    pub fn plain(py: Python<'_>, algorithm: Algorithm, data: Option<&Data<'_>>) -> Self {
        let digest_size = match algorithm.length() {
            Length::Fixed(size)
            | Length::UpTo(size)
            | Length::Any(size)
            | Length::Extendable(size) => size,
        };
        let data = data.map_or(&[][..], Data::as_slice);
        let mut bytes = [0; SHORT];
        let room = bytes.get_mut(..data.len());
        let fits = room.map(|room| room.copy_from_slice(data)).is_some();
        let held = if fits { data.len() } else { 0 };
        let hash = Self {
            work: Mutex::new(Work::Short { held, bytes }),
            algorithm,
            digest_size,
        };
        if !fits {
            hash.add(py, data);
        }
        hash
    }

    /// Whoever waits for the lock has released the GIL, so that the owner can take it.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Work> {
        let locked = self.work.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, py: Python<'_>, bytes: &[u8]) {
        if bytes.len() < DETACH {
            return self.lock(py).update(self.algorithm, bytes);
        }
        py.detach(|| {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            work.update(self.algorithm, bytes);
        });
    }

    /// How many bytes of digest a call wants.
    fn length(&self, asked: Option<isize>) -> PyResult<usize> {
        let name = self.algorithm.name();
        let usual = self.digest_size;
        match (self.algorithm.length(), asked) {
            (Length::Extendable(0), None) => Err(PyTypeError::new_err(format!(
                "{name} has no usual length: say how many bytes, as in digest(32)"
            ))),
            (_, None) => Ok(usual),
            (Length::Extendable(_), Some(length)) => usize::try_from(length)
                .map_err(|_| PyValueError::new_err(format!("a digest of {length} bytes"))),
            (_, Some(_)) => Err(PyTypeError::new_err(format!(
                "a digest of {name} has a length of its own, here {usual} bytes: give none"
            ))),
        }
    }

    fn fill(&self, py: Python<'_>, seek: u64, out: &mut [u8]) -> PyResult<()> {
        let work = self.lock(py);
        if seek == 0 && out.len() < DETACH {
            return work.digest(self.algorithm, out).map_err(errors::hash);
        }
        // The lock is not held while the GIL is waited for.
        let hasher = work.hasher(self.algorithm).map_err(errors::hash)?;
        drop(work);
        // Ctrl-C ends the way to a far place.
        let mut raised = None;
        let mut go_on = || {
            raised = Python::attach(|py| py.check_signals()).err();
            raised.is_none()
        };
        py.detach(|| hasher.output_while(seek, out, &mut go_on))
            .map_err(errors::hash)?;
        raised.map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Hash {
    /// Adds bytes to the message: of `bytes`, or of any object with a contiguous buffer.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.add(py, Data::of(data)?.as_slice());
        Ok(())
    }

    /// The digest of the message so far. Hashes with extendable output take a length, and a
    /// place in the output where to begin. BLAKE3 goes there at once; the others make all
    /// output before it, so a far place takes long, and Ctrl-C ends it.
    ///
    /// >>> import karat
    /// >>> karat.shake_128(b"abc").digest(4).hex()
    /// '5881092d'
    #[pyo3(signature = (length=None, *, seek=0))]
    fn digest<'py>(
        &self,
        py: Python<'py>,
        length: Option<isize>,
        seek: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let length = self.length(length)?;
        PyBytes::new_with(py, length, |out| self.fill(py, seek, out))
    }

    /// The digest in hexadecimal.
    #[pyo3(signature = (length=None, *, seek=0))]
    fn hexdigest<'py>(
        &self,
        py: Python<'py>,
        length: Option<isize>,
        seek: u64,
    ) -> PyResult<Bound<'py, PyString>> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut bytes = vec![0; self.length(length)?];
        self.fill(py, seek, &mut bytes)?;
        let digits = bytes.iter().flat_map(|b| [b >> 4, b & 15]);
        let text: String = digits.map(|d| char::from(DIGITS[usize::from(d)])).collect();
        Ok(PyString::new(py, &text))
    }

    /// Another one with the same message so far.
    fn copy(&self, py: Python<'_>) -> Self {
        Self {
            work: Mutex::new(self.lock(py).clone()),
            ..*self
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    /// Name of the hash.
    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name()
    }

    /// Bytes of a digest; 0 when the hash has no usual length.
    #[getter]
    fn digest_size(&self) -> usize {
        self.digest_size
    }

    /// Bytes that are compressed at once.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block_size()
    }

    fn __repr__(&self) -> String {
        format!("<{} karat.Hash>", self.algorithm.name())
    }
}

/// The digest of a message that is there as a whole.
pub fn once<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    options: &karat_dyn::Options<'_>,
    data: &[u8],
    length: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let usual = options.digest_size(algorithm).map_err(errors::hash)?;
    let length = match (algorithm.is_extendable(), length) {
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
    PyBytes::new_with(py, length, |out| {
        let work = || karat_dyn::hash(algorithm, options, data, out);
        detached(py, data.len().saturating_add(length), work).map_err(errors::hash)
    })
}
