//! Namespaced Merkle trees and their proofs.

use crate::buffer::{Data, Many, bytes_at, detached, each};
use crate::errors;
use crate::number::Number;
use karat_nmt::{Format, Leaf, Proof as Inner, Tree as Nodes, Verifier};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use pyo3::{Borrowed, ffi};

/// The rule of a tree.
pub fn format(namespace_size: Number<'_, '_, u8>, ignore_max: bool) -> PyResult<Format> {
    let size = namespace_size.within("namespace_size", 1..=255)?;
    Ok(Format::new(size, ignore_max))
}

/// What `work` makes of the leaves.
fn with_leaves<R>(
    object: &Bound<'_, PyAny>,
    format: Format,
    work: impl FnOnce(&[Leaf<'_>]) -> R,
) -> PyResult<R> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        // The list may change meanwhile, a tuple of its items cannot: one object to hold.
        let items = list.to_tuple();
        if let Some(leaves) = leaves_in_bytes(&items, format) {
            return Ok(work(&leaves));
        }
    }
    Ok(work(&Leaves::of(object)?.slices(format)?))
}

/// The leaves of a list that holds nothing but `bytes` and pairs of `bytes`, as is usual, and is
/// read fastest: [`Leaves`] knows all else, and what to say of it.
fn leaves_in_bytes<'a>(items: &'a Bound<'_, PyTuple>, format: Format) -> Option<Vec<Leaf<'a>>> {
    let mut leaves = Vec::with_capacity(items.len());
    for item in items.iter_borrowed() {
        leaves.push(match pair(item) {
            Some((namespace, data)) => Leaf::new(bytes_at(namespace)?, bytes_at(data)?),
            None => Leaf::prefixed(format, bytes_at(item)?).ok()?,
        });
    }
    Some(leaves)
}

/// The two items of a tuple. They live as long as it does: tuples do not change.
#[inline]
fn pair<'a, 'py>(
    item: Borrowed<'a, 'py, PyAny>,
) -> Option<(Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)> {
    // SAFETY: it is an object, and where its type is that of tuples, a tuple. An item that it has
    // is an object that it holds for `'a`.
    unsafe {
        if ffi::PyTuple_CheckExact(item.as_ptr()) == 0 || ffi::PyTuple_Size(item.as_ptr()) != 2 {
            return None;
        }
        let at = |index| Borrowed::from_ptr(item.py(), ffi::PyTuple_GetItem(item.as_ptr(), index));
        Some((at(0), at(1)))
    }
}

/// Namespaces and data of leaves.
enum Leaves<'py> {
    /// Pairs, or the one followed by the other in one buffer.
    Each(Vec<(Option<Data<'py>>, Data<'py>)>),
    /// The rows of an array, the one followed by the other in each.
    Rows(Many<'py>),
}

impl<'py> Leaves<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(buffer) = PyUntypedBuffer::get(object)
            && buffer.dimensions() == 2
        {
            return Many::rows(object, buffer).map(Self::Rows);
        }
        let leaf = |item: Bound<'py, PyAny>| -> PyResult<_> {
            match item.cast::<PyTuple>() {
                Ok(_) => {
                    let (namespace, data) = item.extract()?;
                    Ok((Some(namespace), data))
                }
                Err(_) => Ok((None, Data::of(&item)?)),
            }
        };
        each(object, leaf).map(Self::Each)
    }

    fn slices(&self, format: Format) -> PyResult<Vec<Leaf<'_>>> {
        let prefixed = |leaf| Leaf::prefixed(format, leaf).map_err(errors::value);
        let mut slices = Vec::new();
        match self {
            Self::Rows(rows) => {
                let rows = rows.slices();
                slices.reserve_exact(rows.len());
                for row in rows {
                    slices.push(prefixed(row)?);
                }
            }
            Self::Each(leaves) => {
                slices.reserve_exact(leaves.len());
                for (namespace, data) in leaves {
                    slices.push(match namespace {
                        Some(namespace) => Leaf::new(namespace.as_slice(), data.as_slice()),
                        None => prefixed(data.as_slice())?,
                    });
                }
            }
        }
        Ok(slices)
    }
}

