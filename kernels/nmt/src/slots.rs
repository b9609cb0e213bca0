//! Messages of one length side by side, in slots with their padding.

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

/// Calls a function with the length of namespaces as its first argument. With that as a
/// constant, copies of namespaces are a few moves instead of calls.
macro_rules! with_namespace {
    ($function:ident($format:expr $(, $argument:expr)*)) => {
        match $format.namespace_len() {
            29 => $function(29 $(, $argument)*),
            other => $function(other $(, $argument)*),
        }
    };
}
pub(crate) use with_namespace;

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

    /// Prepares `count` slots for messages of `length` bytes, those that are not yet: a small tree
    /// needs few.
    #[inline]
    pub(crate) fn fit(&mut self, length: usize, count: usize) {
        let slot = H::slot_len(length);
        if self.length != length || self.bytes.len() < count * slot {
            self.prepare(length, count * slot);
        }
    }

    fn prepare(&mut self, length: usize, bytes: usize) {
        if self.length != length {
            self.bytes.clear();
            self.length = length;
        }
        let ready = self.bytes.len();
        self.bytes.resize(bytes, 0);
        for slot in self.bytes[ready..].chunks_exact_mut(H::slot_len(length)) {
            H::prepare(slot, length);
        }
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

    /// All messages that there are slots for.
    #[inline(always)]
    pub(crate) fn messages(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let length = self.length;
        let slots = self.bytes.chunks_exact_mut(H::slot_len(length));
        slots.map(move |slot| &mut slot[..length])
    }

    /// The digests of the first `count` messages, one after another.
    pub(crate) fn hash(&mut self, count: usize) -> &[u8] {
        let mut digests = core::mem::take(&mut self.digests);
        if digests.len() < count * H::SIZE {
            digests.resize(count * H::SIZE, 0);
        }
        self.hash_to(&mut digests[..count * H::SIZE], &[]);
        self.digests = digests;
        &self.digests[..count * H::SIZE]
    }

    /// Writes the digests of the first messages, as many as there is room for. `ahead` is what is
    /// read next, a slice for each message at most.
    pub(crate) fn hash_to(&self, digests: &mut [u8], ahead: &[&[u8]]) {
        let count = digests.len() / H::SIZE;
        let slots = &self.bytes[..count * H::slot_len(self.length)];
        H::hash_slots_ahead(slots, self.length, digests, ahead);
    }
}

/// Bytes of a leaf's message: prefix, namespace, data.
pub(crate) const fn leaf_message_len(format: Format, data: usize) -> usize {
    1 + format.namespace_len() + data
}

/// Writes a leaf's message.
#[inline(always)]
pub(crate) fn put_leaf(namespace: usize, message: &mut [u8], leaf: &Leaf<'_>) {
    message[0] = LEAF;
    message[1..1 + namespace].copy_from_slice(leaf.namespace);
    message[1 + namespace..].copy_from_slice(leaf.data);
}

/// Writes the digest of one leaf, without slots.
pub(crate) fn leaf_digest<H: Hash>(leaf: &Leaf<'_>, digest: &mut [u8]) {
    H::hash(&[&[LEAF], leaf.namespace, leaf.data], digest);
}
