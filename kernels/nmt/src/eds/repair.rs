//! A whole square from a part of it.

use super::trees::LeafNodes;
use super::{Axis, Erasure, Partial, RepairError, Roots, Square, SquareError};
use alloc::vec::Vec;

/// Makes a whole row or column from the first k of the known shares. `shares` are all 2k,
/// whatever the unknown ones hold.
pub(super) fn complete(
    shares: &[&[u8]],
    known: &[bool],
    code: &mut impl Erasure,
) -> Result<Vec<u8>, SquareError> {
    let (k, len) = (shares.len() / 2, shares[0].len());
    let mut left = k;
    let used: Vec<bool> = (known.iter())
        .map(|known| {
            let used = *known && left > 0;
            left -= usize::from(used);
            used
        })
        .collect();
    let mut bytes = shares.concat();
    let mut places: Vec<&mut [u8]> = bytes.chunks_exact_mut(len).collect();
    code.reconstruct(&mut places, &used)
        .map_err(SquareError::Code)?;
    Ok(bytes)
}

impl Partial {
    /// Makes all shares from those that are known: rows and columns in turn, each as soon
    /// as half of it is known. Every row and column is checked against its root.
    ///
    /// The shares must have been verified against the roots
    /// ([`Sample::verify`](super::Sample::verify)).
    ///
    /// # Errors
    /// [`RepairError::BadEncoding`] at the first row or column whose shares do not lead to
    /// its root, or contradict each other. [`RepairError::TooFew`] when nothing more can
    /// be made. [`SquareError::Roots`] when the roots are of another square.
    pub fn repair(mut self, roots: &Roots, code: &mut impl Erasure) -> Result<Square, RepairError> {
        self.repair_in_place(roots, code)?;
        Ok(self.square)
    }

    /// The same, where what was made stays when it ends with an error: for
    /// [`bad_encoding`](Self::bad_encoding).
    ///
    /// # Errors
    /// As [`repair`](Self::repair).
    pub fn repair_in_place(
        &mut self,
        roots: &Roots,
        code: &mut impl Erasure,
    ) -> Result<(), RepairError> {
        if roots.k() != self.square.k {
            return Err(SquareError::Roots.into());
        }
        let side = self.square.side();
        let mut leaves = LeafNodes::new(side);
        let mut done = [(); 2].map(|()| alloc::vec![false; side]);
        loop {
            let mut progress = false;
            for (axis, done) in [Axis::Row, Axis::Column].into_iter().zip(&mut done) {
                for (index, done) in done.iter_mut().enumerate() {
                    if !*done && self.repair_line(axis, index, roots, code, &mut leaves)? {
                        (*done, progress) = (true, true);
                    }
                }
            }
            if done.iter().flatten().all(|done| *done) {
                return Ok(());
            }
            if !progress {
                let missing = self.known.iter().filter(|known| !**known).count();
                return Err(RepairError::TooFew { missing });
            }
        }
    }

    /// Makes and checks a row or column. Returns whether enough of it was known.
    fn repair_line(
        &mut self,
        axis: Axis,
        index: usize,
        roots: &Roots,
        code: &mut impl Erasure,
        leaves: &mut LeafNodes,
    ) -> Result<bool, RepairError> {
        let known = self.line_known(axis, index);
        if known.iter().filter(|known| **known).count() < self.square.k {
            return Ok(false);
        }
        let shares = self.square.line(axis, index);
        let root = roots.root(axis, index)?;
        let len = self.square.share;
        let made = complete(&shares, &known, code)?;
        let made: Vec<&[u8]> = made.chunks_exact(len).collect();
        let mut pairs = shares.iter().zip(&made).zip(&known);
        let agree = pairs.all(|((is, made), known)| is == made || !known);
        if !agree || !leaves.lead_to(root, self.square.k, axis, index, &made) {
            return Err(RepairError::BadEncoding { axis, index });
        }
        for (place, share) in made.into_iter().enumerate() {
            let (row, column) = axis.cell(index, place);
            let cell = self.cell(row, column);
            if !self.known[cell] {
                self.known[cell] = true;
                self.square.bytes[cell * len..][..len].copy_from_slice(share);
            }
        }
        Ok(true)
    }
}
