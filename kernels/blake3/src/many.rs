//! Hashes many independent messages.

use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN, flags};
use super::forest::forest;
use super::hasher::hash_of;
use super::job::{Cvs, Job, LANES};
use super::kernel::{Body, KERNEL, OneBlock};
use super::raw::Flags;
use super::tree::{Cv, Mode, WIDE};
use core::cell::Cell;
use core::mem::MaybeUninit;
use karat_hash_core::lanes::{self, Lanes, Parts, Stretch};
use karat_hash_core::{places, slices};

/// Hashes each of `messages` as [`hash`](super::hash) does.
///
/// Messages of different lengths share the lanes. Messages of up to 64 KiB share them
/// for all chunks. Longer messages share them for the last levels of their trees.
///
/// # Panics
/// When `messages` and `out` differ in length.
#[inline]
pub fn hash_many(messages: &[&[u8]], out: &mut [[u8; OUT_LEN]]) {
    many(&super::hasher::PLAIN, messages, out);
}

/// Hashes each of `messages` with a key, as [`keyed_hash`](super::keyed_hash) does.
///
/// # Panics
/// When `messages` and `out` differ in length.
#[inline]
pub fn keyed_hash_many(key: &[u8; super::KEY_LEN], messages: &[&[u8]], out: &mut [[u8; OUT_LEN]]) {
    many(&super::hasher::keyed(key), messages, out);
}

#[inline]
pub(crate) fn many(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) {
    places::check(messages.len(), out.len());
    let taken = blocks(mode, messages, out);
    if taken < messages.len() {
        runs(mode, &messages[taken..], &mut out[taken..]);
    }
}

/// Hashes the messages of a single block at the front, in groups, if the implementation
/// has a function for that. Returns how many.
///
/// This is a separate function because the code for other messages has a large frame
/// and many branches. Each compiler flag changes that code, which would be measurable
/// for messages of one block.
fn blocks(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) -> usize {
    let Some(each) = KERNEL.get().0.each else {
        return 0;
    };
    let count = slices::of_length(messages, BLOCK_LEN);
    if count < LANES {
        return 0;
    }
    let Flags { every, first, last } = chunk(mode);
    let block = OneBlock {
        key: mode.key,
        len: BLOCK_LEN as u32,
        flags: every | first | last,
    };
    // SAFETY: the table gave the function. The first `count` messages have one block
    // each, and there is a place for each hash.
    unsafe { each(&block, &messages[..count], &mut out[..count]) }
}

/// Hashes messages of any lengths, one run of similar messages after the other.
#[inline(never)]
fn runs(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) {
    let narrow = KERNEL.get().0.width == 1;
    let (mut messages, mut out) = (messages, out);
    while let Some(first) = messages.first() {
        let len = first.len();
        // Messages of one length go through the lanes in step if they are full blocks
        // or less than one block. A lane takes one short message after the other if
        // lengths differ.
        let whole = len <= CHUNK_LEN && len.is_multiple_of(BLOCK_LEN);
        let equal = if whole || len < BLOCK_LEN {
            slices::of_length(messages, len)
        } else {
            0
        };
        let count = if narrow || messages.len() == 1 {
            1
        } else if equal >= LANES || equal == messages.len() {
            equal
        } else {
            let short = prefix(messages, |l| l <= CHUNK_LEN);
            if short < WIDE && short < messages.len() {
                // There are too few short messages to hash them apart from longer ones.
                let taken = forest(mode, messages, out);
                (messages, out) = (&messages[taken..], &mut out[taken..]);
                continue;
            }
            short
        };
        let (now, later) = messages.split_at(count);
        let (places, rest) = out.split_at_mut(count);
        if count == 1 {
            places[0] = hash_of(mode, first);
        } else if count == equal {
            equals(mode, now, places);
        } else {
            shorts(mode, now, places);
        }
        (messages, out) = (later, rest);
    }
}

/// Number of messages at the front whose length has the property `kind`.
fn prefix(messages: &[&[u8]], kind: impl Fn(usize) -> bool) -> usize {
    messages.iter().take_while(|m| kind(m.len())).count()
}

/// Flags of a message of one chunk.
fn chunk(mode: &Mode) -> Flags {
    Flags {
        every: mode.flags,
        first: flags::CHUNK_START,
        last: flags::CHUNK_END | flags::ROOT,
    }
}

/// Hashes messages of one length: 1 to 16 full blocks, or less than a block.
fn equals(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) {
    let len = messages[0].len();
    let Flags { every, first, last } = chunk(mode);
    let single = if len <= BLOCK_LEN { first } else { 0 };
    let flags = [every | first, every, every | last | single];
    let (mut messages, mut out) = (messages, out);
    if len == BLOCK_LEN {
        let taken = blocks(mode, messages, out);
        if taken == messages.len() {
            return;
        }
        (messages, out) = (&messages[taken..], &mut out[taken..]);
    }
    if messages.len() > LANES {
        let jobs = &mut [Job::new(flags), Job::new(flags)];
        equals_in(jobs, mode, messages, len, out);
    } else {
        equals_in(&mut [Job::new(flags)], mode, messages, len, out);
    }
}