fn bytes_of(leaves: &[Leaf<'_>]) -> usize {
    leaves
        .iter()
        .map(|l| l.namespace.len() + l.data.len())
        .sum()
}

/// A namespaced Merkle tree of leaves that are in the order of their namespaces.
///
/// A leaf is a pair (namespace, data), or one buffer that begins with the namespace. Many of
/// one length are read fastest as the rows of one array, without an object for each.
/// The defaults are Celestia's: namespaces of 29 bytes, the largest is ignored.
///
/// >>> from karat import nmt
/// >>> tree = nmt.Tree([(b"\x01" * 29, b"one"), (b"\x02" * 29, b"two")])
/// >>> proof = tree.prove(1)
/// >>> nmt.verify(tree.root, proof, [(b"\x02" * 29, b"two")], leaves_in_tree=2)
#[pyclass(frozen, module = "karat.nmt", name = "Tree")]
pub struct Tree(pub Nodes);

#[pymethods]
impl Tree {
    #[new]
    #[pyo3(
        signature = (leaves, /, *, namespace_size=Number::Fits(29), ignore_max=true),
        text_signature = "(leaves, /, *, namespace_size=29, ignore_max=True)"
    )]
    fn new(
        py: Python<'_>,
        leaves: &Bound<'_, PyAny>,
        namespace_size: Number<'_, '_, u8>,
        ignore_max: bool,
    ) -> PyResult<Self> {
        let format = format(namespace_size, ignore_max)?;
        let made = with_leaves(leaves, format, |leaves| {
            detached(py, bytes_of(leaves), || Nodes::of(format, leaves))
        })?;
        made.map(Self).map_err(errors::value)
    }

    /// The root: smallest namespace, largest namespace, digest.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.root())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The node of a leaf.
    fn leaf<'py>(
        &self,
        py: Python<'py>,
        index: Number<'_, '_, usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let node = self
            .0
            .leaf(index.within("index", 0..)?)
            .map_err(errors::value)?;
        Ok(PyBytes::new(py, &node))
    }

    /// A proof that the leaf is in the tree.
    fn prove(&self, index: Number<'_, '_, usize>) -> PyResult<Proof> {
        let index = index.within("index", 0..)?;
        self.0.prove(index).map(Proof).map_err(errors::value)
    }

    /// A proof that leaves side by side, from `start` to before `end`, are in the tree.
    fn prove_range(
        &self,
        start: Number<'_, '_, usize>,
        end: Number<'_, '_, usize>,
    ) -> PyResult<Proof> {
        let (start, end) = (start.within("start", 0..)?, end.within("end", 0..)?);
        let proof = self.0.prove_range(start..end);
        proof.map(Proof).map_err(errors::value)
    }

    /// A proof of all leaves of a namespace, or that there are none.
    fn prove_namespace(&self, namespace: Data<'_>) -> PyResult<Proof> {
        let proof = self.0.prove_namespace(namespace.as_slice());
        proof.map(Proof).map_err(errors::value)
    }

    /// Numbers of a namespace's leaves: the first, and one behind the last.
    fn namespace_range(&self, namespace: Data<'_>) -> (usize, usize) {
        let range = self.0.namespace_range(namespace.as_slice());
        (range.start, range.end)
    }

    fn __repr__(&self) -> String {
        format!("<karat.nmt.Tree of {} leaves>", self.0.len())
    }
}

/// A proof of leaves, or of the absence of a namespace.
#[pyclass(frozen, eq, module = "karat.nmt", name = "Proof")]
#[derive(PartialEq)]
pub struct Proof(pub Inner);

#[pymethods]
impl Proof {
    /// The proof that `to_bytes` wrote, or Celestia's library in Go.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: Data<'_>) -> PyResult<Self> {
        let proof = Inner::from_protobuf(data.as_slice());
        proof.map(Self).map_err(errors::value)
    }

    /// As Protocol Buffers, in the form of Celestia's library in Go.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_protobuf())
    }

    /// Number of the first leaf.
    #[getter]
    fn start(&self) -> u64 {
        self.0.range().start
    }

    /// Number behind the last leaf.
    #[getter]
    fn end(&self) -> u64 {
        self.0.range().end
    }

    /// The nodes beside the leaves.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let nodes = self.0.nodes().iter();
        nodes.map(|node| PyBytes::new(py, node)).collect()
    }

    /// Whether it shows that a namespace has no leaves.
    #[getter]
    fn is_of_absence(&self) -> bool {
        self.0.is_of_absence()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = slf.get_type().getattr("from_bytes")?;
        Ok((from_bytes, (slf.get().to_bytes(slf.py()),)))
    }

    fn __repr__(&self) -> String {
        let range = self.0.range();
        format!("<karat.nmt.Proof of leaves {}..{}>", range.start, range.end)
    }
}

