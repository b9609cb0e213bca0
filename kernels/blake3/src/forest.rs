//! Hashes several messages of any lengths together. Their chunks share the lanes first,
//! then their parents do, level by level.
//!
//! A message of a few chunks does not fill the lanes. Its last parents use one lane
//! only. The last parents of many messages together cost as much as those of one.

use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN, flags};
use super::job::{Flags, Job, LANES, WIDE};
use super::kernel::KERNEL;
use super::mode::{Cv, Mode};
use super::short::{Short, Tails, tails};
use super::tree::{Serial, wide_alone};
use karat_hash_core::lanes::{self, Lanes, Parts, Stretch};

/// Number of chaining values in the pool (8 KiB). That is enough to share the last
/// parents of several messages of [`SHARED`] chunks.
const POOL: usize = 256;

/// At most this many messages are taken together.
const TREES: usize = 64;

/// A message of up to this many chunks shares the lanes for its chunks, or of fewer where an
/// implementation takes whole trees. A longer one fills the lanes alone until [`WIDE`]
/// chaining values are left. Only then does it share lanes.
const SHARED: usize = 64;

/// The chaining values of one message: index of the first one in the pool, and their
/// number.
#[derive(Clone, Copy, Default)]
struct Tree {
    first: u16,
    count: u16,
}

/// Last chunks that are not full, at most one for each message.
struct Rests<'m> {
    bytes: [&'m [u8]; TREES],
    counters: [u16; TREES],
    to: [u16; TREES],
    count: usize,
}

/// Hashes messages from the front, as many as fit, but at least one. Returns how many.
pub(crate) fn forest(mode: &Mode, messages: &[&[u8]], out: &mut [Cv]) -> usize {
    let mut out = out.iter_mut();
    grow::<1>(mode, messages, |[hash]| {
        if let Some(out) = out.next() {
            *out = *hash;
        }
    })
}

/// The two chaining values below the root of each message, in their order. The messages
/// have more than one chunk. It takes as many as fit, but at least one, and returns how many.
pub(crate) fn halves(mode: &Mode, messages: &[&[u8]], each: impl FnMut(&[Cv; 2])) -> usize {
    debug_assert!(messages.iter().all(|m| m.len() > CHUNK_LEN));
    grow::<2>(mode, messages, each)
}

/// Grows trees until `N` values are left of each, the hash or what is below the root.
fn grow<const N: usize>(mode: &Mode, messages: &[&[u8]], mut each: impl FnMut(&[Cv; N])) -> usize {
    let mut pool = [[0; OUT_LEN]; POOL];
    let mut trees = [Tree::default(); TREES];
    let mut rests = Rests {
        bytes: [&[]; TREES],
        counters: [0; TREES],
        to: [0; TREES],
        count: 0,
    };
    let mut batch = Batch::new(mode);
    // Implementations of whole trees take that many chunks alone, and faster.
    let shared = SHARED - usize::from(KERNEL.get().0.few.is_some());
    let mut taken = 0;
    let mut next = 0;
    for (message, tree) in messages.iter().zip(&mut trees) {
        let chunks = message.len().div_ceil(CHUNK_LEN).max(1);
        let shared = chunks <= shared;
        let Some(values) = pool.get_mut(next..next + if shared { chunks } else { WIDE }) else {
            break;
        };
        let count = if shared {
            let whole = message.len() / CHUNK_LEN;
            for counter in 0..whole {
                if batch.used == WIDE {
                    // SAFETY: every input is a full chunk of a borrowed message.
                    unsafe { batch.run(CHUNK_LEN / BLOCK_LEN, &mut pool) };
                }
                batch.push(
                    &message[counter * CHUNK_LEN..],
                    counter as u32,
                    flags::CHUNK_END | root(chunks == 1),
                    next + counter,
                );
            }
            if whole < chunks {
                rests.push(&message[whole * CHUNK_LEN..], whole, next + whole);
            }
            chunks
        } else {
            wide_alone::<Serial>(mode, message, values.try_into().expect("WIDE values"))
        };
        *tree = Tree {
            first: next as u16,
            count: count as u16,
        };
        next += count;
        taken += 1;
    }
    // SAFETY: every input is a full chunk of a borrowed message.
    unsafe { batch.run(CHUNK_LEN / BLOCK_LEN, &mut pool) };
    rests.run(mode, &mut pool);
    let trees = &mut trees[..taken];
    while trees.iter().any(|tree| usize::from(tree.count) > N) {
        level::<N>(&mut batch, trees, &mut pool);
    }
    for tree in trees {
        let values = pool[usize::from(tree.first)..].first_chunk();
        each(values.expect("a tree has its values in the pool"));
    }
    taken
}

fn root(is: bool) -> u32 {
    if is { flags::ROOT } else { 0 }
}

