//! AVX-512: eight messages in `zmm` registers. Their blocks are absorbed by `absorb512`, last
//! ones are made in `padding512`.

use super::absorb512::*;
use super::padding512::{last_blocks, pad};
use crate::many::{self, States, Tail, Wide};
use crate::state::{Parameters, Rounds};
use core::mem::MaybeUninit;

/// See [`many::many`]. With `THREE`, parities end with three-way logic (`rounds512`).
///
/// # Safety
/// The same conditions as there, and the CPU must have [`super::AVX512`].
pub(crate) unsafe fn many<const THREE: bool>(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::many::<8, Avx512<THREE>>(messages, out, length, p) }
}

struct Avx512<const THREE: bool>;

impl<const THREE: bool> Avx512<THREE> {
    const ABSORB: Absorb8 = if THREE { absorb8_three } else { absorb8_steps };
}

impl<const THREE: bool> Wide<8> for Avx512<THREE> {
    #[inline]
    unsafe fn absorb(
        states: *mut States<8>,
        at: &[*const u8; 8],
        blocks: usize,
        words: usize,
        fresh: bool,
        rounds: Rounds,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let scratch = scratch.as_mut_ptr();
        let mut how = if fresh { FRESH } else { 0 };
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if rounds == Rounds::All {
                return (Self::ABSORB)(states, at, blocks, words * 8, how, scratch);
            }
            let mut at = *at;
            for _ in 0..blocks {
                (Self::ABSORB)(states, &at, 1, words * 8, how | LAST12, scratch);
                how = 0;
                at = at.map(|at| at.wrapping_add(words * 8));
            }
        }
    }

    #[inline]
    unsafe fn group(
        states: *mut States<8>,
        _: *mut [Tail; 8],
        messages: &[&[u8]; 8],
        body: usize,
        p: Parameters,
        length: usize,
        out: *mut u8,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let scratch = scratch.as_mut_ptr();
        let mut how = FRESH;
        if length <= 40 {
            how |= ROW;
        }
        if p.rounds == Rounds::Last12 {
            how |= LAST12;
        }
        // SAFETY: the caller upholds the safety contract. The scratch memory is written
        // before it is read.
        unsafe {
            if length == 32 {
                how |= DIGESTS;
                (*scratch).out = out;
            }
            let whole = match body {
                0 if all_within(messages, 0, 64) => SHORT,
                0 if p.words >= 17 && all_within(messages, 65, 127) => LONG,
                _ => 0,
            };
            if whole != 0 {
                how |= whole | u32::from(p.suffix) << SUFFIX;
                return (Self::ABSORB)(states, messages.as_ptr().cast(), 1, p.rate(), how, scratch);
            }
            let tails = (&raw mut (*scratch).tails).cast::<Tail>();
            let ends = &mut (*scratch).ends;
            last_blocks(tails, ends, messages, body, p);
            if body > 0 && p.rounds == Rounds::All {
                let slices = messages.as_ptr().cast();
                return (Self::ABSORB)(states, slices, body + 1, p.rate(), how | TAILS, scratch);
            }
            if body > 0 {
                let mut at = [core::ptr::null(); 8];
                let mut lane = 0;
                while lane < 8 {
                    at[lane] = messages[lane].as_ptr();
                    lane += 1;
                }
                Self::absorb(states, &at, body, p.words, true, p.rounds);
                how &= !FRESH;
            }
            (Self::ABSORB)(states, ends, 1, p.rate(), how, scratch);
        }
    }

    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { pad(tail, rest, p) }
    }
}

/// Whether all messages have `least` to `most` bytes.
#[inline]
fn all_within(messages: &[&[u8]; 8], least: usize, most: usize) -> bool {
    let mut lane = 0;
    while lane < 8 && messages[lane].len().wrapping_sub(least) <= most - least {
        lane += 1;
    }
    lane == 8
}
