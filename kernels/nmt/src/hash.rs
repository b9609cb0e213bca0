//! The hash of a tree.

use crate::kernel::KERNEL;
use karat_hash::sha256;

/// The hash of a tree. [`Sha256`] is Celestia's.
///
/// Only `SIZE` and `hash` are needed. The others let a hash work on many messages at
/// once: a tree assembles messages of one length in slots, prepares each slot once, and
/// writes the next messages over these.
pub trait Hash {
    /// Bytes in a digest.
    const SIZE: usize;

    /// Writes the digest of a message that comes in parts to `out`, which has `SIZE`
    /// bytes.
    fn hash(parts: &[&[u8]], out: &mut [u8]);

    /// Bytes of a slot for a message of `length` bytes: at least as many.
    #[must_use]
    fn slot_len(length: usize) -> usize {
        length
    }

    /// Writes what a slot needs behind a message of `length` bytes, such as padding.
    fn prepare(slot: &mut [u8], length: usize) {
        let _ = (slot, length);
    }

    /// Writes the digests of messages of `length` bytes, each at the beginning of a
    /// prepared slot, to `out`, which has `SIZE` bytes for each.
    fn hash_slots(slots: &[u8], length: usize, out: &mut [u8]) {
        let slots = slots.chunks_exact(Self::slot_len(length));
        for (slot, digest) in slots.zip(out.chunks_exact_mut(Self::SIZE)) {
            Self::hash(&[&slot[..length]], digest);
        }
    }

    /// The same by a caller that reads `ahead` next, a slice for each message at most. It is a
    /// hint: who has many messages to hash may ask memory for as many bytes of each as a message
    /// has.
    fn hash_slots_ahead(slots: &[u8], length: usize, out: &mut [u8], ahead: &[&[u8]]) {
        let _ = ahead;
        Self::hash_slots(slots, length, out);
    }
}

/// SHA-256 (FIPS 180-4), several messages at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sha256;

impl Hash for Sha256 {
    const SIZE: usize = 32;

    fn hash(parts: &[&[u8]], out: &mut [u8]) {
        let mut hasher = sha256::Hasher::new();
        for part in parts {
            hasher.update(part);
        }
        out.copy_from_slice(&hasher.finalize());
    }

    fn slot_len(length: usize) -> usize {
        sha256::padded_len(length)
    }

    fn prepare(slot: &mut [u8], length: usize) {
        sha256::pad(slot, length);
    }

    fn hash_slots(slots: &[u8], length: usize, out: &mut [u8]) {
        Self::hash_slots_ahead(slots, length, out, &[]);
    }

    fn hash_slots_ahead(slots: &[u8], length: usize, out: &mut [u8], ahead: &[&[u8]]) {
        (KERNEL.get())(slots, length, out.as_chunks_mut().0, ahead);
    }
}
