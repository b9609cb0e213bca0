//! The roots of a square, Celestia's data availability header.

use super::square::check_side;
use super::{Axis, SquareError};
use crate::{Format, Leaf, Proof, Sha256, Tree, Verifier, VerifyError};
use alloc::vec::Vec;

/// Bytes of a root.
const NODE: usize = Format::CELESTIA.node_len::<Sha256>();

/// The tree over all roots: without namespaces it is that of RFC 6962.
const PLAIN: Format = Format::new(0, false);

/// The roots of all rows and columns of an extended square: Celestia's data availability
/// header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    pub(super) rows: Vec<u8>,
    pub(super) columns: Vec<u8>,
}

impl Roots {
    /// Roots that came from elsewhere: as many rows as columns, each 90 bytes.
    ///
    /// # Errors
    /// [`SquareError::Len`] when a root has another length, [`SquareError::Side`] when no
    /// square has so many, [`SquareError::Roots`] when rows and columns differ in number.
    pub fn new<B: AsRef<[u8]>>(rows: &[B], columns: &[B]) -> Result<Self, SquareError> {
        if rows.len() != columns.len() {
            return Err(SquareError::Roots);
        }
        if !rows.len().is_multiple_of(2) {
            return Err(SquareError::Side { k: rows.len() / 2 });
        }
        check_side(rows.len() / 2)?;
        for root in rows.iter().chain(columns) {
            let found = root.as_ref().len();
            if found != NODE {
                return Err(SquareError::Len { found });
            }
        }
        let joined = |roots: &[B]| roots.iter().flat_map(|r| r.as_ref()).copied().collect();
        Ok(Self {
            rows: joined(rows),
            columns: joined(columns),
        })
    }

    /// Shares on a side of the original square.
    #[must_use]
    pub const fn k(&self) -> usize {
        self.rows.len() / NODE / 2
    }

    /// The root of a row or column.
    ///
    /// # Errors
    /// [`SquareError::Place`] when there is no such row or column.
    pub fn root(&self, axis: Axis, index: usize) -> Result<&[u8], SquareError> {
        let mut roots = self.of(axis).chunks_exact(NODE);
        roots.nth(index).ok_or(SquareError::Place)
    }

    /// The data root of the block: the root of the tree of RFC 6962 over all rows' roots
    /// and then all columns'.
    #[must_use]
    pub fn data_root(&self) -> [u8; 32] {
        let mut root = [0; 32];
        root.copy_from_slice(self.tree().root());
        root
    }

    /// Proof that the root of a row or column is below the data root.
    ///
    /// # Errors
    /// [`SquareError::Place`] when there is no such row or column.
    pub fn prove(&self, axis: Axis, index: usize) -> Result<Proof, SquareError> {
        let place = place(self.k(), axis, index).ok_or(SquareError::Place)?;
        self.tree().prove(place).map_err(|_| SquareError::Place)
    }

    fn of(&self, axis: Axis) -> &[u8] {
        match axis {
            Axis::Row => &self.rows,
            Axis::Column => &self.columns,
        }
    }

    fn tree(&self) -> Tree {
        let roots = self.rows.chunks_exact(NODE);
        let roots = roots.chain(self.columns.chunks_exact(NODE));
        let leaves: Vec<Leaf<'_>> = roots.map(|root| Leaf::new(&[], root)).collect();
        Tree::of(PLAIN, &leaves).expect("without namespaces all are in order")
    }
}

/// Verifies that `root` is that of a row or column of a square with `k` shares on a side,
/// below this data root.
///
/// # Errors
/// Why it is not, or the proof does not show it.
pub fn verify_root(
    data_root: &[u8; 32],
    k: usize,
    axis: Axis,
    index: usize,
    root: &[u8],
    proof: &Proof,
) -> Result<(), VerifyError> {
    let place = place(k, axis, index).ok_or(VerifyError::Range)? as u64;
    if check_side(k).is_err() || *proof.range() != (place..place + 1) {
        return Err(VerifyError::Range);
    }
    let verifier: Verifier<'_> = Verifier::new(PLAIN, data_root)?;
    verifier
        .of_leaves(4 * k as u64)
        .leaves(proof, &[Leaf::new(&[], root)])
}

/// The number of a row's or column's root among all.
fn place(k: usize, axis: Axis, index: usize) -> Option<usize> {
    let first = match axis {
        Axis::Row => 0,
        Axis::Column => 2 * k,
    };
    (index < 2 * k).then_some(first + index)
}
