//! Rows from one place to another, converted and multiplied on the way.

use super::Transfer;
use crate::vector::Symbols;
use core::ptr;

/// All rows.
///
/// # Safety
/// As [`Transfer`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn transfer<S: Symbols>(job: &Transfer) {
    for row in 0..job.count {
        // SAFETY: the caller's promise.
        unsafe {
            let (input, output) = (*job.inputs.add(row), *job.outputs.add(row));
            if output.is_null() {
                continue;
            }
            let to = output.add(job.to);
            if !input.is_null() {
                line::<S>(job, row, input.add(job.from), to);
            } else if !job.add {
                ptr::write_bytes(to, 0, job.bytes);
            }
        }
    }
}

#[inline(always)]
unsafe fn line<S: Symbols>(job: &Transfer, row: usize, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        let times = !job.constants.is_null();
        let constant = if times { *job.constants.add(row) } else { 1 };
        let factor = S::factor::<false>(job.tables, constant);
        for index in 0..job.bytes / S::BYTES {
            let at = S::at(index);
            let mut value = S::load(from.add(at));
            if job.enter {
                value = value.convert();
            }
            if times {
                value = S::mul::<false>(value.split(), factor);
            }
            if job.leave {
                value = value.convert();
            }
            if job.add {
                value = value.xor(S::load(to.add(at)));
            }
            value.store(to.add(at));
        }
    }
}
