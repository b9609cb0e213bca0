//! Bytes of Python objects, read and written where they are.
//!
//! While the GIL is released another thread may write to a buffer that is read here, as it
//! may with `hashlib`: the result is then of no use, and nothing else happens. An object
//! whose buffer is held cannot be resized or freed.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use pyo3::{Borrowed, ffi};

/// From so many bytes on, other threads may run meanwhile: releasing the GIL and taking it
/// again costs as much as hashing some hundred bytes. `hashlib` has the same limit.
pub const DETACH: usize = 2048;

/// Does `work` without the GIL if it goes over many bytes.
pub fn detached<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if bytes < DETACH {
        return work();
    }
    py.detach(work)
}

/// Bytes to be read. `bytes` is seen at once, without asking for its buffer.
pub enum Data<'py> {
    Bytes(Bound<'py, PyBytes>),
    Buffer(PyUntypedBuffer),
}

impl<'py> Data<'py> {
    /// The bytes of an object with a buffer whose elements lie one behind the other.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes.clone())),
            Err(_) => contiguous(object).map(Self::Buffer),
        }
    }

    /// The same, or nothing of None.
    pub fn of_some(object: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        match object.is_none() {
            true => Ok(None),
            false => Self::of(object).map(Some),
        }
    }

    /// The object itself if it is `bytes`, otherwise a copy of what the buffer holds now.
    pub fn into_bytes(self, py: Python<'py>) -> Py<PyBytes> {
        match self {
            Self::Bytes(bytes) => bytes.unbind(),
            Self::Buffer(_) => PyBytes::new(py, self.as_slice()).unbind(),
        }
    }

    pub fn as_slice(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            // SAFETY: the buffer is held and contiguous. Other threads may write to it, see
            // above; bytes have no values that are not allowed.
            Self::Buffer(buffer) => unsafe { slice(buffer) },
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Data<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}

/// The bytes of an object whose type is `bytes` itself. They live as long as it does.
#[inline]
pub fn bytes_at<'a>(object: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
    let (mut start, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the type is looked at before its bytes are asked for, so that there are such, and
    // they neither move nor change while the object is held, which it is for `'a`.
    unsafe {
        if ffi::PyBytes_CheckExact(object.as_ptr()) == 0 {
            return None;
        }
        ffi::PyBytes_AsStringAndSize(object.as_ptr(), &raw mut start, &raw mut length);
        let length = usize::try_from(length).ok()?;
        Some(std::slice::from_raw_parts(start.cast(), length))
    }
}

/// # Safety
/// The buffer is contiguous and nothing else in Rust writes to it.
unsafe fn slice(buffer: &PyUntypedBuffer) -> &[u8] {
    if buffer.len_bytes() == 0 {
        return &[];
    }
    // SAFETY: the caller's promises.
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes()) }
}

fn contiguous(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "a str has no bytes: encode it first, for example by .encode()",
        ));
    }
    let buffer = PyUntypedBuffer::get(object).map_err(|error| {
        let py = object.py();
        match error.is_instance_of::<PyTypeError>(py) {
            true => PyTypeError::new_err(format!(
                "bytes or another object with a buffer is wanted, not {}",
                object
                    .get_type()
                    .name()
                    .map_or_else(|_| "this".to_owned(), |n| n.to_string())
            )),
            false => error,
        }
    })?;
    if buffer.is_c_contiguous() {
        return Ok(buffer);
    }
    Err(PyBufferError::new_err(
        "the elements of the buffer do not lie one behind the other: make a copy, for example by \
         bytes() or numpy.ascontiguousarray()",
    ))
}

/// The items of a sequence or iterator, each read by `read`. Nothing is made ready for as many
/// as the object says it has: that may be any number.
pub fn each<'py, T>(
    object: &Bound<'py, PyAny>,
    read: impl Fn(Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    object.try_iter()?.map(|item| read(item?)).collect()
}

