//! Verifies proofs against a root.

use super::fold::{Beside, Fold, Inside, check_level, check_node, check_ranges};
use super::{MultiProof, Proof, VerifyError};
use crate::level;
use crate::slots::Slots;
use crate::{Format, Hash, Leaf, Sha256};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

/// Verifies proofs against a root that is trusted.
///
/// A proof shows that leaves are in the tree, in this order and side by side. Their
/// numbers are shown only if the verifier knows [how many leaves](Self::of_leaves) the
/// tree has: without that, one proof fits several places, in the Go library as well (the
/// last of 3 leaves has the same proof as the last of 5).
///
/// ```
/// use karat_nmt::{Format, Leaf, Sha256, Tree, Verifier};
///
/// let format = Format::new(1, true);
/// let leaves = [Leaf::new(b"a", b"one"), Leaf::new(b"b", b"two"), Leaf::new(b"d", b"three")];
/// let tree: Tree = Tree::of(format, &leaves)?;
/// let verifier: Verifier<'_> = Verifier::new(format, tree.root())?.of_leaves(3);
/// verifier.leaves(&tree.prove(1)?, &leaves[1..2])?;
/// verifier.namespace(&tree.prove_namespace(b"b")?, b"b", &[b"two"])?;
/// verifier.namespace(&tree.prove_namespace(b"c")?, b"c", &[])?;
/// assert!(verifier.namespace(&tree.prove_namespace(b"b")?, b"b", &[b"three"]).is_err());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Verifier<'a, H = Sha256> {
    format: Format,
    root: &'a [u8],
    leaves: Option<u64>,
    hash: PhantomData<H>,
}

impl<'a, H: Hash> Verifier<'a, H> {
    /// A verifier against this root.
    ///
    /// # Errors
    /// [`VerifyError::Len`] and [`VerifyError::Order`] when the root is none of this
    /// format.
    pub fn new(format: Format, root: &'a [u8]) -> Result<Self, VerifyError> {
        check_node::<H>(format, root)?;
        Ok(Self {
            format,
            root,
            leaves: None,
            hash: PhantomData,
        })
    }

    /// The same of a tree that is known to have so many leaves. Then proofs show the
    /// numbers of leaves too.
    #[must_use]
    pub const fn of_leaves(self, leaves: u64) -> Self {
        Self {
            leaves: Some(leaves),
            ..self
        }
    }

