//! Hashes and MACs by name.

use crate::bytes::{free, karat_slice, list, object, put, read, text, write};
use crate::status::{Failure, argument, guard, karat_status, null};
use karat_dyn::{Algorithm, Hasher, Options};
use std::ffi::c_char;

/// Options of a hash. All zero is none; what a hash has no use for is an error.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct karat_options {
    /// Length of the digest, for BLAKE2 and KMAC; 0 for the usual one.
    pub digest_size: usize,
    /// Key of BLAKE2, BLAKE3 and KMAC.
    pub key: karat_slice,
    /// Salt of BLAKE2.
    pub salt: karat_slice,
    /// Personalisation of BLAKE2.
    pub personal: karat_slice,
    /// Customisation of cSHAKE, KMAC and KangarooTwelve.
    pub customization: karat_slice,
    /// Context of BLAKE3's derivation of keys, or null.
    pub context: *const c_char,
}

/// An incremental hash of any name.
pub struct karat_hasher(Hasher);

/// # Safety
/// Pointers are null or good.
unsafe fn options<'a>(given: *const karat_options) -> Result<Options<'a>, Failure> {
    // SAFETY: the caller's promise.
    let Some(given) = (unsafe { given.as_ref() }) else {
        return Ok(Options::default());
    };
    // SAFETY: the caller's promise.
    unsafe {
        Ok(Options {
            digest_size: Some(given.digest_size).filter(|size| *size > 0),
            key: given.key.get("the key")?,
            salt: given.salt.get("the salt")?,
            personal: given.personal.get("the personalisation")?,
            customization: given.customization.get("the customisation")?,
            context: match given.context.is_null() {
                true => None,
                false => Some(text(given.context, "the context")?),
            },
            tree: None,
        })
    }
}

/// # Safety
/// `name` is null or ends with a zero.
unsafe fn algorithm(name: *const c_char) -> Result<Algorithm, Failure> {
    // SAFETY: the caller's promise.
    unsafe { text(name, "the name") }?.parse().map_err(argument)
}

/// Writes the length of a name's digests to `size`: 0 for those of any length without a
/// usual one.
///
/// # Safety
/// `name` ends with a zero; `options` is null or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_digest_size(
    name: *const c_char,
    options: *const karat_options,
    size: *mut usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let found = self::options(options)?.digest_size(algorithm(name)?);
        put(size, found.map_err(argument)?, "size")
    })
}

/// The digest of a message. `out_length` is the digest's length, or as much as is wanted of
/// extendable output. `options` may be null.
///
/// # Safety
/// Pointers are good for their lengths, and `out` overlaps nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hash(
    name: *const c_char,
    options: *const karat_options,
    data: *const u8,
    length: usize,
    out: *mut u8,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let (algorithm, options) = (algorithm(name)?, self::options(options)?);
        let data = read(data, length, "data")?;
        let out = write(out, out_length, "out")?;
        karat_dyn::hash(algorithm, &options, data, out).map_err(argument)
    })
}

/// The digests of many messages, several at a time, one behind the other in `out`, whose length
/// is that of all of them.
///
/// # Safety
/// As `karat_hash`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hash_many(
    name: *const c_char,
    options: *const karat_options,
    messages: *const karat_slice,
    count: usize,
    out: *mut u8,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let (algorithm, options) = (algorithm(name)?, self::options(options)?);
        let messages = list(messages, count, "messages")?.iter();
        let messages: Vec<&[u8]> = messages
            .map(|m| m.get("a message"))
            .collect::<Result<_, _>>()?;
        let out = write(out, out_length, "out")?;
        karat_dyn::hash_many(algorithm, &options, &messages, out).map_err(argument)
    })
}

/// Makes a hasher without input; `karat_hasher_free` frees it.
///
/// # Safety
/// `name` ends with a zero; `options` is null or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hasher_new(
    name: *const c_char,
    options: *const karat_options,
    hasher: *mut *mut karat_hasher,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        if hasher.is_null() {
            return Err(null("hasher"));
        }
        let made = Hasher::new(algorithm(name)?, &self::options(options)?);
        let made = Box::new(karat_hasher(made.map_err(argument)?));
        put(hasher, Box::into_raw(made), "hasher")
    })
}

/// Adds a piece of the message.
///
/// # Safety
/// The hasher is one that was made and is used by no other thread meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hasher_update(
    hasher: *mut karat_hasher,
    data: *const u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let hasher = hasher.as_mut().ok_or_else(|| null("hasher"))?;
        hasher.0.update(read(data, length, "data")?);
        Ok(())
    })
}

/// The digest of all pieces so far; more may follow. Of extendable output, `length` bytes
/// from `position` on; `position` is 0 for all others. BLAKE3 goes to any place at once; the
/// others make all output before it, so a far place takes long.
///
/// # Safety
/// As `karat_hasher_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hasher_digest(
    hasher: *const karat_hasher,
    position: u64,
    out: *mut u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let hasher = object(hasher, "hasher")?;
        let out = write(out, length, "out")?;
        hasher.0.output(position, out).map_err(argument)
    })
}

/// Makes another hasher with the same pieces so far.
///
/// # Safety
/// As `karat_hasher_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hasher_clone(
    hasher: *const karat_hasher,
    copy: *mut *mut karat_hasher,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let hasher = object(hasher, "hasher")?;
        if copy.is_null() {
            return Err(null("copy"));
        }
        let made = Box::new(karat_hasher(hasher.0.clone()));
        put(copy, Box::into_raw(made), "copy")
    })
}

/// Frees a hasher; null is let alone.
///
/// # Safety
/// The hasher is one that was made, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_hasher_free(hasher: *mut karat_hasher) {
    // SAFETY: the caller's promise.
    unsafe { free(hasher) }
}
