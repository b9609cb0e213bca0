//! The allocator of a Rust program.

use crate::calls;
use crate::memory::ALIGN;
use core::alloc::{GlobalAlloc, Layout};

/// The allocator, for `#[global_allocator]`.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: karat_alloc::KaratAlloc = karat_alloc::KaratAlloc;
///
/// assert_eq!(vec![1; 1000].len(), 1000);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct KaratAlloc;

// SAFETY: memory of the size and alignment asked for, which stays until it is freed.
unsafe impl GlobalAlloc for KaratAlloc {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGN {
            calls::malloc(layout.size())
        } else {
            calls::aligned(layout.size(), layout.align())
        }
    }

    #[inline]
    unsafe fn dealloc(&self, object: *mut u8, _: Layout) {
        // SAFETY: the caller's promise.
        unsafe { calls::free(object) };
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGN {
            return calls::calloc(1, layout.size());
        }
        let object = calls::aligned(layout.size(), layout.align());
        if !object.is_null() {
            // SAFETY: the object has that many bytes.
            unsafe { object.write_bytes(0, layout.size()) };
        }
        object
    }

    #[inline]
    unsafe fn realloc(&self, object: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if layout.align() <= ALIGN {
            // SAFETY: the caller's promise, by which there are bytes.
            return unsafe { calls::realloc(object, bytes) };
        }
        let new = calls::aligned(bytes, layout.align());
        if !new.is_null() {
            // SAFETY: both have that many bytes, and the new one is no part of the old.
            unsafe {
                new.copy_from_nonoverlapping(object, layout.size().min(bytes));
                calls::free(object);
            }
        }
        new
    }
}
