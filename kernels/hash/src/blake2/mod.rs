//! The common part of BLAKE2b and BLAKE2s: parameters, hashers, many messages at once,
//! and the parallel forms BLAKE2bp and BLAKE2sp.
//!
//! Both are the same construction, over words of 64 or of 32 bits ([`Algorithm`]).
//! [`crate::blake2b`] and [`crate::blake2s`] have the functions, and these types for one
//! algorithm. The types here are for code that takes either:
//!
//! ```
//! use karat_hash::blake2::{Algorithm, Blake2b, Blake2s, Params};
//!
//! fn tagged<A: Algorithm>(tag: &[u8], message: &[u8]) -> [u8; 32] {
//!     Params::<A, 32>::new().personal(tag).hash(message)
//! }
//!
//! assert_ne!(tagged::<Blake2b>(b"file", b"karat"), tagged::<Blake2s>(b"file", b"karat"));
//! ```
//!
//! Sources: RFC 7693; "BLAKE2: simpler, smaller, fast as MD5" (Aumasson, Neves,
//! Wilcox-O'Hearn, Winnerlein, 2013) for parameters, trees and the parallel forms.

pub(crate) mod algorithm;
pub(crate) mod batch;
// Public as `karat_hash::blake2b` and `karat_hash::blake2s`.
#[doc(hidden)]
pub mod blake2b;
#[doc(hidden)]
pub mod blake2s;
#[cfg(feature = "digest")]
mod digest;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[rustfmt::skip]
pub(crate) mod equal;
mod hasher;
#[cfg(miri)]
pub(crate) mod interpreted;
pub(crate) mod many;
mod parallel;
mod params;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) mod plan;
pub(crate) mod portable;
mod refill;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) mod shuffles;
mod single;

pub use algorithm::{Algorithm, Blake2b, Blake2s};
pub use hasher::Hasher;
pub use parallel::ParallelHasher;
pub use params::Params;

pub(crate) use algorithm::Word;
pub(crate) use many::Many;
pub(crate) use params::{hash, hash_into};
pub(crate) use single::{Compress, Counter, One};
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use single::{Node, hash_by};
