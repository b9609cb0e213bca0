//! The table of implementations.

use karat_cpu::{Implementation, IsaSet, Kernel};
use karat_hash::sha256;

/// Hashes messages of one length, each at the beginning of a slot that ends with its
/// padding. Arguments: slots, bytes of a message, room for the digests, what the caller reads
/// next.
pub(crate) type Slots = fn(&[u8], usize, &mut [[u8; 32]], &[&[u8]]);

/// SHA-256 of a tree's leaves and nodes. What runs below is karat-hash's choice:
/// `sha256-many` or `sha256`.
pub(crate) static KERNEL: Kernel<Slots> = Kernel::new(
    "nmt",
    &[
        Implementation::new(
            "many",
            IsaSet::EMPTY,
            many as Slots,
            "leaves and nodes assembled with their padding, sha256-many",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            one_by_one as Slots,
            "one leaf or node after another, sha256",
        ),
    ],
);

fn many(slots: &[u8], _: usize, out: &mut [[u8; 32]], ahead: &[&[u8]]) {
    sha256::hash_many_padded_ahead(slots, out, ahead);
}

fn one_by_one(slots: &[u8], length: usize, out: &mut [[u8; 32]], _: &[&[u8]]) {
    let slots = slots.chunks_exact(sha256::padded_len(length));
    for (slot, digest) in slots.zip(out) {
        *digest = sha256::hash(&slot[..length]);
    }
}
