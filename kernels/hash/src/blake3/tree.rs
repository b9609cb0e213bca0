//! Trees of chunks: many chaining values at once, level by level.
//!
//! The unit is [`WIDE`] chunks: subtrees of that many and more hand up `WIDE`
//! chaining values instead of one, so that parents too come in groups that fill
//! all lanes. Only the last few levels of a tree are narrow.

use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN, flags};
use super::hasher::Chunk;
use super::job::{Job, LANES};
use super::kernel::{KERNEL, compress};
use super::words;

/// Chaining values that a wide subtree hands up.
pub(crate) const WIDE: usize = 2 * LANES;

/// A chaining value as bytes.
pub(crate) type Cv = [u8; OUT_LEN];

/// What all nodes of a tree share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub(crate) key: [u32; 8],
    /// Flags of every block.
    pub(crate) flags: u32,
}

/// How the halves of a large tree are done: one after the other, or on two
/// threads.
pub(crate) trait Join {
    const PARALLEL: bool;

    fn join<L, R>(left: L, right: R) -> (usize, usize)
    where
        L: FnOnce() -> usize + Send,
        R: FnOnce() -> usize + Send;
}

/// One after the other.
pub(crate) enum Serial {}

impl Join for Serial {
    const PARALLEL: bool = false;

    fn join<L, R>(left: L, right: R) -> (usize, usize)
    where
        L: FnOnce() -> usize + Send,
        R: FnOnce() -> usize + Send,
    {
        (left(), right())
    }
}

/// From so many bytes on halves go to two threads: some 20 microseconds of work,
/// well above what handing it over costs.
const SHARED: usize = 4 * WIDE * CHUNK_LEN;

/// A job of each group of lanes that a tree may use, kept from level to level.
struct Work<'a> {
    mode: &'a Mode,
    jobs: &'a mut [Job],
}

impl Work<'_> {
    /// Runs inputs of `stride` bytes each, at most `WIDE` of them, one behind
    /// the other, to chaining values at `out`.
    fn run(&mut self, input: &[u8], stride: usize, out: &mut [Cv; WIDE]) {
        let count = input.len() / stride;
        assert!(count <= self.jobs.len() * LANES);
        let (groups, _) = out.as_chunks_mut::<LANES>();
        let inputs = input.chunks(LANES * stride);
        for ((job, out), input) in self.jobs.iter_mut().zip(groups).zip(inputs) {
            job.key = &raw const self.mode.key;
            job.out = out.as_mut_ptr().cast();
            job.read_from(input.as_ptr(), stride, input.len() / stride);
        }
        // SAFETY: every lane has `stride` bytes of input, the key outlives the
        // call, and each job that is used has its part of `out`.
        unsafe { (KERNEL.get().0.advance)(self.jobs, stride / BLOCK_LEN, count) };
    }

    /// Chaining values of whole chunks, at most `WIDE` of them.
    fn chunks(&mut self, input: &[u8], counter: u64, out: &mut [Cv; WIDE]) {
        if input.len() == CHUNK_LEN {
            out[0] = words::bytes(&Chunk::of(self.mode, input, counter).chaining_value());
            return;
        }
        let base = self.mode.flags;
        let mut counter = counter;
        for job in self.jobs.iter_mut() {
            job.set_flags([base | flags::CHUNK_START, base, base | flags::CHUNK_END]);
            job.count_from(counter);
            counter = counter.wrapping_add(LANES as u64);
        }
        self.run(input, CHUNK_LEN, out);
    }

    /// Parents of chaining values, at most twice `WIDE`, to the front of `out`;
    /// an odd one is passed on. Says how many there are then.
    fn parents(&mut self, children: &[Cv], out: &mut [Cv; WIDE]) -> usize {
        let (pairs, odd) = children.as_chunks::<2>();
        if let [pair] = pairs {
            let pair = pair.as_flattened().try_into().expect("64 bytes");
            out[0] = words::bytes(&parent(self.mode, pair));
        } else {
            let flags = self.mode.flags | flags::PARENT;
            let used = pairs.len().div_ceil(LANES);
            for job in &mut self.jobs[..used] {
                job.set_flags([flags; 3]);
                job.counter = [[0; LANES]; 2];
            }
            self.run(pairs.as_flattened().as_flattened(), BLOCK_LEN, out);
        }
        if let [odd] = odd {
            out[pairs.len()] = *odd;
        }
        pairs.len() + odd.len()
    }
}

