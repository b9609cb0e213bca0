//! The functions that are checked, by kernel.

use super::inputs::{answers, describe, describe_all, inputs, many, messages, one};
use super::known;
use crate::lthash::LtHash;
use crate::{blake2, blake2b, blake2s, blake3, keccak, sha256, sha512};
use alloc::vec::Vec;
use karat_kit::{Check, Input};

/// A function that hashes one message at a time.
macro_rules! each {
    ($hash:expr) => {
        |input| {
            let digests = messages(input).into_iter().map(|m| $hash(m).to_vec());
            digests.collect()
        }
    };
}

/// A function that hashes many messages at once, with digests of `$length` bytes.
macro_rules! at_once {
    ($hash_many:expr, $length:literal) => {
        |input| {
            let messages = messages(input);
            let mut out = alloc::vec![[0; $length]; messages.len()];
            $hash_many(&messages, &mut out);
            out.iter().map(|d| d.to_vec()).collect()
        }
    };
}

/// A BLAKE2 digest by the incremental hasher.
fn pieces<A: blake2::Algorithm, const N: usize>(message: &[u8]) -> [u8; N] {
    let (first, second) = message.split_at(message.len() / 3);
    blake2::Hasher::<A, N>::new()
        .update(first)
        .update(second)
        .finalize()
}

/// The first `N` bytes of BLAKE3's output.
fn extended<const N: usize>(message: &[u8]) -> Vec<u8> {
    let mut out = alloc::vec![0; N];
    let mut hasher = blake3::Hasher::new();
    hasher.update(message).finalize_xof().fill(&mut out);
    out
}

/// The key of BLAKE3's test vectors.
const KEY: &[u8; 32] = b"whats the Elvish word for friend";

/// The sum of all elements, from which the first half is removed again.
fn sum(input: &Input) -> Vec<Vec<u8>> {
    let messages = messages(input);
    let mut set = LtHash::new();
    set.add_all(&messages);
    set.sub_all(&messages[..messages.len() / 2]);
    if let [first, .., last] = messages[..] {
        set.add(&LtHash::of(first)).sub(&LtHash::of(last));
    }
    alloc::vec![set.to_bytes().to_vec()]
}

/// 32 bytes of KT128's output.
fn kangaroo(message: &[u8]) -> [u8; 32] {
    keccak::kt128::Hasher::new().update(message).finalize()
}

/// The hash of a message that comes in pieces.
macro_rules! in_pieces {
    ($hash:ident) => {
        |message: &[u8]| {
            let mut hasher = $hash::Hasher::new();
            for piece in message.chunks(150) {
                hasher.update(piece);
            }
            hasher.finalize()
        }
    };
}

/// Hashes of many messages that carry their padding, all as long as the shortest. Half of them
/// have a slice to read ahead.
fn padded(input: &Input) -> Vec<Vec<u8>> {
    let messages = messages(input);
    let Some(length) = messages.iter().map(|m| m.len()).min() else {
        return Vec::new();
    };
    let size = sha256::padded_len(length);
    let mut room = alloc::vec![0; messages.len() * size];
    for (slot, message) in room.chunks_exact_mut(size).zip(&messages) {
        slot[..length].copy_from_slice(&message[..length]);
        sha256::pad(slot, length);
    }
    let mut out = alloc::vec![[0; 32]; messages.len()];
    let ahead = &messages[..messages.len() / 2];
    sha256::hash_many_padded_ahead(&room, &mut out, ahead);
    out.iter().map(|d| d.to_vec()).collect()
}

/// Hashes of many messages that begin with blocks of their own.
macro_rules! after_prefixes {
    ($hash:ident, $length:literal) => {
        |input| {
            let messages = messages(input);
            let prefixes: Vec<_> = (0..messages.len())
                .map(|i| $hash::Prefix::new(&[i as u8; $hash::Prefix::BLOCK]))
                .collect();
            let prefixes: Vec<_> = prefixes.iter().collect();
            let mut out = alloc::vec![[0; $length]; messages.len()];
            $hash::Prefix::hash_many(&prefixes, &messages, &mut out);
            out.iter().map(|d| d.to_vec()).collect()
        }
    };
}

