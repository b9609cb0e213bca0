//! What a tree refuses.

use core::fmt;

/// What a tree refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A namespace has another length than the tree's.
    NamespaceLen {
        /// Bytes that the tree's namespaces have.
        expected: usize,
        /// Bytes that this one has.
        found: usize,
    },
    /// A leaf's namespace is below the one before it.
    Order {
        /// Number of the leaf.
        index: usize,
    },
    /// A range is empty, ends before it begins, or ends behind the last leaf.
    Range {
        /// First leaf.
        start: usize,
        /// Leaf behind the last one.
        end: usize,
        /// Leaves of the tree.
        leaves: usize,
    },
    /// Ranges overlap or are not in ascending order, or there is none.
    Ranges,
    /// No node has exactly these leaves below it.
    NoSubtree {
        /// First leaf.
        start: usize,
        /// Leaf behind the last one.
        end: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NamespaceLen { expected, found } => write!(
                f,
                "a namespace has {found} bytes, this tree's have {expected}: give it in full"
            ),
            Self::Order { index } => write!(
                f,
                "the namespace of leaf {index} is below that of the leaf before it: sort the leaves by namespace"
            ),
            Self::Range { start, end, leaves } => write!(
                f,
                "no leaves {start}..{end} in a tree of {leaves}: ask for at least one that it has"
            ),
            Self::Ranges => write!(
                f,
                "the ranges overlap, are not in ascending order, or there is none: sort and join them"
            ),
            Self::NoSubtree { start, end } => write!(
                f,
                "no node is above exactly the leaves {start}..{end}: a subtree has a power of two of leaves and begins at a multiple of it"
            ),
        }
    }
}

impl core::error::Error for Error {}
