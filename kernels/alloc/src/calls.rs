//! What a program asks for, whatever the language: the fast ways, and where they lead
//! when a magazine is empty or full.

use crate::classes::{self, INSIDE, NONE, SMALL_MAX, SPAN, STEPS_MAX};
use crate::heap::Heap;
use crate::memory::{self, ALIGN, SPAN_MAX};
use crate::{arena, checks, config, handlers, large, sampling, sys, thread, tls};
use core::ptr;

/// Memory for so many bytes, aligned to 16; null, and `errno`, if there is none.
#[inline(always)]
pub fn malloc(bytes: usize) -> *mut u8 {
    if bytes <= STEPS_MAX
        && let Some(object) = tls::front().pop(bytes.div_ceil(16))
    {
        return object;
    }
    malloc_slowly(bytes)
}

#[inline(never)]
extern "C" fn malloc_slowly(bytes: usize) -> *mut u8 {
    if bytes <= SMALL_MAX
        && let Some(object) = tls::front().pop(classes::of(bytes.max(1)))
    {
        return object;
    }
    or_error(any(bytes, ALIGN)).0
}

/// Zeroed memory; null if there is none, or the product is too large.
pub fn calloc(count: usize, bytes: usize) -> *mut u8 {
    let Some(bytes) = count.checked_mul(bytes) else {
        return or_error(None).0;
    };
    let (object, zeroed) = if bytes <= SMALL_MAX {
        (malloc(bytes), false)
    } else {
        or_error(any(bytes, ALIGN))
    };
    if !zeroed && !object.is_null() {
        // SAFETY: the object has that many bytes.
        unsafe { object.write_bytes(0, bytes) };
    }
    object
}

/// Memory at a multiple of `align`, a power of two.
pub fn aligned(bytes: usize, align: usize) -> *mut u8 {
    if align <= ALIGN {
        return malloc(bytes);
    }
    if let Some(class) = classes::aligned(bytes, align)
        && let Some(object) = tls::front().pop(class)
    {
        return object;
    }
    or_error(any(bytes, align)).0
}

/// Gives memory back.
///
/// # Safety
/// It is null, or was given out by this allocator and nobody uses it.
#[inline(always)]
pub unsafe fn free(object: *mut u8) {
    let front = tls::front();
    let base = front.arena.get();
    let slab = object.addr().wrapping_sub(base) >> arena::SHIFT;
    let mut object = object;
    if slab < arena::MOST {
        // SAFETY: an address so near to the base means that there is an arena.
        let mut class = unsafe { arena::class_at(base, slab) };
        if front.holds(class) {
            (class, object) = front.exchange(class, object);
        }
        if front.push(class, object) {
            return;
        }
    }
    // SAFETY: the caller's promise, for this object or for the one that was held.
    unsafe { free_slowly(object) };
}

// The slow ways are functions of C because those never unwind: the fast ways jump there.

#[inline(never)]
unsafe extern "C" fn free_slowly(object: *mut u8) {
    if object.is_null() {
        return;
    }
    if config::profiled() {
        sampling::freed(object);
    }
    if config::checked() {
        // SAFETY: the caller's promise; what of it can be checked is.
        unsafe { checks::free(object) };
    } else {
        memory::put_back(object, Heap::free);
    }
}

/// Changes an object's size; it may move. Null if there is no memory: the object stays
/// then. `bytes` of 0 frees it, as in the C library of GNU.
///
/// # Safety
/// As [`free`].
pub unsafe fn realloc(object: *mut u8, bytes: usize) -> *mut u8 {
    if object.is_null() {
        return malloc(bytes);
    }
    if bytes == 0 {
        // SAFETY: the caller's promise.
        unsafe { free(object) };
        return ptr::null_mut();
    }
    if !config::checked() {
        // For the heap profile it is another object, wherever it is.
        if config::profiled() {
            sampling::freed(object);
        }
        if let Some(same) = in_place(object, bytes) {
            if config::profiled() {
                sampling::allocated(same, bytes);
            }
            return same;
        }
    }
    // SAFETY: the caller's promise.
    let old = unsafe { usable(object) };
    let new = malloc(bytes);
    if !new.is_null() {
        // SAFETY: both have that many bytes, and the new one is no part of the old one.
        unsafe {
            ptr::copy_nonoverlapping(object, new, old.min(bytes));
            free(object);
        }
    }
    new
}

/// An object's new place, if it need not be copied.
fn in_place(object: *mut u8, bytes: usize) -> Option<*mut u8> {
    let address = object.addr();
    match arena::class(address) {
        NONE if bytes > SMALL_MAX => large::resize(address, bytes),
        SPAN if bytes > SMALL_MAX => {
            let start = arena::index(address);
            if arena::address(start) != address {
                return None;
            }
            let meta = arena::meta(start);
            let (old, new) = (meta.run.get(), bytes.div_ceil(arena::SLAB));
            if new > old {
                if bytes > SPAN_MAX || !arena::lock().extend(start, old, new) {
                    return None;
                }
                (start + old..start + new).for_each(|slab| arena::set_class(slab, INSIDE));
            } else if new < old {
                arena::lock().give(start + new, old - new);
            }
            meta.run.set(new);
            Some(object)
        }
        NONE | SPAN | INSIDE => None,
        class => {
            let size = classes::size(class);
            (bytes <= size && bytes >= size / 2).then_some(object)
        }
    }
}

/// Bytes of an object that may be used. Aborts if there is no such object.
///
/// # Safety
/// As [`free`], but the object stays.
pub unsafe fn usable(object: *mut u8) -> usize {
    if object.is_null() {
        return 0;
    }
    let block = memory::block(object.addr());
    if config::checked() {
        // SAFETY: the block is allocated.
        unsafe { checks::usable(object, block) }
    } else {
        block
    }
}

/// Gives back what stays free: this thread's magazines, empty slabs, idle heaps, and the
/// frames of all that is free. Heaps of other threads that run stay as they are. True: some
/// memory went back.
pub fn trim() -> bool {
    let before = arena::DISCARDED.load(core::sync::atomic::Ordering::Relaxed);
    begin();
    thread::empty_idle();
    arena::lock().discard(true);
    arena::DISCARDED.load(core::sync::atomic::Ordering::Relaxed) > before
}

fn or_error(found: Option<(*mut u8, bool)>) -> (*mut u8, bool) {
    found.unwrap_or_else(|| {
        sys::set_errno(libc::ENOMEM);
        (ptr::null_mut(), false)
    })
}

/// A thread's first call gives it a heap; the first of all reads the settings.
fn begin() {
    if tls::heap().is_null() && thread::heap().is_some() {
        handlers::install();
    }
}

/// Memory by the slow way, and whether it holds zeros only.
fn any(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    begin();
    let found = if config::checked() {
        checks::allocate(bytes, align)
    } else {
        memory::take(bytes, align, Heap::allocate)
    };
    if config::profiled()
        && let Some((object, _)) = found
    {
        sampling::allocated(object, bytes);
    }
    found
}
