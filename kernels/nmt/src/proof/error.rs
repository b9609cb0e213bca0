//! Why a proof does not hold.

use core::fmt;

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The proof is of a tree that ignores the largest namespace, and the verifier's
    /// does not, or the other way round.
    OtherRule,
    /// A namespace, a node or the root has a length that the format does not have.
    Len {
        /// Bytes of the format.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// A node's smallest namespace is above its largest, or neighbours are not in order.
    Order,
    /// A range is empty, not in order, or outside of the tree.
    Range,
    /// There are more or fewer leaves than the proof is of.
    Leaves {
        /// Leaves of the proof.
        expected: u64,
        /// Leaves given.
        found: usize,
    },
    /// A node is missing.
    MissingNode,
    /// There are more or fewer nodes than such a proof has in a tree of the given number
    /// of leaves, or more than any proof has.
    Nodes {
        /// Nodes found.
        found: usize,
    },
    /// A leaf is of another namespace than asked for.
    OtherNamespace,
    /// A node beside the leaves may hold more leaves of the namespace.
    Incomplete,
    /// The leaf that shows the absence is not above the namespace, or the namespace is in
    /// the root's range and the proof is empty.
    NotAbsent,
    /// The namespace is the largest one, and the tree ignores it: nodes do not say
    /// whether they hold leaves of it, so nobody can prove that all are here or none is.
    IgnoredNamespace,
    /// It is a proof of absence or of nothing, and leaves are to be verified, or data
    /// came with a proof of absence.
    OtherKind,
    /// A subtree's root cannot stand at this place, or their number is wrong.
    Subtrees,
    /// All is well-formed, and it leads to another root.
    OtherRoot,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::OtherRule => {
                "the proof and the verifier differ in whether the largest namespace is ignored"
            }
            Self::Len { expected, found } => {
                return write!(
                    f,
                    "a namespace, node or root has {found} bytes, the format's have {expected}"
                );
            }
            Self::Order => "nodes or leaves are not in the order of their namespaces",
            Self::Range => "the range is empty, not in order or outside of the tree",
            Self::Leaves { expected, found } => {
                return write!(
                    f,
                    "the proof is of {expected} leaves, and {found} are given"
                );
            }
            Self::MissingNode => "a node is missing",
            Self::Nodes { found } => {
                return write!(f, "no proof of these leaves has {found} nodes");
            }
            Self::OtherNamespace => "a leaf is of another namespace",
            Self::Incomplete => {
                "a node beside the leaves may hold more of the namespace: the proof is not of all its leaves"
            }
            Self::NotAbsent => "the proof does not show that the namespace has no leaf",
            Self::IgnoredNamespace => {
                "the tree ignores the largest namespace, so nothing can be proved of all its leaves: verify ranges of leaves"
            }
            Self::OtherKind => {
                "a proof of absence, and leaves are given: verify it as proof of a namespace, without data"
            }
            Self::Subtrees => "these subtrees' roots cannot stand at the proof's places",
            Self::OtherRoot => "the proof leads to another root",
        };
        f.write_str(text)
    }
}

impl core::error::Error for VerifyError {}
