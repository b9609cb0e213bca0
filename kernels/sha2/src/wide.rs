//! Many messages side by side: which lane reads what, for any kind of lanes.

use crate::algorithm::{Algorithm, Bytes as _, State};
use crate::block;
use crate::job::Job;
use core::mem::MaybeUninit;
use karat_hash_core::lanes::{self, Lanes, Parts, Stretch};
use karat_hash_core::slices;

/// The length of the messages, if all have the same length.
pub(crate) fn common_length(messages: &[&[u8]]) -> Option<usize> {
    let length = messages.first()?.len();
    (slices::of_length(messages, length) == messages.len()).then_some(length)
}

/// The padded end of a message. Aligned, so that no load crosses a cache line. The
/// second block is written only if there is one.
#[repr(align(64))]
pub(crate) struct Tail<A: Algorithm>(MaybeUninit<A::Ends>);

impl<A: Algorithm> Tail<A> {
    pub(crate) const NEW: Self = Self(MaybeUninit::uninit());

    pub(crate) const fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }

    /// The first block, of zeros.
    fn one_block(&mut self) -> &mut A::Block {
        const { assert!(size_of::<A::Block>() <= size_of::<A::Ends>()) };
        let block = self.0.as_mut_ptr().cast::<A::Block>();
        // SAFETY: there is room for two blocks, which are bytes, and the first one is written
        // before it is borrowed, for as long as the tail.
        unsafe {
            block.write(A::Block::ZERO);
            &mut *block
        }
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    pub(crate) const fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// States side by side, and a function that runs all of them over blocks.
pub(crate) trait Wide<A: Algorithm, const N: usize> {
    /// Creates lanes in which all states are `iv`.
    fn new(iv: &State<A>) -> Self;

    /// The state of one lane.
    fn get(&self, lane: usize) -> State<A>;
    fn set(&mut self, lane: usize, state: &State<A>);

    /// Runs every lane over `blocks` blocks, 1 or more. Lanes that are not `busy` may
    /// be left out.
    ///
    /// # Safety
    /// The CPU must have the implementation's ISAs. Every row must be readable for
    /// `blocks` blocks.
    unsafe fn blocks(&mut self, rows: &[*const u8; N], busy: u32, blocks: usize);

    /// Writes the states of all lanes as bytes.
    ///
    /// # Safety
    /// The CPU must have the implementation's ISAs.
    unsafe fn digests(&self, out: &mut [A::Digest; N]) {
        for (lane, out) in out.iter_mut().enumerate() {
            *out = block::bytes::<A>(&self.get(lane));
        }
    }

    /// Pads the ends of messages, which come after a prefix of `before` bytes. Returns
    /// the number of blocks of the last message's tail. All of them are written.
    ///
    /// # Safety
    /// The CPU must have the implementation's ISAs.
    unsafe fn pad(messages: &[&[u8]], before: u64, tails: &mut [Tail<A>]) -> usize {
        let mut blocks = 0;
        for (message, tail) in messages.iter().zip(tails) {
            let rest = &message[message.len() / A::BLOCK * A::BLOCK..];
            let length = before.wrapping_add(message.len() as u64);
            blocks = if block::ends::<A>(rest) == 1 {
                block::pad::<A, A::Block>(tail.one_block(), rest, length)
            } else {
                block::pad::<A, A::Ends>(tail.0.write(A::Ends::ZERO), rest, length)
            };
        }
        blocks
    }
}

/// Hashes messages `first..first + count` of the job. All have one length, so no lane
/// waits for another.
///
/// # Safety
/// The CPU must have the ISAs of `W`. `count` is 1 to `N`.
pub(crate) unsafe fn equal<A: Algorithm, W: Wide<A, N>, const N: usize>(
    job: &mut Job<'_, A>,
    first: usize,
    count: usize,
) {
    let messages = &job.messages[first..first + count];
    let length = messages[0].len();
    let busy = (u64::MAX >> (64 - count)) as u32;
    let mut wide = W::new(job.start(first));
    if !job.one_start() {
        for lane in 1..count {
            wide.set(lane, job.start(first + lane));
        }
    }
    let rows = rows(messages);
    let mut tails = [const { Tail::NEW }; N];
    // SAFETY: every row is a message of `length` bytes or a tail of two blocks. The
    // caller guarantees the ISAs and `count`.
    unsafe {
        if length >= A::BLOCK {
            wide.blocks(&rows, busy, length / A::BLOCK);
        }
        if job.padded {
            return put(&wide, job, first, count);
        }
        // If no bytes remain after the full blocks, all messages have the same tail.
        let shared = length.is_multiple_of(A::BLOCK);
        let padded = if shared { &messages[..1] } else { messages };
        let blocks = W::pad(padded, job.before(), &mut tails);
        let last = if shared { 0 } else { count - 1 };
        let mut rows = rows;
        for lane in 0..N {
            rows[lane] = tails[lane.min(last)].as_ptr();
        }
        wide.blocks(&rows, busy, blocks);
        put(&wide, job, first, count);
    }
}

/// Writes the digests of messages `first..first + count`.
///
/// # Safety
/// The CPU must have the ISAs of `W`. `out` has places for that many digests.
#[inline(always)]
unsafe fn put<A: Algorithm, W: Wide<A, N>, const N: usize>(
    wide: &W,
    job: &mut Job<'_, A>,
    first: usize,
    count: usize,
) {
    // SAFETY: the caller upholds the safety contract. N digests are as many bytes as that
    // part of `out` has, and a digest is an array of bytes.
    unsafe {
        if job.size == size_of::<A::Digest>() && count == N {
            let out = &mut job.out[first * job.size..][..N * job.size];
            return wide.digests(&mut *out.as_mut_ptr().cast());
        }
        let mut digests = [A::Digest::ZERO; N];
        wide.digests(&mut digests);
        for (i, digest) in digests[..count].iter().enumerate() {
            job.put(first + i, digest);
        }
    }
}

/// The address that each lane reads: one message for each lane. An idle lane reads what
/// the last busy one reads.
///
/// Loops over indices, here and in the lanes' own functions. The code of closures and
/// `zip` depends on codegen units and link-time optimisation
/// (docs/notes/sha256-many.md).
#[inline]
pub(crate) fn rows<const N: usize>(messages: &[&[u8]]) -> [*const u8; N] {
    let mut rows = [core::ptr::null(); N];
    let mut lane = 0;
    while lane < N {
        let last = messages.len() - 1;
        rows[lane] = messages[if lane < last { lane } else { last }].as_ptr();
        lane += 1;
    }
    rows
}

/// Hashes the job's messages of any lengths.
///
/// # Safety
/// The CPU must have the ISAs of `W`.
pub(crate) unsafe fn mixed<A: Algorithm, W: Wide<A, N>, const N: usize>(job: &mut Job<'_, A>) {
    let messages = job.messages;
    if messages.is_empty() {
        return;
    }
    let mut tails = [const { Tail::NEW }; N];
    let mut adapter = Adapter {
        wide: W::new(job.start(0)),
        tails: tails.as_mut_ptr(),
        job,
    };
    lanes::run(&mut adapter, messages);
}

struct Adapter<'a, 'b, A: Algorithm, W, const N: usize> {
    wide: W,
    /// One tail for each lane. A pointer, because lanes keep pointers to their tails
    /// during exclusive borrows of the adapter.
    tails: *mut Tail<A>,
    job: &'a mut Job<'b, A>,
}

impl<A: Algorithm, W: Wide<A, N>, const N: usize> Lanes<N> for Adapter<'_, '_, A, W, N> {
    const BLOCK: usize = A::BLOCK;

    fn begin(&mut self, lane: usize, number: usize, message: &[u8]) -> Parts {
        self.wide.set(lane, self.job.start(number));
        // SAFETY: the caller of `mixed` guarantees the ISAs. `lane` is below the number
        // of tails, and nobody reads this tail before it is written.
        let tail = unsafe {
            let tail = core::slice::from_mut(&mut *self.tails.add(lane));
            W::pad(&[message], self.job.before(), tail)
        };
        Parts {
            body: message.len() / A::BLOCK,
            tail,
        }
    }

    fn tail(&self, lane: usize) -> *const u8 {
        // Derived from the pointer to the whole array, so that it stays valid.
        self.tails.wrapping_add(lane).cast()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        let mut busy = 0;
        let mut rows = [core::ptr::null(); N];
        for lane in 0..N {
            let stretch = &stretches[lane];
            debug_assert!(stretch.busy || !stretch.last);
            busy |= u32::from(stretch.busy) << lane;
            rows[lane] = stretch.at;
        }
        // SAFETY: the caller guarantees readable rows. The caller of `mixed` guarantees
        // the ISAs.
        unsafe { self.wide.blocks(&rows, busy, blocks) };
    }

    fn end(&mut self, lane: usize, message: usize) {
        let digest = block::bytes::<A>(&self.wide.get(lane));
        self.job.put(message, &digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Starts;
    use crate::portable;
    use crate::sha256::constants::{IV224, IV256, Sha256};
    use crate::sha512::constants::{IV384, IV512, IV512_256, Sha512};
    use alloc::vec;
    use alloc::vec::Vec;

    /// Three lanes in plain Rust, so that Miri can run them.
    struct Three<A: Algorithm>([State<A>; 3]);

    impl<A: Algorithm> Wide<A, 3> for Three<A> {
        fn new(iv: &State<A>) -> Self {
            Self([*iv; 3])
        }

        fn get(&self, lane: usize) -> State<A> {
            self.0[lane]
        }

        fn set(&mut self, lane: usize, state: &State<A>) {
            self.0[lane] = *state;
        }

        unsafe fn blocks(&mut self, rows: &[*const u8; 3], busy: u32, blocks: usize) {
            for (lane, (state, row)) in self.0.iter_mut().zip(rows).enumerate() {
                if busy >> lane & 1 == 1 {
                    // SAFETY: the caller guarantees that the row is readable for
                    // `blocks` blocks.
                    unsafe { portable::compress::<A>(state, *row, blocks) };
                }
            }
        }
    }

    fn check<A: Algorithm>(starts: Starts<'_, A>, size: usize, messages: &[&[u8]]) {
        let job = |out: &mut [u8], run: &mut dyn FnMut(&mut Job<'_, A>)| {
            run(&mut Job {
                starts,
                messages,
                out,
                size,
                padded: false,
                ahead: &[],
            });
        };
        let mut expected = vec![0; messages.len() * size];
        job(&mut expected, &mut portable::many);
        let mut out = vec![0; expected.len()];
        // SAFETY: plain Rust runs on every CPU.
        job(&mut out, &mut |job| unsafe { mixed::<A, Three<A>, 3>(job) });
        assert_eq!(out, expected);
        if common_length(messages).is_some() {
            out.fill(0);
            job(&mut out, &mut |job| {
                for first in (0..messages.len()).step_by(3) {
                    let count = (messages.len() - first).min(3);
                    // SAFETY: plain Rust runs on every CPU, and the count is 1 to 3.
                    unsafe { equal::<A, Three<A>, 3>(job, first, count) };
                }
            });
            assert_eq!(out, expected);
        }
    }

    /// All sizes of an algorithm's digests, from the initial state and from states of
    /// each message's own.
    fn all<A: Algorithm>(ivs: &[(&State<A>, usize)], messages: &[&[u8]]) {
        for (iv, size) in ivs {
            check::<A>(Starts::Initial(iv), *size, messages);
            let states: Vec<State<A>> = (0..messages.len())
                .map(|i| core::array::from_fn(|word| iv[(word + i) % 8]))
                .collect();
            let length = 3 * A::BLOCK as u64;
            let states = &states;
            check::<A>(Starts::Each { states, length }, *size, messages);
        }
    }

    #[test]
    fn lanes_give_what_one_after_another_gives() {
        let data: Vec<u8> = (0..700_u32).map(|i| ((i * i) >> 3) as u8).collect();
        // More messages than lanes; under Miri, which is slow, only that.
        for count in if cfg!(miri) { 5..6 } else { 0..8 } {
            let sets = [0, 55, 56, 64, 111, 112, 128, 129, 257]
                .map(|length| (0..count).map(|i| &data[i..i + length]).collect())
                .into_iter()
                .chain([(0..count).map(|i| &data[i..][..i * 83 % 500]).collect()]);
            for messages in sets {
                let messages: Vec<&[u8]> = messages;
                all::<Sha256>(&[(&IV256, 32), (&IV224, 28)], &messages);
                all::<Sha512>(&[(&IV512, 64), (&IV384, 48), (&IV512_256, 32)], &messages);
            }
        }
    }
}
