//! Hashes that are as fast as the machine allows. The speed does not depend on the
//! compiler flags of the program that links them.
//!
//! | module | standard |
//! |---|---|
//! | [`blake2b`], [`blake2s`] | RFC 7693, and the BLAKE2 paper for trees and parallel forms |
//! | [`blake3`] | the BLAKE3 paper |
//! | [`sha3`] | FIPS 202 (SHA-3, SHAKE) |
//! | [`keccak`] | the original Keccak-256, as Ethereum uses it, all of [`sha3`], cSHAKE and KMAC (NIST SP 800-185), TurboSHAKE and KangarooTwelve (RFC 9861) |
//! | [`sha256`], [`sha512`] | FIPS 180-4 |
//! | [`lthash`] | lattice hash over BLAKE3's extended output |
//! | [`mac`] | HMAC, HKDF (RFC 5869) and PBKDF2 (RFC 8018) over SHA-2, SHA-3 and BLAKE2 |
//!
//! Each has a function for one message, an incremental `Hasher`, and `hash_many` for
//! many messages of equal or different lengths. SIMD helps `hash_many` most.
//!
//! ```
//! use karat_hash::{blake2b, blake3, sha256};
//!
//! let digest = blake3::hash(b"a message");
//!
//! let mut hasher = sha256::Hasher::new();
//! hasher.update(b"a mess").update(b"age");
//! assert_eq!(hasher.finalize(), sha256::hash(b"a message"));
//!
//! let mut digests = [[0; 32]; 2];
//! blake2b::hash_many(&[b"one", b"another"], &mut digests);
//! assert_eq!(digests[1], blake2b::hash(b"another"));
//! ```
//!
//! Digests are plain arrays. [`ct`] compares those that are secret, such as MACs.
//! [`Digest`] holds one, shows and parses it in hexadecimal, and compares in constant time.
//!
//! Each algorithm is a crate that can be used alone: `karat-blake2`, `karat-blake3`,
//! `karat-keccak`, `karat-sha2` and, of those two, `karat-mac`. This one has them all.
//!
//! Every hash is a [`karat_cpu::Kernel`]: a table of implementations. The best one for
//! this CPU is chosen at run time. [`kernels`] lists the tables.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | readers, `std::io::Write`, the variables `KARAT_FORCE` and `KARAT_TUNED` |
//! | `rayon` | BLAKE3 of large inputs on several threads |
//! | `mmap` | BLAKE3 of files that are mapped into memory |
//! | `digest` | the traits of RustCrypto's crate `digest` 0.11 |
//! | `serde` | [`Digest`] in serde's formats |
//! | `zeroize` | hashers, prepared keys and readers of output are wiped when they are dropped |
//! | `kit` | `kit::SUITE`, which checks all implementations on the machine at hand |
//!
//! Targets whose calling convention has no vector registers, such as
//! `x86_64-unknown-none`, get the portable implementations only.
//!
//! Without `std` the crate is `no_std`. Only `std` and `kit` need an allocator.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(feature = "kit")]
extern crate alloc;

#[cfg(feature = "kit")]
pub mod kit;

#[doc(inline)]
pub use karat_blake2::{self as blake2, blake2b, blake2s};
#[doc(inline)]
pub use karat_blake3::{self as blake3, lthash};
#[doc(inline)]
pub use karat_hash_core::{Digest, ParseError, ct};
#[doc(inline)]
pub use karat_keccak::{self as keccak, sha3};
#[doc(inline)]
pub use karat_mac as mac;
#[doc(inline)]
pub use karat_sha2::{sha256, sha512};

use karat_cpu::AnyKernel;

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// All kernels of this crate, for lists, checks and benchmarks.
///
/// ```
/// for kernel in karat_hash::kernels() {
///     let mut infos = (0..kernel.len()).map(|i| kernel.info(i));
///     let chosen = infos.find(|info| info.chosen).unwrap();
///     println!("{}: {}, {}", kernel.name(), chosen.name, chosen.why);
/// }
/// ```
///
/// A program that follows `KARAT_FORCE` checks it when it starts:
/// `karat_cpu::check_force(karat_hash::kernels())`.
#[must_use]
pub fn kernels() -> &'static [&'static dyn AnyKernel] {
    &KERNELS
}

const LEN: usize = karat_blake2::KERNELS.len()
    + karat_blake3::KERNELS.len()
    + karat_keccak::KERNELS.len()
    + karat_sha2::KERNELS.len();

static KERNELS: [&dyn AnyKernel; LEN] = joined(&[
    karat_blake2::KERNELS,
    karat_blake3::KERNELS,
    karat_keccak::KERNELS,
    karat_sha2::KERNELS,
]);

/// The kernels of all parts, in one list.
const fn joined<const N: usize>(
    parts: &[&[&'static dyn AnyKernel]],
) -> [&'static dyn AnyKernel; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut filled) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            all[filled] = parts[part][index];
            filled += 1;
            index += 1;
        }
        part += 1;
    }
    assert!(filled == N, "every place is filled");
    all
}
