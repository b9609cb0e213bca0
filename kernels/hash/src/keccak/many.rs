//! Many messages through a permutation of several states.

use super::sponge::{Parameters, Sponge, squeeze, word};
use crate::lanes::{self, Lanes, Parts, Stretch};

/// `N` states: word x + 5y of all, side by side.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct States<const N: usize>(pub(crate) [[u64; N]; 25]);

/// A message's last block, padded; room for the longest in whole vectors.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Tail(pub(crate) [u8; 192]);

/// What one ISA does with `N` states.
pub(crate) trait Wide<const N: usize> {
    /// Adds `blocks` blocks of `words` words from each pointer to its state and
    /// permutes after each. `fresh`: the states are zero before, whatever the
    /// memory holds.
    ///
    /// # Safety
    /// `blocks * words * 8` bytes must be readable at each pointer, `words` must
    /// be the rate of a hash of this module, and the CPU must have the ISA.
    unsafe fn absorb(
        states: &mut States<N>,
        at: &[*const u8; N],
        blocks: usize,
        words: usize,
        fresh: bool,
    );

    /// Writes the last block of a message: what is left of it, and the padding.
    ///
    /// # Safety
    /// `rest` must be shorter than the rate, and the CPU must have the ISA.
    #[inline]
    unsafe fn pad(tail: &mut Tail, rest: &[u8], p: Parameters) {
        let (words, end) = rest.as_chunks::<8>();
        let mut lanes = [0; 24];
        for (lane, bytes) in lanes.iter_mut().zip(words) {
            *lane = u64::from_le_bytes(*bytes);
        }
        lanes[words.len()] = word(end) | u64::from(p.suffix) << (end.len() * 8);
        lanes[p.words - 1] |= 0x80 << 56;
        for (bytes, lane) in tail.0.as_chunks_mut::<8>().0.iter_mut().zip(lanes) {
            *bytes = lane.to_le_bytes();
        }
    }
}

/// See [`super::kernel::Many`].
///
/// # Safety
/// As there, and the CPU must have `W`'s ISA.
pub(crate) unsafe fn many<const N: usize, W: Wide<N>>(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match p.words {
            9 => Engine::<N, 9, W>::hash(messages, out, length, p),
            13 => Engine::<N, 13, W>::hash(messages, out, length, p),
            17 => Engine::<N, 17, W>::hash(messages, out, length, p),
            18 => Engine::<N, 18, W>::hash(messages, out, length, p),
            21 => Engine::<N, 21, W>::hash(messages, out, length, p),
            _ => one_by_one(messages, out, length, p),
        }
    }
}

/// One message after the other.
pub(crate) fn one_by_one(messages: &[&[u8]], out: &mut [u8], length: usize, p: Parameters) {
    for (message, out) in messages.iter().zip(out.chunks_exact_mut(length.max(1))) {
        let mut sponge = Sponge::NEW;
        sponge.absorb(p, message);
        squeeze(&sponge.finish(p), out);
    }
}

struct Engine<'a, const N: usize, const WORDS: usize, W> {
    states: States<N>,
    tails: [Tail; N],
    out: &'a mut [u8],
    length: usize,
    p: Parameters,
    isa: core::marker::PhantomData<W>,
}

impl<'a, const N: usize, const WORDS: usize, W: Wide<N>> Engine<'a, N, WORDS, W> {
    const RATE: usize = WORDS * 8;

    /// # Safety
    /// As [`many`].
    unsafe fn hash(messages: &[&[u8]], out: &'a mut [u8], length: usize, p: Parameters) {
        let mut engine = Self {
            states: States([[0; N]; 25]),
            tails: [Tail([0; 192]); N],
            out,
            length,
            p,
            isa: core::marker::PhantomData,
        };
        // Messages of as many blocks march in step; as soon as a group's do not,
        // each lane goes its own pace.
        let (groups, rest) = messages.as_chunks::<N>();
        let mut done = 0;
        for group in groups {
            let body = group[0].len() / Self::RATE;
            if group.iter().any(|m| m.len() / Self::RATE != body) {
                break;
            }
            // SAFETY: all messages have `body` blocks.
            unsafe { engine.group(group, body, done) };
            done += N;
        }
        let _ = rest;
        let (left, out) = (&messages[done..], &mut engine.out[done * length..]);
        if left.len() < 2 {
            one_by_one(left, out, length, p);
        } else {
            let out = core::mem::take(&mut engine.out);
            engine.out = &mut out[done * length..];
            lanes::run(&mut engine, left);
        }
    }

    /// # Safety
    /// As [`many`], and every message must have `body` whole blocks.
    #[inline]
    unsafe fn group(&mut self, group: &[&[u8]; N], body: usize, first: usize) {
        // SAFETY: the caller's promise; a tail is one block.
        unsafe {
            if body > 0 {
                let at = group.map(<[u8]>::as_ptr);
                W::absorb(&mut self.states, &at, body, WORDS, true);
            }
            for (tail, message) in self.tails.iter_mut().zip(group) {
                W::pad(tail, message.get_unchecked(body * Self::RATE..), self.p);
            }
            let at = self.tails.each_ref().map(|t| t.0.as_ptr());
            W::absorb(&mut self.states, &at, 1, WORDS, body == 0);
        }
        for lane in 0..N {
            self.end(lane, first + lane);
        }
    }
}

impl<const N: usize, const WORDS: usize, W: Wide<N>> Lanes<N> for Engine<'_, N, WORDS, W> {
    const BLOCK: usize = WORDS * 8;

    fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        for word in &mut self.states.0 {
            word[lane] = 0;
        }
        let body = message.len() / Self::BLOCK;
        // SAFETY: less than a block is left; `many` was called with the ISA.
        unsafe { W::pad(&mut self.tails[lane], &message[body * Self::BLOCK..], self.p) };
        Parts { body, tail: 1 }
    }

    fn tail(&self, lane: usize) -> *const u8 {
        self.tails[lane].0.as_ptr()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        let at = stretches.map(|s| s.at);
        // SAFETY: the caller's promise; `many` was called with the ISA.
        unsafe { W::absorb(&mut self.states, &at, blocks, WORDS, false) };
    }

    #[inline]
    fn end(&mut self, lane: usize, message: usize) {
        let out = &mut self.out[message * self.length..][..self.length];
        let (words, rest) = out.as_chunks_mut::<8>();
        for (bytes, word) in words.iter_mut().zip(&self.states.0) {
            *bytes = word[lane].to_le_bytes();
        }
        if !rest.is_empty() {
            let word = self.states.0[words.len()][lane].to_le_bytes();
            rest.copy_from_slice(&word[..rest.len()]);
        }
    }
}

/// Says who is to blame when the slices differ.
pub(crate) fn same_length(messages: usize, out: usize) {
    assert!(
        messages == out,
        "hash_many: {messages} messages, but room for {out} digests; give slices of equal length"
    );
}

/// Feeds `update` with all that `reader` gives.
#[cfg(feature = "std")]
pub(crate) fn read_all(
    mut reader: impl std::io::Read,
    mut update: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    let mut buffer = [0; 16 << 10];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => update(&buffer[..count]),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}
