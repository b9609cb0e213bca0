//! A row of a square in the slots in which its shares are hashed.
//!
//! A share is coded in the slot where its leaf is hashed. So no leaf is assembled, and a row is
//! read from the square and written to it end to end, which memory likes better than the strides
//! of a code.

use super::{Erasure, NAMESPACE, PARITY, SquareError};
use crate::slots::LEAF;
use crate::{Format, Hash, Sha256};
use alloc::vec::Vec;

/// Bytes of a node, and of a leaf's message in front of its share.
pub(super) const NODE: usize = Format::CELESTIA.node_len::<Sha256>();
const PREFIX: usize = 1 + NAMESPACE;

/// Shares lie at a multiple of it, so that no vector of theirs is in two lines of the caches.
const LINE: usize = 64;

/// A row, whose memory is used for one after another.
pub(super) struct Row {
    k: usize,
    share: usize,
    /// The slots, from `start` on.
    bytes: Vec<u8>,
    start: usize,
    digests: Vec<u8>,
}

impl Row {
    /// For rows of squares with `k` shares of `share` bytes on a side of the original square.
    pub(super) fn new(k: usize, share: usize) -> Self {
        let message = PREFIX + share;
        let slot = Sha256::slot_len(message);
        let mut bytes = alloc::vec![0; 2 * k * slot + LINE];
        let start = bytes[PREFIX..].as_ptr().align_offset(LINE).min(LINE);
        for slot in bytes[start..][..2 * k * slot].chunks_exact_mut(slot) {
            slot[0] = LEAF;
            slot[1..PREFIX].copy_from_slice(&PARITY);
            Sha256::prepare(slot, message);
        }
        Self {
            k,
            share,
            bytes,
            start,
            digests: alloc::vec![0; 2 * k * Sha256::SIZE],
        }
    }

    fn slot(&self) -> usize {
        Sha256::slot_len(PREFIX + self.share)
    }

    fn slots(&self) -> &[u8] {
        &self.bytes[self.start..][..2 * self.k * self.slot()]
    }

    /// The shares, whatever they hold.
    pub(super) fn shares(&self) -> impl Iterator<Item = &[u8]> {
        let end = PREFIX + self.share;
        let slots = self.slots().chunks_exact(self.slot());
        slots.map(move |slot| &slot[PREFIX..end])
    }

    fn shares_mut(&mut self) -> Vec<&mut [u8]> {
        let (slot, all, end) = (self.slot(), self.slots().len(), PREFIX + self.share);
        let slots = self.bytes[self.start..][..all].chunks_exact_mut(slot);
        slots.map(|slot| &mut slot[PREFIX..end]).collect()
    }

    /// Takes the first shares, which lie end to end.
    pub(super) fn take(&mut self, shares: &[u8]) {
        let from = shares.chunks_exact(self.share);
        for (to, from) in self.shares_mut().into_iter().zip(from) {
            to.copy_from_slice(from);
        }
    }

    /// Makes the second half from the first one.
    pub(super) fn extend(&mut self, code: &mut impl Erasure) -> Result<(), SquareError> {
        let k = self.k;
        let mut shares = self.shares_mut();
        let (data, parity) = shares.split_at_mut(k);
        let data: Vec<&[u8]> = data.iter().map(|share| &**share).collect();
        code.encode(&data, parity).map_err(SquareError::Code)
    }

    /// Makes the shares that are not known from those that are, k of them.
    pub(super) fn complete(
        &mut self,
        known: &[bool],
        code: &mut impl Erasure,
    ) -> Result<(), SquareError> {
        code.reconstruct(&mut self.shares_mut(), known)
            .map_err(SquareError::Code)
    }

    /// Writes the leaf nodes, for row number `row`. `ahead` is what is read or written next: as
    /// many bytes as the shares have at most.
    pub(super) fn nodes(&mut self, row: usize, nodes: &mut [u8], ahead: [&[u8]; 2]) {
        let (k, slot, message) = (self.k, self.slot(), PREFIX + self.share);
        let all = 2 * k * slot;
        let slots = &mut self.bytes[self.start..][..all];
        // The second half is parity in all rows.
        for slot in slots[..k * slot].chunks_exact_mut(slot) {
            let (prefix, share) = slot.split_at_mut(PREFIX);
            let namespace = if row < k {
                &share[..NAMESPACE]
            } else {
                &PARITY
            };
            prefix[1..].copy_from_slice(namespace);
        }
        let ahead = ahead.iter().flat_map(|some| some.chunks(self.share));
        let ahead: Vec<&[u8]> = ahead.collect();
        Sha256::hash_slots_ahead(slots, message, &mut self.digests, &ahead);
        let digests = self.digests.chunks_exact(Sha256::SIZE);
        let nodes = nodes.chunks_exact_mut(NODE);
        for ((slot, digest), node) in slots.chunks_exact(slot).zip(digests).zip(nodes) {
            let namespace = &slot[1..PREFIX];
            node[..NAMESPACE].copy_from_slice(namespace);
            node[NAMESPACE..2 * NAMESPACE].copy_from_slice(namespace);
            node[2 * NAMESPACE..].copy_from_slice(digest);
        }
    }
}
