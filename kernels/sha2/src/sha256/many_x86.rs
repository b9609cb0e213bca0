//! Many messages on x86: which messages go to which lanes.

use super::avx2::{self, Eight};
use super::avx512::{self, Group, LANES};
use super::avx512_two;
use super::constants::{BLOCK, IV256, Sha256};
use super::sha_ni as ni;
use super::sha_ni_one as one;
use super::sha_ni_upper as upper;
use crate::job::Job;
use crate::wide::{Tail, Wide, common_length, equal, mixed, rows};
use core::arch::x86_64::{
    _mm512_mask_set1_epi8, _mm512_mask_set1_epi64, _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
};
use karat_hash_core::slices::of_length;

/// SHA-NI streams. `N` is 2 or 4.
struct Streams<const N: usize>([[u32; 8]; N]);

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
}

/// Creates a group in which all states are `iv`.
#[inline]
fn start(iv: &[u32; 8]) -> Group {
    let mut group = Group([[0; LANES]; 8]);
    for (word, value) in iv.iter().enumerate() {
        group.0[word] = [*value; LANES];
    }
    group
}

/// `G` groups of zmm lanes, `N = 16 G`. With `FEW`, a few busy lanes run as SHA-NI
/// streams.
struct Zmm<const G: usize, const FEW: bool>([Group; G]);

/// Up to this many messages take no longer as streams than as a group of zmm lanes. A
/// group takes the same time however few lanes are busy: 8 x 70 cycles against 580 on
/// Zen 5. Plonky3 0.9 has the same limit on Intel (p3-sha256, `x86_64_avx512/mod.rs`).
const STREAMS: usize = 8;

/// From this many messages on, two groups are faster than one group and streams for the
/// rest (docs/notes/sha256-many.md).
const TWO_GROUPS: usize = 21;

impl<const G: usize, const FEW: bool> Zmm<G, FEW> {
    fn group(lane: usize) -> (usize, usize) {
        (lane / LANES, lane % LANES)
    }
}

macro_rules! zmm {
    ($groups:literal, $lanes:literal) => {
        impl<const FEW: bool> Wide<Sha256, $lanes> for Zmm<$groups, FEW> {
            fn new(iv: &[u32; 8]) -> Self {
                Self([start(iv); $groups])
            }

            fn get(&self, lane: usize) -> [u32; 8] {
                let (g, i) = Self::group(lane);
                let mut state = [0; 8];
                for word in 0..8 {
                    state[word] = self.0[g].0[word][i];
                }
                state
            }

            fn set(&mut self, lane: usize, state: &[u32; 8]) {
                let (g, i) = Self::group(lane);
                for word in 0..8 {
                    self.0[g].0[word][i] = state[word];
                }
            }

            unsafe fn blocks(&mut self, rows: &[*const u8; $lanes], busy: u32, blocks: usize) {
                // SAFETY: the caller upholds the safety contract. FEW is set only where
                // the CPU has SHA-NI.
                unsafe {
                    if FEW && busy.count_ones() as usize <= STREAMS {
                        streams(self, rows, busy, blocks);
                    } else if $groups == 1 || busy >> LANES == 0 {
                        avx512::blocks16(self.0.as_mut_ptr(), rows.as_ptr(), blocks);
                    } else if busy & 0xffff == 0 {
                        let rows = rows[LANES..].as_ptr();
                        avx512::blocks16(&mut self.0[$groups - 1], rows, blocks);
                    } else {
                        avx512_two::blocks32(self.0.as_mut_ptr(), rows.as_ptr(), blocks);
                    }
                }
            }

            unsafe fn digests(&self, out: &mut [[u8; 32]; $lanes]) {
                for group in 0..$groups {
                    let out = out[LANES * group..][..LANES].as_mut_ptr();
                    // SAFETY: the caller upholds the safety contract. `out` has room
                    // for 16 digests of 32 bytes.
                    unsafe { avx512::bytes16(&self.0[group], out) };
                }
            }

            unsafe fn pad(messages: &[&[u8]], before: u64, tails: &mut [Tail<Sha256>]) -> usize {
                // SAFETY: the caller upholds the safety contract.
                unsafe { pad_masked(messages, before, tails) }
            }
        }
    };
}
zmm!(1, 16);
zmm!(2, 32);

