//! The trees of a square's rows and columns.
//!
//! A share is a leaf in two trees, under the same namespace. So its leaf hash is computed
//! once. The nodes of a group of rows lie end to end, and a level of all their trees is
//! computed at once: sides are powers of two, so no pair is of two trees. Columns grow from
//! the same nodes: two rows of nodes make one, place by place. So nodes of a whole square are
//! never there, and a group's stay in the second cache.

use super::row::{NODE, Row};
use super::square::leaf;
use super::{Axis, Erasure, NAMESPACE, Roots, Square, SquareError};
use crate::level;
use crate::slots::{AT_ONCE, Slots};
use crate::{Error, Format, Leaf, Sha256, Tree};
use alloc::vec::Vec;

/// Trees whose levels are computed at once. With as many again, nodes and the row that is made
/// next are more than the second cache has (docs/notes/nmt.md).
pub(super) const TOGETHER: usize = 8;

impl Square {
    /// The roots of all rows and columns.
    ///
    /// # Errors
    /// [`SquareError::Order`] when the original shares are not in the order of their
    /// namespaces.
    pub fn roots(&self) -> Result<Roots, SquareError> {
        self.check_order()?;
        let mut growing = Growing::new(self.k, self.share);
        for row in 0..self.side() {
            growing.row.take(self.row(row));
            growing.add(row, self.ahead(row + 1));
        }
        Ok(growing.roots())
    }

    /// The same as [`roots`](Self::roots), on rayon's threads, group of rows by group.
    ///
    /// # Errors
    /// As [`roots`](Self::roots).
    #[cfg(feature = "rayon")]
    pub fn roots_parallel(&self) -> Result<Roots, SquareError> {
        use rayon::prelude::*;
        self.check_order()?;
        let line = self.side() * NODE;
        let mut rows = alloc::vec![0; line];
        let mut columns = alloc::vec![0; self.side().div_ceil(TOGETHER) * line];
        let groups = rows
            .par_chunks_mut(TOGETHER * NODE)
            .zip(columns.par_chunks_exact_mut(line));
        groups.enumerate().for_each_init(
            || {
                let memory = Memory::new(TOGETHER.min(self.side()), self.side());
                (Row::new(self.k, self.share), memory)
            },
            |(row, memory), (number, (rows, columns))| {
                for (place, nodes) in memory.leaves.chunks_exact_mut(line).enumerate() {
                    let index = number * TOGETHER + place;
                    row.take(self.row(index));
                    row.nodes(index, nodes, self.ahead(index + 1));
                }
                memory.roots(rows, columns);
            },
        );
        merged(&mut Slots::new(), &mut columns, line);
        columns.truncate(line);
        Ok(Roots { rows, columns })
    }

