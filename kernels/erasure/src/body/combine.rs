//! Sums of products: every code as a matrix.
//!
//! Limit: one product and one addition for each input and output. Sums stay in registers,
//! and an input is taken apart once for `OUTPUTS` of them.

use super::Combine;
use crate::vector::Symbols;

/// All outputs, `OUTPUTS` at a time, `WIDE` values of a row at a time.
///
/// # Safety
/// As [`Combine`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn combine<S: Symbols, const OUTPUTS: usize, const WIDE: usize>(job: &Combine) {
    let mut first = 0;
    // SAFETY: the caller's promise; groups end with the outputs.
    unsafe {
        while job.output_count - first >= OUTPUTS {
            group::<S, OUTPUTS, WIDE>(job, first);
            first += OUTPUTS;
        }
        if OUTPUTS > 4 && job.output_count - first >= 4 {
            group::<S, 4, WIDE>(job, first);
            first += 4;
        }
        if job.output_count - first >= 2 {
            group::<S, 2, WIDE>(job, first);
            first += 2;
        }
        if job.output_count > first {
            group::<S, 1, WIDE>(job, first);
        }
    }
}

/// Outputs `first..first + OUTPUTS`.
#[inline(always)]
unsafe fn group<S: Symbols, const OUTPUTS: usize, const WIDE: usize>(job: &Combine, first: usize) {
    let count = job.bytes / S::BYTES;
    let mut at = 0;
    // SAFETY: the caller's promise; `at` stays below the column's end.
    unsafe {
        while at + WIDE <= count {
            sums::<S, OUTPUTS, WIDE>(job, first, at);
            at += WIDE;
        }
        while at < count {
            sums::<S, OUTPUTS, 1>(job, first, at);
            at += 1;
        }
    }
}

/// The values number `index..index + WIDE` of the group's outputs.
#[inline(always)]
unsafe fn sums<S: Symbols, const OUTPUTS: usize, const WIDE: usize>(
    job: &Combine,
    first: usize,
    index: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[S::zero(); WIDE]; OUTPUTS];
        let mut constants = job.constants.add(first);
        for input in 0..job.input_count {
            let row = (*job.inputs.add(input)).add(job.from);
            let mut parts = [S::zero().split(); WIDE];
            for (w, part) in parts.iter_mut().enumerate() {
                let value = S::load(row.add(S::at(index + w)));
                let value = if job.enter { value.convert() } else { value };
                *part = value.split();
            }
            for (o, sum) in sums.iter_mut().enumerate() {
                let factor = S::factor::<false>(job.tables, *constants.add(o));
                for (sum, part) in sum.iter_mut().zip(parts) {
                    *sum = sum.xor(S::mul::<false>(part, factor));
                }
            }
            // Behind the last one it may lie outside, where nobody reads it.
            constants = constants.wrapping_add(job.output_count);
        }
        for (o, sum) in sums.into_iter().enumerate() {
            let row = (*job.outputs.add(first + o)).add(job.to);
            for (w, sum) in sum.into_iter().enumerate() {
                let at = row.add(S::at(index + w));
                let value = sum.convert();
                let value = if job.add {
                    value.xor(S::load(at))
                } else {
                    value
                };
                value.store(at);
            }
        }
    }
}