    /// Verifies that these are the leaves in the proof's range.
    ///
    /// # Errors
    /// Why they are not, or the proof does not show it.
    pub fn leaves(&self, proof: &Proof, leaves: &[Leaf<'_>]) -> Result<(), VerifyError> {
        if proof.is_of_absence() {
            return Err(VerifyError::OtherKind);
        }
        let range = core::slice::from_ref(&proof.range);
        self.check(proof.ignores_max, range, leaves.len())?;
        let nodes = self.leaf_nodes(leaves)?;
        self.fold(range, Inside::Leaves(&nodes), &proof.nodes, Beside::Any)
    }

    /// Verifies that these are the leaves in the ranges of a proof of several, one range
    /// after the other.
    ///
    /// # Errors
    /// Why they are not, or the proof does not show it.
    pub fn ranges(&self, proof: &MultiProof, leaves: &[Leaf<'_>]) -> Result<(), VerifyError> {
        self.check(proof.ignores_max, &proof.ranges, leaves.len())?;
        let nodes = self.leaf_nodes(leaves)?;
        let inside = Inside::Leaves(&nodes);
        self.fold(&proof.ranges, inside, &proof.nodes, Beside::Any)
    }

    /// Verifies that these nodes, one after another, are those of the leaves in the
    /// proof's range. Whether they are nodes of leaves is not shown: whoever gives them
    /// must have hashed the leaves.
    ///
    /// # Errors
    /// Why they are not, or the proof does not show it.
    pub fn leaf_hashes(&self, proof: &Proof, nodes: &[u8]) -> Result<(), VerifyError> {
        if proof.is_of_absence() {
            return Err(VerifyError::OtherKind);
        }
        let range = core::slice::from_ref(&proof.range);
        let count = nodes.len().div_ceil(self.format.node_len::<H>());
        self.check(proof.ignores_max, range, count)?;
        check_level::<H>(self.format, nodes)?;
        self.fold(range, Inside::Leaves(nodes), &proof.nodes, Beside::Any)
    }

    /// Verifies that this is the data of all leaves of a namespace. No data: that the
    /// namespace has no leaf.
    ///
    /// "Short" proofs of absence of the Go library's specification, whose leaf is a node
    /// above several, hold as well, unless the number of leaves is known: they have fewer
    /// nodes than a leaf's proof. No tree here makes them.
    ///
    /// # Errors
    /// Why it is not, or the proof does not show it.
    /// [`VerifyError::IgnoredNamespace`] for the largest namespace of a tree that ignores
    /// it. The Go library accepts such proofs; they show nothing.
    pub fn namespace(
        &self,
        proof: &Proof,
        namespace: &[u8],
        data: &[&[u8]],
    ) -> Result<(), VerifyError> {
        let (expected, found) = (self.format.namespace_len(), namespace.len());
        if expected != found {
            return Err(VerifyError::Len { expected, found });
        }
        if proof.ignores_max != self.format.ignores_max() {
            return Err(VerifyError::OtherRule);
        }
        if proof.is_empty() {
            return self.outside(namespace, data);
        }
        if self.format.is_ignored(namespace) {
            return Err(VerifyError::IgnoredNamespace);
        }
        let range = core::slice::from_ref(&proof.range);
        let beside = Beside::Without(namespace);
        if let Some(next) = &proof.leaf_hash {
            if !data.is_empty() {
                return Err(VerifyError::OtherKind);
            }
            self.check(proof.ignores_max, range, 1)?;
            check_node::<H>(self.format, next)?;
            if self.format.min(next) <= namespace {
                return Err(VerifyError::NotAbsent);
            }
            return self.fold(range, Inside::Leaves(next), &proof.nodes, beside);
        }
        self.check(proof.ignores_max, range, data.len())?;
        let leaves = data.iter().map(|data| Leaf { namespace, data });
        let nodes = self.leaf_nodes(&leaves.collect::<Vec<_>>())?;
        self.fold(range, Inside::Leaves(&nodes), &proof.nodes, beside)
    }

    /// Verifies an empty proof: the root's range alone shows that there is no leaf.
    fn outside(&self, namespace: &[u8], data: &[&[u8]]) -> Result<(), VerifyError> {
        if !data.is_empty() {
            return Err(VerifyError::Leaves {
                expected: 0,
                found: data.len(),
            });
        }
        if *self.root == *self.format.empty_root::<H>() {
            return Ok(());
        }
        if self.format.is_ignored(namespace) {
            return Err(VerifyError::IgnoredNamespace);
        }
        let below = namespace < self.format.min(self.root);
        let above = namespace > self.format.max(self.root);
        if below || above {
            Ok(())
        } else {
            Err(VerifyError::NotAbsent)
        }
    }

    /// Verifies that these are roots of the subtrees that make up the proof's range.
    /// `width` is the most leaves that one may have, a power of two, as ADR-013 of
    /// celestia-app computes it for a blob.
    ///
    /// # Errors
    /// Why they are not, or the proof does not show it.
    pub fn subtree_roots(
        &self,
        proof: &Proof,
        roots: &[&[u8]],
        width: u64,
    ) -> Result<(), VerifyError> {
        if proof.is_of_absence() {
            return Err(VerifyError::OtherKind);
        }
        self.check_rule(proof.ignores_max)?;
        let range = core::slice::from_ref(&proof.range);
        check_ranges(range, self.leaves)?;
        let mut places: Vec<Range<u64>> = Vec::new();
        for place in proof.subtrees(width) {
            if places.len() == roots.len() {
                return Err(VerifyError::Subtrees);
            }
            places.push(place.ok_or(VerifyError::Subtrees)?);
        }
        if places.len() != roots.len() {
            return Err(VerifyError::Subtrees);
        }
        for root in roots {
            check_node::<H>(self.format, root)?;
        }
        let inside = Inside::Roots(&places, roots);
        self.fold(range, inside, &proof.nodes, Beside::Any)
    }

    fn check_rule(&self, ignores_max: bool) -> Result<(), VerifyError> {
        if ignores_max == self.format.ignores_max() {
            Ok(())
        } else {
            Err(VerifyError::OtherRule)
        }
    }

    fn check(
        &self,
        ignores_max: bool,
        ranges: &[Range<u64>],
        found: usize,
    ) -> Result<(), VerifyError> {
        self.check_rule(ignores_max)?;
        check_ranges(ranges, self.leaves)?;
        let expected = ranges.iter().map(|r| r.end - r.start).sum();
        if expected == found as u64 {
            Ok(())
        } else {
            Err(VerifyError::Leaves { expected, found })
        }
    }

    /// The nodes of leaves, one after another. Leaves must be in order.
    fn leaf_nodes(&self, leaves: &[Leaf<'_>]) -> Result<Vec<u8>, VerifyError> {
        let expected = self.format.namespace_len();
        if let Some(other) = leaves.iter().find(|l| l.namespace.len() != expected) {
            let found = other.namespace.len();
            return Err(VerifyError::Len { expected, found });
        }
        if !leaves.is_sorted_by_key(|l| l.namespace) {
            return Err(VerifyError::Order);
        }
        let mut nodes = alloc::vec![0; leaves.len() * self.format.node_len::<H>()];
        let mut slots = Slots::<H>::new();
        level::leaves(self.format, &mut slots, leaves, &mut nodes);
        Ok(nodes)
    }

    fn fold(
        &self,
        ranges: &[Range<u64>],
        inside: Inside<'_>,
        nodes: &[Vec<u8>],
        beside: Beside<'_>,
    ) -> Result<(), VerifyError> {
        let fold = Fold::<H> {
            format: self.format,
            ranges,
            inside,
            nodes,
            beside,
            slots: Slots::new(),
        };
        if *fold.root(self.leaves)? == *self.root {
            Ok(())
        } else {
            Err(VerifyError::OtherRoot)
        }
    }
}