/// [`crate::block::pad`] with masked loads instead of byte copies.
#[target_feature(enable = "avx512f,avx512bw")]
fn pad_masked(messages: &[&[u8]], before: u64, tails: &mut [Tail<Sha256>]) -> usize {
    let mut blocks = 0;
    for index in 0..messages.len() {
        let (message, tail) = (messages[index], &mut tails[index]);
        let rest = message.len() % BLOCK;
        let length = (before.wrapping_add(message.len() as u64) << 3).to_be() as i64;
        let at = message[message.len() - rest..].as_ptr();
        // SAFETY: the mask selects the `rest` bytes only; others are not read. The tail
        // has room for two blocks.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8((1 << rest) - 1, at.cast());
            let bytes = _mm512_mask_set1_epi8(bytes, 1 << rest, 0x80_u8 as i8);
            let first = tail.as_mut_ptr();
            if rest < BLOCK - 8 {
                let bytes = _mm512_mask_set1_epi64(bytes, 0x80, length);
                _mm512_storeu_si512(first.cast(), bytes);
                blocks = 1;
            } else {
                _mm512_storeu_si512(first.cast(), bytes);
                let zero = core::arch::x86_64::_mm512_setzero_si512();
                let last = _mm512_mask_set1_epi64(zero, 0x80, length);
                _mm512_storeu_si512(first.add(BLOCK).cast(), last);
                blocks = 2;
            }
        }
    }
    blocks
}

/// Runs the busy lanes, at most [`STREAMS`], as SHA-NI streams.
///
/// # Safety
/// The CPU must have SHA-NI. Rows must be as for [`Wide::blocks`].
unsafe fn streams<W: Wide<Sha256, N>, const N: usize>(
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

/// Eight ymm lanes.
struct Ymm(Eight);

impl Wide<Sha256, 8> for Ymm {
    fn new(iv: &[u32; 8]) -> Self {
        Self(Eight(iv.map(|word| [word; 8])))
    }

    fn get(&self, lane: usize) -> [u32; 8] {
        self.0.0.map(|row| row[lane])
    }

    fn set(&mut self, lane: usize, state: &[u32; 8]) {
        for (row, word) in self.0.0.iter_mut().zip(state) {
            row[lane] = *word;
        }
    }

    unsafe fn blocks(&mut self, rows: &[*const u8; 8], _busy: u32, blocks: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { avx2::blocks8(&mut self.0, rows.as_ptr(), blocks) };
    }
}

/// Whether it is plain SHA-256 of messages that need padding. Digests of SHA-224 have
/// another size.
fn plain(job: &Job<'_, Sha256>) -> bool {
    job.size == 32 && job.one_start() && !job.padded
}

/// Hashes messages of 64 bytes, in groups of four.
type Pairs = unsafe extern "sysv64" fn(*const &[u8], usize, *mut [u8; 32]);

/// Hashes all messages in SHA-NI streams.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn sha_ni(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { in_streams::<Streams<4>>(job, ni::pairs4) };
}

/// The same with words in the upper registers.
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1, AVX-512F and VL.
pub(super) unsafe fn sha_ni_upper(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if job.padded {
            padded_in_streams(job);
        }
        in_streams::<Upper>(job, upper::pairs4);
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
/// The CPU must have the ISAs of `W` and of `pairs4`.
#[inline(always)]
unsafe fn in_streams<W: Wide<Sha256, 4>>(job: &mut Job<'_, Sha256>, pairs4: Pairs) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees the ISAs. Counts are 1 to 4.
    unsafe {
        let Some(length) = common_length(job.messages) else {
            return mixed::<Sha256, W, 4>(job);
        };
        let mut first = 0;
        if length == BLOCK && plain(job) {
            first = pairs_in_streams(job, 0, pairs4);
        }
        for first in (first..count).step_by(4) {
            equal::<Sha256, W, 4>(job, first, (count - first).min(4));
        }
    }
}

/// Hashes all messages with AVX2.
///
/// # Safety
/// The CPU must have AVX2.
pub(super) unsafe fn avx2(job: &mut Job<'_, Sha256>) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees AVX2. Counts are 1 to 8.
    unsafe {
        if common_length(job.messages).is_none() {
            return mixed::<Sha256, Ymm, 8>(job);
        }
        for first in (0..count).step_by(8) {
            equal::<Sha256, Ymm, 8>(job, first, (count - first).min(8));
        }
    }
}

/// Hashes all messages with AVX-512.
///
/// # Safety
/// The CPU must have AVX-512F and BW.
pub(super) unsafe fn avx512(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if in_step(job) {
            zmm::<false>(job);
        }
    }
}

/// Hashes messages with AVX-512, and with SHA-NI where few are left.
///
/// # Safety
/// The CPU must have AVX-512F and BW, SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn avx512_sha_ni(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if in_step(job) {
            zmm::<true>(job);
        }
    }
}