macro_rules! checks {
    ($($kernel:literal $name:literal $shape:expr, $run:expr, $known:expr $(, $describe:ident)?;)*) => {
        &[$(check!($kernel $name $shape, $run, $known $(, $describe)?)),*]
    };
}

macro_rules! check {
    ($kernel:literal $name:literal $shape:expr, $run:expr, $known:expr) => {
        check!($kernel $name $shape, $run, $known, describe)
    };
    ($kernel:literal $name:literal $shape:expr, $run:expr, $known:expr, $describe:ident) => {
        Check {
            kernel: $kernel,
            name: $name,
            inputs: |random| inputs(random, $shape),
            run: $run,
            describe: $describe,
            known: || answers($known, $shape),
        }
    };
}

pub(super) static CHECKS: &[Check] = checks! {
    "blake2b" "BLAKE2b-512" one(&[128], 9000), each!(blake2b::hash::<64>), known::BLAKE2B;
    "blake2b" "BLAKE2b-512 in pieces" one(&[128], 9000),
        each!(pieces::<blake2::Blake2b, 64>), known::BLAKE2B;
    "blake2b" "BLAKE2b-168" one(&[128], 1000), each!(blake2b::hash::<21>), &[];
    "blake2b-many" "BLAKE2b-512 of many" many(&[128], 3000),
        at_once!(blake2b::hash_many::<64>, 64), known::BLAKE2B;
    "blake2b-many" "BLAKE2bp" one(&[128, 512], 9000),
        each!(blake2b::parallel::hash::<64>), known::BLAKE2BP;
    "blake2s" "BLAKE2s-256" one(&[64], 4500), each!(blake2s::hash::<32>), known::BLAKE2S;
    "blake2s" "BLAKE2s-256 in pieces" one(&[64], 4500),
        each!(pieces::<blake2::Blake2s, 32>), known::BLAKE2S;
    "blake2s" "BLAKE2s-168" one(&[64], 1000), each!(blake2s::hash::<21>), &[];
    "blake2s-many" "BLAKE2s-256 of many" many(&[64], 3000),
        at_once!(blake2s::hash_many::<32>, 32), known::BLAKE2S;
    "blake2s-many" "BLAKE2sp" one(&[64, 512], 4500),
        each!(blake2s::parallel::hash::<32>), known::BLAKE2SP;

    "blake3" "BLAKE3" one(&[64, 1024], 66_000), each!(blake3::hash), known::BLAKE3_SHORT;
    "blake3" "BLAKE3 with a key" one(&[1024], 9000),
        each!(|m| blake3::keyed_hash(KEY, m)), known::BLAKE3_KEYED;
    "blake3" "BLAKE3 of many" many(&[64, 1024], 4000),
        at_once!(blake3::hash_many, 32), known::BLAKE3_SHORT;
    "blake3" "BLAKE3, 131 bytes of output" one(&[64], 300), each!(extended::<131>), known::BLAKE3;
    "blake3" "BLAKE3, 4200 bytes of output" one(&[64], 300), each!(extended::<4200>), &[];
    "blake3-block" "BLAKE3" one(&[64, 1024], 5000), each!(blake3::hash), known::BLAKE3_SHORT;
    "blake3-block" "BLAKE3 with a key" one(&[64], 1024),
        each!(|m| blake3::keyed_hash(KEY, m)), known::BLAKE3_KEYED;
    "blake3-block" "BLAKE3, 131 bytes of output" one(&[64], 300),
        each!(extended::<131>), known::BLAKE3;

    "keccak" "Keccak-256" one(&[136], 4700), each!(keccak::keccak256::hash), known::KECCAK256;
    "keccak" "Keccak-512" one(&[72], 2500), each!(keccak::keccak512::hash), known::KECCAK512;
    "keccak" "SHA3-224" one(&[144], 1500), each!(keccak::sha3_224::hash), known::SHA3_224;
    "keccak" "SHA3-256" one(&[136], 1500), each!(keccak::sha3_256::hash), known::SHA3_256;
    "keccak" "SHA3-384" one(&[104], 1500), each!(keccak::sha3_384::hash), known::SHA3_384;
    "keccak" "SHA3-512" one(&[72], 1500), each!(keccak::sha3_512::hash), known::SHA3_512;
    "keccak" "SHAKE128" one(&[168], 1500), each!(keccak::shake128::hash::<64>), known::SHAKE128;
    "keccak" "SHAKE256" one(&[136], 1500), each!(keccak::shake256::hash::<64>), known::SHAKE256;
    "keccak-many" "Keccak-256 of many" many(&[136], 3000),
        at_once!(keccak::keccak256::hash_many, 32), known::KECCAK256;
    "keccak-many" "Keccak-512 of many" many(&[72], 1500),
        at_once!(keccak::keccak512::hash_many, 64), known::KECCAK512;
    "keccak-many" "SHA3-256 of many" many(&[136], 1500),
        at_once!(keccak::sha3_256::hash_many, 32), known::SHA3_256;
    "keccak-many" "SHA3-384 of many" many(&[104], 1500),
        at_once!(keccak::sha3_384::hash_many, 48), known::SHA3_384;
    "keccak-many" "SHAKE128 of many" many(&[168], 1500),
        at_once!(keccak::shake128::hash_many, 64), known::SHAKE128;

    "keccak" "TurboSHAKE128" one(&[168], 1500),
        each!(keccak::turboshake128::hash::<64>), known::TURBOSHAKE128;
    "keccak-many" "TurboSHAKE256 of many" many(&[136], 1500),
        at_once!(keccak::turboshake256::hash_many, 64), known::TURBOSHAKE256;
    "keccak-many" "KT128" one(&[8192], 80_000), each!(kangaroo), known::KT128;

    "sha256" "SHA-256" one(&[64], 4500), each!(sha256::hash), known::SHA256;
    "sha256" "SHA-256 in pieces" one(&[64], 1000), each!(in_pieces!(sha256)), known::SHA256;
    "sha256" "SHA-224" one(&[64], 1000), each!(sha256::sha224::hash), known::SHA224;
    "sha256-many" "SHA-256 of many" many(&[64], 3000),
        at_once!(sha256::hash_many, 32), known::SHA256;
    "sha256-many" "SHA-224 of many" many(&[64], 1000),
        at_once!(sha256::sha224::hash_many, 28), known::SHA224;
    "sha256-many" "SHA-256 of many, padded" many(&[64], 1000), padded, &[];
    "sha256-many" "SHA-256 of many after prefixes" many(&[64], 1000),
        after_prefixes!(sha256, 32), &[];
    "sha512" "SHA-512" one(&[128], 9000), each!(sha512::hash), known::SHA512;
    "sha512" "SHA-512 in pieces" one(&[128], 2000), each!(in_pieces!(sha512)), known::SHA512;
    "sha512" "SHA-384" one(&[128], 2000), each!(sha512::sha384::hash), known::SHA384;
    "sha512" "SHA-512/256" one(&[128], 2000),
        each!(sha512::sha512_256::hash), known::SHA512_256;
    "sha512-many" "SHA-512 of many" many(&[128], 3000),
        at_once!(sha512::hash_many, 64), known::SHA512;
    "sha512-many" "SHA-384 of many" many(&[128], 1000),
        at_once!(sha512::sha384::hash_many, 48), known::SHA384;
    "sha512-many" "SHA-512/256 of many" many(&[128], 1000),
        at_once!(sha512::sha512_256::hash_many, 32), known::SHA512_256;
    "sha512-many" "SHA-512 of many after prefixes" many(&[128], 1000),
        after_prefixes!(sha512, 64), &[];

    "lthash" "LtHash's checksum" one(&[64, 1024], 3000),
        each!(|m| LtHash::of(m).checksum()), known::LTHASH;
    "lthash" "LtHash, sum of many" many(&[64, 1024], 2000), sum, &[], describe_all;
};
