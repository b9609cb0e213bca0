//! How the nodes of a tree look.

use crate::Hash;

/// How the nodes of a tree look: a smallest namespace, a largest one, a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    namespace: u8,
    ignore_max: bool,
}

impl Format {
    /// Celestia's: namespaces of 29 bytes, of which the first is a version; the largest
    /// one is ignored.
    pub const CELESTIA: Self = Self::new(29, true);

    /// Namespaces of `namespace` bytes. With `ignore_max`, a right child whose leaves
    /// all have the largest namespace (all bits set) does not count in its parent's
    /// range, as the Go library does by default ([specification], "Ignore Max
    /// Namespace").
    ///
    /// [specification]: https://github.com/celestiaorg/nmt/blob/main/docs/spec/nmt.md
    #[must_use]
    pub const fn new(namespace: u8, ignore_max: bool) -> Self {
        Self {
            namespace,
            ignore_max,
        }
    }

    /// Bytes in a namespace.
    #[must_use]
    pub const fn namespace_len(self) -> usize {
        self.namespace as usize
    }

    /// Whether the largest namespace is ignored.
    #[must_use]
    pub const fn ignores_max(self) -> bool {
        self.ignore_max
    }

    /// Bytes in a node: two namespaces and a digest.
    #[must_use]
    pub const fn node_len<H: Hash>(self) -> usize {
        2 * self.namespace_len() + H::SIZE
    }

    /// The root of a tree without leaves: zeros as namespaces, and the digest of nothing.
    #[must_use]
    pub fn empty_root<H: Hash>(self) -> alloc::vec::Vec<u8> {
        let mut root = alloc::vec![0; self.node_len::<H>()];
        H::hash(&[], &mut root[2 * self.namespace_len()..]);
        root
    }

    /// The smallest namespace below a node.
    ///
    /// # Panics
    /// When the node is shorter than a namespace.
    #[must_use]
    pub fn min(self, node: &[u8]) -> &[u8] {
        &node[..self.namespace_len()]
    }

    /// The largest namespace below a node, as the node says it.
    ///
    /// # Panics
    /// When the node is shorter than two namespaces.
    #[must_use]
    pub fn max(self, node: &[u8]) -> &[u8] {
        &node[self.namespace_len()..2 * self.namespace_len()]
    }

    /// Whether this namespace is the one that is ignored.
    pub(crate) fn is_ignored(self, namespace: &[u8]) -> bool {
        self.ignore_max && namespace.iter().all(|b| *b == 0xff)
    }
}

impl Default for Format {
    fn default() -> Self {
        Self::CELESTIA
    }
}
