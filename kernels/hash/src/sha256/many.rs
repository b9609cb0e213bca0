//! The job of hashing many messages, and the portable implementation.

use super::engine::{self, BLOCK};
use super::portable;

/// Messages, and room for their digests. Only the implementations of [`super::MANY`]
/// use it.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(super) iv: &'a [u32; 8],
    pub(super) messages: &'a [&'a [u8]],
    /// Room for as many digests, one after another.
    pub(super) out: &'a mut [u8],
    /// Bytes in a digest, 32 or 28.
    pub(super) size: usize,
    /// Whether the messages are whole blocks that end with their own padding. Then all
    /// have the same length.
    pub(super) padded: bool,
}

impl Job<'_> {
    /// Removes messages at the front, whose digests have been written.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.messages = &self.messages[count..];
        self.out = &mut core::mem::take(&mut self.out)[count * self.size..];
    }

    pub(super) fn put(&mut self, message: usize, digest: &[u8; 32]) {
        // A copy of constant size is two instructions, any other is a call.
        if self.size == 32 {
            self.out.as_chunks_mut::<32>().0[message] = *digest;
        } else {
            self.out.as_chunks_mut::<28>().0[message].copy_from_slice(&digest[..28]);
        }
    }
}

/// Hashes all `messages` with the chosen implementation.
pub(super) fn hash<const D: usize>(iv: &[u32; 8], messages: &[&[u8]], out: &mut [[u8; D]]) {
    crate::room::check(messages.len(), out.len());
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

/// Hashes one message after another, in plain Rust.
pub(super) fn portable(job: &mut Job<'_>) {
    for index in 0..job.messages.len() {
        let message = job.messages[index];
        let mut state = *job.iv;
        let (body, rest) = message.split_at(message.len() / BLOCK * BLOCK);
        // SAFETY: the slice holds that many blocks, and plain Rust runs on every CPU.
        unsafe { portable::compress(&mut state, body.as_ptr(), body.len() / BLOCK) };
        if !job.padded {
            let mut tail = [0; 2 * BLOCK];
            let blocks = engine::pad(&mut tail, rest, message.len() as u64);
            // SAFETY: as above.
            unsafe { portable::compress(&mut state, tail.as_ptr(), blocks) };
        }
        job.put(index, &engine::bytes(&state));
    }
}
