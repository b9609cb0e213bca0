//! The trees of a square's rows and columns.
//!
//! A share is a leaf in two trees, under the same namespace. So its leaf hash is computed
//! once. The nodes of a group of rows or columns lie end to end, and a level of all their
//! trees is computed at once: sides are powers of two, so no pair is of two trees.

use super::square::leaf;
use super::{Axis, Roots, Square, SquareError};
use crate::level::{self, Slots};
use crate::{Error, Format, Leaf, Sha256, Tree};
use alloc::vec::Vec;

/// Bytes of a node.
const NODE: usize = Format::CELESTIA.node_len::<Sha256>();

/// Trees whose levels are computed at once. Enough for all lanes at the level below the
/// roots, and few enough for the second cache.
const TOGETHER: usize = 16;

impl Square {
    /// The roots of all rows and columns.
    ///
    /// # Errors
    /// [`SquareError::Order`] when the original shares are not in the order of their
    /// namespaces.
    pub fn roots(&self) -> Result<Roots, SquareError> {
        self.check_order()?;
        let side = self.side();
        let mut nodes = alloc::vec![0; side * side * NODE];
        let mut slots = Slots::<Sha256>::new();
        let mut leaves: Vec<Leaf<'_>> = Vec::with_capacity(side);
        for (row, nodes) in nodes.chunks_exact_mut(side * NODE).enumerate() {
            let shares = (0..side).map(|column| (column, self.cell(row, column)));
            leaves.clear();
            leaves.extend(shares.map(|(column, share)| leaf(self.k, row, column, share)));
            level::leaves(Format::CELESTIA, &mut slots, &leaves, nodes);
        }

        let mut slots = Slots::<Sha256>::new();
        let mut rows = Vec::with_capacity(side * NODE);
        for group in nodes.chunks(TOGETHER * side * NODE) {
            rows.extend(together(&mut slots, group.to_vec(), side));
        }
        let mut columns = Vec::with_capacity(side * NODE);
        for first in (0..side).step_by(TOGETHER) {
            let count = TOGETHER.min(side - first);
            let mut group = alloc::vec![0; count * side * NODE];
            for (row, nodes) in nodes.chunks_exact(side * NODE).enumerate() {
                let these = nodes[first * NODE..].chunks_exact(NODE).take(count);
                for (column, node) in these.enumerate() {
                    group[(column * side + row) * NODE..][..NODE].copy_from_slice(node);
                }
            }
            columns.extend(together(&mut slots, group, side));
        }
        Ok(Roots { rows, columns })
    }

    /// The tree of a row or column.
    ///
    /// # Errors
    /// [`SquareError::Place`] when there is no such row or column,
    /// [`SquareError::Order`] when its shares are not in order.
    pub fn tree(&self, axis: Axis, index: usize) -> Result<Tree, SquareError> {
        if index >= self.side() {
            return Err(SquareError::Place);
        }
        tree(self.k, axis, index, &self.line(axis, index))
            .map_err(|_| SquareError::Order { axis, index })
    }

    /// Checks the order of the original shares in their rows and columns. What follows
    /// them there has the largest namespace.
    fn check_order(&self) -> Result<(), SquareError> {
        for index in 0..self.k {
            for axis in [Axis::Row, Axis::Column] {
                let cells = (0..self.k).map(|place| axis.cell(index, place));
                let names = cells.map(|(r, c)| leaf(self.k, r, c, self.cell(r, c)).namespace);
                if !names.is_sorted() {
                    return Err(SquareError::Order { axis, index });
                }
            }
        }
        Ok(())
    }
}

/// The tree over the shares of a row or column.
pub(super) fn tree(k: usize, axis: Axis, index: usize, shares: &[&[u8]]) -> Result<Tree, Error> {
    let leaves = shares.iter().enumerate().map(|(place, share)| {
        let (row, column) = axis.cell(index, place);
        leaf(k, row, column, share)
    });
    Tree::of(Format::CELESTIA, &leaves.collect::<Vec<_>>())
}

/// The roots of trees of `side` leaves each, whose nodes lie end to end.
fn together(slots: &mut Slots<Sha256>, mut nodes: Vec<u8>, side: usize) -> Vec<u8> {
    let mut leaves = side;
    while leaves > 1 {
        let mut above = alloc::vec![0; nodes.len() / 2];
        level::parents(Format::CELESTIA, slots, &nodes, &mut above);
        (nodes, leaves) = (above, leaves / 2);
    }
    nodes
}
