//! Hashes many messages by permuting several states at once.

use super::state::{Parameters, Rounds, word};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use karat_hash_core::lanes::{self, Lanes, Parts, Stretch};

/// `N` states. Row x + 5y holds that word of all states.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct States<const N: usize>(pub(crate) [[u64; N]; 25]);

/// The padded last block of a message. It has room for the longest one in full vectors.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Tail(pub(crate) [u8; 192]);

/// The operations on `N` states that each ISA implements.
pub(crate) trait Wide<const N: usize> {
    /// Adds `blocks` blocks of `words` words from each pointer to its state and
    /// permutes after each block. With `fresh`, the states are zero before, whatever
    /// the memory holds.
    ///
    /// # Safety
    /// `blocks` must be 1 or more, and `words` the rate of a hash of this module. Each
    /// pointer must be readable for `blocks * words * 8` bytes. `states` must be
    /// writable, and initialised unless `fresh`. The CPU must have the ISA.
    unsafe fn absorb(
        states: *mut States<N>,
        at: &[*const u8; N],
        blocks: usize,
        words: usize,
        fresh: bool,
        rounds: Rounds,
    );

    /// Writes the last block of a message: its remaining bytes and the padding.
    ///
    /// # Safety
    /// `rest` must be shorter than the rate and `tail` writable. The CPU must have the
    /// ISA.
    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        let (words, end) = rest.as_chunks::<8>();
        let mut block = [[0; 8]; 24];
        block[..words.len()].copy_from_slice(words);
        let last = word(end) | u64::from(p.suffix) << (end.len() * 8);
        block[words.len()] = last.to_le_bytes();
        block[p.words - 1][7] |= 0x80;
        // SAFETY: the caller guarantees that `tail` is writable.
        unsafe { tail.cast::<[[u8; 8]; 24]>().write(block) };
    }

    /// Writes the first 32 bytes of every state, one after the other.
    ///
    /// # Safety
    /// The states must be initialised and `out` writable for `32 * N` bytes. The CPU must have
    /// the ISA.
    #[inline]
    unsafe fn digests(states: *const States<N>, out: *mut [u8; 32]) {
        // SAFETY: the caller guarantees that the states are initialised.
        let states = unsafe { &(*states).0 };
        for (word, row) in states[..4].iter().enumerate() {
            for (lane, value) in row.iter().enumerate() {
                let bytes = value.to_le_bytes();
                // SAFETY: the caller guarantees that `out` is writable for `32 * N` bytes.
                unsafe { out.add(lane).cast::<[u8; 8]>().add(word).write(bytes) };
            }
        }
    }

    /// Hashes `N` messages that have `body` full blocks each. Digests of 32 bytes go to `out`,
    /// one after the other; of others the first `length` bytes are in the states afterwards.
    /// `tails` is scratch space.
    ///
    /// # Safety
    /// The same conditions as for [`absorb`](Self::absorb) and [`pad`](Self::pad), and for
    /// digests of 32 bytes `out` must be writable for `32 * N` bytes.
    #[inline]
    unsafe fn group(
        states: *mut States<N>,
        tails: *mut [Tail; N],
        messages: &[&[u8]; N],
        body: usize,
        p: Parameters,
        length: usize,
        out: *mut u8,
    ) {
        let tails = tails.cast::<Tail>();
        let (mut at, mut ends) = ([core::ptr::null(); N], [core::ptr::null(); N]);
        // Plain loops here and in `end`: without link-time optimisation `map` and `zip`
        // stay calls, which are slow for short messages (docs/notes/keccak.md).
        let mut lane = 0;
        // SAFETY: the caller upholds the safety contract. A tail is one block. The first call
        // for a group initialises the states.
        unsafe {
            while lane < N {
                at[lane] = messages[lane].as_ptr();
                ends[lane] = tails.add(lane).cast::<u8>().cast_const();
                Self::pad(tails.add(lane), &messages[lane][body * p.rate()..], p);
                lane += 1;
            }
            if body > 0 {
                Self::absorb(states, &at, body, p.words, true, p.rounds);
            }
            Self::absorb(states, &ends, 1, p.words, body == 0, p.rounds);
            if length == 32 {
                Self::digests(states, out.cast());
            }
        }
    }
}

