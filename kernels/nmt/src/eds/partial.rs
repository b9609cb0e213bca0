//! A square of which some shares are known.

use super::square::{check_share, check_side};
use super::{Axis, Square, SquareError};
use alloc::vec::Vec;

/// An extended square of which some shares are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    pub(super) square: Square,
    pub(super) known: Vec<bool>,
}

impl Partial {
    /// A square of which no share is known, with `k` shares of `share` bytes on a side of
    /// the original square.
    ///
    /// # Errors
    /// [`SquareError::Side`] and [`SquareError::Len`].
    pub fn new(k: usize, share: usize) -> Result<Self, SquareError> {
        check_side(k)?;
        check_share(share)?;
        let shares = 4 * k * k;
        let found = share;
        let bytes = shares
            .checked_mul(share)
            .ok_or(SquareError::Len { found })?;
        Ok(Self {
            square: Square {
                k,
                share,
                bytes: alloc::vec![0; bytes],
            },
            known: alloc::vec![false; shares],
        })
    }

    /// Takes a share, which the caller has verified against the roots.
    ///
    /// # Errors
    /// [`SquareError::Place`] when there is no such row or column, [`SquareError::Len`]
    /// when the share has another length than the square's.
    pub fn insert(&mut self, row: usize, column: usize, share: &[u8]) -> Result<(), SquareError> {
        self.square.share(row, column)?;
        if share.len() != self.square.share {
            return Err(SquareError::Len { found: share.len() });
        }
        let cell = self.cell(row, column);
        self.known[cell] = true;
        let len = self.square.share;
        self.square.bytes[cell * len..][..len].copy_from_slice(share);
        Ok(())
    }

    /// Forgets a share. There may be none.
    pub fn lose(&mut self, row: usize, column: usize) {
        if self.square.share(row, column).is_ok() {
            let cell = self.cell(row, column);
            self.known[cell] = false;
        }
    }

    /// A share, if it is known.
    #[must_use]
    pub fn share(&self, row: usize, column: usize) -> Option<&[u8]> {
        let share = self.square.share(row, column).ok()?;
        self.known[self.cell(row, column)].then_some(share)
    }

    /// Which shares of a row or column are known.
    pub(super) fn line_known(&self, axis: Axis, index: usize) -> Vec<bool> {
        let cells = (0..self.square.side()).map(|place| axis.cell(index, place));
        cells
            .map(|(row, column)| self.known[self.cell(row, column)])
            .collect()
    }

    /// How many shares of a row or column are known.
    pub(super) fn count_known(&self, axis: Axis, index: usize) -> usize {
        let cells = (0..self.square.side()).map(|place| axis.cell(index, place));
        cells
            .filter(|(row, column)| self.known[self.cell(*row, *column)])
            .count()
    }

    pub(super) const fn cell(&self, row: usize, column: usize) -> usize {
        row * self.square.side() + column
    }
}

impl Square {
    /// The same square, all of whose shares are known.
    #[must_use]
    pub fn partial(&self) -> Partial {
        Partial {
            known: alloc::vec![true; self.side() * self.side()],
            square: self.clone(),
        }
    }
}
