//! Memory between pages that nobody may read or write.

use std::ffi::{c_int, c_void};

// The C library's, which std links: POSIX mmap, mprotect, munmap.
unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        length: usize,
        access: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(at: *mut c_void, length: usize, access: c_int) -> c_int;
    fn munmap(at: *mut c_void, length: usize) -> c_int;
}

const READ_WRITE: c_int = 3;
const NOTHING: c_int = 0;
/// Linux: MAP_PRIVATE and MAP_ANONYMOUS.
const PRIVATE_ANONYMOUS: c_int = 0x22;
/// The largest page there is on the CPUs we know.
const PAGE: usize = 64 << 10;

/// A page with an inaccessible one on both sides.
pub struct Fenced(*mut u8);

impl Fenced {
    pub fn new() -> Self {
        // SAFETY: fresh memory, which nobody else knows of.
        unsafe {
            let at = mmap(
                std::ptr::null_mut(),
                3 * PAGE,
                READ_WRITE,
                PRIVATE_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(at as isize, -1, "no memory");
            let fence = |page: usize| mprotect(at.byte_add(page * PAGE), PAGE, NOTHING);
            assert_eq!((fence(0), fence(2)), (0, 0), "no fences");
            Self(at.cast())
        }
    }

    fn page(&mut self) -> &mut [u8] {
        // SAFETY: the middle page is there, and `self` is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(PAGE), PAGE) }
    }

    /// The first bytes after a fence.
    pub fn first(&mut self, length: usize) -> &mut [u8] {
        &mut self.page()[..length]
    }

    /// The last bytes before a fence.
    pub fn last(&mut self, length: usize) -> &mut [u8] {
        &mut self.page()[PAGE - length..]
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`; no slice of it is left.
        unsafe { munmap(self.0.cast(), 3 * PAGE) };
    }
}
