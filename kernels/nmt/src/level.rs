//! Nodes of one level, many at a time.
//!
//! A level is one array, node after node. Two children are neighbours in it, so the
//! message of their parent is one copy: a prefix and both nodes.

use crate::slots::{AT_ONCE, LONG, NODE, Slots, leaf_digest, put_leaf, with_namespace};
use crate::{Format, Hash, Leaf};

/// Writes the nodes of leaves, whatever their lengths.
pub(crate) fn leaves<H: Hash>(
    format: Format,
    slots: &mut Slots<H>,
    leaves: &[Leaf<'_>],
    out: &mut [u8],
) {
    let node = format.node_len::<H>();
    let mut rest = (leaves, out);
    while let Some(first) = rest.0.first() {
        let data = first.data.len();
        let most = if data > LONG { 1 } else { AT_ONCE };
        let alike = rest.0.iter().take(most);
        let count = alike.take_while(|leaf| leaf.data.len() == data).count();
        let (alike, later) = rest.0.split_at(count);
        let (nodes, free) = rest.1.split_at_mut(count * node);
        with_namespace!(leaves_alike(format, slots, alike, nodes));
        rest = (later, free);
    }
}

/// Writes the nodes of leaves of one length: of one leaf, if it is long.
#[inline(always)]
fn leaves_alike<H: Hash>(
    namespace: usize,
    slots: &mut Slots<H>,
    leaves: &[Leaf<'_>],
    out: &mut [u8],
) {
    let nodes = out.chunks_exact_mut(2 * namespace + H::SIZE);
    for (node, leaf) in nodes.zip(leaves) {
        node[..namespace].copy_from_slice(leaf.namespace);
        node[namespace..2 * namespace].copy_from_slice(leaf.namespace);
    }
    let nodes = out.chunks_exact_mut(2 * namespace + H::SIZE);
    let length = leaves[0].data.len();
    if length > LONG {
        for (node, leaf) in nodes.zip(leaves) {
            leaf_digest::<H>(leaf, &mut node[2 * namespace..]);
        }
        return;
    }
    slots.fit(1 + namespace + length, leaves.len());
    for (message, leaf) in slots.messages().zip(leaves) {
        put_leaf(namespace, message, leaf);
    }
    let digests = slots.hash(leaves.len()).chunks_exact(H::SIZE);
    for (node, digest) in nodes.zip(digests) {
        node[2 * namespace..].copy_from_slice(digest);
    }
}

/// Writes the parents of `children`, an even number of nodes in order, to `out`.
pub(crate) fn parents<H: Hash>(
    format: Format,
    slots: &mut Slots<H>,
    children: &[u8],
    out: &mut [u8],
) {
    let ignore_max = format.ignores_max();
    with_namespace!(parents_of(format, ignore_max, slots, children, out));
}

#[inline(always)]
fn parents_of<H: Hash>(
    namespace: usize,
    ignore_max: bool,
    slots: &mut Slots<H>,
    children: &[u8],
    out: &mut [u8],
) {
    let node = 2 * namespace + H::SIZE;
    slots.fit(1 + 2 * node, AT_ONCE.min(children.len() / (2 * node)));
    let groups = children.chunks(AT_ONCE * 2 * node);
    for (pairs, out) in groups.zip(out.chunks_mut(AT_ONCE * node)) {
        let mut count = 0;
        for (message, pair) in slots.messages().zip(pairs.chunks_exact(2 * node)) {
            message[0] = NODE;
            message[1..1 + 2 * node].copy_from_slice(pair);
            count += 1;
        }
        let digests = slots.hash(count).chunks_exact(H::SIZE);
        let pairs = pairs.chunks_exact(2 * node);
        for ((parent, pair), digest) in out.chunks_exact_mut(node).zip(pairs).zip(digests) {
            let (left, right) = pair.split_at(node);
            range(namespace, ignore_max, left, right, parent);
            parent[2 * namespace..].copy_from_slice(digest);
        }
    }
}

/// Makes each node of `left` the parent of itself and the node at the same place of `right`.
pub(crate) fn merge<H: Hash>(format: Format, slots: &mut Slots<H>, left: &mut [u8], right: &[u8]) {
    let ignore_max = format.ignores_max();
    with_namespace!(merge_of(format, ignore_max, slots, left, right));
}

#[inline(always)]
fn merge_of<H: Hash>(
    namespace: usize,
    ignore_max: bool,
    slots: &mut Slots<H>,
    left: &mut [u8],
    right: &[u8],
) {
    let node = 2 * namespace + H::SIZE;
    slots.fit(1 + 2 * node, AT_ONCE.min(left.len() / node));
    let groups = left.chunks_mut(AT_ONCE * node);
    for (left, right) in groups.zip(right.chunks(AT_ONCE * node)) {
        let pairs = left.chunks_exact(node).zip(right.chunks_exact(node));
        let mut count = 0;
        for (message, (left, right)) in slots.messages().zip(pairs) {
            message[0] = NODE;
            message[1..1 + node].copy_from_slice(left);
            message[1 + node..1 + 2 * node].copy_from_slice(right);
            count += 1;
        }
        let digests = slots.hash(count).chunks_exact(H::SIZE);
        let pairs = left.chunks_exact_mut(node).zip(right.chunks_exact(node));
        for ((left, right), digest) in pairs.zip(digests) {
            if !ignored(namespace, ignore_max, right) {
                left[namespace..2 * namespace].copy_from_slice(&right[namespace..2 * namespace]);
            }
            left[2 * namespace..].copy_from_slice(digest);
        }
    }
}

/// Whether a node on the right leaves the parent's largest namespace as it is on the left.
#[inline(always)]
fn ignored(namespace: usize, ignore_max: bool, right: &[u8]) -> bool {
    ignore_max && right[..namespace].iter().all(|b| *b == 0xff)
}

/// Writes the namespaces of a parent.
#[inline(always)]
fn range(namespace: usize, ignore_max: bool, left: &[u8], right: &[u8], parent: &mut [u8]) {
    let max = if ignored(namespace, ignore_max, right) {
        left
    } else {
        right
    };
    parent[..namespace].copy_from_slice(&left[..namespace]);
    parent[namespace..2 * namespace].copy_from_slice(&max[namespace..2 * namespace]);
}

/// Writes the parent of two nodes.
pub(crate) fn parent<H: Hash>(format: Format, left: &[u8], right: &[u8], out: &mut [u8]) {
    let namespace = format.namespace_len();
    range(namespace, format.ignores_max(), left, right, out);
    H::hash(&[&[NODE], left, right], &mut out[2 * namespace..]);
}
