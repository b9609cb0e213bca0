//! Large pieces of memory in pages of two megabytes.
//!
//! A page that is touched for the first time takes two microseconds, whatever its size but for
//! what clears it, and tables of a large file have thousands of pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of such a page, on x86-64 and on most AArch64.
const PAGE: usize = 2 << 20;
/// From so many bytes on. What is not filled takes a page more than it needs, so smaller pieces
/// would take much more than they have.
const LEAST: usize = 2 * PAGE;

/// Whether large pieces are asked for in large pages.
static WANTED: AtomicBool = AtomicBool::new(false);

/// The system's allocator, for `#[global_allocator]`; after [`want`] it asks the kernel for large
/// pages for large pieces (`madvise(2)`, `MADV_HUGEPAGE`). Where it has none nothing changes.
#[derive(Debug)]
pub struct Huge;

/// From now on large pieces are in large pages. Not by itself: what is measured in this process
/// should have the pages that it has elsewhere.
pub fn want() {
    WANTED.store(true, Ordering::Relaxed);
}

// SAFETY: all of it is the system's allocator; that pages are asked for changes no bytes.
unsafe impl GlobalAlloc for Huge {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let new = unsafe { System.alloc(layout) };
        advise(new, layout.size());
        new
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let new = unsafe { System.alloc_zeroed(layout) };
        advise(new, layout.size());
        new
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        let new = unsafe { System.realloc(old, layout, size) };
        advise(new, size);
        new
    }
}

#[inline]
fn advise(start: *mut u8, size: usize) {
    if size >= LEAST && WANTED.load(Ordering::Relaxed) {
        ask(start, size);
    }
}

/// Asks for large pages where whole ones lie in a piece.
#[cold]
fn ask(start: *mut u8, size: usize) {
    let skipped = start.addr().wrapping_neg() % PAGE;
    let length = (size - skipped) / PAGE * PAGE;
    #[cfg(target_os = "linux")]
    if !start.is_null() && length > 0 {
        // SAFETY: the range is within what was just allocated. What is advised changes no
        // bytes, and where it cannot be done nothing is.
        unsafe {
            let at = start.wrapping_add(skipped);
            libc::madvise(at.cast(), length, libc::MADV_HUGEPAGE);
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
            for size in [LEAST - 1, 5 * PAGE, 16 * PAGE + 100] {
                let layout = Layout::from_size_align(size, 16).unwrap();
                // SAFETY: of that size, written and read within it, and freed once.
                unsafe {
                    let piece = Huge.alloc(layout);
                    assert!(!piece.is_null());
                    piece.write_bytes(7, size);
                    let held = in_large_pages(piece.addr() + size / 2);
                    if enabled.contains("[madvise]") && is_wanted && size > 5 * PAGE {
                        assert!(held.is_none_or(|held| held > 0));
                    } else if !enabled.contains("[always]") && (!is_wanted || size < LEAST) {
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
