//! Many messages: the job, and the implementation that does them one by one.

use super::engine::{self, BLOCK};
use super::portable;

/// Messages, and where their digests go. Only [`super::MANY`]'s bodies use it.
#[derive(Debug)]
pub struct Job<'a> {
    pub(super) iv: &'a [u32; 8],
    pub(super) messages: &'a [&'a [u8]],
    /// As many digests, one after another.
    pub(super) out: &'a mut [u8],
    /// Bytes of a digest, 32 or 28.
    pub(super) size: usize,
}

impl Job<'_> {
    /// Leaves out messages at the front, whose digests have been put.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.messages = &self.messages[count..];
        self.out = &mut core::mem::take(&mut self.out)[count * self.size..];
    }

    pub(super) fn put(&mut self, message: usize, digest: &[u8; 32]) {
        // A copy of constant size is two instructions, any other a call.
        if self.size == 32 {
            self.out.as_chunks_mut::<32>().0[message] = *digest;
        } else {
            self.out.as_chunks_mut::<28>().0[message].copy_from_slice(&digest[..28]);
        }
    }
}

/// Hashes all `messages` with the best implementation.
pub(super) fn hash<const D: usize>(iv: &[u32; 8], messages: &[&[u8]], out: &mut [[u8; D]]) {
    crate::room::check(messages.len(), out.len());
    const { assert!(D == 32 || D == 28) };
    let mut job = Job {
        iv,
        messages,
        out: out.as_flattened_mut(),
        size: D,
    };
    // SAFETY: the kernel gives only what runs here.
    unsafe { (super::MANY.get())(&mut job) };
}

/// One message after another, in plain Rust.
pub(super) fn portable(job: &mut Job<'_>) {
    for index in 0..job.messages.len() {
        let message = job.messages[index];
        let mut state = *job.iv;
        let (body, rest) = message.split_at(message.len() / BLOCK * BLOCK);
        let mut tail = [0; 2 * BLOCK];
        let blocks = engine::pad(&mut tail, rest, message.len() as u64);
        // SAFETY: both are slices of that length.
        unsafe {
            portable::compress(&mut state, body.as_ptr(), body.len() / BLOCK);
            portable::compress(&mut state, tail.as_ptr(), blocks);
        }
        job.put(index, &engine::bytes(&state));
    }
}
