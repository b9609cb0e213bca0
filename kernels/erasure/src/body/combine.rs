//! Sums of products: every code as a matrix.
//!
//! Limit: one product and one addition for each input and output. Sums stay in registers,
//! and an input is taken apart once for `OUTPUTS` of them.

use super::Combine;
use crate::vector::Symbols;

/// All outputs, `OUTPUTS` at a time, `WIDE` values of a row at a time, and of four outputs and
/// fewer `FEW` values. `PAIRS` takes two inputs a step.
///
/// # Safety
/// As [`Combine`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn combine<
    S: Symbols,
    const OUTPUTS: usize,
    const WIDE: usize,
    const FEW: usize,
    const PAIRS: bool,
>(
    job: &Combine,
) {
    let mut first = 0;
    // SAFETY: the caller's promise; groups end with the outputs.
    unsafe {
        while OUTPUTS > 4 && job.output_count - first >= OUTPUTS {
            group::<S, OUTPUTS, WIDE, PAIRS>(job, first);
            first += OUTPUTS;
        }
        while OUTPUTS >= 4 && job.output_count - first >= 4 {
            group::<S, 4, FEW, PAIRS>(job, first);
            first += 4;
        }
        // Three at once, where registers are enough: all inputs are read once.
        if OUTPUTS >= 4 && job.output_count - first == 3 {
            return group::<S, 3, FEW, PAIRS>(job, first);
        }
        while job.output_count - first >= 2 {
            group::<S, 2, FEW, PAIRS>(job, first);
            first += 2;
        }
        if job.output_count > first {
            group::<S, 1, FEW, PAIRS>(job, first);
        }
    }
}

/// Outputs `first..first + OUTPUTS`.
#[inline(always)]
unsafe fn group<S: Symbols, const OUTPUTS: usize, const WIDE: usize, const PAIRS: bool>(
    job: &Combine,
    first: usize,
) {
    let count = job.bytes / S::BYTES;
    let mut at = 0;
    // SAFETY: the caller's promise; `at` stays below the column's end.
    unsafe {
        while at + WIDE <= count {
            sums::<S, OUTPUTS, WIDE, PAIRS>(job, first, at);
            at += WIDE;
        }
        while at < count {
            sums::<S, OUTPUTS, 1, PAIRS>(job, first, at);
            at += 1;
        }
    }
}

/// The values number `index..index + WIDE` of the group's outputs.
#[inline(always)]
unsafe fn sums<S: Symbols, const OUTPUTS: usize, const WIDE: usize, const PAIRS: bool>(
    job: &Combine,
    first: usize,
    index: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[S::zero(); WIDE]; OUTPUTS];
        let factor = |input: usize, output: usize| {
            let place = input * job.output_count + first + output;
            S::factor::<false>(job.tables, *job.constants.add(place))
        };
        let mut input = 0;
        // Two products and a sum are one addition of three where the CPU has it.
        while PAIRS && input + 2 <= job.input_count {
            let left = parts::<S, WIDE>(job, input, index);
            let right = parts::<S, WIDE>(job, input + 1, index);
            for (o, sum) in sums.iter_mut().enumerate() {
                let (by, and) = (factor(input, o), factor(input + 1, o));
                for ((sum, left), right) in sum.iter_mut().zip(left).zip(right) {
                    let two = S::mul::<false>(left, by).xor(S::mul::<false>(right, and));
                    *sum = sum.xor(two);
                }
            }
            input += 2;
        }
        while input < job.input_count {
            let parts = parts::<S, WIDE>(job, input, index);
            for (o, sum) in sums.iter_mut().enumerate() {
                let by = factor(input, o);
                for (sum, part) in sum.iter_mut().zip(parts) {
                    *sum = sum.xor(S::mul::<false>(part, by));
                }
            }
            input += 1;
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

/// The values number `index..index + WIDE` of an input, taken apart.
#[inline(always)]
unsafe fn parts<S: Symbols, const WIDE: usize>(
    job: &Combine,
    input: usize,
    index: usize,
) -> [S::Split; WIDE] {
    // SAFETY: the caller's promise.
    unsafe {
        let row = (*job.inputs.add(input)).add(job.from);
        let mut parts = [S::zero().split(); WIDE];
        for (w, part) in parts.iter_mut().enumerate() {
            let value = S::load(row.add(S::at(index + w)));
            let value = if job.enter { value.convert() } else { value };
            *part = value.split();
        }
        parts
    }
}
