//! Reed-Solomon codes.

use crate::bytes::{free, list, object, put, read, write};
use crate::status::{Failure, argument, guard, karat_status, null};
use karat_erasure::{Code, Codec};
use std::ffi::c_char;

/// A code of so many data and parity shards. Several threads may use one.
pub struct karat_codec(Codec);

/// Makes a codec; `karat_codec_free` frees it. `code` is 'A' (klauspost/reedsolomon), 'B'
/// (Leopard over GF(2^8)), 'C' (Leopard over GF(2^16)) or 'D' (ISA-L's Cauchy matrix).
///
/// # Safety
/// `codec` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_codec_new(
    code: c_char,
    data: usize,
    parity: usize,
    codec: *mut *mut karat_codec,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        if codec.is_null() {
            return Err(null("codec"));
        }
        let letter = char::from(code as u8).to_string();
        let named = Code::ALL.iter().find(|c| c.to_string() == letter);
        let code = named.ok_or_else(|| argument(format!("no code {letter:?}: A, B, C or D")))?;
        let made = Codec::new(*code, data, parity).map_err(argument)?;
        put(codec, Box::into_raw(Box::new(karat_codec(made))), "codec")
    })
}

/// Frees a codec; null is let alone.
///
/// # Safety
/// The codec is one that was made, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_codec_free(codec: *mut karat_codec) {
    // SAFETY: the caller's promise.
    unsafe { free(codec) }
}

/// # Safety
/// `shards` points to `count` pointers to `length` bytes each.
unsafe fn reads<'a>(
    shards: *const *const u8,
    count: usize,
    length: usize,
    what: &str,
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let shards = list(shards, count, what)?.iter();
        shards.map(|shard| read(*shard, length, what)).collect()
    }
}

/// # Safety
/// As `reads`, and the shards may be written to and are nobody else's.
unsafe fn writes<'a>(
    shards: *const *mut u8,
    count: usize,
    length: usize,
    what: &str,
) -> Result<Vec<&'a mut [u8]>, Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let pointers = list(shards, count, what)?;
        let mut sorted = pointers.to_vec();
        sorted.sort_unstable();
        if sorted
            .windows(2)
            .any(|two| (two[1] as usize) - (two[0] as usize) < length)
        {
            return Err(argument(format!("two of {what} overlap")));
        }
        pointers
            .iter()
            .map(|shard| write(*shard, length, what))
            .collect()
    }
}

/// Writes the parity shards of data shards, all of `length` bytes.
///
/// # Safety
/// `data` and `parity` point to as many pointers as the codec has shards of that kind, each
/// to `length` bytes; parity shards overlap nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_codec_encode(
    codec: *const karat_codec,
    data: *const *const u8,
    parity: *const *mut u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let codec = &object(codec, "codec")?.0;
        let data = reads(data, codec.data(), length, "data shards")?;
        let mut parity = writes(parity, codec.parity(), length, "parity shards")?;
        codec.encode(&data, &mut parity).map_err(argument)
    })
}

/// Makes lost shards where they belong. `shards` are all, data and then parity; `present`
/// says of each whether it is there.
///
/// # Safety
/// `shards` and `present` have as many elements as the codec has shards; each shard has
/// `length` bytes, and they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_codec_reconstruct(
    codec: *const karat_codec,
    shards: *const *mut u8,
    present: *const u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let codec = &object(codec, "codec")?.0;
        let mut shards = writes(shards, codec.total(), length, "shards")?;
        let present = read(present, codec.total(), "present")?.iter();
        let present: Vec<bool> = present.map(|flag| *flag != 0).collect();
        codec.reconstruct(&mut shards, &present).map_err(argument)
    })
}

/// Writes to `fits` whether the parity shards are those of the data shards.
///
/// # Safety
/// As `karat_codec_encode`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_codec_verify(
    codec: *const karat_codec,
    data: *const *const u8,
    parity: *const *const u8,
    length: usize,
    fits: *mut bool,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let codec = &object(codec, "codec")?.0;
        let data = reads(data, codec.data(), length, "data shards")?;
        let parity = reads(parity, codec.parity(), length, "parity shards")?;
        let verified = codec.verify(&data, &parity).map_err(argument)?;
        put(fits, verified, "fits")
    })
}
