//! What is asked of the kernel. `errno` stays as it was: a call that succeeds, or that has
//! another way, must not change it.

use core::ptr;
use core::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

/// Calls that map or change mappings, since the start.
pub static CALLS: AtomicU64 = AtomicU64::new(0);

/// How many more of them succeed; all, while it is `i64::MAX`.
pub static ALLOWED: AtomicI64 = AtomicI64::new(i64::MAX);
/// How many fail after those.
pub static REFUSED: AtomicI64 = AtomicI64::new(i64::MAX);

static PAGE: AtomicUsize = AtomicUsize::new(0);

pub fn errno() -> i32 {
    // SAFETY: the address is this thread's, and valid.
    unsafe { *libc::__errno_location() }
}

pub fn set_errno(value: i32) {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = value }
}

/// Bytes of a page.
pub fn page() -> usize {
    let known = PAGE.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    // SAFETY: reads the auxiliary vector.
    let found = unsafe { libc::getauxval(libc::AT_PAGESZ) } as usize;
    let page = if found == 0 { 4096 } else { found };
    PAGE.store(page, Ordering::Relaxed);
    page
}

/// Counts a call, and says whether a test wants it to fail.
fn refused() -> bool {
    CALLS.fetch_add(1, Ordering::Relaxed);
    if ALLOWED.load(Ordering::Relaxed) == i64::MAX {
        return false;
    }
    let left = ALLOWED.fetch_sub(1, Ordering::Relaxed);
    left <= 0 && -left < REFUSED.load(Ordering::Relaxed)
}

fn quietly<T>(call: impl FnOnce() -> T) -> T {
    let before = errno();
    let result = call();
    set_errno(before);
    result
}

/// New zeroed memory, or an address range that cannot be used yet.
pub fn map(bytes: usize, usable: bool) -> Option<*mut u8> {
    let (protection, reserve) = if usable {
        (libc::PROT_READ | libc::PROT_WRITE, 0)
    } else {
        (libc::PROT_NONE, libc::MAP_NORESERVE)
    };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | reserve;
    if refused() {
        return None;
    }
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing else.
    let found = quietly(|| unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) });
    (found != libc::MAP_FAILED).then_some(found.cast())
}

/// Gives a mapping back. If the kernel refuses, the memory is lost, not wrong.
///
/// # Safety
/// The range is of mappings of this crate, and nobody uses it.
pub unsafe fn unmap(start: *mut u8, bytes: usize) -> bool {
    // SAFETY: the caller's promise.
    !refused() && quietly(|| unsafe { libc::munmap(start.cast(), bytes) }) == 0
}

/// Makes a range usable, or not.
///
/// # Safety
/// The range is of mappings of this crate; if it becomes unusable, nobody uses it.
pub unsafe fn protect(start: *mut u8, bytes: usize, usable: bool) -> bool {
    let protection = if usable {
        libc::PROT_READ | libc::PROT_WRITE
    } else {
        libc::PROT_NONE
    };
    // SAFETY: the caller's promise.
    !refused() && quietly(|| unsafe { libc::mprotect(start.cast(), bytes, protection) }) == 0
}

/// Gives the frames of a range back; it reads as zeros afterwards.
///
/// # Safety
/// The range is of mappings of this crate, and nobody needs what is in it.
pub unsafe fn discard(start: *mut u8, bytes: usize) -> bool {
    // SAFETY: the caller's promise.
    !refused()
        && quietly(|| unsafe { libc::madvise(start.cast(), bytes, libc::MADV_DONTNEED) }) == 0
}

/// Changes a mapping's length; it may move.
///
/// # Safety
/// The range is one whole mapping of this crate, and nobody else uses it.
pub unsafe fn remap(start: *mut u8, old: usize, new: usize) -> Option<*mut u8> {
    if refused() {
        return None;
    }
    // SAFETY: the caller's promise.
    let moved = quietly(|| unsafe { libc::mremap(start.cast(), old, new, libc::MREMAP_MAYMOVE) });
    (moved != libc::MAP_FAILED).then_some(moved.cast())
}