/// See [`super::body::Many`]. Returns how many messages from the front it hashed: all, all
/// but one, or none for a rate that there is no code for.
///
/// # Safety
/// The same conditions as there, and the CPU must have the ISA of `W`.
pub(crate) unsafe fn many<const N: usize, W: Wide<N>>(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        match p.words {
            9 => Engine::<N, 9, W>::hash(messages, out, length, p),
            13 => Engine::<N, 13, W>::hash(messages, out, length, p),
            17 => Engine::<N, 17, W>::hash(messages, out, length, p),
            18 => Engine::<N, 18, W>::hash(messages, out, length, p),
            21 => Engine::<N, 21, W>::hash(messages, out, length, p),
            _ => 0,
        }
    }
}

struct Engine<'a, const N: usize, const WORDS: usize, W> {
    /// Not set to zero: kernels write the states before they read them.
    states: MaybeUninit<States<N>>,
    /// Last blocks. They are outside of `self`, because lanes keep pointers to them while
    /// `self` is borrowed again.
    tails: *mut [Tail; N],
    out: &'a mut [u8],
    length: usize,
    p: Parameters,
    isa: PhantomData<W>,
}

impl<'a, const N: usize, const WORDS: usize, W: Wide<N>> Engine<'a, N, WORDS, W> {
    const RATE: usize = WORDS * 8;

    /// # Safety
    /// The same conditions as for [`many`].
    unsafe fn hash(messages: &[&[u8]], out: &'a mut [u8], length: usize, p: Parameters) -> usize {
        let mut tails = MaybeUninit::uninit();
        let mut engine = Self {
            states: MaybeUninit::uninit(),
            tails: tails.as_mut_ptr(),
            out,
            length,
            p,
            isa: PhantomData,
        };
        // Groups of messages with equally many blocks run in step. After the first
        // group without that property, each lane takes a new message when its own ends.
        let mut left = messages;
        while let Some((group, rest)) = left.split_first_chunk::<N>() {
            let body = group[0].len() / Self::RATE;
            if group.iter().any(|m| m.len() / Self::RATE != body) {
                break;
            }
            // SAFETY: all messages of the group have `body` full blocks.
            unsafe { engine.group(group, body) };
            engine.out = &mut core::mem::take(&mut engine.out)[N * length..];
            left = rest;
        }
        if left.len() < 2 {
            return messages.len() - left.len();
        }
        // Idle lanes permute these zeros.
        engine.states.write(States([[0; N]; 25]));
        lanes::run(&mut engine, left);
        messages.len()
    }

    /// # Safety
    /// The same conditions as for [`many`], and every message must have `body` full
    /// blocks.
    #[inline]
    unsafe fn group(&mut self, group: &[&[u8]; N], body: usize) {
        let states = self.states.as_mut_ptr();
        let out = self.out[..N * self.length].as_mut_ptr();
        // SAFETY: the caller upholds the safety contract.
        unsafe { W::group(states, self.tails, group, body, self.p, self.length, out) };
        if self.length == 32 {
            return;
        }
        for lane in 0..N {
            self.end(lane, lane);
        }
    }
}

impl<const N: usize, const WORDS: usize, W: Wide<N>> Lanes<N> for Engine<'_, N, WORDS, W> {
    const BLOCK: usize = WORDS * 8;

    fn begin(&mut self, lane: usize, _: usize, message: &[u8]) -> Parts {
        let body = message.len() / Self::BLOCK;
        // SAFETY: `hash` initialises the states before it calls `run`. Less than a
        // block is left. The caller of `many` guarantees the ISA.
        unsafe {
            for word in &mut self.states.assume_init_mut().0 {
                word[lane] = 0;
            }
            let tail = self.tails.cast::<Tail>().add(lane);
            W::pad(tail, &message[body * Self::BLOCK..], self.p);
        }
        Parts { body, tail: 1 }
    }

    fn tail(&self, lane: usize) -> *const u8 {
        self.tails.cast::<Tail>().wrapping_add(lane).cast()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        let at = stretches.map(|s| s.at);
        // SAFETY: the caller upholds the safety contract. The caller of `many`
        // guarantees the ISA.
        unsafe {
            W::absorb(
                self.states.as_mut_ptr(),
                &at,
                blocks,
                WORDS,
                false,
                self.p.rounds,
            );
        }
    }

    #[inline]
    fn end(&mut self, lane: usize, message: usize) {
        // SAFETY: a permutation has written the states, so they are initialised.
        let states = unsafe { &self.states.assume_init_ref().0 };
        let out = &mut self.out[message * self.length..][..self.length];
        let (words, rest) = out.as_chunks_mut::<8>();
        let mut word = 0;
        while word < words.len() {
            words[word] = states[word][lane].to_le_bytes();
            word += 1;
        }
        if !rest.is_empty() {
            let word = states[words.len()][lane].to_le_bytes();
            rest.copy_from_slice(&word[..rest.len()]);
        }
    }
}
