//! Trees of chunks: many chaining values at once, level by level.
//!
//! The unit is [`WIDE`] chunks. A subtree of that size or larger returns `WIDE`
//! chaining values instead of one, so that parents fill all lanes too. Only the last
//! few levels of a tree are narrow.
//!
//! Limit of a tree of up to 16 chunks (Zen 5): one chain of 16 blocks, a block for each
//! level of parents, and the root. The root takes some 206 cycles in general registers.
//! A block of up to five chunks or parents takes 255 cycles, one of up to nine 323, one
//! of more at least 336 (docs/notes/blake3-avx512.md).

use super::block::{chunk, compress};
use super::body::Few;
use super::constants::{BLOCK_LEN, CHUNK_LEN, flags};
use super::job::{Job, LANES, WIDE};
use super::kernel::KERNEL;
use super::mode::{Cv, Mode};
use super::words;
use core::mem::MaybeUninit;

/// Places for the chaining values of a subtree; the first ones are initialised. Setting
/// all of it to zero would cost as much as a tenth of a compression.
pub(crate) type Values = [MaybeUninit<Cv>; WIDE];

/// Bytes of the trees that [`Few`] takes from the chunks on.
const TWO: usize = 2 * CHUNK_LEN;
const FOUR: usize = 4 * CHUNK_LEN;
const EIGHT: usize = 8 * CHUNK_LEN;
const SIXTEEN: usize = 16 * CHUNK_LEN;

const NO_CV: MaybeUninit<Cv> = MaybeUninit::uninit();

/// How the two halves of a large tree are hashed: one after the other, or on two
/// threads.
pub(crate) trait Join {
    const PARALLEL: bool;

    fn join<L, R>(left: L, right: R) -> (usize, usize)
    where
        L: FnOnce() -> usize + Send,
        R: FnOnce() -> usize + Send;
}

/// One half after the other.
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

/// From this many bytes on, halves go to two threads. That is some 20 microseconds of
/// work, well above the cost of handing it over.
const SHARED: usize = 4 * WIDE * CHUNK_LEN;

/// One job for each group of lanes, reused from level to level.
struct Work<'a> {
    mode: &'a Mode,
    jobs: &'a mut [Job],
}