fn verifier<'a>(
    root: &'a [u8],
    format: Format,
    leaves_in_tree: Option<Number<'_, '_, u64>>,
) -> PyResult<Verifier<'a>> {
    let leaves_in_tree = leaves_in_tree.map(|leaves| leaves.within("leaves_in_tree", 0..));
    let leaves_in_tree = leaves_in_tree.transpose()?;
    let verifier: Verifier<'_> = Verifier::new(format, root).map_err(errors::verify)?;
    Ok(match leaves_in_tree {
        Some(leaves) => verifier.of_leaves(leaves),
        None => verifier,
    })
}

/// Raises VerifyError unless the proof shows that these leaves, side by side, are in the
/// tree. Their numbers are shown only if `leaves_in_tree` is given.
#[pyfunction]
#[pyo3(
    signature = (
        root, proof, leaves, /, *, leaves_in_tree=None, namespace_size=Number::Fits(29),
        ignore_max=true
    ),
    text_signature = "(root, proof, leaves, /, *, leaves_in_tree=None, namespace_size=29, ignore_max=True)"
)]
fn verify(
    root: Data<'_>,
    proof: &Proof,
    leaves: &Bound<'_, PyAny>,
    leaves_in_tree: Option<Number<'_, '_, u64>>,
    namespace_size: Number<'_, '_, u8>,
    ignore_max: bool,
) -> PyResult<()> {
    let format = format(namespace_size, ignore_max)?;
    let verifier = verifier(root.as_slice(), format, leaves_in_tree)?;
    let verified = with_leaves(leaves, format, |leaves| verifier.leaves(&proof.0, leaves))?;
    verified.map_err(errors::verify)
}

/// Raises VerifyError unless the proof shows that these data are all that the namespace
/// has; none at all for a proof of absence.
#[pyfunction]
#[pyo3(
    signature = (
        root, proof, namespace, data, /, *, leaves_in_tree=None, namespace_size=Number::Fits(29),
        ignore_max=true
    ),
    text_signature = "(root, proof, namespace, data, /, *, leaves_in_tree=None, namespace_size=29, ignore_max=True)"
)]
fn verify_namespace(
    root: Data<'_>,
    proof: &Proof,
    namespace: Data<'_>,
    data: &Bound<'_, PyAny>,
    leaves_in_tree: Option<Number<'_, '_, u64>>,
    namespace_size: Number<'_, '_, u8>,
    ignore_max: bool,
) -> PyResult<()> {
    let format = format(namespace_size, ignore_max)?;
    let data = Many::of(data, "data")?;
    let verifier = verifier(root.as_slice(), format, leaves_in_tree)?;
    let verified = verifier.namespace(&proof.0, namespace.as_slice(), &data.slices());
    verified.map_err(errors::verify)
}

/// The root of the tree of these leaves, without keeping the tree.
#[pyfunction]
#[pyo3(
    signature = (leaves, /, *, namespace_size=Number::Fits(29), ignore_max=true),
    text_signature = "(leaves, /, *, namespace_size=29, ignore_max=True)"
)]
fn root<'py>(
    py: Python<'py>,
    leaves: &Bound<'py, PyAny>,
    namespace_size: Number<'_, '_, u8>,
    ignore_max: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(Tree::new(py, leaves, namespace_size, ignore_max)?.root(py))
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VerifyError", module.py().get_type::<errors::VerifyError>())?;
    module.add_class::<Tree>()?;
    module.add_class::<Proof>()?;
    module.add("nmt_verify", wrap_pyfunction!(verify, module)?)?;
    module.add(
        "nmt_verify_namespace",
        wrap_pyfunction!(verify_namespace, module)?,
    )?;
    module.add("nmt_root", wrap_pyfunction!(root, module)?)
}
