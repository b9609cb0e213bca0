//! Trees of chunks: many chaining values at once, level by level.
//!
//! The unit is [`WIDE`] chunks: subtrees of that many and more hand up `WIDE`
//! chaining values instead of one, so that parents too come in groups that fill
//! all lanes. Only the last few levels of a tree are narrow.
//!
//! Short trees (Zen 5): a tree of up to 16 chunks is one chain of dependent
//! operations: 16 blocks, a block for each level of parents, and the root in general
//! registers (some 206 cycles). A block of up to five chunks or parents takes 255
//! cycles and one of up to nine 323 (see `x86/avx512_duet.rs`), one of more 336 at least
//! (see `x86/avx512.rs`).
//!
//! | bytes | chain | reached | blake3 1.8.7 |
//! |---|---|---|---|
//! | 2048 | 4290 | 4450 | 5510 |
//! | 4096 | 4540 | 4760 | 5870 |
//! | 8192 | 5880 | 5970 | 6820 |
//! | 16384 | 6420 | 7120 | 7460 |
//!
//! Cycles, of interleaved runs on AMD EPYC family 26 (2-vCPU KVM, other work on both
//! processors), 2026-11-20. Of 16 KiB most is lost in the 16 chunks, whose four
//! columns wait for ports (366 cycles a block instead of 336). Padding that chain by
//! up to 8 `nop`s an instruction, which keeps the schedulers emptier, changed nothing.

use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN, flags};
use super::job::{Job, LANES};
use super::kernel::{KERNEL, chunk, compress};
use super::words;
use core::mem::MaybeUninit;

/// Chaining values that a wide subtree hands up.
pub(crate) const WIDE: usize = 2 * LANES;

/// A chaining value as bytes.
pub(crate) type Cv = [u8; OUT_LEN];

/// Places for the chaining values of a subtree; those that are there come first. To
/// set them to zero before would take as long as a tenth of a compression.
pub(crate) type Room = [MaybeUninit<Cv>; WIDE];

const NO_ROOM: MaybeUninit<Cv> = MaybeUninit::uninit();