impl Work<'_> {
    /// Runs `count` inputs, at most `WIDE`. They lie one behind the other, `stride`
    /// bytes each. Their chaining values go to `out`.
    ///
    /// # Safety
    /// The inputs must be readable. `out` must be writable for `count` chaining values,
    /// rounded up to a multiple of 16. Inputs and `out` may overlap if no value lies
    /// behind the beginning of its input, because implementations read before they
    /// write.
    unsafe fn run(&mut self, input: *const u8, stride: usize, count: usize, out: *mut Cv) {
        assert!(count <= self.jobs.len() * LANES);
        for (j, job) in self.jobs[..count.div_ceil(LANES)].iter_mut().enumerate() {
            let first = j * LANES;
            job.key = &raw const self.mode.key;
            job.out = out.wrapping_add(first).cast();
            let input = input.wrapping_add(first * stride);
            job.read_from(input, stride, (count - first).min(LANES));
        }
        // SAFETY: every lane has `stride` bytes of input. The key outlives the call,
        // and each used job has its own part of `out`.
        unsafe { (KERNEL.get().0.advance)(self.jobs, stride / BLOCK_LEN, count) };
    }

    /// Chaining values of full chunks, at most `WIDE` of them.
    fn chunks(&mut self, input: &[u8], counter: u64, out: &mut Values) {
        if input.len() == CHUNK_LEN {
            out[0].write(chunk(self.mode, input, counter, flags::CHUNK_END));
            return;
        }
        let base = self.mode.flags;
        let mut counter = counter;
        for job in self.jobs.iter_mut() {
            job.set_flags([base | flags::CHUNK_START, base, base | flags::CHUNK_END]);
            job.count_from(counter);
            counter = counter.wrapping_add(LANES as u64);
        }
        // SAFETY: `input` holds that many chunks, and `out` has room for `WIDE` values.
        unsafe {
            let count = input.len() / CHUNK_LEN;
            self.run(input.as_ptr(), CHUNK_LEN, count, out.as_mut_ptr().cast());
        }
    }

    /// Computes the parents of at most twice `WIDE` chaining values. They go to the
    /// front of `out`. An odd value is passed on. Returns the number of values in
    /// `out`.
    ///
    /// # Safety
    /// The children must be initialised.
    unsafe fn parents(&mut self, children: &[MaybeUninit<Cv>], out: &mut Values) -> usize {
        let (pairs, odd) = children.as_chunks::<2>();
        // SAFETY: the caller guarantees initialised children. They hold that many
        // pairs, and `out` has room for `WIDE` values.
        unsafe {
            self.pairs(
                children.as_ptr().cast(),
                pairs.len(),
                out.as_mut_ptr().cast(),
            )
        };
        if let [odd] = odd {
            out[pairs.len()] = *odd;
        }
        pairs.len() + odd.len()
    }

    /// The same in place, for the first `count` values.
    ///
    /// # Safety
    /// These values must be initialised.
    unsafe fn parents_in_place(&mut self, cvs: &mut Values, count: usize) -> usize {
        assert!((1..=WIDE).contains(&count));
        let pairs = count / 2;
        // Kept aside, because implementations write more values than there are pairs.
        let last = cvs[count - 1];
        let at = cvs.as_mut_ptr().cast();
        // SAFETY: the caller guarantees initialised values. They hold that many pairs,
        // and there is room for `WIDE` values. The parent of a pair does not lie behind
        // the pair.
        unsafe { self.pairs(at, pairs, at) };
        if !count.is_multiple_of(2) {
            cvs[pairs] = last;
        }
        count.div_ceil(2)
    }

    /// Computes the parents of `count` pairs.
    ///
    /// # Safety
    /// The same conditions as for [`Work::run`], with pairs as inputs.
    unsafe fn pairs(&mut self, children: *const Cv, count: usize, out: *mut Cv) {
        // SAFETY: the caller upholds the safety contract. A pair is read before its
        // parent is written.
        unsafe {
            if count == 1 {
                let cv = parent(self.mode, &*children.cast());
                return out.write(words::bytes(&cv));
            }
            let flags = self.mode.flags | flags::PARENT;
            for job in &mut self.jobs[..count.div_ceil(LANES)] {
                job.set_flags([flags; 3]);
                job.counter = [[0; LANES]; 2];
            }
            self.run(children.cast(), BLOCK_LEN, count, out);
        }
    }
}

/// Computes one parent.
pub(crate) fn parent(mode: &Mode, children: &[u8; BLOCK_LEN]) -> [u32; 8] {
    let flags = mode.flags | flags::PARENT;
    compress(&mode.key, children, 0, BLOCK_LEN as u32, flags)
}

/// Length of the left subtree: the largest power of two of chunks that leaves at least
/// one byte. `len` must be more than a chunk.
fn left_len(len: usize) -> usize {
    let whole = (len - 1) / CHUNK_LEN;
    (1 << whole.ilog2()) * CHUNK_LEN
}

/// Chaining values of a subtree: at most `WIDE`, and at least 2 if there is more than
/// one chunk. The last chunk may be incomplete.
fn wide<J: Join>(work: &mut Work, input: &[u8], counter: u64, out: &mut Values) -> usize {
    if input.len() <= WIDE * CHUNK_LEN {
        let whole = input.len() / CHUNK_LEN;
        let (body, rest) = input.split_at(whole * CHUNK_LEN);
        if whole > 0 {
            work.chunks(body, counter, out);
        }
        if rest.is_empty() {
            return whole;
        }
        let counter = counter.wrapping_add(whole as u64);
        out[whole].write(chunk(work.mode, rest, counter, flags::CHUNK_END));
        return whole + 1;
    }
    if input.len() == 2 * WIDE * CHUNK_LEN
        && let Some(few) = KERNEL.get().0.few
    {
        // SAFETY: these are twice 32 chunks, and there is room for their 32 parents.
        unsafe {
            (few.parents)(
                work.mode,
                input.as_ptr(),
                2,
                counter,
                out.as_mut_ptr().cast(),
            )
        };
        return WIDE;
    }
    let (left, right) = input.split_at(left_len(input.len()));
    let right_counter = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
    let mut both = [NO_CV; 2 * WIDE];
    let (first, second) = both.split_at_mut(WIDE);
    let first: &mut Values = first.try_into().expect("one half");
    let second: &mut Values = second.try_into().expect("the other");
    let (l, r) = if J::PARALLEL && input.len() >= SHARED {
        let mode = work.mode;
        J::join(
            || wide_with_jobs::<J>(mode, left, counter, first),
            || wide_with_jobs::<J>(mode, right, right_counter, second),
        )
    } else {
        let l = wide::<J>(work, left, counter, first);
        (l, wide::<J>(work, right, right_counter, second))
    };
    // A left subtree of WIDE chunks or more gives WIDE values, so there is no gap.
    debug_assert_eq!(l, WIDE);
    // SAFETY: the first `l + r` values are initialised, without a gap.
    unsafe { work.parents(&both[..l + r], out) }
}