/// Bytes of many objects, in order.
pub enum Many<'py> {
    Each(Vec<Data<'py>>),
    /// The items of a list, all of them `bytes`: one object to hold, and the list may change.
    Bytes(Bound<'py, PyTuple>),
    /// The rows of one array.
    Rows(PyUntypedBuffer, usize),
}

impl<'py> Many<'py> {
    /// The items of a sequence or iterator, each an object with a buffer; or the rows of one
    /// object whose buffer has two dimensions.
    pub fn of(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        let single = || {
            PyTypeError::new_err(format!(
                "{what} is one buffer: give a list of them, or an array of two dimensions, whose \
                 rows are taken"
            ))
        };
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyString>() {
            return Err(single());
        }
        // A list, asked for a buffer, would make an exception.
        if !object.is_exact_instance_of::<PyList>()
            && let Ok(buffer) = PyUntypedBuffer::get(object)
        {
            return match buffer.dimensions() {
                2.. => Self::rows(object, buffer),
                _ => Err(single()),
            };
        }
        Self::each(object)
    }

    /// The rows of an object whose buffer has two dimensions.
    pub fn rows(object: &Bound<'py, PyAny>, buffer: PyUntypedBuffer) -> PyResult<Self> {
        match (buffer.dimensions(), buffer.is_c_contiguous()) {
            (2, true) => {
                let rows = buffer.shape()[0];
                Ok(Self::Rows(buffer, rows))
            }
            // Of an array with gaps, each row is looked at by itself.
            _ => Self::each(object),
        }
    }

    fn each(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = object.cast_exact::<PyList>() {
            let items = list.to_tuple();
            if items
                .iter_borrowed()
                .all(|i| i.is_exact_instance_of::<PyBytes>())
            {
                return Ok(Self::Bytes(items));
            }
        }
        each(object, |item| Data::of(&item)).map(Self::Each)
    }

    pub fn slices(&self) -> Vec<&[u8]> {
        match self {
            Self::Each(items) => items.iter().map(Data::as_slice).collect(),
            Self::Bytes(items) => items.iter_borrowed().filter_map(bytes_at).collect(),
            Self::Rows(buffer, rows) => {
                // SAFETY: it is held and contiguous, as above.
                let all = unsafe { slice(buffer) };
                let length = all.len().checked_div(*rows).unwrap_or(0);
                (0..*rows)
                    .map(|row| &all[row * length..][..length])
                    .collect()
            }
        }
    }
}

/// Bytes to be written.
pub struct Writable(PyUntypedBuffer);

impl Writable {
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = contiguous(object)?;
        if buffer.readonly() {
            return Err(PyTypeError::new_err(format!(
                "{} cannot be written to: give a bytearray or another object with a writable \
                 buffer",
                object.get_type().name()?
            )));
        }
        Ok(Self(buffer))
    }

    fn range(&self) -> (usize, usize) {
        let start = self.0.buf_ptr() as usize;
        (start, start + self.0.len_bytes())
    }
}

/// What is read, and what is written.
type Slices<'a> = (Vec<&'a [u8]>, Vec<&'a mut [u8]>);

/// Buffers of one call that are read and written.
pub struct Exchange<'py> {
    pub read: Vec<Data<'py>>,
    pub write: Vec<Writable>,
}

impl Exchange<'_> {
    /// The bytes, when nothing that is written is there twice.
    pub fn slices(&mut self) -> PyResult<Slices<'_>> {
        let range = |bytes: &[u8]| {
            let start = bytes.as_ptr() as usize;
            (start, start + bytes.len())
        };
        let mut taken: Vec<((usize, usize), bool)> = self
            .read
            .iter()
            .map(|data| (range(data.as_slice()), false))
            .chain(self.write.iter().map(|room| (room.range(), true)))
            .filter(|((start, end), _)| start < end)
            .collect();
        taken.sort_unstable();
        let mut ends = (0, 0);
        for ((start, end), written) in taken {
            // Where all before ends, and all before that is written.
            let clash = if written { ends.0.max(ends.1) } else { ends.1 };
            if start < clash {
                return Err(PyValueError::new_err(
                    "a buffer that is written to overlaps another one of the same call",
                ));
            }
            match written {
                true => ends.1 = ends.1.max(end),
                false => ends.0 = ends.0.max(end),
            }
        }
        let read = self.read.iter().map(Data::as_slice).collect();
        let write = self.write.iter_mut().map(|room| {
            if room.0.len_bytes() == 0 {
                return &mut [][..];
            }
            let start = room.0.buf_ptr().cast();
            // SAFETY: the buffer is held, contiguous and writable, and overlaps no other
            // one, as was just checked.
            unsafe { std::slice::from_raw_parts_mut(start, room.0.len_bytes()) }
        });
        Ok((read, write.collect()))
    }
}
