//! Proofs that a square is badly encoded.

use super::repair::complete;
use super::square::check_share;
use super::trees::tree;
use super::{Axis, Erasure, Partial, Roots, Sample, SquareError};
use crate::VerifyError;
use alloc::vec::Vec;
use core::fmt;

/// Proof that a row or column is badly encoded: k of its shares, each with a proof against
/// the other axis' root. They determine the row or column, and its root is another one
/// ("Fraud and data availability proofs", section 5.3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEncoding {
    /// Whether a row or a column.
    pub axis: Axis,
    /// Its number.
    pub index: usize,
    /// Shares of it, with proofs against the roots of the other axis.
    pub samples: Vec<Sample>,
}

/// Why a proof of bad encoding shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotShown {
    /// Fewer than k different shares, or more than 2k.
    Count {
        /// Shares found.
        found: usize,
    },
    /// A share is not of this row or column, is there twice, or its proof is against the
    /// root of the wrong axis, or it has another length than the others.
    Place,
    /// A share's proof does not hold.
    Share(VerifyError),
    /// The shares lead to the root: the row or column is well encoded.
    WellEncoded,
    /// The square is malformed, or the code refused.
    Square(SquareError),
}

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { found } => {
                write!(f, "{found} shares: k different ones decide a row or column")
            }
            Self::Place => f.write_str(
                "a share is not of this row or column, is there twice, or is not proved by the other axis",
            ),
            Self::Share(error) => write!(f, "a share is not proved: {error}"),
            Self::WellEncoded => f.write_str("the shares lead to the root: nothing is wrong"),
            Self::Square(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NotShown {}

impl BadEncoding {
    /// Verifies that the row or column is badly encoded in the square of these roots.
    ///
    /// # Errors
    /// Why the proof does not show it.
    pub fn verify(&self, roots: &Roots, code: &mut impl Erasure) -> Result<(), NotShown> {
        let (k, found) = (roots.k(), self.samples.len());
        let root = roots
            .root(self.axis, self.index)
            .map_err(NotShown::Square)?;
        if found < k || found > 2 * k {
            return Err(NotShown::Count { found });
        }
        let len = self.samples[0].share.len();
        check_share(len).map_err(NotShown::Square)?;
        let blank = alloc::vec![0; len];
        let mut shares: Vec<&[u8]> = alloc::vec![&blank; 2 * k];
        let mut known = alloc::vec![false; 2 * k];
        for sample in &self.samples {
            let (index, place) = self.axis.place(sample.row, sample.column);
            let is_here = index == self.index && sample.axis == self.axis.other();
            if !is_here || place >= 2 * k || known[place] || sample.share.len() != len {
                return Err(NotShown::Place);
            }
            sample.verify(roots).map_err(NotShown::Share)?;
            shares[place] = &sample.share;
            known[place] = true;
        }
        let made = complete(&shares, &known, code).map_err(NotShown::Square)?;
        let made: Vec<&[u8]> = made.chunks_exact(len).collect();
        let mut pairs = made.iter().zip(&shares).zip(&known);
        let agree = pairs.all(|((made, share), known)| !known || made == share);
        // Shares out of order have no tree, so no root is theirs.
        let made = tree(k, self.axis, self.index, &made);
        if agree && made.is_ok_and(|tree| tree.root() == root) {
            return Err(NotShown::WellEncoded);
        }
        Ok(())
    }
}

impl Partial {
    /// Proof that a row or column is badly encoded, from its known shares that are in
    /// columns or rows that are wholly known and lead to their roots. `None` when these
    /// are fewer than k: then samples of other shares of it are needed, with proofs
    /// against the roots of the other axis.
    #[must_use]
    pub fn bad_encoding(&self, axis: Axis, index: usize, roots: &Roots) -> Option<BadEncoding> {
        let (square, other) = (&self.square, axis.other());
        let mut samples = Vec::new();
        for place in 0..square.side() {
            if samples.len() == square.k {
                break;
            }
            if !self.line_known(other, place).iter().all(|known| *known) {
                continue;
            }
            let Ok(tree) = tree(square.k, other, place, &square.line(other, place)) else {
                continue;
            };
            let is_right = roots
                .root(other, place)
                .is_ok_and(|root| tree.root() == root);
            let (row, column) = axis.cell(index, place);
            let (Ok(proof), Some(share)) = (tree.prove(index), self.share(row, column)) else {
                continue;
            };
            if is_right {
                samples.push(Sample {
                    row,
                    column,
                    axis: other,
                    share: share.to_vec(),
                    proof,
                });
            }
        }
        (samples.len() == square.k && roots.k() == square.k).then_some(BadEncoding {
            axis,
            index,
            samples,
        })
    }
}
