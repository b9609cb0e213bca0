//! Hashes many independent messages.

use super::body::{OneBlock, Pad};
use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN, flags};
use super::forest::forest;
use super::hasher::hash_of;
use super::job::{Cvs, Flags, Job, LANES, WIDE};
use super::kernel::KERNEL;
use super::mode::{Cv, Mode};
use super::short::{Short, group, group_of, inputs, tails};
use core::mem::MaybeUninit;
use karat_hash_core::lanes::{self, Lanes, Parts, Stretch};
use karat_hash_core::{places, short, slices};

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
    let body = &KERNEL.get().0;
    let Some(each) = body.each else {
        return 0;
    };
    let count = slices::of_length(messages, BLOCK_LEN);
    if count < body.width {
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
        // Messages of one length go through the lanes in step. A lane takes one short
        // message after the other if lengths differ.
        let equal = if len <= CHUNK_LEN {
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

/// Hashes messages of one length, at most a chunk.
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
    if len < COPIED
        && !len.is_multiple_of(BLOCK_LEN)
        && let Some(pad) = KERNEL.get().0.pad
    {
        return copied(pad, jobs, mode, messages, len, out);
    }
    if len < BLOCK_LEN {
        return padded(jobs, mode, messages, len, out);
    }
    if !len.is_multiple_of(BLOCK_LEN) {
        return ragged(jobs, mode, messages, len, out);
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
            short::copy(block, message);
        }
        let blocks = blocks.each_ref().map(<[u8; BLOCK_LEN]>::as_slice);
        group(body, jobs, &mode.key, &blocks[..messages.len()], 1, out);
    }
}

/// Shorter messages are copied whole where an implementation pads them, and their last block is
/// a part of one. A second call of the kernel for it costs more than such copies.
const COPIED: usize = 4 * BLOCK_LEN;

/// Hashes messages of less than [`COPIED`] bytes, with a part of a block at the end.
#[inline(never)]
fn copied(pad: Pad, jobs: &mut [Job], mode: &Mode, messages: &[&[u8]], len: usize, out: &mut [Cv]) {
    let size = jobs.len() * LANES;
    let count = len / BLOCK_LEN + 1;
    let body = KERNEL.get();
    for job in jobs.iter_mut() {
        job.lens[1] = [(len % BLOCK_LEN) as u32; LANES];
    }
    let mut blocks =
        [const { MaybeUninit::<[u8; BLOCK_LEN]>::uninit() }; WIDE * COPIED / BLOCK_LEN];
    let first = blocks.as_mut_ptr().cast::<[u8; BLOCK_LEN]>();
    for (messages, out) in messages.chunks(size).zip(out.chunks_mut(size)) {
        // SAFETY: the table gave the function. At most `WIDE` messages have at most
        // `COPIED / BLOCK_LEN` blocks each.
        unsafe { pad(messages, first) };
        // SAFETY: the blocks of all messages are initialised, and idle lanes read a message.
        unsafe {
            group_of(body, jobs, &mode.key, count, out, |job, j| {
                let skipped = (j * LANES).min(messages.len() - 1);
                let lanes = messages.len() - skipped;
                let input = first.wrapping_add(skipped * count).cast();
                job.read_from(input, count * BLOCK_LEN, lanes.min(LANES));
            })
        };
    }
}

/// Hashes messages of more than a block, with a part of one at the end: full blocks from
/// where they lie, the last one from a copy.
#[inline(never)]
fn ragged(jobs: &mut [Job], mode: &Mode, messages: &[&[u8]], len: usize, out: &mut [Cv]) {
    let size = jobs.len() * LANES;
    let (full, rest) = (len / BLOCK_LEN, len % BLOCK_LEN);
    let Flags { every, first, last } = chunk(mode);
    let single = if full == 1 { first } else { 0 };
    let body = KERNEL.get();
    let mut cvs = [Cvs([[0; LANES]; 8]); WIDE / LANES];
    let mut ends = [[0; BLOCK_LEN]; WIDE];
    let mut hashes = [[0; OUT_LEN]; WIDE];
    for (messages, out) in messages.chunks(size).zip(out.chunks_mut(size)) {
        for (end, message) in ends.iter_mut().zip(messages) {
            // Of each length the rest of the block stays zero.
            short::copy(end, &message[len - rest..]);
        }
        let count = messages.len();
        let to: *mut Cv = if count == size {
            out.as_mut_ptr()
        } else {
            hashes.as_mut_ptr()
        };
        for (j, (job, cvs)) in jobs.iter_mut().zip(&mut cvs).enumerate() {
            inputs(job, j, messages);
            (job.key, job.cv, job.out) = (&mode.key, cvs, core::ptr::null_mut());
            job.set_flags([every | first, every, every | single]);
            job.lens[1] = [BLOCK_LEN as u32; LANES];
        }
        // SAFETY: every message has so many full blocks, idle lanes read the first one, and
        // there are chaining values for all lanes.
        unsafe { (body.0.advance)(jobs, full, count) };
        for (j, job) in jobs.iter_mut().enumerate() {
            job.read_from(ends[j * LANES..].as_ptr().cast(), BLOCK_LEN, LANES);
            job.key = core::ptr::null();
            job.out = to.wrapping_add(j * LANES).cast();
            job.set_flags([every, every, every | last]);
            job.lens[1] = [rest as u32; LANES];
        }
        // SAFETY: every lane has an end, of one block. `to` is `out` or `hashes`, which has
        // room for all jobs.
        unsafe { (body.0.advance)(jobs, 1, count) };
        if count < size {
            out.copy_from_slice(&hashes[..count]);
        }
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

    fn begin(&mut self, lane: usize, _: usize, message: &[u8]) -> Parts {
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
