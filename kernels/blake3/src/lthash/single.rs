//! Sixteen blocks of output after sixteen, for Intel's CPUs: see
//! [`crate::x86::avx512_xof_single`].
//!
//! Elements are added word by word, as they leave the lanes, and only the sum of all is
//! transposed. So an element costs 32 additions, and not 32 and 128 shuffles.
//!
//! Limit of an element's two groups: 729 + 16 + 16 operations at 2 a cycle, 381 cycles each.

use super::short::{short_element, short_front, short_hash};
use super::{LtHash, Words, roots, x86};
use crate::BLOCK_LEN;
use crate::body::XofJob;
use crate::raw::IV;
use crate::x86::avx512_xof::fold_rows;
use crate::x86::avx512_xof_single::{sum16s, xof16s};
use core::arch::naked_asm;
use core::mem::{MaybeUninit, offset_of};
use karat_hash_core::slices::STRIDE;

/// Groups of sixteen blocks in a hash.
const GROUPS: u32 = (super::LEN / (16 * BLOCK_LEN)) as u32;

short_element!(hashed xof16s);
short_hash!(of_short hashed GROUPS);
short_element!(added sum16s);
short_front!(elements added);

/// The hash of an element.
///
/// Unsafe: the CPU must have AVX-512F, AVX-512VL and AVX-512BW.
pub(crate) unsafe fn of(input: &[u8]) -> LtHash {
    if input.len() > BLOCK_LEN {
        // SAFETY: the caller's CPU has the ISAs.
        return unsafe { long(input) };
    }
    // SAFETY: the caller's CPU has the ISAs. A slice is readable for its length.
    unsafe { of_short(input.as_ptr(), input.len()) }
}

/// Not inlined, so that [`of`] of a short element is only a jump. Unsafe as [`of`].
#[inline(never)]
unsafe fn long(input: &[u8]) -> LtHash {
    // SAFETY: the caller's CPU has the ISAs.
    roots::one(input, |job| unsafe { root(job) })
}

/// The output of a root block as a hash. Unsafe as [`of`].
pub(crate) unsafe fn root(job: &XofJob) -> LtHash {
    let mut hash = MaybeUninit::<LtHash>::uninit();
    // SAFETY: the caller's CPU has the ISAs. The hash has 2048 bytes, and all are written. Low
    // words of counters from 0 on do not overflow.
    unsafe {
        xof16s(job, hash.as_mut_ptr().cast(), GROUPS as usize);
        hash.assume_init()
    }
}

/// Adds elements. Unsafe as [`of`].
pub(crate) unsafe fn add_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISAs.
    unsafe {
        match inputs {
            [input] => x86::add512(sum, &of(input).0),
            _ => all(inputs, sum, 1),
        }
    }
}

/// The same, subtracted. Unsafe as [`of`].
pub(crate) unsafe fn sub_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISAs.
    unsafe {
        match inputs {
            [input] => x86::sub512(sum, &of(input).0),
            _ => all(inputs, sum, 2),
        }
    }
}

/// Adds or subtracts the sum of several elements, for which their transposition pays: `how` is
/// as for [`fold_rows`]. Unsafe as [`of`].
unsafe fn all(inputs: &[&[u8]], sum: &mut Words, how: u32) {
    if inputs.is_empty() {
        return;
    }
    // Words in the order of `sum16s`.
    let mut rows = LtHash::new();
    // SAFETY: the caller's CPU has the ISAs. Both sums have 2048 bytes, and a hash lies at a
    // multiple of 64.
    unsafe {
        let done = elements(inputs.as_ptr(), inputs.len(), &mut rows.0, GROUPS);
        if done < inputs.len() {
            roots::into(&inputs[done..], &mut rows.0, add_root);
        }
        fold_rows(rows.0.as_ptr().cast(), sum.as_mut_ptr().cast(), how);
    }
}

/// Adds the output of a root block to rows. Unsafe as [`of`].
unsafe fn add_root(job: &XofJob, rows: &mut Words) {
    // SAFETY: the caller's CPU has the ISAs. A sum has 2048 bytes.
    unsafe { sum16s(job, rows.as_mut_ptr().cast(), GROUPS as usize) };
}
