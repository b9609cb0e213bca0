//! Digests of one level, many at a time.
//!
//! A level is one array of digests, and hashes write to it. The namespaces of a node are those
//! of leaves, so only these are kept: the smallest one is its first leaf's, the largest one its
//! last leaf's that is not ignored.

use crate::slots::{AT_ONCE, LONG, NODE, Slots, leaf_digest, put_leaf, with_namespace};
use crate::{Error, Format, Hash, Leaf};
use core::ops::Range;

/// The namespaces of leaves in order.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) format: Format,
    /// End to end.
    pub(super) bytes: &'a [u8],
    /// Leaves before the first whose namespace is ignored.
    pub(super) counted: usize,
}

impl<'a> Names<'a> {
    /// That of a leaf.
    #[inline(always)]
    pub(super) fn of(&self, leaf: usize) -> &'a [u8] {
        let namespace = self.format.namespace_len();
        &self.bytes[leaf * namespace..][..namespace]
    }

    /// The leaf whose namespace is the largest one of the node above these leaves.
    #[inline(always)]
    pub(super) fn largest(&self, Range { start, end }: Range<usize>) -> usize {
        if start < self.counted {
            end.min(self.counted) - 1
        } else {
            end - 1
        }
    }
}

/// Where leaves go.
pub(super) struct Room<'a> {
    pub(super) namespaces: &'a mut [u8],
    pub(super) digests: &'a mut [u8],
}

/// Takes leaves of any lengths while there is room, and checks that they are in order behind the
/// namespace `last`. Returns how many were taken: the one behind them, if there is room for it,
/// is [`wrong`].
pub(super) fn take<'a, H: Hash>(
    format: Format,
    slots: &mut Slots<H>,
    leaves: &[Leaf<'a>],
    mut last: Option<&'a [u8]>,
    room: Room<'_>,
) -> usize {
    let (namespace, mut done) = (format.namespace_len(), 0);
    loop {
        let room = Room {
            namespaces: &mut room.namespaces[done * namespace..],
            digests: &mut room.digests[done * H::SIZE..],
        };
        let leaves = &leaves[done..];
        let taken = with_namespace!(take_alike(format, slots, leaves, last, room));
        if taken == 0 {
            return done;
        }
        last = Some(leaves[taken - 1].namespace);
        done += taken;
    }
}

/// Takes leaves that are as long as the first, as many as are hashed at once.
#[inline(always)]
fn take_alike<'a, H: Hash>(
    namespace: usize,
    slots: &mut Slots<H>,
    leaves: &[Leaf<'a>],
    mut last: Option<&'a [u8]>,
    room: Room<'_>,
) -> usize {
    let most = leaves.len().min(room.digests.len() / H::SIZE);
    let Some(first) = leaves[..most].first() else {
        return 0;
    };
    let fits = |leaf: &Leaf<'_>, last: Option<&[u8]>| {
        let in_order = last.is_none_or(|last| last <= leaf.namespace);
        leaf.namespace.len() == namespace && in_order
    };
    let length = first.data.len();
    if length > LONG {
        let fits = fits(first, last);
        if fits {
            room.namespaces[..namespace].copy_from_slice(first.namespace);
            leaf_digest::<H>(first, &mut room.digests[..H::SIZE]);
        }
        return usize::from(fits);
    }
    slots.fit(1 + namespace + length, most.min(AT_ONCE));
    let mut taken = 0;
    let few = &leaves[..most.min(AT_ONCE)];
    for (message, leaf) in slots.messages().zip(few) {
        if leaf.data.len() != length || !fits(leaf, last) {
            break;
        }
        last = Some(leaf.namespace);
        put_leaf(namespace, message, leaf);
        room.namespaces[taken * namespace..][..namespace].copy_from_slice(leaf.namespace);
        taken += 1;
    }
    let mut ahead: [&[u8]; AT_ONCE] = [&[]; AT_ONCE];
    let next = leaves[taken..].iter().take(AT_ONCE);
    let next = next.zip(&mut ahead).map(|(leaf, ahead)| *ahead = leaf.data);
    let count = next.count();
    slots.hash_to(&mut room.digests[..taken * H::SIZE], &ahead[..count]);
    taken
}

/// What is wrong with a leaf that was not taken. It would have had this number.
pub(super) fn wrong(format: Format, leaf: &Leaf<'_>, index: usize) -> Error {
    let (expected, found) = (format.namespace_len(), leaf.namespace.len());
    if expected == found {
        Error::Order { index }
    } else {
        Error::NamespaceLen { expected, found }
    }
}

/// Writes the digests of nodes of level `height`, from number `first` on: two of `children`, the
/// digests of the level below, for each.
pub(super) fn parents<H: Hash>(
    names: Names<'_>,
    slots: &mut Slots<H>,
    height: usize,
    first: usize,
    children: &[u8],
    out: &mut [u8],
) {
    let format = names.format;
    with_namespace!(parents_of(
        format, names, slots, height, first, children, out
    ));
}

#[inline(always)]
fn parents_of<H: Hash>(
    namespace: usize,
    names: Names<'_>,
    slots: &mut Slots<H>,
    height: usize,
    mut first: usize,
    children: &[u8],
    out: &mut [u8],
) {
    let node = 2 * namespace + H::SIZE;
    slots.fit(1 + 2 * node, AT_ONCE.min(out.len() / H::SIZE));
    let groups = children.chunks(AT_ONCE * 2 * H::SIZE);
    for (pairs, out) in groups.zip(out.chunks_mut(AT_ONCE * H::SIZE)) {
        let pairs = pairs.chunks_exact(2 * H::SIZE);
        for (message, pair) in slots.messages().zip(pairs) {
            let (start, end) = (first << height, (first + 1) << height);
            let middle = start.midpoint(end);
            let (left, right) = pair.split_at(H::SIZE);
            message[0] = NODE;
            let (one, two) = message[1..1 + 2 * node].split_at_mut(node);
            put_node(namespace, names, start..middle, left, one);
            put_node(namespace, names, middle..end, right, two);
            first += 1;
        }
        slots.hash_to(out, &[]);
    }
}

/// Writes the node above these leaves.
#[inline(always)]
fn put_node(
    namespace: usize,
    names: Names<'_>,
    leaves: Range<usize>,
    digest: &[u8],
    node: &mut [u8],
) {
    let name = |leaf: usize| &names.bytes[leaf * namespace..][..namespace];
    node[..namespace].copy_from_slice(name(leaves.start));
    node[namespace..2 * namespace].copy_from_slice(name(names.largest(leaves)));
    node[2 * namespace..].copy_from_slice(digest);
}
