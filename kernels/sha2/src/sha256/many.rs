//! Hashing of many messages.

use super::job::Job;

/// Hashes all `messages` with the chosen implementation.
pub(super) fn hash<const D: usize>(iv: &[u32; 8], messages: &[&[u8]], out: &mut [[u8; D]]) {
    karat_hash_core::places::check(messages.len(), out.len());
    const { assert!(D == 32 || D == 28) };
    let mut job = Job {
        iv,
        messages,
        out: out.as_flattened_mut(),
        size: D,
        padded: false,
    };
    // The first message stands for all: most callers have messages of equal length.
    let length = messages.first().map_or(0, |m| m.len());
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (super::MANY.get_for(length))(&mut job) };
}
