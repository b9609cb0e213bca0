//! `operator new` and `operator delete` of C++, in all their forms.
//!
//! A failed `new` asks the program's new-handler, as the standard says, and tries again.
//! Without a handler the throwing forms have the C++ library of GNU throw
//! `std::bad_alloc`; in a program that has not loaded it for all, they abort with a
//! message.

use core::ffi::{CStr, c_void};
use karat_alloc::c as karat;

/// A function of the C++ library, if the program has it.
fn library(name: &CStr) -> *mut c_void {
    // SAFETY: looks a name up.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

fn new_handler() -> Option<extern "C-unwind" fn()> {
    type Get = extern "C-unwind" fn() -> Option<extern "C-unwind" fn()>;
    let found = library(c"_ZSt15get_new_handlerv");
    // SAFETY: `std::get_new_handler` has this type, and a null pointer is `None`.
    let get = unsafe { core::mem::transmute::<*mut c_void, Option<Get>>(found) };
    get.and_then(|get| get())
}

#[cold]
fn again(allocate: impl Fn() -> *mut u8, bytes: usize, throws: bool) -> *mut c_void {
    while let Some(handler) = new_handler() {
        handler();
        let object = allocate();
        if !object.is_null() {
            return object.cast();
        }
    }
    if !throws {
        return core::ptr::null_mut();
    }
    let found = library(c"_ZSt17__throw_bad_allocv");
    // SAFETY: `std::__throw_bad_alloc` has this type, and a null pointer is `None`.
    let throw =
        unsafe { core::mem::transmute::<*mut c_void, Option<extern "C-unwind" fn()>>(found) };
    if let Some(throw) = throw {
        throw();
    }
    karat::no_memory_for_new(bytes)
}

fn new(bytes: usize, throws: bool) -> *mut c_void {
    let object = karat::malloc(bytes);
    if object.is_null() {
        return again(|| karat::malloc(bytes), bytes, throws);
    }
    object.cast()
}

fn new_aligned(bytes: usize, align: usize, throws: bool) -> *mut c_void {
    let allocate = || karat::aligned(bytes, align);
    let object = allocate();
    if object.is_null() {
        return again(allocate, bytes, throws);
    }
    object.cast()
}

#[unsafe(export_name = "_Znwm")]
extern "C-unwind" fn operator_new(bytes: usize) -> *mut c_void {
    new(bytes, true)
}

#[unsafe(export_name = "_ZnwmRKSt9nothrow_t")]
extern "C-unwind" fn new_nothrow(bytes: usize, _: *const c_void) -> *mut c_void {
    new(bytes, false)
}

#[unsafe(export_name = "_ZnwmSt11align_val_t")]
extern "C-unwind" fn operator_new_aligned(bytes: usize, align: usize) -> *mut c_void {
    new_aligned(bytes, align, true)
}

#[unsafe(export_name = "_ZnwmSt11align_val_tRKSt9nothrow_t")]
extern "C-unwind" fn new_aligned_nothrow(
    bytes: usize,
    align: usize,
    _: *const c_void,
) -> *mut c_void {
    new_aligned(bytes, align, false)
}

#[unsafe(export_name = "_Znam")]
extern "C-unwind" fn new_array(bytes: usize) -> *mut c_void {
    new(bytes, true)
}

#[unsafe(export_name = "_ZnamRKSt9nothrow_t")]
extern "C-unwind" fn new_array_nothrow(bytes: usize, _: *const c_void) -> *mut c_void {
    new(bytes, false)
}

#[unsafe(export_name = "_ZnamSt11align_val_t")]
extern "C-unwind" fn new_array_aligned(bytes: usize, align: usize) -> *mut c_void {
    new_aligned(bytes, align, true)
}

#[unsafe(export_name = "_ZnamSt11align_val_tRKSt9nothrow_t")]
extern "C-unwind" fn new_array_aligned_nothrow(
    bytes: usize,
    align: usize,
    _: *const c_void,
) -> *mut c_void {
    new_aligned(bytes, align, false)
}

#[unsafe(export_name = "_ZdlPv")]
unsafe extern "C-unwind" fn delete(object: *mut c_void) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdlPvm")]
unsafe extern "C-unwind" fn delete_sized(object: *mut c_void, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdlPvSt11align_val_t")]
unsafe extern "C-unwind" fn delete_aligned(object: *mut c_void, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdlPvmSt11align_val_t")]
unsafe extern "C-unwind" fn delete_sized_aligned(object: *mut c_void, _: usize, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdlPvRKSt9nothrow_t")]
unsafe extern "C-unwind" fn delete_nothrow(object: *mut c_void, _: *const c_void) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdlPvSt11align_val_tRKSt9nothrow_t")]
unsafe extern "C-unwind" fn delete_aligned_nothrow(
    object: *mut c_void,
    _: usize,
    _: *const c_void,
) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPv")]
unsafe extern "C-unwind" fn delete_array(object: *mut c_void) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPvm")]
unsafe extern "C-unwind" fn delete_array_sized(object: *mut c_void, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPvSt11align_val_t")]
unsafe extern "C-unwind" fn delete_array_aligned(object: *mut c_void, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPvmSt11align_val_t")]
unsafe extern "C-unwind" fn delete_array_sized_aligned(object: *mut c_void, _: usize, _: usize) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPvRKSt9nothrow_t")]
unsafe extern "C-unwind" fn delete_array_nothrow(object: *mut c_void, _: *const c_void) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}

#[unsafe(export_name = "_ZdaPvSt11align_val_tRKSt9nothrow_t")]
unsafe extern "C-unwind" fn delete_array_aligned_nothrow(
    object: *mut c_void,
    _: usize,
    _: *const c_void,
) {
    // SAFETY: the caller's promise, which is that of C++.
    unsafe { karat::free(object.cast()) }
}
