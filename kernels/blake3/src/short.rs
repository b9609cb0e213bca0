//! Messages of at most one chunk, one in each lane.

use super::body::Body;
use super::constants::BLOCK_LEN;
use super::job::{Cvs, Flags, Job, LANES, WIDE};
use super::kernel::KERNEL;
use super::mode::Cv;
use core::cell::Cell;
use core::mem::MaybeUninit;
use karat_hash_core::lanes::{Lanes, Parts, Stretch};
use karat_hash_core::short;

/// Calls the kernel once, from `key` to `out`, for messages of `blocks` blocks each, at most
/// as many as lanes.
pub(crate) fn group(
    body: &Body,
    jobs: &mut [Job],
    key: &[u32; 8],
    messages: &[&[u8]],
    blocks: usize,
    out: &mut [Cv],
) {
    debug_assert!(messages.iter().all(|m| m.len() == blocks * BLOCK_LEN));
    assert!(messages.len() == out.len());
    // SAFETY: every message has `blocks` blocks, and so have idle lanes.
    unsafe {
        group_of(body, jobs, key, blocks, out, |job, j| {
            inputs(job, j, messages)
        })
    };
}

/// The same for jobs whose inputs `set` sets, given a job and its number.
///
/// # Safety
/// Every lane of the jobs must be readable for `blocks` blocks.
#[inline(always)]
pub(crate) unsafe fn group_of(
    body: &Body,
    jobs: &mut [Job],
    key: &[u32; 8],
    blocks: usize,
    out: &mut [Cv],
    set: impl Fn(&mut Job, usize),
) {
    assert!(out.len() <= jobs.len() * LANES);
    let mut hashes = MaybeUninit::<[Cv; WIDE]>::uninit();
    let whole = out.len() == jobs.len() * LANES;
    let to: *mut Cv = if whole {
        out.as_mut_ptr()
    } else {
        hashes.as_mut_ptr().cast()
    };
    for (j, job) in jobs.iter_mut().enumerate() {
        job.key = key;
        job.out = to.wrapping_add(j * LANES).cast();
        set(job, j);
    }
    // SAFETY: the caller guarantees readable lanes. `to` is `out` or `hashes`, which has
    // room for all jobs.
    unsafe { (body.0.advance)(jobs, blocks, out.len()) };
    if !whole {
        // SAFETY: the kernel has written the hashes of all used lanes.
        out.copy_from_slice(unsafe { core::slice::from_raw_parts(to, out.len()) });
    }
}

/// Lets job number `j` read its messages. Idle lanes read the first message of all.
#[inline(always)]
pub(crate) fn inputs(job: &mut Job, j: usize, messages: &[&[u8]]) {
    let mine = messages.get(j * LANES..).unwrap_or_default();
    if let Some((mine, _)) = mine.split_first_chunk::<LANES>() {
        job.inputs = mine.map(<[u8]>::as_ptr);
    } else {
        job.inputs.fill(messages[0].as_ptr());
        for (place, message) in job.inputs.iter_mut().zip(mine) {
            *place = message.as_ptr();
        }
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

    pub(crate) fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        let (j, l) = (lane / LANES, lane % LANES);
        let body = message.len().saturating_sub(1) / BLOCK_LEN;
        let rest = &message[body * BLOCK_LEN..];
        let mut tail = [0; BLOCK_LEN];
        short::copy(&mut tail, rest);
        self.tails[j][l].set(tail);
        self.ends[j][l] = (rest.len() as u32, true);
        for (row, word) in self.cvs[j].0.iter_mut().zip(self.key) {
            row[l] = word;
        }
        Parts { body, tail: 1 }
    }

    /// # Safety
    /// The same conditions as for [`Lanes::advance`].
    pub(crate) unsafe fn advance(&mut self, stretches: &[Stretch], blocks: usize) {
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

    pub(crate) fn cv(&self, lane: usize) -> [u32; 8] {
        let cv = &self.cvs[lane / LANES].0;
        core::array::from_fn(|i| cv[i][lane % LANES])
    }

    fn end(&mut self, lane: usize, message: usize) {
        self.out[message] = super::words::bytes(&self.cv(lane));
    }
}

impl<const J: usize, const N: usize> Lanes<N> for Short<'_, J> {
    const BLOCK: usize = BLOCK_LEN;

    fn begin(&mut self, lane: usize, _: usize, message: &[u8]) -> Parts {
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
