//! Large pieces of memory in pages of two megabytes.
//!
//! A page that is touched for the first time takes two microseconds, whatever its size but for
//! what clears it, and tables of a large file have thousands of pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of such a page, on x86-64 and on most AArch64.
const PAGE: usize = 2 << 20;
/// Bytes of what glibc has before a large piece, and a small page for it.
const HEADER: usize = 16;
const SMALL: usize = 4096;
/// What glibc aligns all pieces to, on machines of 64 bits.
const ALIGNED: usize = 16;

/// Whether large pieces are asked for in large pages.
static WANTED: AtomicBool = AtomicBool::new(false);

/// The allocator of the system, for `#[global_allocator]`; after [`want`] it asks the kernel for
/// large pages for large pieces (`madvise(2)`, `MADV_HUGEPAGE`). Where the kernel has none, and
/// without glibc, nothing changes.
#[derive(Debug)]
pub struct Huge;

/// From now on large pieces are in large pages. Not by itself: what is measured in this process
/// should have the pages that it has elsewhere.
pub fn want() {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu"));
    WANTED.store(is_glibc, Ordering::Relaxed);
}

/// Whether `malloc` aligns it enough.
#[inline]
fn is_plain(layout: Layout) -> bool {
    cfg!(target_pointer_width = "64") && layout.align() <= ALIGNED
}

// SAFETY: what `is_plain` is C's, whose `free` and `realloc` take any size, and all else the
// system's; a piece stays what it is, since its alignment does. That pages are asked for changes
// no bytes.
unsafe impl GlobalAlloc for Huge {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_plain(layout) {
            // SAFETY: as the caller promises.
            return unsafe { System.alloc(layout) };
        }
        // SAFETY: malloc(3) takes any size.
        let new = unsafe { libc::malloc(rounded(layout.size())) };
        advised(new.cast(), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_plain(layout) {
            // SAFETY: as the caller promises.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: calloc(3) takes any size.
        let new = unsafe { libc::calloc(rounded(layout.size()), 1) };
        advised(new.cast(), layout.size())
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        if !is_plain(layout) {
            // SAFETY: as the caller promises.
            return unsafe { System.dealloc(old, layout) };
        }
        // SAFETY: it is of `malloc`, `calloc` or `realloc`.
        unsafe { libc::free(old.cast()) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_plain(layout) {
            // SAFETY: as the caller promises.
            return unsafe { System.realloc(old, layout, size) };
        }
        // What grows again and again is moved without a copy only where all of it has the same
        // kind of pages, so none are asked for.
        // SAFETY: it is of `malloc`, `calloc` or `realloc`, and the size is not zero.
        unsafe { libc::realloc(old.cast(), size).cast() }
    }
}

/// With so much room behind it that glibc maps whole large pages, which Linux aligns to them.
#[inline]
fn rounded(size: usize) -> usize {
    match size >= PAGE && WANTED.load(Ordering::Relaxed) {
        true => (size.saturating_add(SMALL).checked_next_multiple_of(PAGE))
            .map_or(size, |all| all - SMALL),
        false => size,
    }
}

#[inline]
fn advised(start: *mut u8, size: usize) -> *mut u8 {
    if size >= PAGE && WANTED.load(Ordering::Relaxed) {
        ask(start, size);
    }
    start
}

/// Asks for large pages where a piece fills them: at its end it has small ones, so that it takes
/// no more memory.
#[cold]
fn ask(start: *mut u8, size: usize) {
    let end = start.addr().saturating_add(size);
    // The header is in the same mapping.
    let from = start.addr().saturating_sub(HEADER).next_multiple_of(PAGE);
    let length = end.saturating_sub(from) / PAGE * PAGE;
    #[cfg(target_os = "linux")]
    if !start.is_null() && length > 0 {
        // SAFETY: the range is within what was just allocated, but for its header. What is
        // advised changes no bytes, and where it cannot be done nothing is.
        unsafe {
            libc::madvise(start.with_addr(from).cast(), length, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = length;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kilobytes in large pages of the mapping that an address is in.
    fn in_large_pages(address: usize) -> Option<u64> {
        let all = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let mut is_one = false;
        for line in all.lines() {
            let first = line.split_whitespace().next().unwrap_or_default();
            if let Some((start, end)) = first.split_once('-') {
                let number = |text| usize::from_str_radix(text, 16).ok();
                is_one = (number(start)?..number(end)?).contains(&address);
            } else if let Some(rest) = line.strip_prefix("AnonHugePages:").filter(|_| is_one) {
                return rest.trim().trim_end_matches(" kB").parse().ok();
            }
        }
        None
    }

    #[test]
    fn large_pieces_are_as_before() {
        let enabled = "/sys/kernel/mm/transparent_hugepage/enabled";
        let enabled = std::fs::read_to_string(enabled).unwrap_or_default();
        for is_wanted in [false, true] {
            if is_wanted {
                want();
            }
            for size in [PAGE - 1, PAGE + SMALL, 5 * PAGE, 16 * PAGE + 100] {
                let layout = Layout::from_size_align(size, 16).unwrap();
                // SAFETY: of that size, written and read within it, and freed once.
                unsafe {
                    let piece = Huge.alloc(layout);
                    assert!(!piece.is_null());
                    piece.write_bytes(7, size);
                    let held = in_large_pages(piece.addr() + size / 2);
                    if enabled.contains("[madvise]") && is_wanted && size >= 5 * PAGE {
                        assert!(held.is_none_or(|held| held > 0));
                    } else if !enabled.contains("[always]") && (!is_wanted || size < PAGE) {
                        assert!(held.is_none_or(|held| held == 0));
                    }
                    let piece = Huge.realloc(piece, layout, size * 2);
                    assert_eq!((*piece, *piece.add(size - 1)), (7, 7));
                    Huge.dealloc(piece, Layout::from_size_align(size * 2, 16).unwrap());
                    let zeros = Huge.alloc_zeroed(layout);
                    assert_eq!((*zeros, *zeros.add(size - 1)), (0, 0));
                    Huge.dealloc(zeros, layout);
                }
            }
        }
    }
}