/// [`wide`] with its own jobs.
fn wide_with_jobs<J: Join>(mode: &Mode, input: &[u8], counter: u64, out: &mut Values) -> usize {
    let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
    wide::<J>(&mut Work { mode, jobs }, input, counter, out)
}

/// Chaining values, at most `WIDE`, of a subtree of more than one chunk at the
/// beginning of a message.
pub(crate) fn wide_alone<J: Join>(mode: &Mode, input: &[u8], out: &mut [Cv; WIDE]) -> usize {
    debug_assert!(input.len() > CHUNK_LEN);
    // SAFETY: only initialised values are written through this reference.
    let out = unsafe { &mut *(&raw mut *out).cast::<Values>() };
    wide_with_jobs::<J>(mode, input, 0, out)
}

/// The two chaining values below the root of a subtree of more than one chunk.
pub(crate) fn halves<J: Join>(mode: &Mode, input: &[u8], counter: u64) -> [Cv; 2] {
    if let Some(few) = KERNEL.get().0.few {
        let mut both = MaybeUninit::<[Cv; 2]>::uninit();
        // SAFETY: there is room for two values, and both are written.
        return unsafe {
            by_few::<J>(few, mode, input, counter, both.as_mut_ptr().cast(), false);
            both.assume_init()
        };
    }
    root_of::<J, _>(mode, input, counter, |[left, right]| [*left, *right])
}

/// The hash of a message of more than one chunk.
pub(crate) fn hash<J: Join>(mode: &Mode, input: &[u8]) -> Cv {
    if let Some(few) = KERNEL.get().0.few {
        let mut hash = MaybeUninit::<Cv>::uninit();
        // SAFETY: there is room for a hash, and it is written.
        return unsafe {
            by_few::<J>(few, mode, input, 0, hash.as_mut_ptr(), true);
            hash.assume_init()
        };
    }
    let flags = mode.flags | flags::PARENT | flags::ROOT;
    root_of::<J, _>(mode, input, 0, |children| {
        let block = children.as_flattened().try_into().expect("64 bytes");
        words::bytes(&compress(&mode.key, block, 0, BLOCK_LEN as u32, flags))
    })
}

/// The hash of a subtree of more than one chunk, or the two chaining values below its root:
/// see [`Few`].
///
/// # Safety
/// The same conditions as for [`Few`].
unsafe fn by_few<J: Join>(
    few: &Few,
    mode: &Mode,
    input: &[u8],
    counter: u64,
    out: *mut Cv,
    root: bool,
) {
    debug_assert!(input.len() > CHUNK_LEN);
    if matches!(input.len(), TWO | FOUR | EIGHT | SIXTEEN) {
        let count = input.len() / CHUNK_LEN;
        // SAFETY: the caller upholds the safety contract. These are that many full chunks.
        return unsafe { (few.chunks)(mode, input.as_ptr(), count, counter, out, root) };
    }
    let mut cvs = [NO_CV; WIDE];
    let count = with_jobs(mode, input.len(), |work| {
        let mut count = if input.len() == WIDE * CHUNK_LEN {
            // SAFETY: these are 32 chunks, and there is room for more than their parents.
            unsafe { (few.parents)(mode, input.as_ptr(), 1, counter, cvs.as_mut_ptr().cast()) };
            WIDE / 2
        } else {
            wide::<J>(work, input, counter, &mut cvs)
        };
        while !matches!(count, 2 | 4 | 8) {
            // SAFETY: the first `count` values are initialised.
            count = unsafe { work.parents_in_place(&mut cvs, count) };
        }
        count
    });
    if count == 2 && !root {
        // SAFETY: two values are initialised, and there is room for them.
        return unsafe { out.copy_from_nonoverlapping(cvs.as_ptr().cast(), 2) };
    }
    // SAFETY: the caller upholds the safety contract. That many values are initialised.
    unsafe { (few.above)(mode, cvs.as_ptr().cast(), count, out, root) };
}

