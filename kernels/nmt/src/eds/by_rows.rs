//! The repair of a square of which k rows are known well enough.
//!
//! These rows are made first, then the first half of the others, column by column, then their
//! second half. Each row is hashed when it is made, so that nodes of a whole square are never
//! there. What is not as it should be shows at the end only, and says little: then nothing is
//! known that was not known before, and [`Partial::repair`] goes the long way.

use super::trees::{Growing, TOGETHER};
use super::{Axis, Erasure, Partial, Roots, SquareError};
use alloc::vec::Vec;
use core::ops::Range;

/// Why this way does not lead to the square.
pub(super) struct NoWay;

impl From<SquareError> for NoWay {
    fn from(_: SquareError) -> Self {
        Self
    }
}

impl Partial {
    /// Makes and checks all shares. After an error the known shares are as before.
    pub(super) fn repair_by_rows(
        &mut self,
        roots: &Roots,
        code: &mut impl Erasure,
    ) -> Result<(), NoWay> {
        let (k, side) = (self.square.k, self.square.side());
        let enough = (0..side).filter(|row| self.count_known(Axis::Row, *row) >= k);
        let mut first = alloc::vec![false; side];
        enough.take(k).for_each(|row| first[row] = true);
        if first.iter().filter(|first| **first).count() < k {
            return Err(NoWay);
        }
        // The other rows are made whatever is known of them.
        let cells = (0..side * side).filter(|cell| self.known[*cell] && !first[cell / side]);
        let given: Vec<(usize, Vec<u8>)> = cells
            .map(|cell| (cell, self.square.cell(cell / side, cell % side).to_vec()))
            .collect();
        let made = self.make_by_rows(&first, roots, code);
        let len = self.square.share;
        let mut as_given = true;
        for (cell, share) in given {
            let place = &mut self.square.bytes[cell * len..][..len];
            as_given &= *place == share;
            place.copy_from_slice(&share);
        }
        made?;
        if !as_given {
            return Err(NoWay);
        }
        self.known.fill(true);
        Ok(())
    }

    fn make_by_rows(
        &mut self,
        first: &[bool],
        roots: &Roots,
        code: &mut impl Erasure,
    ) -> Result<(), NoWay> {
        let side = self.square.side();
        let mut growing = Growing::new(self.square.k, self.square.share);
        let groups = || {
            (0..side)
                .step_by(TOGETHER)
                .map(|at| at..side.min(at + TOGETHER))
        };
        let whole = |group: Range<usize>| first[group].iter().all(|first| *first);
        for group in groups() {
            let add = whole(group.clone());
            for row in group.filter(|row| first[*row]) {
                self.complete_row(row, &mut growing, code)?;
                if add {
                    growing.add(row, self.square.ahead(row + 1));
                }
            }
        }
        self.extend_first_half(first, code)?;
        for group in groups().filter(|group| !whole(group.clone())) {
            for row in group {
                growing.row.take(self.square.row(row));
                if !first[row] {
                    growing.row.extend(code)?;
                    let k = self.square.k;
                    self.write(row, &growing, |place| place >= k);
                }
                growing.add(row, self.square.ahead(row + 1));
            }
        }
        self.square.check_order()?;
        if growing.roots() == *roots {
            Ok(())
        } else {
            Err(NoWay)
        }
    }

    /// Makes a row from the first k of its known shares. All others must be what these lead to.
    fn complete_row(
        &mut self,
        row: usize,
        growing: &mut Growing,
        code: &mut impl Erasure,
    ) -> Result<(), NoWay> {
        let known = self.line_known(Axis::Row, row);
        let mut left = self.square.k;
        let used = known.iter().map(|known| {
            let used = *known && left > 0;
            left -= usize::from(used);
            used
        });
        let used: Vec<bool> = used.collect();
        growing.row.take(self.square.row(row));
        growing.row.complete(&used, code)?;
        let given = self.square.row(row).chunks_exact(self.square.share);
        let mut pairs = growing.row.shares().zip(given).zip(&known);
        if !pairs.all(|((made, given), known)| !known || made == given) {
            return Err(NoWay);
        }
        self.write(row, growing, |place| !known[place]);
        Ok(())
    }

    /// Writes the chosen shares of the row that is added next to the square.
    fn write(&mut self, row: usize, growing: &Growing, chosen: impl Fn(usize) -> bool) {
        let (side, share) = (self.square.side(), self.square.share);
        let to = self.square.bytes[row * side * share..].chunks_exact_mut(share);
        for (place, (to, made)) in to.zip(growing.row.shares()).enumerate() {
            if chosen(place) {
                to.copy_from_slice(made);
            }
        }
    }

    /// Makes the first half of all rows but the `first` ones from these, all columns in one call
    /// where they lie: the code takes what they have of a row for one long share.
    fn extend_first_half(
        &mut self,
        first: &[bool],
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        let half = self.square.k * self.square.share;
        let rows = self.square.bytes.chunks_exact_mut(2 * half);
        let mut halves: Vec<&mut [u8]> = rows.map(|row| &mut row[..half]).collect();
        code.reconstruct(&mut halves, first)
            .map_err(SquareError::Code)
    }
}
