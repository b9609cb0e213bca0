//! What is said before the process ends, because going on would corrupt memory.

use crate::print::message;
use core::fmt::Arguments;

/// Says what was found, and aborts.
#[cold]
pub fn fail(text: Arguments<'_>) -> ! {
    message(text);
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

#[cold]
pub fn double_free(address: usize) -> ! {
    fail(format_args!(
        "an object of the slab of {address:#x} was freed twice; run with KARAT_ALLOC_DEBUG=2 \
         to be told at the second free"
    ))
}

#[cold]
pub fn inside(address: usize) -> ! {
    fail(format_args!(
        "{address:#x} was freed, which is inside of an object and not its start"
    ))
}

#[cold]
pub fn not_allocated(address: usize) -> ! {
    fail(format_args!(
        "{address:#x} was freed, which is not allocated: freed before, or never given out"
    ))
}

#[cold]
pub fn foreign(address: usize) -> ! {
    fail(format_args!(
        "{address:#x} was freed, which this allocator never gave out: another allocator's, \
         the stack's or a static"
    ))
}
