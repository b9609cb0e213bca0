//! Many messages, several at a time.

use super::state::{blake2b_params, blake2s_params};
use super::{Algorithm, Error, Hasher, Options};
use karat_hash::keccak::{keccak256, keccak512, shake128, shake256, turboshake128, turboshake256};
use karat_hash::sha3::{sha3_224, sha3_256, sha3_384, sha3_512};
use karat_hash::{blake2b, blake3, sha256, sha512};

/// Messages of which longer digests are made before their beginnings are copied.
const BATCH: usize = 256;

/// The digests of many messages of any lengths, one behind the other in `out`. Of
/// extendable output, `out` decides how many bytes each digest has.
///
/// # Errors
/// When the algorithm does not take these options, or `out` has not as many bytes as the
/// digests.
pub fn hash_many(
    algorithm: Algorithm,
    options: &Options<'_>,
    messages: &[&[u8]],
    out: &mut [u8],
) -> Result<(), Error> {
    use Algorithm as A;
    options.check(algorithm)?;
    let size = size(algorithm, options, messages.len(), out.len())?;
    if size == 0 {
        return Ok(());
    }
    let plain = options.are_default();
    match algorithm {
        // These lengths are the usual ones; others are cut from the longest.
        A::Blake2b if plain => batches::<64>(blake2b::hash_many, size, messages, out),
        A::Blake2b => {
            let params = blake2b_params(options);
            batches::<64>(|m, o| params.hash_many(m, o), size, messages, out);
        }
        A::Blake2s => {
            let params = blake2s_params(options);
            batches::<32>(|m, o| params.hash_many(m, o), size, messages, out);
        }
        A::Blake3 if size == 32 && options.context.is_none() => {
            match <&[u8; 32]>::try_from(options.key) {
                Ok(key) => {
                    let keyed = |m: &[&[u8]], o: &mut [_]| blake3::keyed_hash_many(key, m, o);
                    batches::<32>(keyed, size, messages, out);
                }
                Err(_) => batches::<32>(blake3::hash_many, size, messages, out),
            }
        }
        A::Sha224 => batches::<28>(sha256::sha224::hash_many, size, messages, out),
        A::Sha256 => batches::<32>(sha256::hash_many, size, messages, out),
        A::Sha384 => batches::<48>(sha512::sha384::hash_many, size, messages, out),
        A::Sha512 => batches::<64>(sha512::hash_many, size, messages, out),
        A::Sha512_256 => batches::<32>(sha512::sha512_256::hash_many, size, messages, out),
        A::Sha3_224 => batches::<28>(sha3_224::hash_many, size, messages, out),
        A::Sha3_256 => batches::<32>(sha3_256::hash_many, size, messages, out),
        A::Sha3_384 => batches::<48>(sha3_384::hash_many, size, messages, out),
        A::Sha3_512 => batches::<64>(sha3_512::hash_many, size, messages, out),
        A::Keccak256 => batches::<32>(keccak256::hash_many, size, messages, out),
        A::Keccak512 => batches::<64>(keccak512::hash_many, size, messages, out),
        // Beginnings of the output are the output of shorter lengths.
        A::Shake128 if size <= 64 => batches::<64>(shake128::hash_many, size, messages, out),
        A::Shake256 if size <= 64 => batches::<64>(shake256::hash_many, size, messages, out),
        A::TurboShake128 if size <= 64 => {
            batches::<64>(turboshake128::hash_many, size, messages, out);
        }
        A::TurboShake256 if size <= 64 => {
            batches::<64>(turboshake256::hash_many, size, messages, out);
        }
        _ => return one_by_one(algorithm, options, size, messages, out),
    }
    Ok(())
}

/// Bytes of one digest.
fn size(
    algorithm: Algorithm,
    options: &Options<'_>,
    messages: usize,
    room: usize,
) -> Result<usize, Error> {
    let usual = options.digest_size(algorithm)?;
    let size = match algorithm.is_extendable() {
        true if messages > 0 => room / messages,
        true => 0,
        false => usual,
    };
    let needed = size.saturating_mul(messages);
    if needed == room {
        return Ok(if messages > 0 { size } else { 0 });
    }
    Err(Error::Room {
        needed,
        found: room,
    })
}

/// Digests of `N` bytes, of which the first `size` are wanted.
fn batches<const N: usize>(
    hash: impl Fn(&[&[u8]], &mut [[u8; N]]),
    size: usize,
    messages: &[&[u8]],
    out: &mut [u8],
) {
    if size == N {
        return hash(messages, out.as_chunks_mut().0);
    }
    let mut digests = [[0; N]; BATCH];
    for (messages, out) in messages.chunks(BATCH).zip(out.chunks_mut(BATCH * size)) {
        let digests = &mut digests[..messages.len()];
        hash(messages, digests);
        for (out, digest) in out.chunks_exact_mut(size).zip(digests) {
            out.copy_from_slice(&digest[..size]);
        }
    }
}

fn one_by_one(
    algorithm: Algorithm,
    options: &Options<'_>,
    size: usize,
    messages: &[&[u8]],
    out: &mut [u8],
) -> Result<(), Error> {
    let start = Hasher::new(algorithm, options)?;
    for (message, out) in messages.iter().zip(out.chunks_exact_mut(size)) {
        let mut hasher = start.clone();
        hasher.update(message);
        hasher.digest(out)?;
    }
    Ok(())
}
