//! Nodes of one level, many at a time.
//!
//! A level is one array, node after node. Two children are neighbours in it, so the
//! message of their parent is one copy: a prefix and both nodes.

use crate::{Format, Hash, Leaf};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Messages that are hashed at once: twice the widest lanes of SHA-256. Leaves of 512 bytes and
/// their messages fit into the first cache together.
pub(crate) const AT_ONCE: usize = 32;

/// Leaves of more bytes are not assembled but hashed where they lie: then the copy would
/// leave the first cache, and one call hashes long enough.
pub(crate) const LONG: usize = 4096;

/// Prefix of a leaf's message, and of a node's (RFC 6962, section 2.1).
pub(crate) const LEAF: u8 = 0;
pub(crate) const NODE: u8 = 1;

/// Slots for messages of one length.
pub(crate) struct Slots<H> {
    bytes: Vec<u8>,
    length: usize,
    digests: Vec<u8>,
    hash: PhantomData<H>,
}

impl<H: Hash> Slots<H> {
    /// Slots of length 0.
    pub(crate) const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            length: 0,
            digests: Vec::new(),
            hash: PhantomData,
        }
    }

    /// Prepares slots for messages of `length` bytes, unless they are already.
    pub(crate) fn fit(&mut self, length: usize) {
        if self.length == length {
            return;
        }
        let slot = H::slot_len(length);
        self.bytes.clear();
        self.bytes.resize(AT_ONCE * slot, 0);
        for slot in self.bytes.chunks_exact_mut(slot) {
            H::prepare(slot, length);
        }
        self.digests.resize(AT_ONCE * H::SIZE, 0);
        self.length = length;
    }

    /// Length of the messages.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// The message in slot number `index`.
    #[inline(always)]
    pub(crate) fn message(&mut self, index: usize) -> &mut [u8] {
        let start = index * H::slot_len(self.length);
        &mut self.bytes[start..start + self.length]
    }

    /// The digests of the first `count` messages, one after another.
    pub(crate) fn hash(&mut self, count: usize) -> &[u8] {
        let slots = &self.bytes[..count * H::slot_len(self.length)];
        let digests = &mut self.digests[..count * H::SIZE];
        H::hash_slots(slots, self.length, digests);
        digests
    }
}

/// Bytes of a leaf's message: prefix, namespace, data.
pub(crate) const fn leaf_message_len(format: Format, data: usize) -> usize {
    1 + format.namespace_len() + data
}

/// Calls a function with the length of namespaces as its first argument. With that as a
/// constant, copies of namespaces and nodes are a few moves instead of calls.
macro_rules! with_namespace {
    ($function:ident($format:expr $(, $argument:expr)*)) => {
        match $format.namespace_len() {
            29 => $function(29 $(, $argument)*),
            other => $function(other $(, $argument)*),
        }
    };
}

/// Writes a leaf's message.
#[inline]
pub(crate) fn put_leaf(format: Format, message: &mut [u8], leaf: &Leaf<'_>) {
    with_namespace!(put(format, message, leaf));
}

#[inline(always)]
fn put(namespace: usize, message: &mut [u8], leaf: &Leaf<'_>) {
    message[0] = LEAF;
    message[1..1 + namespace].copy_from_slice(leaf.namespace);
    message[1 + namespace..].copy_from_slice(leaf.data);
}

/// Writes the messages of leaves of one length to the first slots.
#[inline(always)]
fn put_leaves<H: Hash>(namespace: usize, slots: &mut Slots<H>, leaves: &[Leaf<'_>]) {
    let length = slots.length;
    let places = slots.bytes.chunks_exact_mut(H::slot_len(length));
    for (place, leaf) in places.zip(leaves) {
        put(namespace, &mut place[..length], leaf);
    }
}

/// Writes the nodes of the first `count` leaves in `slots` to `out`.
pub(crate) fn leaf_nodes<H: Hash>(
    format: Format,
    slots: &mut Slots<H>,
    count: usize,
    out: &mut [u8],
) {
    slots.hash(count);
    with_namespace!(leaf_nodes_of(format, slots, out));
}

#[inline(always)]
fn leaf_nodes_of<H: Hash>(namespace: usize, slots: &Slots<H>, out: &mut [u8]) {
    let step = H::slot_len(slots.length);
    let messages = slots.bytes.chunks_exact(step);
    let digests = slots.digests.chunks_exact(H::SIZE);
    let nodes = out.chunks_exact_mut(2 * namespace + H::SIZE);
    for ((node, digest), message) in nodes.zip(digests).zip(messages) {
        node[..namespace].copy_from_slice(&message[1..1 + namespace]);
        node[namespace..2 * namespace].copy_from_slice(&message[1..1 + namespace]);
        node[2 * namespace..].copy_from_slice(digest);
    }
}

/// Writes the node of one leaf, without slots.
pub(crate) fn leaf_node<H: Hash>(format: Format, leaf: &Leaf<'_>, node: &mut [u8]) {
    let namespace = format.namespace_len();
    node[..namespace].copy_from_slice(leaf.namespace);
    node[namespace..2 * namespace].copy_from_slice(leaf.namespace);
    H::hash(
        &[&[LEAF], leaf.namespace, leaf.data],
        &mut node[2 * namespace..],
    );
}

/// Writes the nodes of leaves, whatever their lengths.
pub(crate) fn leaves<H: Hash>(
    format: Format,
    slots: &mut Slots<H>,
    leaves: &[Leaf<'_>],
    out: &mut [u8],
) {
    let node = format.node_len::<H>();
    let mut done = 0;
    while done < leaves.len() {
        let data = leaves[done].data.len();
        let place = &mut out[done * node..];
        if data > LONG {
            leaf_node::<H>(format, &leaves[done], &mut place[..node]);
            done += 1;
            continue;
        }
        let alike = leaves[done..].iter().take(AT_ONCE);
        let count = alike.take_while(|l| l.data.len() == data).count();
        slots.fit(leaf_message_len(format, data));
        let alike = &leaves[done..done + count];
        with_namespace!(put_leaves(format, slots, alike));
        leaf_nodes(format, slots, count, &mut place[..count * node]);
        done += count;
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
    slots.fit(1 + 2 * node);
    let groups = children.chunks(AT_ONCE * 2 * node);
    for (pairs, out) in groups.zip(out.chunks_mut(AT_ONCE * node)) {
        let slot = H::slot_len(1 + 2 * node);
        let places = slots.bytes.chunks_exact_mut(slot);
        let mut count = 0;
        for (place, pair) in places.zip(pairs.chunks_exact(2 * node)) {
            place[0] = NODE;
            place[1..1 + 2 * node].copy_from_slice(pair);
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
    slots.fit(1 + 2 * node);
    let groups = left.chunks_mut(AT_ONCE * node);
    for (left, right) in groups.zip(right.chunks(AT_ONCE * node)) {
        let slot = H::slot_len(1 + 2 * node);
        let places = slots.bytes.chunks_exact_mut(slot);
        let pairs = left.chunks_exact(node).zip(right.chunks_exact(node));
        let mut count = 0;
        for (place, (left, right)) in places.zip(pairs) {
            place[0] = NODE;
            place[1..1 + node].copy_from_slice(left);
            place[1 + node..1 + 2 * node].copy_from_slice(right);
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
