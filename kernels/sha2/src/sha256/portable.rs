//! Plain Rust: the fallback, and the reference for the tests of all others.

use super::block::{self, BLOCK};
use super::constants::{K, next_word};
use super::job::Job;

/// Runs the compression function over `count` blocks (FIPS 180-4, section 6.2.2).
///
/// # Safety
/// `blocks` must be readable for `64 * count` bytes.
pub(super) unsafe fn compress(state: &mut [u32; 8], blocks: *const u8, count: usize) {
    // SAFETY: the caller guarantees that `blocks` is readable for `64 * count` bytes.
    let bytes = unsafe { core::slice::from_raw_parts(blocks, 64 * count) };
    for block in bytes.as_chunks::<64>().0 {
        one(state, block);
    }
}

fn one(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut w = [0u32; 16];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (t, k) in K.0.iter().enumerate() {
        let i = t % 16;
        if t >= 16 {
            w[i] = next_word(w[i], w[(i + 1) % 16], w[(i + 9) % 16], w[(i + 14) % 16]);
        }
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choose = (f ^ g) & e ^ g;
        let t1 = h
            .wrapping_add(s1)
            .wrapping_add(choose)
            .wrapping_add(*k)
            .wrapping_add(w[i]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b | (a | b) & c;
        (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
        (d, c, b, a) = (c, b, a, t1.wrapping_add(s0).wrapping_add(majority));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

/// Hashes one message after another, in plain Rust.
pub(super) fn many(job: &mut Job<'_>) {
    for index in 0..job.messages.len() {
        let message = job.messages[index];
        let mut state = *job.iv;
        let (body, rest) = message.split_at(message.len() / BLOCK * BLOCK);
        // SAFETY: the slice holds that many blocks, and plain Rust runs on every CPU.
        unsafe { compress(&mut state, body.as_ptr(), body.len() / BLOCK) };
        if !job.padded {
            let mut tail = [0; 2 * BLOCK];
            let blocks = block::pad(&mut tail, rest, message.len() as u64);
            // SAFETY: as above.
            unsafe { compress(&mut state, tail.as_ptr(), blocks) };
        }
        job.put(index, &block::bytes(&state));
    }
}
