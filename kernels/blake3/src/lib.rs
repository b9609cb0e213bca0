//! BLAKE3: a tree hash. The chunks of one message can fill all lanes.
//!
//! Source: "BLAKE3: one function, fast everywhere" (O'Connor, Aumasson, Neves,
//! Wilcox-O'Hearn, 2020).
//!
//! There are three modes: [`hash`], [`keyed_hash`] and [`derive_key`]. Each takes input
//! in pieces ([`Hasher`]) and makes output of any length ([`Hasher::finalize_xof`]).
//! [`hash_many`] hashes many messages.
//!
//! ```
//! use karat_blake3::Hasher;
//!
//! let hash = karat_blake3::hash(b"karat");
//! let mut hasher = Hasher::new();
//! hasher.update(b"ka").update(b"rat");
//! assert_eq!(hasher.finalize(), hash);
//!
//! // Output of any length. The first 32 bytes are the hash.
//! let mut bytes = [0; 100];
//! hasher.finalize_xof().fill(&mut bytes);
//! assert_eq!(bytes[..32], hash);
//!
//! // With a key it is a MAC. `verify` compares in constant time.
//! let key = karat_blake3::derive_key("example.com 2026-11-20 message keys v1", b"secret");
//! let mac = karat_blake3::keyed_hash(&key, b"karat");
//! assert!(Hasher::new_keyed(&key).update(b"karat").verify(&mac));
//!
//! let mut hashes = [[0; 32]; 2];
//! karat_blake3::hash_many(&[b"karat", b"carat"], &mut hashes);
//! assert_eq!(hashes[0], hash);
//! ```
//!
//! Digests are plain arrays: `==` on them is not constant time. Check keyed hashes by
//! [`Hasher::verify`] or [`ct::eq`](karat_hash_core::ct::eq).
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod block;
mod body;
mod choices;
mod constants;
#[cfg(feature = "digest")]
mod digest;
mod forest;
mod hasher;
#[cfg(feature = "std")]
mod io;
mod job;
mod kernel;
pub mod lthash;
mod many;
mod mode;
#[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
mod neon;
mod output;
mod portable;
pub mod raw;
mod short;
mod tree;
mod words;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod x86;

pub use constants::{BLOCK_LEN, CHUNK_LEN, KEY_LEN, OUT_LEN};
pub use hasher::Hasher;
pub use many::{hash_many, keyed_hash_many};
pub use output::OutputReader;

use hasher::hash_of;
use karat_cpu::AnyKernel;

/// The hash of `input`.
///
/// ```
/// let hash = karat_blake3::hash(b"");
/// assert_eq!(hash[..4], [0xaf, 0x13, 0x49, 0xb9]);
/// ```
#[must_use]
#[inline]
pub fn hash(input: &[u8]) -> [u8; OUT_LEN] {
    hash_of(&hasher::PLAIN, input)
}

/// The hash of `input` with a key. It can be used as a MAC or as a PRF. Check a MAC by
/// [`Hasher::verify`] or [`ct::eq`](karat_hash_core::ct::eq), not by `==`.
#[must_use]
#[inline]
pub fn keyed_hash(key: &[u8; KEY_LEN], input: &[u8]) -> [u8; OUT_LEN] {
    hash_of(&hasher::keyed(key), input)
}

/// Derives a key from `material` for the purpose that `context` names. The context
/// should be hardcoded and globally unique, and must not depend on input. An example is
/// `"example.com 2026-11-20 message keys v1"`.
#[must_use]
pub fn derive_key(context: &str, material: &[u8]) -> [u8; OUT_LEN] {
    hash_of(&hasher::material(context), material)
}

/// Whether two hashes are equal: [`ct::eq`](karat_hash_core::ct::eq) for hashes.
#[must_use]
pub fn equal(a: &[u8; OUT_LEN], b: &[u8; OUT_LEN]) -> bool {
    karat_hash_core::ct::eq(a, b)
}

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[&kernel::KERNEL, &block::BLOCK, &lthash::KERNEL];

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