fn equals_in(jobs: &mut [Job], mode: &Mode, messages: &[&[u8]], len: usize, out: &mut [Cv]) {
    if len < BLOCK_LEN {
        return padded(jobs, mode, messages, len, out);
    }
    let size = jobs.len() * LANES;
    let body = KERNEL.get();
    for (messages, out) in messages.chunks(size).zip(out.chunks_mut(size)) {
        group(body, jobs, &mode.key, messages, len / BLOCK_LEN, out);
    }
}

/// Hashes messages of less than a block. Not inlined, so that messages of full blocks
/// do not pay for this stack frame.
#[inline(never)]
fn padded(jobs: &mut [Job], mode: &Mode, messages: &[&[u8]], len: usize, out: &mut [Cv]) {
    let size = jobs.len() * LANES;
    let body = KERNEL.get();
    for job in jobs.iter_mut() {
        job.lens[1] = [len as u32; LANES];
    }
    let mut blocks = [[0; BLOCK_LEN]; WIDE];
    for (messages, out) in messages.chunks(size).zip(out.chunks_mut(size)) {
        for (block, message) in blocks.iter_mut().zip(messages) {
            // The rest of the block stays zero.
            block[..len].copy_from_slice(message);
        }
        let blocks = blocks.each_ref().map(<[u8; BLOCK_LEN]>::as_slice);
        group(body, jobs, &mode.key, &blocks[..messages.len()], 1, out);
    }
}

/// Calls the kernel once, from `key` to `out`. There are at most as many messages as
/// lanes, each of `blocks` blocks.
pub(crate) fn group(
    body: &Body,
    jobs: &mut [Job],
    key: &[u32; 8],
    messages: &[&[u8]],
    blocks: usize,
    out: &mut [Cv],
) {
    assert!(messages.len() <= jobs.len() * LANES && messages.len() == out.len());
    debug_assert!(messages.iter().all(|m| m.len() == blocks * BLOCK_LEN));
    let mut hashes = MaybeUninit::<[Cv; WIDE]>::uninit();
    let whole = messages.len() == jobs.len() * LANES;
    let to: *mut Cv = if whole {
        out.as_mut_ptr()
    } else {
        hashes.as_mut_ptr().cast()
    };
    for (j, job) in jobs.iter_mut().enumerate() {
        job.key = key;
        job.out = to.wrapping_add(j * LANES).cast();
        let mine = messages.get(j * LANES..).unwrap_or_default();
        if let Some((mine, _)) = mine.split_first_chunk::<LANES>() {
            job.inputs = mine.map(<[u8]>::as_ptr);
        } else {
            // Idle lanes read the first lane's input.
            job.inputs.fill(messages[0].as_ptr());
            for (place, message) in job.inputs.iter_mut().zip(mine) {
                *place = message.as_ptr();
            }
        }
    }
    // SAFETY: every message has `blocks` blocks. `to` is `out` or `hashes`, which has
    // room for all jobs.
    unsafe { (body.0.advance)(jobs, blocks, messages.len()) };
    if !whole {
        // SAFETY: the kernel has written the hashes of all used lanes.
        out.copy_from_slice(unsafe { core::slice::from_raw_parts(to, messages.len()) });
    }
}

/// Hashes messages of at most one chunk, of any lengths.
fn shorts(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) {
    if messages.len() > LANES {
        let tails = tails();
        let mut run: Short<2> = Short::new(mode.key, chunk(mode), &tails, out);
        lanes::run::<WIDE, _>(&mut run, messages);
    } else {
        let tails = tails();
        let mut run: Short<1> = Short::new(mode.key, chunk(mode), &tails, out);
        lanes::run::<LANES, _>(&mut run, messages);
    }
}

/// Computes the chaining values of messages of 2 to 16 blocks, without the last block.
/// The values of other messages do not change.
pub(crate) fn bodies(mode: &Mode, messages: &[&[u8]], cvs: &mut [[u32; 8]]) {
    debug_assert!(messages.len() == cvs.len());
    let tails = tails();
    let mut run = Bodies {
        short: Short::<1>::new(mode.key, chunk(mode), &tails, &mut []),
        numbers: [0; WIDE],
        cvs,
    };
    for start in (0..messages.len()).step_by(WIDE) {
        let mut some = [&[] as &[u8]; WIDE];
        let mut count = 0;
        for (i, message) in messages.iter().enumerate().skip(start).take(WIDE) {
            if (BLOCK_LEN + 1..=CHUNK_LEN).contains(&message.len()) {
                run.numbers[count] = i;
                some[count] = message;
                count += 1;
            }
        }
        lanes::run::<LANES, _>(&mut run, &some[..count]);
    }
}

/// Lanes of messages without their last block.
struct Bodies<'a> {
    short: Short<'a, 1>,
    /// The message number in each lane.
    numbers: [usize; WIDE],
    cvs: &'a mut [[u32; 8]],
}

