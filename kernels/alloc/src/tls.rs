//! Two thread-local pointers, by the initial-exec model: no function is called to find
//! them, in a shared library too. Rust's `thread_local!` cannot ask for that model.
//!
//! 16 bytes fit in what the C library keeps for libraries that are opened later.
//!
//! - `front`: the magazines that `malloc` and `free` use. At first, and whenever all calls
//!   must take the slow way, those of [`EMPTY`], which are empty and full at once.
//! - `heap`: the thread's heap, null before there is one, [`ENDED`] after the thread ended.

use crate::front::Front;
use crate::heap::Heap;
use core::arch::{asm, global_asm};

/// Magazines of no capacity. Nobody writes them.
pub static EMPTY: Front = Front::new();

/// What stands for the heap of a thread that ended.
pub const ENDED: *const Heap = core::ptr::without_provenance(1);

#[repr(C)]
struct Local {
    front: *const Front,
    heap: *const Heap,
}

// The name has the version in it: two versions may be linked into one program.
macro_rules! symbol {
    () => {
        concat!("karat_alloc_", env!("CARGO_PKG_VERSION"), "_local")
    };
}

global_asm!(
    ".pushsection .tdata.karat_alloc, \"awT\", @progbits",
    concat!(".globl \"", symbol!(), "\""),
    concat!(".hidden \"", symbol!(), "\""),
    concat!(".type \"", symbol!(), "\", @object"),
    concat!(".size \"", symbol!(), "\", 16"),
    ".p2align 4",
    concat!("\"", symbol!(), "\":"),
    ".quad {empty}",
    ".quad 0",
    ".popsection",
    empty = sym EMPTY,
);

/// The front of this thread.
#[inline(always)]
pub fn front() -> &'static Front {
    let front: *const Front;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads the thread's own variable, which always points to magazines.
    unsafe {
        asm!(
            concat!("mov {0}, qword ptr [rip + \"", symbol!(), "\"@GOTTPOFF]"),
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) front,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        front = (*local()).front;
    }
    // SAFETY: magazines are never given back.
    unsafe { &*front }
}

#[inline(always)]
fn local() -> *mut Local {
    let local: *mut Local;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: computes an address.
    unsafe {
        asm!(
            concat!("mov {0}, qword ptr [rip + \"", symbol!(), "\"@GOTTPOFF]"),
            "add {0}, qword ptr fs:[0]",
            out(reg) local,
            options(pure, readonly, nostack)
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: computes an address.
    unsafe {
        asm!(
            "mrs {0}, tpidr_el0",
            concat!("adrp {1}, :gottprel:\"", symbol!(), "\""),
            concat!("ldr {1}, [{1}, :gottprel_lo12:\"", symbol!(), "\"]"),
            "add {0}, {0}, {1}",
            out(reg) local,
            out(reg) _,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    local
}

/// The heap of this thread, null, or [`ENDED`].
pub fn heap() -> *const Heap {
    // SAFETY: the variable is this thread's own.
    unsafe { (*local()).heap }
}

pub fn set(front: &'static Front, heap: *const Heap) {
    let local = local();
    // SAFETY: the variable is this thread's own, and no reference to it exists.
    unsafe {
        (*local).front = front;
        (*local).heap = heap;
    }
}