    /// Extends, as [`extend_again`](Self::extend_again), and makes the roots, as
    /// [`roots`](Self::roots). It is faster than one after the other: shares are hashed while
    /// they are in the caches.
    ///
    /// # Errors
    /// As these two. After [`SquareError::Order`] the square is neither the old nor the new
    /// one.
    pub fn extend_with_roots(
        &mut self,
        shares: &[u8],
        k: usize,
        code: &mut impl Erasure,
    ) -> Result<Roots, SquareError> {
        self.fit(shares, k)?;
        self.extend_down(shares, code)?;
        let mut growing = Growing::new(k, self.share);
        let half = k * self.share;
        for row in 0..2 * k {
            // Of the lower rows the first half is there.
            let (left, right) = self.bytes[row * 2 * half..][..2 * half].split_at_mut(half);
            if row < k {
                left.copy_from_slice(&shares[row * half..][..half]);
            }
            growing.row.take(left);
            growing.row.extend(code)?;
            let made = growing.row.shares().skip(k);
            for (to, made) in right.chunks_exact_mut(self.share).zip(made) {
                to.copy_from_slice(made);
            }
            if row < k {
                self.check_order_of(row)?;
            }
            // Above the middle the first half comes from the original shares.
            let [mut left, right] = self.ahead(row + 1);
            if row + 1 < k {
                left = &shares[(row + 1) * half..][..half];
            }
            growing.add(row, [left, right]);
        }
        Ok(growing.roots())
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

    /// The halves of a row that is worked on next. Behind the last row there is nothing.
    pub(super) fn ahead(&self, row: usize) -> [&[u8]; 2] {
        if row == self.side() {
            return [&[]; 2];
        }
        self.row(row).split_at(self.k * self.share).into()
    }

    /// Checks the order of the original shares in their rows and columns. What follows
    /// them there has the largest namespace.
    pub(super) fn check_order(&self) -> Result<(), SquareError> {
        (0..self.k).try_for_each(|row| self.check_order_of(row))
    }

    /// Checks the order of a row's original shares, and that none is before the one above.
    fn check_order_of(&self, row: usize) -> Result<(), SquareError> {
        let name = |row, column| &self.cell(row, column)[..NAMESPACE];
        if !(0..self.k).is_sorted_by_key(|column| name(row, column)) {
            let (axis, index) = (Axis::Row, row);
            return Err(SquareError::Order { axis, index });
        }
        let mut columns = 0..if row > 0 { self.k } else { 0 };
        match columns.find(|column| name(row, *column) < name(row - 1, *column)) {
            Some(index) => Err(SquareError::Order {
                axis: Axis::Column,
                index,
            }),
            None => Ok(()),
        }
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

/// The roots of a square whose rows come one after another.
pub(super) struct Growing {
    /// The row that is added next.
    pub(super) row: Row,
    memory: Memory,
    /// Rows in a group.
    together: usize,
    /// The roots of the rows.
    rows: Vec<u8>,
    /// For each group the nodes of all columns over its rows.
    columns: Vec<u8>,
}

impl Growing {
    /// For a square with `k` shares of `share` bytes on a side of the original one.
    pub(super) fn new(k: usize, share: usize) -> Self {
        let side = 2 * k;
        let together = TOGETHER.min(side);
        let line = side * NODE;
        Self {
            row: Row::new(k, share),
            memory: Memory::new(together, side),
            together,
            rows: alloc::vec![0; line],
            columns: alloc::vec![0; side / together * line],
        }
    }

    /// Adds the row, which has this number. Groups may come in any order, but each whole and its
    /// rows in order. `ahead` is what is read or written next.
    pub(super) fn add(&mut self, number: usize, ahead: [&[u8]; 2]) {
        let line = self.rows.len();
        let (group, place) = (number / self.together, number % self.together);
        let nodes = &mut self.memory.leaves[place * line..][..line];
        self.row.nodes(number, nodes, ahead);
        if place + 1 == self.together {
            let rows = self.together * NODE;
            let columns = &mut self.columns[group * line..][..line];
            let rows = &mut self.rows[group * rows..][..rows];
            self.memory.roots(rows, columns);
        }
    }

    /// The roots, when all rows were taken.
    pub(super) fn roots(mut self) -> Roots {
        let line = self.rows.len();
        merged(&mut self.memory.for_nodes, &mut self.columns, line);
        self.columns.truncate(line);
        Roots {
            rows: self.rows,
            columns: self.columns,
        }
    }
}

/// What a group of rows takes, used again for the next one. It stays in the second cache.
struct Memory {
    side: usize,
    /// The leaf nodes of the rows.
    leaves: Vec<u8>,
    /// The levels above them, end to end.
    above: Vec<u8>,
    for_nodes: Slots<Sha256>,
}

impl Memory {
    /// For `rows` rows of a square or of a part of it, with `side` shares each.
    fn new(rows: usize, side: usize) -> Self {
        let bytes = rows * side * NODE;
        Self {
            side,
            leaves: alloc::vec![0; bytes],
            above: alloc::vec![0; bytes],
            for_nodes: Slots::new(),
        }
    }

    /// Writes the roots of the rows, and the nodes of all columns over these rows. The leaf
    /// nodes are lost.
    fn roots(&mut self, rows: &mut [u8], columns: &mut [u8]) {
        let (mut below, mut free) = (&self.leaves[..], &mut self.above[..]);
        for _ in 0..self.side.trailing_zeros() {
            let (above, rest) = free.split_at_mut(below.len() / 2);
            level::parents(Format::CELESTIA, &mut self.for_nodes, below, above);
            (below, free) = (above, rest);
        }
        rows.copy_from_slice(below);
        let line = self.side * NODE;
        merged(&mut self.for_nodes, &mut self.leaves, line);
        columns.copy_from_slice(&self.leaves[..line]);
    }
}

/// Makes the first of some lines of nodes that of the roots of trees over all of them: of one
/// tree for each place in a line. There are a power of two.
fn merged(slots: &mut Slots<Sha256>, nodes: &mut [u8], line: usize) {
    let mut apart = line;
    while apart < nodes.len() {
        for pair in nodes.chunks_exact_mut(2 * apart) {
            let (left, right) = pair.split_at_mut(apart);
            level::merge(Format::CELESTIA, slots, &mut left[..line], &right[..line]);
        }
        apart *= 2;
    }
}

/// The leaf hashes of a square that is repaired: a share that is in a row that was made is
/// not hashed again for its column.
pub(super) struct LeafNodes {
    side: usize,
    /// Nodes by row and column, and whether they are there.
    nodes: Vec<u8>,
    there: Vec<bool>,
    for_leaves: Slots<Sha256>,
    for_nodes: Slots<Sha256>,
}

impl LeafNodes {
    pub(super) fn new(side: usize) -> Self {
        Self {
            side,
            nodes: alloc::vec![0; side * side * NODE],
            there: alloc::vec![false; side * side],
            for_leaves: Slots::new(),
            for_nodes: Slots::new(),
        }
    }

    /// The roots that the shares of rows or columns lead to, in the order of `lines`.
    /// `None` stands for shares out of order, which have no tree. Where a node is there, it
    /// is that of this share; the others are made.
    pub(super) fn roots(
        &mut self,
        square: &Square,
        axis: Axis,
        lines: &[usize],
    ) -> Vec<Option<Vec<u8>>> {
        self.make(square, axis, lines);
        let mut nodes = Vec::with_capacity(lines.len() * self.side * NODE);
        for line in lines {
            for place in 0..self.side {
                nodes.extend_from_slice(self.node(axis.cell(*line, place)));
            }
        }
        let in_order = |line: &[u8]| {
            let nodes = line.chunks_exact(NODE);
            nodes.is_sorted_by_key(|node| &node[..NAMESPACE])
        };
        let lines = nodes.chunks_exact(self.side * NODE);
        let sorted: Vec<bool> = lines.map(in_order).collect();
        let roots = together_roots(&mut self.for_nodes, nodes, self.side);
        (sorted.iter().zip(roots.chunks_exact(NODE)))
            .map(|(sorted, root)| sorted.then(|| root.to_vec()))
            .collect()
    }

    /// Makes the nodes of lines that are not there, in the order in which the shares lie.
    fn make(&mut self, square: &Square, axis: Axis, lines: &[usize]) {
        let side = self.side;
        let (outer, inner) = match axis {
            Axis::Row => (lines.len(), side),
            Axis::Column => (side, lines.len()),
        };
        let pairs = (0..outer).flat_map(|outer| (0..inner).map(move |inner| (outer, inner)));
        let cells = pairs.map(|(outer, inner)| match axis {
            Axis::Row => (lines[outer], inner),
            Axis::Column => (outer, lines[inner]),
        });
        let there = &self.there;
        let mut cells = cells.filter(|(row, column)| !there[row * side + column]);
        let mut made = [0; AT_ONCE * NODE];
        loop {
            let some: Vec<_> = cells.by_ref().take(AT_ONCE).collect();
            if some.is_empty() {
                return;
            }
            let leaves = some
                .iter()
                .map(|&(row, column)| leaf(square.k, row, column, square.cell(row, column)));
            let leaves: Vec<Leaf<'_>> = leaves.collect();
            level::leaves(Format::CELESTIA, &mut self.for_leaves, &leaves, &mut made);
            for ((row, column), node) in some.into_iter().zip(made.chunks_exact(NODE)) {
                self.nodes[(row * side + column) * NODE..][..NODE].copy_from_slice(node);
            }
        }
    }

    fn node(&self, (row, column): (usize, usize)) -> &[u8] {
        &self.nodes[(row * self.side + column) * NODE..][..NODE]
    }

    /// The nodes of a row or column are those of shares that will not change.
    pub(super) fn keep(&mut self, axis: Axis, line: usize) {
        for place in 0..self.side {
            let (row, column) = axis.cell(line, place);
            self.there[row * self.side + column] = true;
        }
    }
}

/// The roots of trees of `side` nodes each, a power of two, which lie end to end.
fn together_roots(slots: &mut Slots<Sha256>, mut nodes: Vec<u8>, side: usize) -> Vec<u8> {
    for _ in 0..side.trailing_zeros() {
        let mut above = alloc::vec![0; nodes.len() / 2];
        level::parents(Format::CELESTIA, slots, &nodes, &mut above);
        nodes = above;
    }
    nodes
}
