//! A tree's nodes, level by level.

use super::digests::Names;
use crate::slots::NODE;
use crate::{Error, Format, Hash, Sha256, split};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

/// A namespaced Merkle tree. It holds the digests of all nodes and the namespaces of all
/// leaves, but not their data.
///
/// A tree of n leaves is split as RFC 6962, section 2.1, says: the left part has the
/// largest power of two of leaves below n. So a tree never repeats a leaf, and trees of
/// different leaves have different roots.
///
/// ```
/// use karat_nmt::{Format, Leaf, Tree, Sha256};
///
/// let format = Format::new(1, true);
/// let tree: Tree = Tree::of(format, &[Leaf::new(b"a", b"one"), Leaf::new(b"b", b"two")])?;
/// assert_eq!(&tree.root()[..2], b"ab");
/// # Ok::<(), karat_nmt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Tree<H = Sha256> {
    pub(super) format: Format,
    pub(super) len: usize,
    /// The namespaces of all leaves, end to end.
    pub(super) namespaces: Vec<u8>,
    /// Leaves before the first whose namespace is ignored.
    pub(super) counted: usize,
    /// Level k has the digests of the nodes above 2^k leaves each, those that are complete. The
    /// others are computed from them when they are asked for: at most one a level.
    pub(super) levels: Vec<Vec<u8>>,
    pub(super) root: Vec<u8>,
    pub(super) hash: PhantomData<H>,
}

impl<H: Hash> Tree<H> {
    /// How its nodes look.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Number of leaves.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no leaf.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The root: smallest namespace, largest namespace, digest. That of a tree without
    /// leaves is [`Format::empty_root`].
    #[must_use]
    pub fn root(&self) -> &[u8] {
        &self.root
    }

    /// The node of a leaf.
    ///
    /// # Errors
    /// [`Error::Range`] when there is no such leaf.
    pub fn leaf(&self, index: usize) -> Result<Vec<u8>, Error> {
        if index < self.len {
            Ok(self.node(index, index + 1))
        } else {
            Err(self.no_range(index..index.saturating_add(1)))
        }
    }

    /// The node above exactly these leaves: a power of two of them, from a multiple of
    /// that number on.
    ///
    /// # Errors
    /// [`Error::Range`] when the tree does not have these leaves, [`Error::NoSubtree`]
    /// when no such node is above them.
    pub fn subtree_root(&self, leaves: Range<usize>) -> Result<Vec<u8>, Error> {
        let Range { start, end } = leaves;
        self.check(&leaves)?;
        let count = end - start;
        if !count.is_power_of_two() || !start.is_multiple_of(count) {
            return Err(Error::NoSubtree { start, end });
        }
        Ok(self.node(start, end))
    }

    pub(super) fn empty(format: Format) -> Self {
        Self {
            format,
            len: 0,
            namespaces: Vec::new(),
            counted: 0,
            levels: Vec::new(),
            root: Vec::new(),
            hash: PhantomData,
        }
    }

    /// The namespaces of its leaves.
    pub(super) fn names(&self) -> Names<'_> {
        Names {
            format: self.format,
            bytes: &self.namespaces,
            counted: self.counted,
        }
    }

    /// The node above `start..end`, which the tree has: complete, or at its right edge.
    pub(super) fn node(&self, start: usize, end: usize) -> Vec<u8> {
        let (names, namespace) = (self.names(), self.format.namespace_len());
        let mut node = alloc::vec![0; self.format.node_len::<H>()];
        let (range, digest) = node.split_at_mut(2 * namespace);
        range[..namespace].copy_from_slice(names.of(start));
        range[namespace..].copy_from_slice(names.of(names.largest(start..end)));
        let count = end - start;
        if count.is_power_of_two() {
            let level = &self.levels[count.trailing_zeros() as usize];
            digest.copy_from_slice(&level[start / count * H::SIZE..][..H::SIZE]);
        } else {
            let middle = start + split(count as u64) as usize;
            let (left, right) = (self.node(start, middle), self.node(middle, end));
            H::hash(&[&[NODE], &left, &right], digest);
        }
        node
    }

    /// Computes the root.
    pub(super) fn find_root(&mut self) {
        self.root = match self.len {
            0 => self.format.empty_root::<H>(),
            len => self.node(0, len),
        };
    }

    pub(super) fn check(&self, leaves: &Range<usize>) -> Result<(), Error> {
        if leaves.start < leaves.end && leaves.end <= self.len {
            Ok(())
        } else {
            Err(self.no_range(leaves.clone()))
        }
    }

    fn no_range(&self, Range { start, end }: Range<usize>) -> Error {
        Error::Range {
            start,
            end,
            leaves: self.len,
        }
    }

    /// The namespace of a leaf that the tree has.
    pub(super) fn namespace(&self, index: usize) -> &[u8] {
        self.names().of(index)
    }

    pub(super) fn check_namespace(&self, namespace: &[u8]) -> Result<(), Error> {
        let (expected, found) = (self.format.namespace_len(), namespace.len());
        if expected == found {
            Ok(())
        } else {
            Err(Error::NamespaceLen { expected, found })
        }
    }
}

/// Shows the number of leaves and the root.
impl<H: Hash> fmt::Debug for Tree<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("leaves", &self.len)
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}
