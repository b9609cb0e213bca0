//! Many messages in vectors on x86: which messages go to which lanes.

use super::avx2::{self, Eight};
use super::avx512::{self, Group, LANES};
use super::avx512_two;
use super::constants::{BLOCK, IV256, Sha256};
use super::many_sha_ni::{STREAMS, Streams, pairs_in_streams, plain, streams};
use super::padding512::pad_masked;
use super::sha_ni as ni;
use crate::job::Job;
use crate::wide::{Tail, Wide, common_length, equal, mixed, rows};
use karat_hash_core::slices::of_length;

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
