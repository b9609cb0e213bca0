//! The extended square.

use super::{Axis, Erasure, MOST, NAMESPACE, PARITY, SquareError};
use crate::Leaf;
use alloc::vec::Vec;

/// An extended square: 2k · 2k shares, of which the upper left k · k are the original
/// ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    pub(super) k: usize,
    pub(super) share: usize,
    /// All shares, row by row.
    pub(super) bytes: Vec<u8>,
}

impl Square {
    /// Extends a square of k · k shares, which lie row by row in `shares`.
    ///
    /// # Errors
    /// [`SquareError::Side`], [`SquareError::Len`], and [`SquareError::Code`] when the
    /// code does not fit.
    pub fn extend(shares: &[u8], k: usize, code: &mut impl Erasure) -> Result<Self, SquareError> {
        let mut square = Self {
            k,
            share: 0,
            bytes: Vec::new(),
        };
        square.extend_again(shares, k, code)?;
        Ok(square)
    }

    /// The same in the place of another square, whose memory is used again when it is as
    /// large.
    ///
    /// # Errors
    /// As [`extend`](Self::extend). After [`SquareError::Code`] the square is neither the
    /// old nor the new one; after the others it is the old one.
    pub fn extend_again(
        &mut self,
        shares: &[u8],
        k: usize,
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        self.fit(shares, k)?;
        self.extend_down(shares, code)?;
        (0..2 * k).try_for_each(|row| self.extend_row(shares, row, code))
    }

    /// Takes the shape of a square that these shares are extended to.
    pub(super) fn fit(&mut self, shares: &[u8], k: usize) -> Result<(), SquareError> {
        let found = shares.len();
        check_side(k)?;
        let share = found / (k * k);
        check_share(share)?;
        if share * k * k != found {
            return Err(SquareError::Len { found });
        }
        let extended = found.checked_mul(4).ok_or(SquareError::Len { found })?;
        if self.bytes.len() != extended {
            self.bytes = alloc::vec![0; extended];
        }
        (self.k, self.share) = (k, share);
        Ok(())
    }

    /// Extends the original square downwards, all columns in one call where they lie: the code
    /// takes what they have of a row for one long share. Then each row has its first half.
    pub(super) fn extend_down(
        &mut self,
        shares: &[u8],
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        let half = self.k * self.share;
        let data: Vec<&[u8]> = shares.chunks_exact(half).collect();
        let lower = self.bytes[self.k * 2 * half..].chunks_exact_mut(2 * half);
        let mut parity: Vec<&mut [u8]> = lower.map(|row| &mut row[..half]).collect();
        code.encode(&data, &mut parity).map_err(SquareError::Code)
    }

    /// Takes the first half of a row from the original shares, where they have it, and extends
    /// it.
    pub(super) fn extend_row(
        &mut self,
        shares: &[u8],
        row: usize,
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        let half = self.k * self.share;
        if row < self.k {
            self.bytes[row * 2 * half..][..half].copy_from_slice(&shares[row * half..][..half]);
        }
        self.extend_right(row, code)
    }

    /// Makes the second half of a row from its first one.
    pub(super) fn extend_right(
        &mut self,
        row: usize,
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        let (share, half) = (self.share, self.k * self.share);
        let (data, parity) = self.bytes[row * 2 * half..][..2 * half].split_at_mut(half);
        let data: Vec<&[u8]> = data.chunks_exact(share).collect();
        let mut parity: Vec<&mut [u8]> = parity.chunks_exact_mut(share).collect();
        code.encode(&data, &mut parity).map_err(SquareError::Code)
    }

    /// Shares on a side of the original square.
    #[must_use]
    pub const fn k(&self) -> usize {
        self.k
    }

    /// Shares on a side of the extended square.
    #[must_use]
    pub const fn side(&self) -> usize {
        2 * self.k
    }

    /// Bytes in a share.
    #[must_use]
    pub const fn share_len(&self) -> usize {
        self.share
    }

    /// All shares, row by row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A share.
    ///
    /// # Errors
    /// [`SquareError::Place`] when there is no such row or column.
    pub fn share(&self, row: usize, column: usize) -> Result<&[u8], SquareError> {
        let side = self.side();
        if row < side && column < side {
            Ok(self.cell(row, column))
        } else {
            Err(SquareError::Place)
        }
    }

    /// The shares of a row, end to end.
    pub(super) fn row(&self, row: usize) -> &[u8] {
        let line = self.side() * self.share;
        &self.bytes[row * line..][..line]
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> &[u8] {
        &self.bytes[(row * self.side() + column) * self.share..][..self.share]
    }

    /// The shares of a row or column that exists.
    pub(super) fn line(&self, axis: Axis, index: usize) -> Vec<&[u8]> {
        let cells = (0..self.side()).map(|place| axis.cell(index, place));
        cells.map(|(row, column)| self.cell(row, column)).collect()
    }
}

/// The leaf of a share.
pub(super) fn leaf(k: usize, row: usize, column: usize, share: &[u8]) -> Leaf<'_> {
    let namespace = if row < k && column < k {
        &share[..NAMESPACE]
    } else {
        &PARITY
    };
    Leaf::new(namespace, share)
}

pub(super) const fn check_side(k: usize) -> Result<(), SquareError> {
    if k.is_power_of_two() && k <= MOST {
        Ok(())
    } else {
        Err(SquareError::Side { k })
    }
}

/// Leopard's codes work on 64 bytes at a time.
pub(super) const fn check_share(share: usize) -> Result<(), SquareError> {
    if share > 0 && share.is_multiple_of(64) {
        Ok(())
    } else {
        Err(SquareError::Len { found: share })
    }
}