/// One parent.
pub(crate) fn parent(mode: &Mode, children: &[u8; BLOCK_LEN]) -> [u32; 8] {
    let flags = mode.flags | flags::PARENT;
    compress(&mode.key, children, 0, BLOCK_LEN as u32, flags)
}

/// The largest power of two of chunks that leaves at least one byte after it;
/// `len` must be more than a chunk.
fn left_len(len: usize) -> usize {
    let whole = (len - 1) / CHUNK_LEN;
    (1 << whole.ilog2()) * CHUNK_LEN
}

/// Chaining values of a subtree, not more than `WIDE`, and not less than 2 if
/// there is more than one chunk. The last chunk need not be whole.
fn wide<J: Join>(work: &mut Work, input: &[u8], counter: u64, out: &mut [Cv; WIDE]) -> usize {
    if input.len() <= WIDE * CHUNK_LEN {
        let whole = input.len() / CHUNK_LEN;
        let (body, rest) = input.split_at(whole * CHUNK_LEN);
        if whole > 0 {
            work.chunks(body, counter, out);
        }
        if rest.is_empty() {
            return whole;
        }
        let rest = Chunk::of(work.mode, rest, counter.wrapping_add(whole as u64));
        out[whole] = words::bytes(&rest.chaining_value());
        return whole + 1;
    }
    let (left, right) = input.split_at(left_len(input.len()));
    let right_counter = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
    let mut both = [[0; OUT_LEN]; 2 * WIDE];
    let (first, second) = both.split_at_mut(WIDE);
    let first: &mut [Cv; WIDE] = first.try_into().expect("one half");
    let second: &mut [Cv; WIDE] = second.try_into().expect("the other");
    let (l, r) = if J::PARALLEL && input.len() >= SHARED {
        let mode = work.mode;
        J::join(
            || fresh::<J>(mode, left, counter, first),
            || fresh::<J>(mode, right, right_counter, second),
        )
    } else {
        let l = wide::<J>(work, left, counter, first);
        (l, wide::<J>(work, right, right_counter, second))
    };
    // A left subtree of WIDE chunks or more gives WIDE values: no gap.
    debug_assert_eq!(l, WIDE);
    work.parents(&both[..l + r], out)
}

/// [`wide`] with jobs of its own.
fn fresh<J: Join>(mode: &Mode, input: &[u8], counter: u64, out: &mut [Cv; WIDE]) -> usize {
    let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
    wide::<J>(&mut Work { mode, jobs }, input, counter, out)
}

/// Chaining values of a subtree of more than one chunk that begins a message;
/// not more than `WIDE`.
pub(crate) fn wide_alone<J: Join>(mode: &Mode, input: &[u8], out: &mut [Cv; WIDE]) -> usize {
    debug_assert!(input.len() > CHUNK_LEN);
    fresh::<J>(mode, input, 0, out)
}

/// The two chaining values below the root of a subtree of more than one chunk.
pub(crate) fn halves<J: Join>(mode: &Mode, input: &[u8], counter: u64) -> [Cv; 2] {
    debug_assert!(input.len() > CHUNK_LEN);
    if input.len() < (LANES + 1) * CHUNK_LEN {
        let jobs = &mut [Job::new([0; 3])];
        to_halves::<J>(&mut Work { mode, jobs }, input, counter)
    } else {
        let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
        to_halves::<J>(&mut Work { mode, jobs }, input, counter)
    }
}

fn to_halves<J: Join>(work: &mut Work, input: &[u8], counter: u64) -> [Cv; 2] {
    let mut cvs = [[0; OUT_LEN]; WIDE];
    let mut count = wide::<J>(work, input, counter, &mut cvs);
    while count > 2 {
        let children = cvs;
        count = work.parents(&children[..count], &mut cvs);
    }
    [cvs[0], cvs[1]]
}
