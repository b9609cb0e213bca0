//! A whole square from a part of it.

use super::trees::{LeafNodes, TOGETHER};
use super::{Axis, Erasure, Partial, RepairError, Roots, Square, SquareError};
use alloc::vec::Vec;
use core::ops::Range;

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
    /// Makes all shares from those that are known. Where half of the shares are known of half of
    /// the rows, these rows come first, and give the others. Else, or when that does not lead
    /// to the roots, rows and columns are made in turn, each as soon as half of it is known.
    /// Every row and column is checked against its root.
    ///
    /// The shares must have been verified against the roots
    /// ([`Sample::verify`](super::Sample::verify)).
    ///
    /// # Errors
    /// [`RepairError::BadEncoding`] when the shares of a row or column do not lead to its
    /// root, or contradict each other. [`RepairError::TooFew`] when nothing more can be
    /// made. [`SquareError::Roots`] when the roots are of another square.
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
        if self.repair_by_rows(roots, code).is_ok() {
            return Ok(());
        }
        let side = self.square.side();
        let mut leaves = LeafNodes::new(side);
        let mut done = Done([(); 2].map(|()| alloc::vec![false; side]));
        loop {
            let mut progress = false;
            for axis in [Axis::Row, Axis::Column] {
                for first in (0..side).step_by(TOGETHER) {
                    let group = first..side.min(first + TOGETHER);
                    let ready = group.filter(|line| {
                        !done.is(axis, *line) && self.count_known(axis, *line) >= self.square.k
                    });
                    let ready: Vec<usize> = ready.collect();
                    if ready.is_empty() {
                        continue;
                    }
                    if !done.implies(axis) {
                        self.make(axis, &ready, code)?;
                    }
                    self.check(axis, &ready, roots, &mut leaves, &mut done)?;
                    progress = true;
                }
            }
            if done.all() {
                return Ok(());
            }
            if !progress {
                let missing = self.known.iter().filter(|known| !**known).count();
                return Err(RepairError::TooFew { missing });
            }
        }
    }

    /// Makes the unknown shares of rows or columns of which enough is known.
    fn make(
        &mut self,
        axis: Axis,
        lines: &[usize],
        code: &mut impl Erasure,
    ) -> Result<(), RepairError> {
        let mut left = lines;
        while let Some(&first) = left.first() {
            let known = self.line_known(axis, first);
            let exactly = known.iter().filter(|known| **known).count() == self.square.k;
            let mut count = 1;
            if exactly {
                // Columns that lie side by side and lack the same are coded as one.
                while axis == Axis::Column
                    && left.get(count) == Some(&(first + count))
                    && self.line_known(axis, first + count) == known
                {
                    count += 1;
                }
                self.make_in_place(axis, first..first + count, &known, code)?;
            } else {
                self.make_and_compare(axis, first, &known, code)?;
            }
            left = &left[count..];
        }
        Ok(())
    }

    /// Makes what is not `known` of a row or of columns side by side, where it lies.
    fn make_in_place(
        &mut self,
        axis: Axis,
        lines: Range<usize>,
        known: &[bool],
        code: &mut impl Erasure,
    ) -> Result<(), RepairError> {
        let (side, share) = (self.square.side(), self.square.share);
        let mut rows = self.square.bytes.chunks_exact_mut(side * share);
        let mut shares: Vec<&mut [u8]> = match axis {
            Axis::Row => {
                let row = rows.nth(lines.start).into_iter();
                row.flat_map(|row| row.chunks_exact_mut(share)).collect()
            }
            Axis::Column => rows
                .map(|row| &mut row[lines.start * share..lines.end * share])
                .collect(),
        };
        code.reconstruct(&mut shares, known)
            .map_err(|why| SquareError::Code(why).into())
    }

    /// Makes a row or column of which more is known than it takes, and compares.
    fn make_and_compare(
        &mut self,
        axis: Axis,
        index: usize,
        known: &[bool],
        code: &mut impl Erasure,
    ) -> Result<(), RepairError> {
        let (share, shares) = (self.square.share, self.square.line(axis, index));
        let made = complete(&shares, known, code)?;
        let mut pairs = shares.iter().zip(made.chunks_exact(share)).zip(known);
        if !pairs.all(|((is, made), known)| *is == made || !known) {
            return Err(RepairError::BadEncoding { axis, index });
        }
        let unknown = (0..known.len()).filter(|place| !known[*place]);
        for place in unknown {
            let (row, column) = axis.cell(index, place);
            let cell = self.cell(row, column);
            self.square.bytes[cell * share..][..share]
                .copy_from_slice(&made[place * share..][..share]);
        }
        Ok(())
    }

    /// Checks rows or columns against their roots. What leads to its root is known from
    /// then on.
    fn check(
        &mut self,
        axis: Axis,
        lines: &[usize],
        roots: &Roots,
        leaves: &mut LeafNodes,
        done: &mut Done,
    ) -> Result<(), RepairError> {
        let mut bad = None;
        let found = leaves.roots(&self.square, axis, lines);
        for (index, found) in lines.iter().copied().zip(found) {
            if found.as_deref() != Some(roots.root(axis, index)?) {
                bad = bad.or(Some(index));
                continue;
            }
            leaves.keep(axis, index);
            for place in 0..self.square.side() {
                let (row, column) = axis.cell(index, place);
                let cell = self.cell(row, column);
                self.known[cell] = true;
            }
            done.set(axis, index);
        }
        match bad {
            Some(index) => Err(RepairError::BadEncoding { axis, index }),
            None => Ok(()),
        }
    }
}

/// Rows and columns that were made and checked.
struct Done([Vec<bool>; 2]);

impl Done {
    const fn of(axis: Axis) -> usize {
        match axis {
            Axis::Row => 0,
            Axis::Column => 1,
        }
    }

    fn is(&self, axis: Axis, line: usize) -> bool {
        self.0[Self::of(axis)][line]
    }

    fn set(&mut self, axis: Axis, line: usize) {
        self.0[Self::of(axis)][line] = true;
    }

    fn all(&self) -> bool {
        self.0.iter().flatten().all(|done| *done)
    }

    /// Whether all rows (columns) must be codewords by what is done: all columns (rows) are,
    /// and half of the rows (columns). The others are sums of these then, and the code is
    /// linear.
    fn implies(&self, axis: Axis) -> bool {
        let this = &self.0[Self::of(axis)];
        let half = this.iter().filter(|done| **done).count() >= this.len() / 2;
        half && self.0[Self::of(axis.other())].iter().all(|done| *done)
    }
}
