//! A whole square from a part of it.

use super::trees::tree;
use super::{Axis, Erasure, Partial, RepairError, Roots, Square, SquareError};
use alloc::vec::Vec;

/// A row or column that was made from k of its shares.
pub(super) struct Line {
    pub(super) shares: Vec<u8>,
    /// Whether its root is the given one.
    pub(super) is_right: bool,
}

/// Makes a whole row or column from the first k of the known shares. `shares` are all 2k,
/// whatever the unknown ones hold.
pub(super) fn complete(
    axis: Axis,
    index: usize,
    shares: &[&[u8]],
    known: &[bool],
    root: &[u8],
    code: &mut impl Erasure,
) -> Result<Line, SquareError> {
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
    let line: Vec<&[u8]> = bytes.chunks_exact(len).collect();
    // Shares out of order have no tree, so no root is theirs.
    let is_right = tree(k, axis, index, &line).is_ok_and(|tree| tree.root() == root);
    Ok(Line {
        shares: bytes,
        is_right,
    })
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
        let mut done = [(); 2].map(|()| alloc::vec![false; side]);
        loop {
            let mut progress = false;
            for (axis, done) in [Axis::Row, Axis::Column].into_iter().zip(&mut done) {
                for (index, done) in done.iter_mut().enumerate() {
                    if !*done && self.repair_line(axis, index, roots, code)? {
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
    ) -> Result<bool, RepairError> {
        let known = self.line_known(axis, index);
        if known.iter().filter(|known| **known).count() < self.square.k {
            return Ok(false);
        }
        let shares = self.square.line(axis, index);
        let root = roots.root(axis, index)?;
        let made = complete(axis, index, &shares, &known, root, code)?;
        let mut pairs = shares
            .iter()
            .zip(made.shares.chunks_exact(self.square.share));
        let agree = known.iter().all(|known| {
            let same = pairs.next().is_some_and(|(is, made)| *is == made);
            same || !*known
        });
        if !made.is_right || !agree {
            return Err(RepairError::BadEncoding { axis, index });
        }
        let len = self.square.share;
        for (place, share) in made.shares.chunks_exact(len).enumerate() {
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
