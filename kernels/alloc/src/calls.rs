//! What a program asks for, whatever the language: the fast ways, and where they lead
//! when a magazine is empty or full.

use crate::classes::{self, INSIDE, NONE, SMALL_MAX, SPAN, STEPS_MAX};
use crate::front::Object;
use crate::heap::Heap;
use crate::{arena, checks, config, fail, home, large, sampling, sys, thread, tls};
use core::ptr;

/// Larger objects have mappings of their own, which can grow without being copied.
const SPAN_MAX: usize = 32 * 1024 * 1024;
/// What every object is aligned to.
pub const ALIGN: usize = 16;

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
    // SAFETY: an address so near to the base means that there is an arena.
    if slab < arena::MOST && front.push(unsafe { arena::class_at(base, slab) }, object) {
        return;
    }
    // SAFETY: the caller's promise.
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
        put_back(object, Heap::free);
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
    let block = block(object.addr());
    if config::checked() {
        // SAFETY: the block is allocated.
        unsafe { checks::usable(object, block) }
    } else {
        block
    }
}

/// Bytes from an object's start to the end of what was taken for it.
pub fn block(address: usize) -> usize {
    match arena::class(address) {
        NONE => match large::size(address) {
            Some(bytes) => bytes,
            None if arena::contains(address) => fail::not_allocated(address),
            None => fail::foreign(address),
        },
        SPAN => {
            let start = arena::index(address);
            if arena::address(start) != address {
                fail::inside(address);
            }
            arena::meta(start).run.get() * arena::SLAB
        }
        INSIDE => fail::inside(address),
        class => classes::size(class),
    }
}

/// Gives back what stays free: this thread's magazines, empty slabs, idle heaps, and the
/// frames of all that is free. Heaps of other threads that run stay as they are. True: some
/// memory went back.
pub fn trim() -> bool {
    let before = arena::DISCARDED.load(core::sync::atomic::Ordering::Relaxed);
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

/// Memory by the slow way, and whether it holds zeros only.
fn any(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    // The first call of all reads the settings.
    if tls::heap().is_null() {
        thread::heap();
    }
    let found = if config::checked() {
        checks::allocate(bytes, align)
    } else {
        take(bytes, align, Heap::allocate)
    };
    if config::profiled()
        && let Some((object, _)) = found
    {
        sampling::allocated(object, bytes);
    }
    found
}

/// Memory from where its size says. `small` takes it from a heap.
pub fn take(
    bytes: usize,
    align: usize,
    small: impl Fn(&Heap, usize) -> Option<Object>,
) -> Option<(*mut u8, bool)> {
    let class = match align <= ALIGN {
        true if bytes <= SMALL_MAX => Some(classes::of(bytes.max(1))),
        true => None,
        false => classes::aligned(bytes, align),
    };
    if let Some(class) = class
        && let Some(object) = thread::with_heap(|heap| small(heap, class))
    {
        return Some((object, false));
    }
    if isize::try_from(bytes).is_err() {
        return None;
    }
    let mapped = || large::allocate(bytes, align).map(|object| (object, true));
    if class.is_none() && bytes <= SPAN_MAX && align <= SPAN_MAX {
        span(bytes, align).or_else(mapped)
    } else {
        mapped().or_else(|| span(bytes, align))
    }
}

/// Whole slabs.
fn span(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    let count = bytes.div_ceil(arena::SLAB).max(1);
    let (start, clean) = arena::lock().take(count, align.max(arena::SLAB))?;
    arena::meta(start).run.set(count);
    arena::set_class(start, SPAN);
    (start + 1..start + count).for_each(|slab| arena::set_class(slab, INSIDE));
    Some((arena::address(start) as *mut u8, clean))
}

/// Gives memory back to where it is from. `small` puts it into a heap.
pub fn put_back(object: *mut u8, small: impl Fn(&Heap, usize, Object)) {
    let address = object.addr();
    match arena::class(address) {
        NONE => {
            if !large::free(address) {
                match arena::contains(address) {
                    true => fail::not_allocated(address),
                    false => fail::foreign(address),
                }
            }
        }
        SPAN => {
            let count = block(address) / arena::SLAB;
            arena::lock().give(arena::index(address), count);
        }
        INSIDE => fail::inside(address),
        class => match thread::heap() {
            Some(heap) => small(heap, class, object),
            None => home::give_back(None, &mut [object]),
        },
    }
}