impl Lanes<LANES> for Bodies<'_> {
    const BLOCK: usize = BLOCK_LEN;

    fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        Parts {
            tail: 0,
            ..self.short.begin(lane, message)
        }
    }

    fn tail(&self, _: usize) -> *const u8 {
        core::ptr::null()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; LANES], blocks: usize) {
        let open = stretches.map(|s| Stretch { last: false, ..s });
        // SAFETY: the caller upholds the safety contract.
        unsafe { self.short.advance(&open, blocks) }
    }

    fn end(&mut self, lane: usize, message: usize) {
        self.cvs[self.numbers[message]] = self.short.cv(lane);
    }
}

/// One block for each lane.
pub(crate) type Tails<const J: usize> = [[Cell<[u8; BLOCK_LEN]>; LANES]; J];

pub(crate) fn tails<const J: usize>() -> Tails<J> {
    [const { [const { Cell::new([0; BLOCK_LEN]) }; LANES] }; J]
}

/// Lanes of `J` jobs, each with a message of one chunk.
pub(crate) struct Short<'a, const J: usize> {
    key: [u32; 8],
    jobs: [Job; J],
    cvs: [Cvs; J],
    flags: [[Flags; LANES]; J],
    /// Padded last blocks. They are borrowed because the kernel reads them while it
    /// changes this struct.
    tails: &'a Tails<J>,
    /// For each lane: bytes in the last block, and whether the first block is still to
    /// come.
    ends: [[(u32, bool); LANES]; J],
    out: &'a mut [Cv],
}

impl<'a, const J: usize> Short<'a, J> {
    pub(crate) fn new(key: [u32; 8], flags: Flags, tails: &'a Tails<J>, out: &'a mut [Cv]) -> Self {
        Self {
            key,
            jobs: core::array::from_fn(|_| Job::new([flags.every; 3])),
            cvs: [Cvs([[0; LANES]; 8]); J],
            flags: [[flags; LANES]; J],
            tails,
            ends: [[(0, false); LANES]; J],
            out,
        }
    }

    /// Sets counter and flags of a lane.
    pub(crate) fn set(&mut self, lane: usize, counter: u64, flags: Flags) {
        let (j, l) = (lane / LANES, lane % LANES);
        self.flags[j][l] = flags;
        let job = &mut self.jobs[j];
        job.counter[0][l] = counter as u32;
        job.counter[1][l] = (counter >> 32) as u32;
        job.flags[1][l] = flags.every;
    }

    fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        let (j, l) = (lane / LANES, lane % LANES);
        let body = message.len().saturating_sub(1) / BLOCK_LEN;
        let rest = &message[body * BLOCK_LEN..];
        let mut tail = [0; BLOCK_LEN];
        tail[..rest.len()].copy_from_slice(rest);
        self.tails[j][l].set(tail);
        self.ends[j][l] = (rest.len() as u32, true);
        for (row, word) in self.cvs[j].0.iter_mut().zip(self.key) {
            row[l] = word;
        }
        Parts { body, tail: 1 }
    }

    /// # Safety
    /// The same conditions as for [`Lanes::advance`].
    unsafe fn advance(&mut self, stretches: &[Stretch], blocks: usize) {
        let mut used = 0;
        for (lane, stretch) in stretches.iter().enumerate() {
            let (j, l) = (lane / LANES, lane % LANES);
            let job = &mut self.jobs[j];
            job.inputs[l] = stretch.at;
            if !stretch.busy {
                continue;
            }
            used = lane + 1;
            let Flags { every, first, last } = self.flags[j][l];
            let (len, fresh) = &mut self.ends[j][l];
            let first = if *fresh { first } else { 0 };
            let last = if stretch.last { last } else { 0 };
            job.flags[0][l] = every | first;
            job.flags[2][l] = every | last | if blocks == 1 { first } else { 0 };
            job.lens[1][l] = if stretch.last { *len } else { BLOCK_LEN as u32 };
            *fresh = false;
        }
        for (job, cv) in self.jobs.iter_mut().zip(&mut self.cvs) {
            job.cv = cv;
        }
        // SAFETY: the caller guarantees that every lane is readable. There are chaining
        // values for all lanes.
        unsafe { (KERNEL.get().0.advance)(&mut self.jobs, blocks, used) };
    }

    fn cv(&self, lane: usize) -> [u32; 8] {
        let cv = &self.cvs[lane / LANES].0;
        core::array::from_fn(|i| cv[i][lane % LANES])
    }

    fn end(&mut self, lane: usize, message: usize) {
        self.out[message] = super::words::bytes(&self.cv(lane));
    }
}

impl<const J: usize, const N: usize> Lanes<N> for Short<'_, J> {
    const BLOCK: usize = BLOCK_LEN;

    fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        self.begin(lane, message)
    }

    fn tail(&self, lane: usize) -> *const u8 {
        self.tails[lane / LANES][lane % LANES].as_ptr().cast()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        const { assert!(N == J * LANES) };
        // SAFETY: the caller upholds the safety contract.
        unsafe { self.advance(stretches, blocks) }
    }

    fn end(&mut self, lane: usize, message: usize) {
        self.end(lane, message);
    }
}
