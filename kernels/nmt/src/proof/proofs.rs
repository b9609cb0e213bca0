//! What proofs hold.

use alloc::vec::Vec;
use core::ops::Range;

/// Proof of a range of leaves, of a namespace, or that a namespace has no leaf.
///
/// It holds what the Go library's `Proof` holds ([proof format]), and is verified by a
/// [`Verifier`](crate::Verifier).
///
/// [proof format]: https://github.com/celestiaorg/nmt/blob/main/docs/proof-format.md
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    pub(crate) range: Range<u64>,
    pub(crate) nodes: Vec<Vec<u8>>,
    pub(crate) leaf_hash: Option<Vec<u8>>,
    pub(crate) ignores_max: bool,
}

impl Proof {
    /// A proof of these parts, as they came from elsewhere. Nothing is checked before it
    /// is verified.
    #[must_use]
    pub const fn from_parts(
        range: Range<u64>,
        nodes: Vec<Vec<u8>>,
        leaf_hash: Option<Vec<u8>>,
        ignores_max: bool,
    ) -> Self {
        Self {
            range,
            nodes,
            leaf_hash,
            ignores_max,
        }
    }

    /// The proof that a namespace outside of the root's range has no leaf.
    #[must_use]
    pub const fn empty(ignores_max: bool) -> Self {
        Self::from_parts(0..0, Vec::new(), None, ignores_max)
    }

    /// The leaves. Of a proof of absence: the first leaf above the namespace.
    #[must_use]
    pub const fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// The nodes beside the leaves, left to right.
    #[must_use]
    pub fn nodes(&self) -> &[Vec<u8>] {
        &self.nodes
    }

    /// Of a proof of absence inside the root's range: the node of the first leaf above
    /// the namespace.
    #[must_use]
    pub fn leaf_hash(&self) -> Option<&[u8]> {
        self.leaf_hash.as_deref()
    }

    /// Whether the tree ignores the largest namespace.
    #[must_use]
    pub const fn ignores_max(&self) -> bool {
        self.ignores_max
    }

    /// Whether it shows by a leaf above the namespace that this has none.
    #[must_use]
    pub const fn is_of_absence(&self) -> bool {
        self.leaf_hash.is_some()
    }

    /// Whether it holds nothing: then the root's range alone shows the absence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range == (0..0) && self.nodes.is_empty() && self.leaf_hash.is_none()
    }
}

/// One proof of several ranges of leaves, whose nodes they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiProof {
    pub(crate) ranges: Vec<Range<u64>>,
    pub(crate) nodes: Vec<Vec<u8>>,
    pub(crate) ignores_max: bool,
}

impl MultiProof {
    /// A proof of these parts, as they came from elsewhere. Nothing is checked before it
    /// is verified.
    #[must_use]
    pub const fn from_parts(
        ranges: Vec<Range<u64>>,
        nodes: Vec<Vec<u8>>,
        ignores_max: bool,
    ) -> Self {
        Self {
            ranges,
            nodes,
            ignores_max,
        }
    }

    /// The leaves, in ascending order.
    #[must_use]
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// The nodes beside all ranges, left to right.
    #[must_use]
    pub fn nodes(&self) -> &[Vec<u8>] {
        &self.nodes
    }

    /// Whether the tree ignores the largest namespace.
    #[must_use]
    pub const fn ignores_max(&self) -> bool {
        self.ignores_max
    }
}
