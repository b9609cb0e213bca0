//! From leaves and the nodes beside them to the root.

use super::shape::{Meets, meets};
use super::{VerifyError, shape};
use crate::level;
use crate::slots::Slots;
use crate::{Format, Hash};
use alloc::vec::Vec;
use core::ops::Range;

/// Most nodes beside one range: one on either side at every level.
const MOST_BESIDE: usize = 128;

/// What is proved.
pub(super) enum Inside<'a> {
    /// Nodes of all leaves in the ranges.
    Leaves(&'a [u8]),
    /// Roots of these subtrees, which make up the ranges.
    Roots(&'a [Range<u64>], &'a [&'a [u8]]),
}

/// Checks of nodes beside a range.
pub(super) enum Beside<'a> {
    /// Any namespaces that are in order.
    Any,
    /// None may hold leaves of this namespace.
    Without(&'a [u8]),
}

/// A proof's fold.
pub(super) struct Fold<'a, H> {
    pub(super) format: Format,
    pub(super) ranges: &'a [Range<u64>],
    pub(super) inside: Inside<'a>,
    pub(super) nodes: &'a [Vec<u8>],
    pub(super) beside: Beside<'a>,
    pub(super) slots: Slots<H>,
}

/// Checks ranges: each holds a leaf, they ascend, and no number overflows. Without the
/// tree's size they may be in any tree whose leaves fit into memory.
pub(super) fn check_ranges(ranges: &[Range<u64>], tree: Option<u64>) -> Result<(), VerifyError> {
    let most = tree.unwrap_or(i64::MAX as u64);
    let ascend = ranges.windows(2).all(|two| two[0].end <= two[1].start);
    let within = ranges.iter().all(|r| r.start < r.end && r.end <= most);
    if ascend && within && !ranges.is_empty() {
        Ok(())
    } else {
        Err(VerifyError::Range)
    }
}

/// Checks that a node has the format's length and its namespaces are in order.
pub(super) fn check_node<H: Hash>(format: Format, node: &[u8]) -> Result<(), VerifyError> {
    let (expected, found) = (format.node_len::<H>(), node.len());
    if expected != found {
        return Err(VerifyError::Len { expected, found });
    }
    if format.min(node) > format.max(node) {
        return Err(VerifyError::Order);
    }
    Ok(())
}

/// Checks nodes that lie end to end, and that they are in order.
pub(super) fn check_level<H: Hash>(format: Format, nodes: &[u8]) -> Result<(), VerifyError> {
    let mut before: Option<&[u8]> = None;
    for node in nodes.chunks(format.node_len::<H>()) {
        check_node::<H>(format, node)?;
        if before.is_some_and(|b| format.max(b) > format.min(node)) {
            return Err(VerifyError::Order);
        }
        before = Some(node);
    }
    Ok(())
}

impl<'a, H: Hash> Fold<'a, H> {
    /// The root. `tree` is the number of leaves, if it is known. Ranges and what is
    /// inside have been checked.
    pub(super) fn root(mut self, tree: Option<u64>) -> Result<Vec<u8>, VerifyError> {
        self.check_count(tree)?;
        for node in self.nodes {
            check_node::<H>(self.format, node)?;
        }
        let end = self.ranges.last().map_or(1, |r| r.end);
        // Nodes to the right of the last range are missing only where the tree has no
        // leaves, and those of the smallest subtrees come first. So the smallest complete
        // tree that holds the ranges has the same form, and what is left goes above it.
        let top = 0..end.next_power_of_two();
        let mut root = self.subtree(top)?.ok_or(VerifyError::MissingNode)?;
        while let Some(node) = self.pop(end..u64::MAX)? {
            root = self.parent(&root, node)?;
        }
        Ok(root)
    }

    /// Checks the number of nodes against the tree's size. Without that, the number of
    /// levels is a bound.
    fn check_count(&self, tree: Option<u64>) -> Result<(), VerifyError> {
        let found = self.nodes.len();
        let fits = match tree {
            Some(leaves) => {
                let mut expected = 0;
                shape::siblings(self.ranges, 0..leaves, &mut |_| expected += 1);
                found == expected
            }
            None => found <= MOST_BESIDE.saturating_mul(self.ranges.len()),
        };
        fits.then_some(()).ok_or(VerifyError::Nodes { found })
    }

    /// The node above `tree`, a power of two of leaves. `None` where the tree has none.
    fn subtree(&mut self, tree: Range<u64>) -> Result<Option<Vec<u8>>, VerifyError> {
        match meets(self.ranges, &tree) {
            Meets::Nothing => return Ok(self.pop(tree)?.cloned()),
            Meets::All => {
                if let Some(node) = self.inside(&tree)? {
                    return Ok(Some(node));
                }
            }
            Meets::Some => {}
        }
        let middle = tree.start.midpoint(tree.end);
        if middle == tree.start {
            return Err(VerifyError::Subtrees);
        }
        let left = self.subtree(tree.start..middle)?;
        let left = left.ok_or(VerifyError::MissingNode)?;
        match self.subtree(middle..tree.end)? {
            Some(right) => Ok(Some(self.parent(&left, &right)?)),
            None => Ok(Some(left)),
        }
    }

    /// The node above leaves that are all in a range, if it can be had at once.
    fn inside(&mut self, tree: &Range<u64>) -> Result<Option<Vec<u8>>, VerifyError> {
        match &mut self.inside {
            Inside::Roots(places, roots) => {
                let Some((first, rest)) = places.split_first() else {
                    return Err(VerifyError::Subtrees);
                };
                if first != tree {
                    return Ok(None);
                }
                let (root, others) = roots.split_first().ok_or(VerifyError::Subtrees)?;
                (*places, *roots) = (rest, others);
                Ok(Some(root.to_vec()))
            }
            Inside::Leaves(leaves) => {
                let node = self.format.node_len::<H>();
                let bytes = (tree.end - tree.start) as usize * node;
                let (these, rest) = leaves.split_at_checked(bytes).ok_or(VerifyError::Range)?;
                *leaves = rest;
                let mut level = these.to_vec();
                while level.len() > node {
                    let mut above = alloc::vec![0; level.len() / 2];
                    level::parents(self.format, &mut self.slots, &level, &mut above);
                    level = above;
                }
                Ok(Some(level))
            }
        }
    }

    /// The next node beside the ranges, which is above `tree`.
    fn pop(&mut self, tree: Range<u64>) -> Result<Option<&'a Vec<u8>>, VerifyError> {
        let Some((node, rest)) = self.nodes.split_first() else {
            return Ok(None);
        };
        self.nodes = rest;
        if let Beside::Without(namespace) = self.beside {
            let is_left = self.ranges.first().is_some_and(|r| tree.end <= r.start);
            let without = if is_left {
                self.format.max(node) < namespace
            } else {
                self.format.min(node) > namespace
            };
            if !without {
                return Err(VerifyError::Incomplete);
            }
        }
        Ok(Some(node))
    }

    fn parent(&self, left: &[u8], right: &[u8]) -> Result<Vec<u8>, VerifyError> {
        if self.format.max(left) > self.format.min(right) {
            return Err(VerifyError::Order);
        }
        let mut node = alloc::vec![0; left.len()];
        level::parent::<H>(self.format, left, right, &mut node);
        Ok(node)
    }
}
