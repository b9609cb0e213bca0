//! SHA-256 and SHA-224 (FIPS 180-4).
//!
//! ```
//! use karat_sha2::sha256;
//!
//! let digest = sha256::hash(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//!
//! let mut hasher = sha256::Hasher::new();
//! hasher.update(b"a").update(b"bc");
//! assert_eq!(hasher.finalize(), digest);
//!
//! let mut many = [[0; 32]; 3];
//! sha256::hash_many(&[b"abc", b"", b"abc"], &mut many);
//! assert_eq!(many[2], digest);
//! ```
//!
//! [`sha224`] has the same functions for SHA-224.
//!
//! Digests are plain arrays; `==` on them is not constant time. SHA-256 of a secret
//! followed by a message is not a MAC (length extension): use HMAC, which the crate
//! `karat-mac` has. [`Prefix`] is what it is made of.
//!
//! One message is bound by the latency of one instruction, which leaves most of the core
//! idle. Several messages side by side are faster together, most of all when they have
//! equal lengths.

#[cfg(target_arch = "aarch64")]
mod armv8;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512_single;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512_two;
pub(crate) mod constants;
mod hasher;
mod kernel;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod many_sha_ni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod many_single;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod many_x86;
mod padded;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod padding512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sha_ni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sha_ni_one;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sha_ni_upper;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sha_ni_upper_whole;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sha_ni_whole;
#[cfg(all(target_arch = "x86", target_feature = "sse2", not(miri)))]
mod sha_ni_x86;

pub use hasher::plain::{Hasher, Prefix, hash, hash_many};
pub use hasher::sha224;
pub(crate) use kernel::{KERNEL, MANY};
pub use padded::{hash_many_padded, hash_many_padded_ahead, pad, padded_len};
