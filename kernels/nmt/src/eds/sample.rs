//! Single shares with their proofs.

use super::square::leaf;
use super::{Axis, NAMESPACE, Roots, Square, SquareError};
use crate::{Format, Proof, Verifier, VerifyError};
use alloc::vec::Vec;

/// A share of a square, with a proof against the root of its row or of its column: what
/// somebody gets who samples whether a block is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// Whether the proof is against the root of the row or of the column.
    pub axis: Axis,
    /// The share.
    pub share: Vec<u8>,
    /// The proof.
    pub proof: Proof,
}

impl Square {
    /// A share with its proof. It builds the tree of the row or column: for many shares,
    /// [`tree`](Self::tree) and its proofs are faster.
    ///
    /// # Errors
    /// [`SquareError::Place`] and [`SquareError::Order`], as [`tree`](Self::tree).
    pub fn sample(&self, row: usize, column: usize, axis: Axis) -> Result<Sample, SquareError> {
        let share = self.share(row, column)?.to_vec();
        let (index, place) = axis.place(row, column);
        let proof = self.tree(axis, index)?.prove(place);
        Ok(Sample {
            row,
            column,
            axis,
            share,
            proof: proof.map_err(|_| SquareError::Place)?,
        })
    }
}

impl Sample {
    /// Verifies that the share is at its place in the square of these roots.
    ///
    /// # Errors
    /// Why it is not, or the proof does not show it.
    pub fn verify(&self, roots: &Roots) -> Result<(), VerifyError> {
        let (index, place) = self.axis.place(self.row, self.column);
        let root = roots.root(self.axis, index);
        let root = root.map_err(|_| VerifyError::Range)?;
        let place = place as u64;
        if *self.proof.range() != (place..place + 1) {
            return Err(VerifyError::Range);
        }
        if self.share.len() < NAMESPACE {
            return Err(VerifyError::Len {
                expected: NAMESPACE,
                found: self.share.len(),
            });
        }
        let leaf = leaf(roots.k(), self.row, self.column, &self.share);
        let verifier: Verifier<'_> = Verifier::new(Format::CELESTIA, root)?;
        let side = 2 * roots.k() as u64;
        verifier.of_leaves(side).leaves(&self.proof, &[leaf])
    }
}
