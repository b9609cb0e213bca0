//! Reed-Solomon codes over lists of buffers.

use crate::buffer::{Data, Exchange, Many, Writable, detached, each};
use crate::errors;
use crate::number::Number;
use karat_erasure::{Code, Codec as Inner};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// A code of `data` data shards and `parity` parity shards: any `data` of them all are
/// enough to make the others.
///
/// Codes are "A" (klauspost/reedsolomon, reed-solomon-erasure), "B" (Leopard over GF(2^8)),
/// "C" (Leopard over GF(2^16)) and "D" (ISA-L's Cauchy matrix); each gives the bytes of
/// those libraries.
///
/// >>> from karat import erasure
/// >>> codec = erasure.Codec("A", 3, 2)
/// >>> parity = codec.encode([b"one", b"two", b"six"])
/// >>> codec.reconstruct([None, b"two", None, *parity])[:3]
/// [b'one', b'two', b'six']
#[pyclass(frozen, module = "karat.erasure", name = "Codec")]
pub struct Codec(Inner);

impl Codec {
    fn count(&self, found: usize, wanted: usize, what: &str) -> PyResult<()> {
        match found == wanted {
            true => Ok(()),
            false => Err(errors::value(format!(
                "{found} {what}, this codec has {wanted}"
            ))),
        }
    }
}

/// Writable buffers of a sequence.
fn writable(object: &Bound<'_, PyAny>) -> PyResult<Vec<Writable>> {
    each(object, |item| Writable::of(&item))
}

fn reads<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Data<'py>>> {
    each(object, |item| Data::of(&item))
}

fn total(shards: &[&[u8]]) -> usize {
    shards.iter().map(|shard| shard.len()).sum()
}

#[pymethods]
impl Codec {
    #[new]
    #[pyo3(signature = (code, data, parity, /))]
    fn new(
        code: &str,
        data: Number<'_, '_, usize>,
        parity: Number<'_, '_, usize>,
    ) -> PyResult<Self> {
        let named = Code::ALL.iter().find(|c| c.to_string() == code);
        let code = named.ok_or_else(|| errors::value(format!("no code {code:?}: A, B, C or D")))?;
        let (data, parity) = (data.within("data", 1..)?, parity.within("parity", 0..)?);
        Inner::new(*code, data, parity)
            .map(Self)
            .map_err(errors::value)
    }

    /// The code's letter.
    #[getter]
    fn code(&self) -> String {
        self.0.code().to_string()
    }

    /// Data shards.
    #[getter]
    fn data(&self) -> usize {
        self.0.data()
    }

    /// Parity shards.
    #[getter]
    fn parity(&self) -> usize {
        self.0.parity()
    }

    /// The parity shards of data shards: a list of buffers of equal length, or an array
    /// whose rows they are.
    #[pyo3(signature = (data, /))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let data = Many::of(data, "data")?;
        let slices = data.slices();
        let length = slices.first().map_or(0, |shard| shard.len());
        let mut parity = vec![vec![0; length]; self.0.parity()];
        let work = || self.0.encode(&slices, &mut parity);
        detached(py, total(&slices), work).map_err(errors::value)?;
        PyList::new(py, parity.iter().map(|shard| PyBytes::new(py, shard)))
    }

    /// Writes the parity shards of `data` into writable buffers, such as bytearrays or rows
    /// of a NumPy array.
    #[pyo3(signature = (data, parity, /))]
    fn encode_into(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        parity: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let mut buffers = Exchange {
            read: reads(data)?,
            write: writable(parity)?,
        };
        let (data, mut parity) = buffers.slices()?;
        let work = || self.0.encode(&data, &mut parity);
        detached(py, total(&data), work).map_err(errors::value)
    }

    /// All shards, data and then parity, of a list in which None stands for what is lost.
    #[pyo3(signature = (shards, /))]
    fn reconstruct<'py>(
        &self,
        py: Python<'py>,
        shards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let shards = each(shards, Ok)?;
        self.count(shards.len(), self.0.total(), "shards")?;
        let held = shards.iter().map(Data::of_some);
        let held: Vec<_> = held.collect::<PyResult<_>>()?;
        let numbered = held.iter().enumerate();
        let present: Vec<(usize, &[u8])> = numbered
            .filter_map(|(i, shard)| Some((i, shard.as_ref()?.as_slice())))
            .collect();
        let length = present.first().map_or(0, |(_, shard)| shard.len());
        let lost = (0..held.len()).filter(|i| held[*i].is_none());
        let mut made: Vec<(usize, Vec<u8>)> = lost.map(|i| (i, vec![0; length])).collect();
        let mut wanted: Vec<(usize, &mut [u8])> = made
            .iter_mut()
            .map(|(i, shard)| (*i, &mut shard[..]))
            .collect();
        let bytes = length * present.len();
        let work = || self.0.reconstruct_from(&present, &mut wanted);
        detached(py, bytes, work).map_err(errors::value)?;
        let mut made = made.iter();
        let all = shards.into_iter().map(|shard| match shard.is_none() {
            false => shard,
            true => {
                let bytes = made.next().map_or(&[][..], |(_, bytes)| bytes);
                PyBytes::new(py, bytes).into_any()
            }
        });
        PyList::new(py, all.collect::<Vec<_>>())
    }

    /// Makes lost shards where they belong: `shards` are writable buffers of all shards,
    /// `present` says of each whether it is there.
    #[pyo3(signature = (shards, present, /))]
    fn reconstruct_into(
        &self,
        py: Python<'_>,
        shards: &Bound<'_, PyAny>,
        present: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let present: Vec<bool> = each(present, |flag| flag.extract())?;
        let mut buffers = Exchange {
            read: Vec::new(),
            write: writable(shards)?,
        };
        let (_, mut shards) = buffers.slices()?;
        let bytes = shards.iter().map(|shard| shard.len()).sum();
        let work = || self.0.reconstruct(&mut shards, &present);
        detached(py, bytes, work).map_err(errors::value)
    }

    /// Whether the parity shards are those of the data shards.
    #[pyo3(signature = (data, parity, /))]
    fn verify(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        parity: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let (data, parity) = (Many::of(data, "data")?, Many::of(parity, "parity")?);
        let (data, parity) = (data.slices(), parity.slices());
        let work = || self.0.verify(&data, &parity);
        detached(py, total(&data), work).map_err(errors::value)
    }

    /// Numbers of the shards that are corrupt, of all shards: found if few enough are.
    #[pyo3(signature = (shards, /))]
    fn locate(&self, py: Python<'_>, shards: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let shards = Many::of(shards, "shards")?;
        let shards = shards.slices();
        let work = || self.0.locate(&shards);
        detached(py, total(&shards), work).map_err(errors::value)
    }

    fn __getnewargs__(&self) -> (String, usize, usize) {
        (self.code(), self.data(), self.parity())
    }

    fn __repr__(&self) -> String {
        format!(
            "Codec({:?}, {}, {})",
            self.code(),
            self.data(),
            self.parity()
        )
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Codec>()
}