/// What all nodes of a tree share.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
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
    /// Runs `count` inputs of `stride` bytes each, at most `WIDE` of them, one behind
    /// the other, to chaining values at `out`.
    ///
    /// # Safety
    /// The inputs must be readable, and 16 chaining values writable at `out` for
    /// every 16 inputs and what is left. The two may overlap as long as no value
    /// lies behind the beginning of its input: bodies do not write before they have
    /// read.
    unsafe fn run(&mut self, input: *const u8, stride: usize, count: usize, out: *mut Cv) {
        assert!(count <= self.jobs.len() * LANES);
        for (j, job) in self.jobs[..count.div_ceil(LANES)].iter_mut().enumerate() {
            let first = j * LANES;
            job.key = &raw const self.mode.key;
            job.out = out.wrapping_add(first).cast();
            let input = input.wrapping_add(first * stride);
            job.read_from(input, stride, (count - first).min(LANES));
        }
        // SAFETY: every lane has `stride` bytes of input, the key outlives the
        // call, and each job that is used has its part of `out`.
        unsafe { (KERNEL.get().0.advance)(self.jobs, stride / BLOCK_LEN, count) };
    }

    /// Chaining values of whole chunks, at most `WIDE` of them.
    fn chunks(&mut self, input: &[u8], counter: u64, out: &mut Room) {
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
        // SAFETY: so many chunks are there, and room for `WIDE` values.
        unsafe {
            let count = input.len() / CHUNK_LEN;
            self.run(input.as_ptr(), CHUNK_LEN, count, out.as_mut_ptr().cast());
        }
    }

    /// Parents of chaining values, at most twice `WIDE`, to the front of `out`;
    /// an odd one is passed on. Says how many there are then.
    ///
    /// # Safety
    /// The children must be initialised.
    unsafe fn parents(&mut self, children: &[MaybeUninit<Cv>], out: &mut Room) -> usize {
        let (pairs, odd) = children.as_chunks::<2>();
        // SAFETY: the caller's promise; so many pairs are there, and room for `WIDE`
        // values.
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

    /// The same where the children are, the first `count`.
    ///
    /// # Safety
    /// They must be initialised.
    unsafe fn parents_in_place(&mut self, cvs: &mut Room, count: usize) -> usize {
        assert!((1..=WIDE).contains(&count));
        let pairs = count / 2;
        // Bodies write more values than there are pairs.
        let last = cvs[count - 1];
        let at = cvs.as_mut_ptr().cast();
        // SAFETY: the caller's promise; so many pairs are there, and room for `WIDE`
        // values; that of a pair does not lie behind it.
        unsafe { self.pairs(at, pairs, at) };
        if !count.is_multiple_of(2) {
            cvs[pairs] = last;
        }
        count.div_ceil(2)
    }

    /// Parents of `count` pairs.
    ///
    /// # Safety
    /// As [`Work::run`] with pairs as inputs.
    unsafe fn pairs(&mut self, children: *const Cv, count: usize, out: *mut Cv) {
        // SAFETY: the caller's promise; a pair is read before its parent is written.
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
fn wide<J: Join>(work: &mut Work, input: &[u8], counter: u64, out: &mut Room) -> usize {
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
    let (left, right) = input.split_at(left_len(input.len()));
    let right_counter = counter.wrapping_add((left.len() / CHUNK_LEN) as u64);
    let mut both = [NO_ROOM; 2 * WIDE];
    let (first, second) = both.split_at_mut(WIDE);
    let first: &mut Room = first.try_into().expect("one half");
    let second: &mut Room = second.try_into().expect("the other");
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
    // SAFETY: so many are there, without a gap.
    unsafe { work.parents(&both[..l + r], out) }
}

/// [`wide`] with jobs of its own.
fn fresh<J: Join>(mode: &Mode, input: &[u8], counter: u64, out: &mut Room) -> usize {
    let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
    wide::<J>(&mut Work { mode, jobs }, input, counter, out)
}

/// Chaining values of a subtree of more than one chunk that begins a message;
/// not more than `WIDE`.
pub(crate) fn wide_alone<J: Join>(mode: &Mode, input: &[u8], out: &mut [Cv; WIDE]) -> usize {
    debug_assert!(input.len() > CHUNK_LEN);
    // SAFETY: nothing is written there but values.
    let out = unsafe { &mut *(&raw mut *out).cast::<Room>() };
    fresh::<J>(mode, input, 0, out)
}

/// The two chaining values below the root of a subtree of more than one chunk.
pub(crate) fn halves<J: Join>(mode: &Mode, input: &[u8], counter: u64) -> [Cv; 2] {
    root_of::<J, _>(mode, input, counter, |[left, right]| [*left, *right])
}

/// The hash of a message of more than one chunk.
pub(crate) fn hash<J: Join>(mode: &Mode, input: &[u8]) -> Cv {
    let flags = mode.flags | flags::PARENT | flags::ROOT;
    root_of::<J, _>(mode, input, 0, |children| {
        let block = children.as_flattened().try_into().expect("64 bytes");
        words::bytes(&compress(&mode.key, block, 0, BLOCK_LEN as u32, flags))
    })
}

/// Gives `root` the two chaining values below the root of a subtree of more than
/// one chunk, where they are: a copy would wait for the kernel's stores.
fn root_of<J: Join, R>(
    mode: &Mode,
    input: &[u8],
    counter: u64,
    root: impl FnOnce(&[Cv; 2]) -> R,
) -> R {
    debug_assert!(input.len() > CHUNK_LEN);
    let mut cvs = [NO_ROOM; WIDE];
    if input.len() < (LANES + 1) * CHUNK_LEN {
        let jobs = &mut [Job::new([0; 3])];
        narrow::<J>(&mut Work { mode, jobs }, input, counter, &mut cvs);
    } else {
        let jobs = &mut [Job::new([0; 3]), Job::new([0; 3])];
        narrow::<J>(&mut Work { mode, jobs }, input, counter, &mut cvs);
    }
    // SAFETY: the first two are there.
    root(unsafe { &*cvs.as_ptr().cast() })
}

/// Chaining values of a subtree until there are two, at the front of `cvs`.
fn narrow<J: Join>(work: &mut Work, input: &[u8], counter: u64, cvs: &mut Room) {
    let mut count = wide::<J>(work, input, counter, cvs);
    while count > 2 {
        // SAFETY: so many are there.
        count = unsafe { work.parents_in_place(cvs, count) };
    }
}
