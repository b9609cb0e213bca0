//! Hashes that are as fast as the machine allows. The speed does not depend on the
//! compiler flags of the program that links them.
//!
//! | module | standard |
//! |---|---|
//! | [`blake2b`], [`blake2s`] | RFC 7693, and the BLAKE2 paper for trees and parallel forms |
//! | [`blake3`] | the BLAKE3 paper |
//! | [`sha3`] | FIPS 202 (SHA-3, SHAKE) |
//! | [`keccak`] | the original Keccak-256, as Ethereum uses it, and all of [`sha3`] |
//! | [`sha256`] | FIPS 180-4 |
//! | [`lthash`] | lattice hash over BLAKE3's extended output |
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
//! | `kit` | `kit::SUITE`, which checks all implementations on the machine at hand |
//!
//! Targets whose calling convention has no vector registers, such as
//! `x86_64-unknown-none`, get the portable implementations only.
//!
//! Without `std` the crate is `no_std`. Only `std` and `kit` need an allocator.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64",
        miri,
        test
    )),
    expect(dead_code, reason = "what only vector code uses")
)]
#![warn(missing_docs)]

#[cfg(any(feature = "std", feature = "kit", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod blake2;
pub mod blake3;
mod choices;
pub mod ct;
pub mod keccak;
#[cfg(feature = "kit")]
pub mod kit;
mod lanes;
pub mod lthash;
#[cfg(feature = "std")]
mod reader;
mod room;
pub mod sha256;
pub mod sha3;
mod short;
mod slices;

#[doc(inline)]
pub use blake2::{blake2b, blake2s};
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
    static KERNELS: &[&dyn AnyKernel] = &[
        &blake2b::KERNEL,
        &blake2b::MANY,
        &blake2s::KERNEL,
        &blake2s::MANY,
        &blake3::kernel::KERNEL,
        &blake3::kernel::BLOCK,
        &keccak::KERNEL,
        &keccak::MANY,
        &sha256::KERNEL,
        &sha256::MANY,
        &lthash::KERNEL,
    ];
    KERNELS
}
