//! The functions of C, POSIX and the C library of GNU.

use core::ffi::{c_int, c_void};
use core::ptr;
use karat_alloc::c as karat;

const MINIMUM: usize = size_of::<*mut c_void>();

fn set_errno(value: c_int) {
    // SAFETY: the address is this thread's, and valid.
    unsafe { *libc::__errno_location() = value }
}

fn page() -> usize {
    // SAFETY: reads the auxiliary vector.
    unsafe { libc::getauxval(libc::AT_PAGESZ) as usize }
}

#[unsafe(no_mangle)]
extern "C" fn malloc(bytes: usize) -> *mut c_void {
    karat::malloc(bytes).cast()
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, bytes: usize) -> *mut c_void {
    karat::calloc(count, bytes).cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(object: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the caller's promise, which is that of C.
    unsafe { karat::realloc(object.cast(), bytes).cast() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn reallocarray(object: *mut c_void, count: usize, bytes: usize) -> *mut c_void {
    let Some(bytes) = count.checked_mul(bytes) else {
        set_errno(libc::ENOMEM);
        return ptr::null_mut();
    };
    // SAFETY: the caller's promise.
    unsafe { karat::realloc(object.cast(), bytes).cast() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(object: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cfree(object: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { karat::free(object.cast()) }
}

/// C23's.
#[unsafe(no_mangle)]
unsafe extern "C" fn free_sized(object: *mut c_void, _: usize) {
    // SAFETY: the caller's promise.
    unsafe { karat::free(object.cast()) }
}

/// C23's.
#[unsafe(no_mangle)]
unsafe extern "C" fn free_aligned_sized(object: *mut c_void, _: usize, _: usize) {
    // SAFETY: the caller's promise.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(to: *mut *mut c_void, align: usize, bytes: usize) -> c_int {
    if !align.is_power_of_two() || align < MINIMUM {
        return libc::EINVAL;
    }
    // POSIX: the error is the result, and `errno` stays.
    // SAFETY: the address is this thread's, and valid.
    let errno = unsafe { *libc::__errno_location() };
    let object = karat::aligned(bytes, align);
    set_errno(errno);
    if object.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller's pointer is writable.
    unsafe { *to = object.cast() };
    0
}

/// As the C library of GNU: alignments that are no powers of two are refused, and sizes
/// that are no multiples of the alignment are not.
#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(align: usize, bytes: usize) -> *mut c_void {
    if !align.is_power_of_two() {
        set_errno(libc::EINVAL);
        return ptr::null_mut();
    }
    karat::aligned(bytes, align).cast()
}

/// As the C library of GNU: an alignment that is no power of two is rounded up.
#[unsafe(no_mangle)]
extern "C" fn memalign(align: usize, bytes: usize) -> *mut c_void {
    match align.max(1).checked_next_power_of_two() {
        Some(align) => karat::aligned(bytes, align).cast(),
        None => {
            set_errno(libc::EINVAL);
            ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn valloc(bytes: usize) -> *mut c_void {
    karat::aligned(bytes, page()).cast()
}

#[unsafe(no_mangle)]
extern "C" fn pvalloc(bytes: usize) -> *mut c_void {
    // Also for no bytes, a page.
    match bytes.max(1).checked_next_multiple_of(page()) {
        Some(bytes) => karat::aligned(bytes, page()).cast(),
        None => {
            set_errno(libc::ENOMEM);
            ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(object: *mut c_void) -> usize {
    // SAFETY: the caller's promise.
    unsafe { karat::usable(object.cast()) }
}

#[unsafe(no_mangle)]
extern "C" fn malloc_trim(_keep: usize) -> c_int {
    c_int::from(karat::trim())
}
