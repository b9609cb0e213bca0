//! Many messages as SHA-NI streams: two or four side by side.

use super::constants::{BLOCK, Sha256};
use super::padding512::pad_masked;
use super::sha_ni as ni;
use super::sha_ni_one as one;
use super::sha_ni_upper as upper;
use super::sha_ni_upper_whole as upper_whole;
use super::sha_ni_whole as whole;
use crate::job::Job;
use crate::wide::{Tail, Wide, common_length, equal, mixed};

/// Up to this many messages take no longer as streams than as a group of zmm lanes. A
/// group takes the same time however few lanes are busy: 8 x 70 cycles against 580 on
/// Zen 5. Plonky3 0.9 has the same limit on Intel (p3-sha256, `x86_64_avx512/mod.rs`).
pub(super) const STREAMS: usize = 8;

/// SHA-NI streams. `N` is 2 or 4.
pub(super) struct Streams<const N: usize>([[u32; 8]; N]);

impl<const N: usize> Wide<Sha256, N> for Streams<N> {
    fn new(iv: &[u32; 8]) -> Self {
        Self([*iv; N])
    }

    fn get(&self, lane: usize) -> [u32; 8] {
        self.0[lane]
    }

    fn set(&mut self, lane: usize, state: &[u32; 8]) {
        self.0[lane] = *state;
    }

    unsafe fn blocks(&mut self, rows: &[*const u8; N], busy: u32, blocks: usize) {
        // SAFETY: the caller upholds the safety contract. The slice has N rows.
        unsafe {
            if busy.count_ones() == 1 {
                let lane = busy.trailing_zeros() as usize;
                one::compress(&mut self.0[lane], rows[lane], blocks);
            } else if busy == 0b11 || N == 2 {
                ni::blocks2(self.0.as_mut_ptr(), rows.as_ptr(), blocks);
            } else {
                ni::blocks4(self.0.as_mut_ptr(), rows.as_ptr(), blocks);
            }
        }
    }

    unsafe fn digests(&self, out: &mut [[u8; 32]; N]) {
        // SAFETY: the caller guarantees the ISAs. Both have N places.
        unsafe { ni::digests(self.0.as_ptr(), out.as_mut_ptr(), N) };
    }
}

/// Four streams from `iv`. A function for itself, whatever the program is built for: inlined
/// without AVX the states were copied once more.
#[target_feature(enable = "avx")]
#[inline(never)]
fn start4(iv: &[u32; 8]) -> Streams<4> {
    Streams([*iv; 4])
}

/// Four SHA-NI streams with their words in the upper registers.
struct Upper(Streams<4>);

impl Wide<Sha256, 4> for Upper {
    fn new(iv: &[u32; 8]) -> Self {
        // SAFETY: these streams are for CPUs with AVX-512VL.
        Self(unsafe { start4(iv) })
    }

    fn get(&self, lane: usize) -> [u32; 8] {
        self.0.get(lane)
    }

    fn set(&mut self, lane: usize, state: &[u32; 8]) {
        self.0.set(lane, state);
    }

    unsafe fn blocks(&mut self, rows: &[*const u8; 4], busy: u32, blocks: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if busy.count_ones() > 2 {
                upper::blocks4(self.0.0.as_mut_ptr(), rows.as_ptr(), blocks);
            } else {
                self.0.blocks(rows, busy, blocks);
            }
        }
    }

    unsafe fn digests(&self, out: &mut [[u8; 32]; 4]) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { self.0.digests(out) };
    }

    unsafe fn pad(messages: &[&[u8]], before: u64, tails: &mut [Tail<Sha256>]) -> usize {
        // SAFETY: the caller upholds the safety contract.
        unsafe { pad_masked(messages, before, tails) }
    }
}

/// Runs the busy lanes, at most [`STREAMS`], as SHA-NI streams.
///
/// # Safety
/// The CPU must have SHA-NI. Rows must be as for [`Wide::blocks`].
pub(super) unsafe fn streams<W: Wide<Sha256, N>, const N: usize>(
    wide: &mut W,
    rows: &[*const u8; N],
    busy: u32,
    blocks: usize,
) {
    let mut lanes = [0; STREAMS];
    let mut count = 0;
    let mut left = busy;
    while left != 0 {
        lanes[count] = left.trailing_zeros() as usize;
        count += 1;
        left &= left - 1;
    }
    for lanes in lanes[..count].chunks(4) {
        let lane = |i: usize| lanes[i.min(lanes.len() - 1)];
        let mut four = Streams::<4>(core::array::from_fn(|i| wide.get(lane(i))));
        let rows = core::array::from_fn(|i| rows[lane(i)]);
        // SAFETY: the caller upholds the safety contract.
        unsafe { four.blocks(&rows, (1 << lanes.len()) - 1, blocks) };
        for (lane, state) in lanes.iter().zip(&four.0) {
            wide.set(*lane, state);
        }
    }
}

/// Whether it is plain SHA-256 of messages that need padding. Digests of SHA-224 have
/// another size.
pub(super) fn plain(job: &Job<'_, Sha256>) -> bool {
    job.size == 32 && job.one_start() && !job.padded
}

