//! SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4).
//!
//! ```
//! use karat_sha2::sha512;
//!
//! let digest = sha512::hash(b"abc");
//! assert_eq!(digest[..4], [0xdd, 0xaf, 0x35, 0xa1]);
//!
//! let mut hasher = sha512::Hasher::new();
//! hasher.update(b"a").update(b"bc");
//! assert_eq!(hasher.finalize(), digest);
//!
//! let mut many = [[0; 64]; 3];
//! sha512::hash_many(&[b"abc", b"", b"abc"], &mut many);
//! assert_eq!(many[2], digest);
//! ```
//!
//! [`sha384`] and [`sha512_256`] have the same functions for SHA-384 and SHA-512/256.
//! Where there are no SHA instructions, SHA-512/256 takes less time for a long message
//! than SHA-256 does, and its digest is as long.
//!
//! Digests are plain arrays; `==` on them is not constant time. SHA-512 of a secret
//! followed by a message is not a MAC (length extension; SHA-384 and SHA-512/256 do not
//! have that property): use HMAC, which the crate `karat-mac` has. [`Prefix`] is what it
//! is made of.

#[cfg(target_arch = "aarch64")]
mod armv8;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512vl;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod bmi2;
pub(crate) mod constants;
mod hasher;
mod kernel;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod many_x86;

pub use hasher::plain::{Hasher, Prefix, hash, hash_many};
pub use hasher::{sha384, sha512_256};
pub(crate) use kernel::{KERNEL, MANY};
