//! Bytes that C hands over, and bytes that C gets.

use crate::status::{Failure, argument, null};
use std::ffi::{CStr, c_char};

/// Bytes of the caller's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct karat_slice {
    /// May be null when there are none.
    pub data: *const u8,
    /// How many.
    pub length: usize,
}

impl karat_slice {
    /// # Safety
    /// As [`read`].
    pub(crate) unsafe fn get<'a>(self, what: &str) -> Result<&'a [u8], Failure> {
        // SAFETY: the caller's promise.
        unsafe { read(self.data, self.length, what) }
    }
}

/// # Safety
/// `data` points to `length` bytes that live as long as `'a`, or is null.
pub(crate) unsafe fn read<'a>(
    data: *const u8,
    length: usize,
    what: &str,
) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller's promise.
    unsafe { list(data, length, what) }
}

/// # Safety
/// `data` points to `length` elements that live as long as `'a`, or is null.
pub(crate) unsafe fn list<'a, T>(
    data: *const T,
    length: usize,
    what: &str,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null(what));
    }
    if length
        .checked_mul(size_of::<T>())
        .is_none_or(|n| n > isize::MAX as usize)
    {
        return Err(argument(format!(
            "{what} has {length} elements: more than there can be"
        )));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// # Safety
/// `data` points to `length` bytes that live as long as `'a` and are nobody else's, or is null.
pub(crate) unsafe fn write<'a>(
    data: *mut u8,
    length: usize,
    what: &str,
) -> Result<&'a mut [u8], Failure> {
    // SAFETY: the caller's promise; the checks are the same.
    unsafe { read(data, length, what) }?;
    if length == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts_mut(data, length) })
}

/// # Safety
/// `text` ends with a zero and lives as long as `'a`, or is null.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| argument(format!("{what} is no UTF-8")))
}

/// # Safety
/// `object` points to one that lives as long as `'a`, or is null.
pub(crate) unsafe fn object<'a, T>(object: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { object.as_ref() }.ok_or_else(|| null(what))
}

/// # Safety
/// `place` may be written to, or is null.
pub(crate) unsafe fn put<T>(place: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    Ok(())
}

/// # Safety
/// `boxed` came from `Box::into_raw` and is not used again, or is null.
pub(crate) unsafe fn free<T>(boxed: *mut T) {
    if !boxed.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(boxed) });
    }
}
