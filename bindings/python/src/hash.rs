//! The object that all hash functions return.

use crate::buffer::{DETACH, Data, detached};
use crate::errors;
use crate::number::Number;
use karat_dyn::{Algorithm, Hasher, Length, Options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Longest message that a copy of the object keeps as it is; of longer ones the copies would
/// hash the same beginning again.
const SHORT: usize = 128;

/// Longest usual digest.
const LONGEST: usize = 64;

/// What is known of the message. While it is one piece of less than [`DETACH`] bytes and the
/// hash has no options, it waits for the end: then a function for whole messages takes it,
/// without a hasher. `bytes` are only held, other buffers can change and are copied.
enum Work {
    Whole(Option<Py<PyBytes>>),
    Running(Box<Hasher>),
}

impl Work {
    fn update(&mut self, py: Python<'_>, algorithm: Algorithm, piece: Data<'_>) -> PyResult<()> {
        match self {
            Self::Whole(None) => *self = Self::Whole(Some(piece.into_bytes(py))),
            _ => self.running(py, algorithm)?.update(piece.as_slice()),
        }
        Ok(())
    }

    /// The hasher of the message so far, which takes the place of the message.
    fn running(&mut self, py: Python<'_>, algorithm: Algorithm) -> PyResult<&mut Hasher> {
        if let Self::Whole(_) = self {
            *self = Self::Running(Box::new(self.hasher(py, algorithm)?));
        }
        match self {
            Self::Running(hasher) => Ok(hasher),
            Self::Whole(_) => unreachable!("it was replaced just now"),
        }
    }

    /// A hasher of the message so far.
    fn hasher(&self, py: Python<'_>, algorithm: Algorithm) -> PyResult<Hasher> {
        match self {
            Self::Running(hasher) => Ok(Hasher::clone(hasher)),
            Self::Whole(message) => {
                let hasher = Hasher::new(algorithm, &Options::default());
                let mut hasher = hasher.map_err(errors::hash)?;
                hasher.update(bytes(py, message));
                Ok(hasher)
            }
        }
    }

    fn digest(&self, py: Python<'_>, algorithm: Algorithm, out: &mut [u8]) -> PyResult<()> {
        let made = match self {
            Self::Running(hasher) => hasher.digest(out),
            Self::Whole(message) => {
                karat_dyn::hash(algorithm, &Options::default(), bytes(py, message), out)
            }
        };
        made.map_err(errors::hash)
    }

    fn copy(&mut self, py: Python<'_>, algorithm: Algorithm) -> PyResult<Self> {
        match self {
            Self::Whole(message) if bytes(py, message).len() <= SHORT => Ok(Self::Whole(
                message.as_ref().map(|message| message.clone_ref(py)),
            )),
            _ => Ok(Self::Running(Box::new(
                self.running(py, algorithm)?.clone(),
            ))),
        }
    }
}

fn bytes<'a>(py: Python<'a>, message: &'a Option<Py<PyBytes>>) -> &'a [u8] {
    message.as_ref().map_or(&[], |message| message.as_bytes(py))
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
    pub fn new<'py>(
        py: Python<'py>,
        hasher: Hasher,
        data: Option<Data<'py>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (algorithm, digest_size) = (hasher.algorithm(), hasher.digest_size());
        let work = Work::Running(Box::new(hasher));
        let hash = Self::object(py, algorithm, digest_size, work)?;
        if let Some(data) = data {
            hash.get().add(py, data)?;
        }
        Ok(hash)
    }

    /// A hash without options, of an algorithm that needs none.
    // Then the functions of each hash are small.
    #[inline(never)]
    pub fn plain<'py>(
        py: Python<'py>,
        algorithm: Algorithm,
        data: Option<Data<'py>>,
    ) -> PyResult<Bound<'py, Self>> {
        let digest_size = match algorithm.length() {
            Length::Fixed(size)
            | Length::UpTo(size)
            | Length::Any(size)
            | Length::Extendable(size) => size,
        };
        let (whole, rest) = match data {
            Some(data) if data.as_slice().len() < DETACH => (Some(data.into_bytes(py)), None),
            other => (None, other),
        };
        let hash = Self::object(py, algorithm, digest_size, Work::Whole(whole))?;
        if let Some(rest) = rest {
            hash.get().add(py, rest)?;
        }
        Ok(hash)
    }

    /// The one place where objects are made, so that it is compiled into one function with
    /// what fills them: a struct that is handed on is read in wider pieces than it was
    /// written in, and the CPU waits for that.
    #[inline(never)]
    fn object(
        py: Python<'_>,
        algorithm: Algorithm,
        digest_size: usize,
        work: Work,
    ) -> PyResult<Bound<'_, Self>> {
        let work = Mutex::new(work);
        Bound::new(
            py,
            Self {
                work,
                algorithm,
                digest_size,
            },
        )
    }

    /// Whoever waits for the lock has released the GIL, so that the owner can take it.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Work> {
        let locked = self.work.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, py: Python<'_>, piece: Data<'_>) -> PyResult<()> {
        let bytes = piece.as_slice();
        let mut work = self.lock(py);
        if bytes.len() < DETACH {
            return work.update(py, self.algorithm, piece);
        }
        work.running(py, self.algorithm)?;
        drop(work);
        py.detach(|| {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            // Once there is a hasher, there is one for ever.
            if let Work::Running(hasher) = &mut *work {
                hasher.update(bytes);
            }
        });
        Ok(())
    }

    /// How many bytes of digest a call wants.
    fn length(&self, asked: Option<Number<'_, '_, isize>>) -> PyResult<usize> {
        let name = self.algorithm.name();
        let usual = self.digest_size;
        match (self.algorithm.length(), asked) {
            (Length::Extendable(0), None) => Err(PyTypeError::new_err(format!(
                "{name} has no usual length: say how many bytes, as in digest(32)"
            ))),
            (_, None) => Ok(usual),
            (Length::Extendable(_), Some(length)) => size(length),
            (_, Some(_)) => Err(PyTypeError::new_err(format!(
                "a digest of {name} has a length of its own, here {usual} bytes: give none"
            ))),
        }
    }

    fn fill(&self, py: Python<'_>, seek: u64, out: &mut [u8]) -> PyResult<()> {
        let work = self.lock(py);
        if seek == 0 && out.len() < DETACH {
            return work.digest(py, self.algorithm, out);
        }
        // The lock is not held while the GIL is waited for.
        let hasher = work.hasher(py, self.algorithm)?;
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
        self.add(py, Data::of(data)?)
    }

    /// The digest of the message so far. Hashes with extendable output take a length, and a
    /// place in the output where to begin. BLAKE3 goes there at once; the others make all
    /// output before it, so a far place takes long, and Ctrl-C ends it.
    ///
    /// >>> import karat
    /// >>> karat.shake_128(b"abc").digest(4).hex()
    /// '5881092d'
    #[pyo3(
        signature = (length=None, *, seek=Number::Fits(0)),
        text_signature = "($self, length=None, *, seek=0)"
    )]
    fn digest<'py>(
        &self,
        py: Python<'py>,
        length: Option<Number<'_, '_, isize>>,
        seek: Number<'_, '_, u64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (length, seek) = (self.length(length)?, seek.within("seek", 0..)?);
        PyBytes::new_with(py, length, |out| self.fill(py, seek, out))
    }

    /// The digest in hexadecimal.
    #[pyo3(
        signature = (length=None, *, seek=Number::Fits(0)),
        text_signature = "($self, length=None, *, seek=0)"
    )]
    fn hexdigest<'py>(
        &self,
        py: Python<'py>,
        length: Option<Number<'_, '_, isize>>,
        seek: Number<'_, '_, u64>,
    ) -> PyResult<Bound<'py, PyString>> {
        let (length, seek) = (self.length(length)?, seek.within("seek", 0..)?);
        let mut room = [0; LONGEST];
        let Some(bytes) = room.get_mut(..length) else {
            // Of any length, so that Python says when it is too much.
            let digest = PyBytes::new_with(py, length, |out| self.fill(py, seek, out))?;
            return Ok(digest.call_method0("hex")?.cast_into()?);
        };
        self.fill(py, seek, bytes)?;
        let mut text = [0; 2 * LONGEST];
        for (two, byte) in text.as_chunks_mut().0.iter_mut().zip(room) {
            *two = [byte >> 4, byte & 15].map(|digit| match digit {
                0..10 => b'0' + digit,
                _ => b'a' - 10 + digit,
            });
        }
        PyString::from_bytes(py, &text[..2 * length])
    }

    /// Another one with the same message so far.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let work = self.lock(py).copy(py, self.algorithm)?;
        Self::object(py, self.algorithm, self.digest_size, work)
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
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

/// Bytes of a digest, given as `length`: Python's objects have no more than fit into `isize`.
pub fn size(length: Number<'_, '_, isize>) -> PyResult<usize> {
    length.within("length", 0..).map(isize::unsigned_abs)
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
