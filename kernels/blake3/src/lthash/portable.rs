//! Plain Rust.

use super::{LEN, LtHash, Words, roots, value};
use crate::body::XofJob;
use crate::kernel::KERNEL;

pub(crate) fn add(sum: &mut Words, other: &Words) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a = a.wrapping_add(*b);
    }
}

pub(crate) fn sub(sum: &mut Words, other: &Words) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a = a.wrapping_sub(*b);
    }
}

/// Adds elements.
pub(crate) fn add_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: plain Rust runs anywhere.
    unsafe { roots::into(inputs, sum, |job, sum| add(sum, &output(job))) };
}

/// The same, subtracted.
pub(crate) fn sub_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: plain Rust runs anywhere.
    unsafe { roots::into(inputs, sum, |job, sum| sub(sum, &output(job))) };
}

/// The output of a root block, as a hash.
pub(crate) fn root(job: &XofJob) -> LtHash {
    LtHash(output(job))
}

/// The first 2048 bytes of a root's output, as words.
pub(crate) fn output(job: &XofJob) -> Words {
    let mut out = [0u8; LEN];
    let (blocks, _) = out.as_chunks_mut();
    // SAFETY: the table gives what this CPU can run.
    unsafe { (KERNEL.get().0.xof)(job, blocks) };
    value::words(out)
}
