//! Hashing of many messages.

use crate::algorithm::State;
use crate::chosen::Chosen;
use crate::job::{Job, Starts};

/// Hashes all `messages` with the chosen implementation.
pub(crate) fn hash<A: Chosen, const D: usize>(
    starts: Starts<'_, A>,
    messages: &[&[u8]],
    out: &mut [[u8; D]],
) {
    karat_hash_core::places::check(messages.len(), out.len());
    const { assert!(D <= size_of::<State<A>>() && matches!(D, 64 | 48 | 32 | 28)) };
    let mut job = Job {
        starts,
        messages,
        out: out.as_flattened_mut(),
        size: D,
        padded: false,
        ahead: &[],
    };
    // The first message stands for all: most callers have messages of equal length.
    let length = messages.first().map_or(0, |m| m.len());
    // SAFETY: the table gives only what this CPU can run.
    unsafe { A::many(length)(&mut job) };
}
