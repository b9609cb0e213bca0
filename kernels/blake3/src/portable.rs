//! Plain Rust: runs on every CPU, and is the reference for the tests of all others.

use super::constants::{BLOCK_LEN, IV, SCHEDULE, flags};
use super::job::{Job, LANES};
use super::mode::{Cv, Mode};
use super::words;

/// The quarter round (paper, section 2.2).
#[inline(always)]
fn g(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// One compression. Returns the new chaining value, then the 8 words that only extended
/// output uses.
pub(crate) fn compress(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 16] {
    let (words, _) = block.as_chunks::<4>();
    let m: [u32; 16] = core::array::from_fn(|i| u32::from_le_bytes(words[i]));
    let mut v = [0; 16];
    v[..8].copy_from_slice(cv);
    v[8..12].copy_from_slice(&IV[..4]);
    v[12..].copy_from_slice(&[counter as u32, (counter >> 32) as u32, len, flags]);
    for s in &SCHEDULE {
        g(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
        g(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
        g(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
        g(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
        g(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
        g(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
        g(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
        g(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
    }
    for i in 0..8 {
        v[i] ^= v[i + 8];
        v[i + 8] ^= cv[i];
    }
    v
}

/// See [`super::body::Blocks`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn blocks(
    cv: *mut u32,
    input: *const u8,
    blocks: usize,
    counter: u64,
    last_len: u32,
    flags: u32,
) {
    let [first, middle, last, wide] = flags.to_le_bytes().map(u32::from);
    // SAFETY: the caller guarantees that 8 words are readable. Words are aligned.
    let mut head = unsafe { cv.cast::<[u32; 8]>().read() };
    let mut state = [0; 16];
    state[..8].copy_from_slice(&head);
    for i in 0..blocks {
        // SAFETY: `i` is below `blocks`, so the block is readable. Bytes need no
        // alignment.
        let block = unsafe { &*input.add(i * BLOCK_LEN).cast::<[u8; BLOCK_LEN]>() };
        let (len, flags) = match i {
            _ if i + 1 == blocks => (last_len, last),
            0 => (BLOCK_LEN as u32, first),
            _ => (BLOCK_LEN as u32, middle),
        };
        state = compress(&head, block, counter, len, flags);
        head.copy_from_slice(&state[..8]);
    }
    let words = if wide > 0 { 16 } else { 8 };
    // SAFETY: the caller guarantees that so many words are writable.
    unsafe { cv.copy_from_nonoverlapping(state.as_ptr(), words) };
}

/// See [`super::body::Chunk`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn chunk(
    mode: &Mode,
    input: *const u8,
    len: usize,
    counter: u64,
    last: u32,
    out: *mut Cv,
) {
    // SAFETY: the caller guarantees that `input` is readable for `len` bytes.
    let input = unsafe { core::slice::from_raw_parts(input, len) };
    let (body, rest) = input.split_at(len.saturating_sub(1) / BLOCK_LEN * BLOCK_LEN);
    let mut cv = mode.key;
    let mut start = mode.flags | flags::CHUNK_START;
    for block in body.as_chunks().0 {
        let state = compress(&cv, block, counter, BLOCK_LEN as u32, start);
        cv.copy_from_slice(&state[..8]);
        start = mode.flags;
    }
    let mut block = [0; BLOCK_LEN];
    block[..rest.len()].copy_from_slice(rest);
    let state = compress(&cv, &block, counter, rest.len() as u32, start | last);
    cv.copy_from_slice(&state[..8]);
    // SAFETY: the caller guarantees that `out` is writable for 32 bytes.
    unsafe { out.write(words::bytes(&cv)) };
}

/// See [`super::body::Advance`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn advance(jobs: &mut [Job], blocks: usize, used: usize) {
    for lane in 0..used {
        let job = &mut jobs[lane / LANES];
        let lane = lane % LANES;
        // SAFETY: the caller guarantees that the key is null or readable.
        let mut cv = match unsafe { job.key.as_ref() } {
            Some(key) => *key,
            // SAFETY: the key is null, so the caller guarantees that `cv` is readable.
            None => unsafe { core::array::from_fn(|i| (*job.cv).0[i][lane]) },
        };
        let counter = u64::from(job.counter[0][lane]) | u64::from(job.counter[1][lane]) << 32;
        for i in 0..blocks {
            // SAFETY: the caller guarantees that the lane's input is readable for
            // `blocks` blocks.
            let block = unsafe { &*job.inputs[lane].add(i * BLOCK_LEN).cast() };
            let last = i + 1 == blocks;
            let len = job.lens[usize::from(last)][lane];
            let flags = job.flags[if last { 2 } else { usize::from(i > 0) }][lane];
            let out = compress(&cv, block, counter, len, flags);
            cv.copy_from_slice(&out[..8]);
        }
        if job.out.is_null() {
            for (i, word) in cv.into_iter().enumerate() {
                // SAFETY: `out` is null, so the caller guarantees that `cv` is
                // writable.
                unsafe { (*job.cv).0[i][lane] = word };
            }
        } else {
            for (i, word) in cv.iter().enumerate() {
                // SAFETY: the caller guarantees that `out` is writable for 32 bytes a
                // lane.
                unsafe {
                    job.out
                        .add(32 * lane + 4 * i)
                        .cast::<[u8; 4]>()
                        .write(word.to_le_bytes());
                }
            }
        }
    }
}
