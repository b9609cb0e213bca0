//! Many messages in groups of sixteen lanes, one after the other.

use super::avx512::LANES;
use super::avx512_single::{End, whole16};
use super::constants::{BLOCK, Sha256};
use super::many_sha_ni::{STREAMS, sha_ni_upper};
use super::many_x86::avx512_sha_ni;
use crate::job::{Job, Starts};
use crate::wide::common_length;
use core::mem::MaybeUninit;

/// Up to this many messages of several lengths are faster as streams. Lanes wait for each
/// other there, and their states and rows change places (docs/notes/sha256-many.md).
const MIXED_STREAMS: usize = 36;

/// Hashes messages with AVX-512, and with SHA-NI where few are left.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL, SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn avx512_single(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        groups(job);
        let count = job.messages.len();
        let few = match common_length(job.messages) {
            Some(_) => STREAMS,
            None => MIXED_STREAMS,
        };
        if count > 0 && count <= few {
            sha_ni_upper(job);
        } else if count > 0 {
            avx512_sha_ni(job);
        }
    }
}

/// Hashes groups at the front, if all messages have one length and one initial state. Leaves
/// those that are faster as streams.
///
/// # Safety
/// The CPU must have AVX-512F and BW, SHA, SSSE3 and SSE4.1.
#[inline(never)]
unsafe fn groups(job: &mut Job<'_, Sha256>) {
    let Starts::Initial(iv) = job.starts else {
        return;
    };
    if job.messages.len() <= STREAMS {
        return;
    }
    let Some(length) = common_length(job.messages) else {
        return;
    };
    let mut room = MaybeUninit::uninit();
    // SAFETY: the caller upholds the safety contract.
    let end = unsafe {
        if job.padded {
            End::none()
        } else {
            End::of(length, &mut room)
        }
    };
    let full = length / BLOCK;
    assert!(full > 0 || !job.padded);
    // SAFETY: the caller guarantees the ISAs. There are as many messages, of that many full
    // blocks and that end, one block or more, and places for as many digests.
    unsafe {
        let run = |messages: &[&[u8]], groups, out: *mut [u8; 32]| {
            debug_assert!(messages.len() == groups * LANES);
            whole16(iv, messages.as_ptr(), full, &raw const end, groups, out);
        };
        let groups = job.messages.len() / LANES;
        if groups > 0 && job.size == 32 {
            let count = groups * LANES;
            run(&job.messages[..count], groups, job.out.as_mut_ptr().cast());
            job.skip(count);
        }
        while job.messages.len() > STREAMS {
            let count = job.messages.len().min(LANES);
            let mut messages = [job.messages[0]; LANES];
            messages[..count].copy_from_slice(&job.messages[..count]);
            let mut digests = [[0; 32]; LANES];
            run(&messages, 1, digests.as_mut_ptr());
            for (i, digest) in digests[..count].iter().enumerate() {
                job.put(i, digest);
            }
            job.skip(count);
        }
    }
}