/// Hashes messages of 64 bytes, in groups of four.
type Pairs = unsafe extern "sysv64" fn(*const &[u8], usize, *mut [u8; 32]);

/// Hashes messages of one length, in groups of four: [`whole::whole4`].
type Whole =
    unsafe extern "sysv64" fn(*const &[u8], *const [u8; 128], usize, usize, usize, *mut [u8; 32]);

/// Hashes all messages in SHA-NI streams.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn sha_ni(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { in_streams::<Streams<4>>(job, ni::pairs4, whole::whole4) };
}

/// The same with words in the upper registers.
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1, AVX-512F, BW and VL.
pub(super) unsafe fn sha_ni_upper(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if job.padded {
            padded_in_streams(job);
        }
        in_streams::<Upper>(job, upper::pairs4, upper_whole::whole4);
    }
}

/// Hashes groups of four messages at the front that carry their padding.
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1, AVX-512F and VL.
unsafe fn padded_in_streams(job: &mut Job<'_, Sha256>) {
    let groups = job.messages.len() / 4;
    // Where nothing is ahead, messages stand for it: they are in the caches.
    let with_ahead = groups.min(job.ahead.len() / 4);
    let mut ahead = job.ahead;
    for groups in [with_ahead, groups - with_ahead] {
        if groups > 0 {
            let messages = &job.messages[..4 * groups];
            let length = messages[0].len();
            assert!(length >= BLOCK && messages.iter().all(|m| m.len() == length));
            let (out, _) = job.out.as_chunks_mut::<32>();
            let out = out[..4 * groups].as_mut_ptr();
            // SAFETY: the caller guarantees the ISAs. All messages have so many blocks, 1 or
            // more, and there are as many slices ahead and places for digests.
            unsafe {
                let (messages, blocks) = (messages.as_ptr(), length / BLOCK);
                upper::padded4(messages, blocks, groups, out, ahead.as_ptr());
            }
            job.skip(4 * groups);
        }
        ahead = job.messages;
    }
}

/// Hashes all messages four at a time.
///
/// # Safety
/// The CPU must have the ISAs of `W`, of `pairs4` and of `whole4`.
#[inline(always)]
unsafe fn in_streams<W: Wide<Sha256, 4>>(job: &mut Job<'_, Sha256>, pairs4: Pairs, whole4: Whole) {
    // SAFETY: the caller guarantees the ISAs. Counts are 1 to 4.
    unsafe {
        let Some(length) = common_length(job.messages) else {
            return mixed::<Sha256, W, 4>(job);
        };
        let mut first = 0;
        if length == BLOCK && plain(job) {
            first = pairs_in_streams(job, 0, pairs4);
        } else if job.size == 32 && job.one_start() {
            whole_in_streams::<W>(job, length, whole4);
        }
        let count = job.messages.len();
        for first in (first..count).step_by(4) {
            equal::<Sha256, W, 4>(job, first, (count - first).min(4));
        }
    }
}

/// SHA-256 of messages of `length` bytes, padded by the caller or here: groups of four at the
/// front.
///
/// # Safety
/// The CPU must have the ISAs of `W` and of `whole4`. All messages must have that length,
/// digests 32 bytes.
#[inline(always)]
unsafe fn whole_in_streams<W: Wide<Sha256, 4>>(
    job: &mut Job<'_, Sha256>,
    length: usize,
    whole4: Whole,
) {
    const GROUPS: usize = 4;
    let blocks = length / BLOCK;
    assert!(!job.padded || blocks > 0);
    while job.messages.len() >= 4 {
        let groups = (job.messages.len() / 4).min(GROUPS);
        let messages = &job.messages[..4 * groups];
        let (out, _) = job.out.as_chunks_mut::<32>();
        let out = out[..4 * groups].as_mut_ptr();
        let mut tails = [const { Tail::NEW }; 4 * GROUPS];
        // SAFETY: the caller guarantees the ISAs. All messages have so many blocks and so
        // many behind them, together 1 or more, and there are as many places for digests.
        unsafe {
            let ends = if job.padded {
                0
            } else {
                W::pad(messages, 0, &mut tails)
            };
            let tails = tails.as_ptr().cast();
            whole4(messages.as_ptr(), tails, blocks, ends, groups, out);
        }
        job.skip(4 * groups);
    }
}

/// SHA-256 of messages of 64 bytes: groups of four messages from number `first` on. Returns
/// how many were hashed.
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1 and what `pairs4` needs. All messages must have 64
/// bytes, digests 32.
#[inline]
pub(super) unsafe fn pairs_in_streams(
    job: &mut Job<'_, Sha256>,
    first: usize,
    pairs4: Pairs,
) -> usize {
    let (out, _) = job.out.as_chunks_mut::<32>();
    let (messages, out) = (&job.messages[first..], &mut out[first..]);
    assert!(messages.len() == out.len());
    let groups = messages.len() / 4;
    if groups > 0 {
        // SAFETY: the caller upholds the safety contract. There are that many messages
        // and places.
        unsafe { pairs4(messages.as_ptr(), groups, out.as_mut_ptr()) };
    }
    4 * groups
}