/// SHA-256 of full groups of 32 messages of 64 bytes at the front. Returns whether
/// other messages are left.
///
/// This is separate from [`zmm`], which has a large frame and many branches. Each
/// compiler flag changes the code of [`zmm`], which would be measurable for messages of
/// one block.
///
/// # Safety
/// The CPU must have AVX-512F and BW.
unsafe fn in_step(job: &mut Job<'_, Sha256>) -> bool {
    if plain(job) {
        let groups = of_length(job.messages, BLOCK) / (2 * LANES);
        if groups > 0 {
            let out = job.out.as_mut_ptr().cast();
            // SAFETY: the caller upholds the safety contract. There are that many
            // messages and places.
            unsafe { avx512_two::pairs32(job.messages.as_ptr(), groups, out) };
            job.skip(groups * 2 * LANES);
        }
    }
    !job.messages.is_empty()
}

/// # Safety
/// The CPU must have AVX-512F and BW. With `FEW` it must have SHA-NI too.
#[inline(never)]
unsafe fn zmm<const FEW: bool>(job: &mut Job<'_, Sha256>) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees the ISAs. Counts are within the bounds of each
    // function.
    unsafe {
        let Some(length) = common_length(job.messages) else {
            return match count {
                0 => {}
                _ if FEW && count <= STREAMS => mixed::<Sha256, Streams<4>, 4>(job),
                _ if count < TWO_GROUPS => mixed::<Sha256, Zmm<1, FEW>, 16>(job),
                _ => mixed::<Sha256, Zmm<2, FEW>, 32>(job),
            };
        };
        let mut first = 0;
        if length == BLOCK && plain(job) {
            first = pairs::<FEW>(job);
        }
        while first < count {
            let left = count - first;
            let taken = if FEW && left <= STREAMS {
                equal::<Sha256, Streams<4>, 4>(job, first, left.min(4));
                4
            } else if left <= LANES || FEW && left < TWO_GROUPS {
                equal::<Sha256, Zmm<1, FEW>, 16>(job, first, left.min(LANES));
                LANES
            } else {
                equal::<Sha256, Zmm<2, FEW>, 32>(job, first, left.min(2 * LANES));
                2 * LANES
            };
            first += taken;
        }
    }
}

/// The same in SHA-NI streams: groups of four messages from number `first` on. Returns
/// how many were hashed.
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1 and what `pairs4` needs. All messages must have 64
/// bytes, digests 32.
#[inline]
unsafe fn pairs_in_streams(job: &mut Job<'_, Sha256>, first: usize, pairs4: Pairs) -> usize {
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

/// SHA-256 of the messages of 64 bytes that [`in_step`] has left, fewer than 32. Such
/// messages are nodes of Merkle trees. Returns how many were hashed. It leaves out
/// messages that are faster as streams.
///
/// # Safety
/// The CPU must have AVX-512F and BW. All messages must have 64 bytes, digests 32.
unsafe fn pairs<const FEW: bool>(job: &mut Job<'_, Sha256>) -> usize {
    let (out, _) = job.out.as_chunks_mut::<32>();
    debug_assert!(job.messages.len() < 2 * LANES);
    let mut first = 0;
    loop {
        let left = job.messages.len() - first;
        if left == 0 {
            return first;
        }
        if FEW && left <= STREAMS {
            // SAFETY: the caller upholds the safety contract.
            return first + unsafe { pairs_in_streams(job, first, ni::pairs4) };
        }
        let messages = &job.messages[first..];
        let out = &mut out[first..];
        // SAFETY: there are 16 rows or 32 messages, and room for as many digests.
        unsafe {
            if left <= LANES || FEW && left < TWO_GROUPS {
                let taken = left.min(LANES);
                let rows = rows::<LANES>(&messages[..taken]);
                let mut group = start(&IV256);
                avx512::blocks16(&mut group, rows.as_ptr(), 1);
                avx512::pad16(&mut group);
                if taken == LANES {
                    avx512::bytes16(&group, out.as_mut_ptr());
                } else {
                    let mut room = [[0; 32]; LANES];
                    avx512::bytes16(&group, room.as_mut_ptr());
                    out.copy_from_slice(&room[..taken]);
                }
                first += taken;
            } else {
                let messages: [&[u8]; 2 * LANES] =
                    core::array::from_fn(|i| messages[i.min(left - 1)]);
                let mut room = [[0; 32]; 2 * LANES];
                avx512_two::pairs32(messages.as_ptr(), 1, room.as_mut_ptr());
                out.copy_from_slice(&room[..left]);
                return first + left;
            }
        }
    }
}
