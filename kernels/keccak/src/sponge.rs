//! The sponge: a state, and the number of bytes of its rate that are filled.
//!
//! Input is added directly to the state, so no block is buffered. A full rate is
//! permuted at once.

use super::kernel::KERNEL;
use super::state::{Parameters, Rounds, State, word};

/// Aligned, because the compiler clears a state with vector stores, which are slow
/// across cache lines (docs/notes/keccak.md).
#[repr(align(64))]
struct Aligned(State);

#[derive(Clone)]
pub(crate) struct Sponge {
    state: State,
    /// Bytes of the rate that are filled. Always less than the rate.
    filled: usize,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([] Sponge);

impl Sponge {
    pub(crate) const NEW: Self = Self {
        state: [0; 25],
        filled: 0,
    };

    #[inline]
    pub(crate) fn absorb(&mut self, p: Parameters, mut input: &[u8]) {
        let rate = p.rate();
        if self.filled > 0 {
            let (now, later) = input.split_at(input.len().min(rate - self.filled));
            xor(&mut self.state, self.filled, now);
            self.filled += now.len();
            input = later;
            if self.filled < rate {
                return;
            }
            permute(&mut self.state, p.rounds);
            self.filled = 0;
        }
        let blocks = input.len() / rate;
        if blocks > 0 {
            let (state, at) = (&mut self.state, input.as_ptr());
            // SAFETY: `input` holds that many blocks.
            unsafe { (KERNEL.get())(state, at, blocks, p.words, false, p.rounds) };
            input = &input[blocks * rate..];
        }
        xor(&mut self.state, 0, input);
        self.filled = input.len();
    }

    /// Pads and permutes. The state then holds the first block of output.
    #[inline]
    pub(crate) fn finish(mut self, p: Parameters) -> State {
        self.pad(p);
        permute(&mut self.state, p.rounds);
        self.state
    }

    /// Pads, permutes and writes the digest, at most the rate.
    #[inline]
    pub(crate) fn digest(mut self, p: Parameters, out: &mut [u8]) {
        self.pad(p);
        last(&mut self.state, &[], p.rounds, out);
    }

    /// Hashes one message to a digest of at most the rate. The words of its last block
    /// go directly from the message into the kernel. A copy by the compiler would store
    /// in other widths than the kernel loads, and the loads would wait.
    ///
    /// Always inlined, so that digests of a constant length go to their place without a copy
    /// (docs/notes/keccak.md).
    #[inline(always)]
    pub(crate) fn hash(p: Parameters, message: &[u8], out: &mut [u8]) {
        let Aligned(state) = &mut Aligned([0; 25]);
        let (blocks, rate) = (message.len() / p.rate(), p.rate());
        if blocks > 0 {
            // SAFETY: the message holds that many blocks.
            unsafe {
                (KERNEL.get())(state, message.as_ptr(), blocks, p.words, false, p.rounds);
            }
        }
        let (words, end) = message[blocks * rate..].as_chunks::<8>();
        state[words.len()] ^= word(end) | u64::from(p.suffix) << (end.len() * 8);
        state[p.words - 1] ^= 0x80 << 56;
        last(state, words, p.rounds, out);
    }

    #[inline]
    fn pad(&mut self, p: Parameters) {
        self.state[self.filled / 8] ^= u64::from(p.suffix) << (self.filled % 8 * 8);
        self.state[p.words - 1] ^= 0x80 << 56;
    }
}

/// Adds the last words, permutes and writes a digest.
#[inline]
fn last(state: &mut State, words: &[[u8; 8]], rounds: Rounds, out: &mut [u8]) {
    let row = out.len() <= 40;
    // SAFETY: `words` is one block, shorter than the rate.
    unsafe { (KERNEL.get())(state, words.as_ptr().cast(), 1, words.len(), row, rounds) };
    squeeze(state, out);
}

#[inline]
pub(crate) fn permute(state: &mut State, rounds: Rounds) {
    // SAFETY: with 0 words to add, the pointer is not used.
    unsafe { (KERNEL.get())(state, core::ptr::null(), 1, 0, false, rounds) };
}

/// Adds `bytes` to the state, beginning at byte `at`.
#[inline]
fn xor(state: &mut State, mut at: usize, mut bytes: &[u8]) {
    if !at.is_multiple_of(8) {
        let (head, rest) = bytes.split_at(bytes.len().min(8 - at % 8));
        state[at / 8] ^= word(head) << (at % 8 * 8);
        at += head.len();
        bytes = rest;
    }
    let (words, rest) = bytes.as_chunks::<8>();
    let place = &mut state[at / 8..];
    for (lane, bytes) in place.iter_mut().zip(words) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    if !rest.is_empty() {
        place[words.len()] ^= word(rest);
    }
}

/// The bytes of the state from byte 0 on.
#[inline]
pub(crate) fn squeeze(state: &State, out: &mut [u8]) {
    let (words, rest) = out.as_chunks_mut::<8>();
    for (bytes, lane) in words.iter_mut().zip(state) {
        *bytes = lane.to_le_bytes();
    }
    let count = words.len();
    if !rest.is_empty() {
        rest.copy_from_slice(&state[count].to_le_bytes()[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_length_are_little_endian() {
        let bytes = [1u8, 2, 3, 4, 5, 6, 7, 8];
        for n in 0..=8 {
            let mut padded = [0; 8];
            padded[..n].copy_from_slice(&bytes[..n]);
            assert_eq!(word(&bytes[..n]), u64::from_le_bytes(padded), "{n}");
        }
    }

    #[test]
    fn bytes_land_where_they_belong() {
        let bytes: [u8; 40] = core::array::from_fn(|i| i as u8 + 1);
        // A few under Miri, which is slow.
        let step = if cfg!(miri) { 13 } else { 1 };
        for at in (0..20).step_by(step) {
            for n in (0..=40).step_by(step) {
                let mut state = [0; 25];
                xor(&mut state, at, &bytes[..n]);
                let mut out = [0; 200];
                squeeze(&state, &mut out);
                let mut expected = [0; 200];
                expected[at..at + n].copy_from_slice(&bytes[..n]);
                assert_eq!(out, expected, "{at} {n}");
            }
        }
    }
}
