//! Celestia's extended data square.

use crate::buffer::{Data, Many, each};
use crate::errors;
use crate::nmt::Tree;
use crate::number::Number;
use karat_nmt::eds::{Axis, Leopard, Partial, Roots, Square as Inner};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn axis(name: &str) -> PyResult<Axis> {
    match name {
        "row" => Ok(Axis::Row),
        "column" => Ok(Axis::Column),
        _ => Err(errors::value(format!("no axis {name:?}: row or column"))),
    }
}

/// The square of k times k shares, extended by Reed-Solomon codes to 2k times 2k.
///
/// `shares` are k * k of equal length, row by row, each beginning with its namespace: a
/// list of buffers, or an array whose rows they are.
///
/// >>> from karat import nmt
/// >>> square = nmt.Square([bytes([i]) * 512 for i in range(4)])
/// >>> square.k, len(square.row_roots), len(square.data_root)
/// (2, 4, 32)
#[pyclass(frozen, module = "karat.nmt", name = "Square")]
pub struct Square {
    square: Inner,
    roots: Roots,
}

impl Square {
    fn with_roots(square: Inner) -> Result<Self, karat_nmt::eds::SquareError> {
        let roots = square.roots()?;
        Ok(Self { square, roots })
    }

    fn roots<'py>(&self, py: Python<'py>, axis: Axis) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let root = |index| {
            let root = self.roots.root(axis, index).map_err(errors::value)?;
            Ok(PyBytes::new(py, root))
        };
        (0..self.square.side()).map(root).collect()
    }
}

/// The side of a square of so many shares.
fn side(shares: usize) -> PyResult<usize> {
    let side = shares.isqrt();
    match side * side == shares && side > 0 {
        true => Ok(side),
        false => Err(errors::value(format!("{shares} shares are no square"))),
    }
}

#[pymethods]
impl Square {
    #[new]
    #[pyo3(signature = (shares, /))]
    fn new(py: Python<'_>, shares: &Bound<'_, PyAny>) -> PyResult<Self> {
        let shares = Many::of(shares, "shares")?;
        let slices = shares.slices();
        let k = side(slices.len())?;
        let length = slices[0].len();
        if let Some(other) = slices.iter().position(|s| s.len() != length) {
            return Err(errors::value(format!(
                "share 0 has {length} bytes, share {other} has {}",
                slices[other].len()
            )));
        }
        let made = py.detach(|| {
            let mut code = Leopard::new(k)?;
            let square = Inner::extend(&slices.concat(), k, &mut code)?;
            Self::with_roots(square)
        });
        made.map_err(errors::value)
    }

    /// Shares in a row of the data.
    #[getter]
    fn k(&self) -> usize {
        self.square.k()
    }

    /// Bytes of a share.
    #[getter]
    fn share_size(&self) -> usize {
        self.square.share_len()
    }

    /// Roots of the rows' trees.
    #[getter]
    fn row_roots<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        self.roots(py, Axis::Row)
    }

    /// Roots of the columns' trees.
    #[getter]
    fn column_roots<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        self.roots(py, Axis::Column)
    }

    /// The root over all roots: the hash of the data availability header.
    #[getter]
    fn data_root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.roots.data_root())
    }

    /// A share.
    fn share<'py>(
        &self,
        py: Python<'py>,
        row: Number<'_, '_, usize>,
        column: Number<'_, '_, usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (row, column) = (row.within("row", 0..)?, column.within("column", 0..)?);
        let share = self.square.share(row, column).map_err(errors::value)?;
        Ok(PyBytes::new(py, share))
    }

    /// All shares, row by row.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.square.bytes())
    }

    /// The tree of a row or a column (`axis` is "row" or "column"), to prove shares.
    #[pyo3(signature = (axis, index, /))]
    fn tree(&self, axis: &str, index: Number<'_, '_, usize>) -> PyResult<Tree> {
        let index = index.within("index", 0..)?;
        let tree = self.square.tree(self::axis(axis)?, index);
        tree.map(Tree).map_err(errors::value)
    }

    fn __repr__(&self) -> String {
        format!("<karat.nmt.Square of {0} x {0} shares, extended>", self.k())
    }
}

fn from_lists(rows: &Bound<'_, PyAny>, columns: &Bound<'_, PyAny>) -> PyResult<Roots> {
    let (rows, columns) = (
        Many::of(rows, "row_roots")?,
        Many::of(columns, "column_roots")?,
    );
    Roots::new(&rows.slices(), &columns.slices()).map_err(errors::value)
}

/// The data root of lists of row roots and column roots.
#[pyfunction]
#[pyo3(signature = (row_roots, column_roots, /))]
fn data_root<'py>(
    py: Python<'py>,
    row_roots: &Bound<'py, PyAny>,
    column_roots: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let roots = from_lists(row_roots, column_roots)?;
    Ok(PyBytes::new(py, &roots.data_root()))
}

/// The whole square of an extended one with losses: a list of all shares, row by row, with
/// None where one is lost. Raises VerifyError when the shares do not fit the roots.
#[pyfunction]
#[pyo3(signature = (shares, row_roots, column_roots, /))]
fn repair(
    py: Python<'_>,
    shares: &Bound<'_, PyAny>,
    row_roots: &Bound<'_, PyAny>,
    column_roots: &Bound<'_, PyAny>,
) -> PyResult<Square> {
    let shares = each(shares, |share| Data::of_some(&share))?;
    let side = side(shares.len())?;
    let first = shares.iter().flatten().next();
    let first = first.ok_or_else(|| errors::value("all shares are lost"))?;
    let mut partial = Partial::new(side / 2, first.as_slice().len()).map_err(errors::value)?;
    if side % 2 != 0 {
        return Err(errors::value(format!(
            "{side} x {side} shares are no extended square"
        )));
    }
    for (number, share) in shares.iter().enumerate() {
        if let Some(share) = share {
            let (row, column) = (number / side, number % side);
            let inserted = partial.insert(row, column, share.as_slice());
            inserted.map_err(errors::value)?;
        }
    }
    let roots = from_lists(row_roots, column_roots)?;
    let repaired = py.detach(|| {
        let mut code = Leopard::new(side / 2).map_err(|error| error.to_string())?;
        let square = partial.repair(&roots, &mut code);
        let square = square.map_err(|error| error.to_string())?;
        Square::with_roots(square).map_err(|error| error.to_string())
    });
    repaired.map_err(errors::verify)
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Square>()?;
    module.add_function(wrap_pyfunction!(data_root, module)?)?;
    module.add_function(wrap_pyfunction!(repair, module)?)
}