/// Calls `root` with the two chaining values below the root of a subtree of more than
/// one chunk. They are borrowed in place: a copy would wait for the kernel's stores.
fn root_of<J: Join, R>(
    mode: &Mode,
    input: &[u8],
    counter: u64,
    root: impl FnOnce(&[Cv; 2]) -> R,
) -> R {
    debug_assert!(input.len() > CHUNK_LEN);
    let mut cvs = [NO_CV; WIDE];
    with_jobs(mode, input.len(), |work| {
        let mut count = wide::<J>(work, input, counter, &mut cvs);
        while count > 2 {
            // SAFETY: the first `count` values are initialised.
            count = unsafe { work.parents_in_place(&mut cvs, count) };
        }
    });
    // SAFETY: the first two values are initialised.
    root(unsafe { &*cvs.as_ptr().cast() })
}

/// Calls `run` with as many jobs as a tree of `len` bytes can fill.
fn with_jobs<R>(mode: &Mode, len: usize, run: impl FnOnce(&mut Work) -> R) -> R {
    if len < (LANES + 1) * CHUNK_LEN {
        let jobs = &mut [Job::new([0; 3])];
        run(&mut Work { mode, jobs })
    } else {
        let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
        run(&mut Work { mode, jobs })
    }
}

#[cfg(test)]
mod tests {
    use super::super::constants::{CHUNK_LEN, IV, flags};
    use super::super::mode::{Cv, Mode};
    use super::{Serial, chunk, halves, left_len, parent, words};
    use alloc::vec::Vec;

    /// The chaining value of a tree, chunk by chunk and parent by parent.
    fn value(mode: &Mode, input: &[u8], counter: u64) -> Cv {
        let count = input.len() / CHUNK_LEN;
        if count == 1 {
            return chunk(mode, input, counter, flags::CHUNK_END);
        }
        let (left, right) = input.split_at(left_len(input.len()));
        let middle = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
        let both = [value(mode, left, counter), value(mode, right, middle)];
        words::bytes(&parent(mode, both.as_flattened().try_into().unwrap()))
    }

    /// Trees of full chunks, of which some implementations take the smaller ones from end to
    /// end, with counters that carry in any lane, and with lanes left over.
    #[test]
    fn trees_are_chunks_and_parents() {
        let most = if cfg!(miri) { 4 } else { 128 };
        let input: Vec<u8> = (0..most * CHUNK_LEN)
            .map(|i| ((i * i) >> 5) as u8)
            .collect();
        let low = 1 << 32;
        for (key, base) in [(IV, 0), ([7; 8], flags::KEYED_HASH)] {
            let mode = Mode { key, flags: base };
            for chunks in (2..18).chain([21, 23, 24, 28, 32, 44, 64, 76, 128]) {
                for counter in [
                    0,
                    5,
                    low - 1,
                    low - 6,
                    low - 11,
                    low - 30,
                    low + 3,
                    u64::MAX - 9,
                ] {
                    if chunks > most {
                        continue;
                    }
                    let input = &input[..chunks * CHUNK_LEN];
                    let (left, right) = input.split_at(left_len(input.len()));
                    let middle = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
                    let want = [value(&mode, left, counter), value(&mode, right, middle)];
                    assert!(
                        halves::<Serial>(&mode, input, counter) == want,
                        "{chunks} chunks from number {counter}"
                    );
                }
            }
        }
    }
}
