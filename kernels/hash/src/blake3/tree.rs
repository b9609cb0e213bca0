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

/// How two halves of a tree are done: one after the other, or on two threads.
pub(crate) trait Join {
    fn join(left: impl FnOnce() -> usize + Send, right: impl FnOnce() -> usize + Send)
    -> (usize, usize);
}

/// One after the other.
pub(crate) enum Serial {}

impl Join for Serial {
    fn join(
        left: impl FnOnce() -> usize + Send,
        right: impl FnOnce() -> usize + Send,
    ) -> (usize, usize) {
        (left(), right())
    }
}

/// Runs inputs of `stride` bytes each, at most `WIDE` of them, one behind the
/// other, to chaining values at `out`. A counter goes up from input to input.
fn run(
    mode: &Mode,
    flags: [u32; 3],
    input: &[u8],
    stride: usize,
    counter: Option<u64>,
    out: &mut [Cv; WIDE],
) {
    let count = input.len() / stride;
    debug_assert!(count <= WIDE);
    if count > LANES {
        let mut jobs = [Job::new(flags), Job::new(flags)];
        fill_and_run(&mut jobs, mode, input, stride, counter, out);
    } else {
        fill_and_run(&mut [Job::new(flags)], mode, input, stride, counter, out);
    }
}

fn fill_and_run(
    jobs: &mut [Job],
    mode: &Mode,
    input: &[u8],
    stride: usize,
    counter: Option<u64>,
    out: &mut [Cv; WIDE],
) {
    let count = input.len() / stride;
    debug_assert!(count <= WIDE && jobs.len() * LANES >= count);
    let (halves, _) = out.as_chunks_mut::<LANES>();
    for ((j, job), out) in jobs.iter_mut().enumerate().zip(halves) {
        job.key = &raw const mode.key;
        job.out = out.as_mut_ptr().cast();
        if let Some(counter) = counter {
            job.count_from(counter.wrapping_add((j * LANES) as u64));
        }
        for (lane, place) in job.inputs.iter_mut().enumerate() {
            let index = j * LANES + lane;
            // Idle lanes read what the first one reads.
            let index = if index < count { index } else { 0 };
            *place = input[index * stride..].as_ptr();
        }
    }
    // SAFETY: every lane has `stride` bytes of input, the key outlives the
    // call, and each job has a half of `out`.
    unsafe { (KERNEL.get().0.advance)(jobs, stride / BLOCK_LEN, count) };
}

/// Chaining values of whole chunks, at most `WIDE` of them.
fn chunks(mode: &Mode, input: &[u8], counter: u64, out: &mut [Cv; WIDE]) {
    let count = input.len() / CHUNK_LEN;
    if count == 1 {
        out[0] = words::bytes(&Chunk::of(mode, input, counter).chaining_value());
        return;
    }
    let first = mode.flags | flags::CHUNK_START;
    let last = mode.flags | flags::CHUNK_END;
    let flags = [first, mode.flags, last];
    run(mode, flags, input, CHUNK_LEN, Some(counter), out);
}

/// One parent.
pub(crate) fn parent(mode: &Mode, children: &[u8; BLOCK_LEN]) -> [u32; 8] {
    let flags = mode.flags | flags::PARENT;
    compress(&mode.key, children, 0, BLOCK_LEN as u32, flags)
}

/// Parents of `count` chaining values, at most twice `WIDE`, to the front of
/// `out`; an odd one is passed on. Says how many there are then.
fn parents(mode: &Mode, children: &[Cv], out: &mut [Cv; WIDE]) -> usize {
    let (pairs, odd) = children.as_chunks::<2>();
    let width = KERNEL.get().0.width;
    if pairs.len() <= width.min(3) {
        for (pair, out) in pairs.iter().zip(out.iter_mut()) {
            *out = words::bytes(&parent(mode, pair.as_flattened().try_into().expect("64 bytes")));
        }
    } else {
        let flags = mode.flags | flags::PARENT;
        let input = pairs.as_flattened().as_flattened();
        run(mode, [flags; 3], input, BLOCK_LEN, None, out);
    }
    if let [odd] = odd {
        out[pairs.len()] = *odd;
    }
    pairs.len() + odd.len()
}

/// The largest power of two of chunks that leaves at least one byte after it;
/// `len` must be more than a chunk.
fn left_len(len: usize) -> usize {
    let whole = (len - 1) / CHUNK_LEN;
    (1 << whole.ilog2()) * CHUNK_LEN
}

/// Chaining values of a subtree, not more than `WIDE`, and not less than 2 if
/// there is more than one chunk. The last chunk need not be whole.
fn wide<J: Join>(mode: &Mode, input: &[u8], counter: u64, out: &mut [Cv; WIDE]) -> usize {
    if input.len() <= WIDE * CHUNK_LEN {
        let whole = input.len() / CHUNK_LEN;
        let (body, rest) = input.split_at(whole * CHUNK_LEN);
        if whole > 0 {
            chunks(mode, body, counter, out);
        }
        if rest.is_empty() {
            return whole;
        }
        let rest = Chunk::of(mode, rest, counter.wrapping_add(whole as u64));
        out[whole] = words::bytes(&rest.chaining_value());
        return whole + 1;
    }
    let (left, right) = input.split_at(left_len(input.len()));
    let right_counter = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
    let mut both = [[0; OUT_LEN]; 2 * WIDE];
    let (first, second) = both.split_at_mut(WIDE);
    let first: &mut [Cv; WIDE] = first.try_into().expect("one half");
    let second: &mut [Cv; WIDE] = second.try_into().expect("the other");
    let (l, r) = J::join(
        || wide::<J>(mode, left, counter, first),
        || wide::<J>(mode, right, right_counter, second),
    );
    // A left subtree of WIDE chunks or more gives WIDE values: no gap.
    debug_assert_eq!(l, WIDE);
    parents(mode, &both[..l + r], out)
}

/// The two chaining values below the root of a subtree of more than one chunk.
pub(crate) fn halves<J: Join>(mode: &Mode, input: &[u8], counter: u64) -> [Cv; 2] {
    debug_assert!(input.len() > CHUNK_LEN);
    let mut cvs = [[0; OUT_LEN]; WIDE];
    let mut count = wide::<J>(mode, input, counter, &mut cvs);
    while count > 2 {
        let children = cvs;
        count = parents(mode, &children[..count], &mut cvs);
    }
    [cvs[0], cvs[1]]
}