/// Computes one level of parents for all trees that have more than `N` values. An odd
/// subtree is passed on unchanged. Parents overwrite the first half of their children,
/// which have all been read by then.
fn level<const N: usize>(batch: &mut Batch, trees: &mut [Tree], pool: &mut [Cv; POOL]) {
    let open = |tree: &Tree| usize::from(tree.count) > N;
    for tree in trees.iter().filter(|tree| open(tree)) {
        let first = usize::from(tree.first);
        for pair in 0..usize::from(tree.count / 2) {
            if batch.used == WIDE {
                // SAFETY: every input is two chaining values in the pool, which is one
                // block.
                unsafe { batch.run(1, pool) };
            }
            batch.push(
                pool[first + 2 * pair..].as_flattened(),
                0,
                flags::PARENT | root(tree.count == 2),
                first + pair,
            );
        }
    }
    // SAFETY: as above, every input is two chaining values in the pool.
    unsafe { batch.run(1, pool) };
    for tree in trees.iter_mut().filter(|tree| open(tree)) {
        let (first, count) = (usize::from(tree.first), usize::from(tree.count));
        if count % 2 == 1 {
            pool[first + count / 2] = pool[first + count - 1];
        }
        tree.count = tree.count.div_ceil(2);
    }
}

/// Collects inputs of the same number of blocks until the lanes are full.
struct Batch<'a> {
    mode: &'a Mode,
    jobs: [Job; 2],
    /// Index in the pool for each lane's chaining value.
    to: [u16; WIDE],
    used: usize,
}

impl<'a> Batch<'a> {
    fn new(mode: &'a Mode) -> Self {
        // A parent is a single block, which counts as a last block.
        let job = Job::new([mode.flags | flags::CHUNK_START, mode.flags, 0]);
        Self {
            mode,
            jobs: [job.clone(), job],
            to: [0; WIDE],
            used: 0,
        }
    }

    /// Fills the next lane. At least one lane must be free.
    fn push(&mut self, input: &[u8], counter: u32, last: u32, to: usize) {
        let (job, lane) = (&mut self.jobs[self.used / LANES], self.used % LANES);
        job.inputs[lane] = input.as_ptr();
        job.counter[0][lane] = counter;
        job.flags[2][lane] = self.mode.flags | last;
        self.to[self.used] = to as u16;
        self.used += 1;
    }

    /// Runs the filled lanes, writes their chaining values to the pool and empties the
    /// lanes.
    ///
    /// # Safety
    /// Every input must be readable for `blocks` blocks.
    unsafe fn run(&mut self, blocks: usize, pool: &mut [Cv; POOL]) {
        if self.used == 0 {
            return;
        }
        let mut out = [[0; OUT_LEN]; WIDE];
        let idle = self.jobs[0].inputs[0];
        let (places, _) = out.as_chunks_mut::<LANES>();
        for ((j, job), place) in self.jobs.iter_mut().enumerate().zip(places) {
            let used = self.used.saturating_sub(j * LANES).min(LANES);
            job.inputs[used..].fill(idle);
            job.key = &raw const self.mode.key;
            job.out = place.as_mut_ptr().cast();
        }
        // SAFETY: the caller guarantees readable inputs. Idle lanes read the first
        // lane's input. The key outlives the call, and `out` has room for both jobs.
        unsafe { (KERNEL.get().0.advance)(&mut self.jobs, blocks, self.used) };
        for (to, value) in self.to[..self.used].iter().zip(out) {
            pool[usize::from(*to)] = value;
        }
        self.used = 0;
    }
}

impl<'m> Rests<'m> {
    fn push(&mut self, bytes: &'m [u8], counter: usize, to: usize) {
        self.bytes[self.count] = bytes;
        self.counters[self.count] = counter as u16;
        self.to[self.count] = to as u16;
        self.count += 1;
    }

    fn run(&self, mode: &Mode, pool: &mut [Cv; POOL]) {
        if self.count > LANES {
            self.run_in::<2, WIDE>(mode, &tails(), pool);
        } else if self.count > 0 {
            self.run_in::<1, LANES>(mode, &tails(), pool);
        }
    }

    fn run_in<const J: usize, const N: usize>(
        &self,
        mode: &Mode,
        tails: &Tails<J>,
        pool: &mut [Cv; POOL],
    ) {
        let mut run = Chunks {
            short: Short::<J>::new(mode.key, Flags::default(), tails, pool),
            every: mode.flags,
            rests: self,
            begun: 0,
        };
        lanes::run::<N, _>(&mut run, &self.bytes[..self.count]);
    }
}

/// Lanes that hold last chunks.
struct Chunks<'a, 'm, const J: usize> {
    short: Short<'a, J>,
    every: u32,
    rests: &'a Rests<'m>,
    /// How many messages have been given to a lane. They come in order.
    begun: usize,
}

impl<const J: usize, const N: usize> Lanes<N> for Chunks<'_, '_, J> {
    const BLOCK: usize = BLOCK_LEN;

    fn begin(&mut self, lane: usize, number: usize, bytes: &[u8]) -> Parts {
        let counter = self.rests.counters[self.begun];
        self.begun += 1;
        let flags = Flags {
            every: self.every,
            first: flags::CHUNK_START,
            last: flags::CHUNK_END | root(counter == 0),
        };
        self.short.set(lane, counter.into(), flags);
        Lanes::<N>::begin(&mut self.short, lane, number, bytes)
    }

    fn tail(&self, lane: usize) -> *const u8 {
        Lanes::<N>::tail(&self.short, lane)
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { Lanes::<N>::advance(&mut self.short, stretches, blocks) }
    }

    fn end(&mut self, lane: usize, message: usize) {
        Lanes::<N>::end(&mut self.short, lane, self.rests.to[message].into());
    }
}
