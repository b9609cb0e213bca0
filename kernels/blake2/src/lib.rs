//! BLAKE2b, BLAKE2s, their parameters, and the parallel forms BLAKE2bp and BLAKE2sp, as
//! fast as the machine allows whatever flags the program that links them is built with.
//!
//! ```
//! use karat_blake2::blake2b;
//!
//! let digest: [u8; 32] = blake2b::hash(b"a message");
//! let mut digests = [[0; 32]; 2];
//! blake2b::hash_many(&[b"a message", b"another"], &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
//!
//! Both are the same construction, over words of 64 or of 32 bits ([`Algorithm`]).
//! [`crate::blake2b`] and [`crate::blake2s`] have the functions, and these types for one
//! algorithm. The types here are for code that takes either:
//!
//! ```
//! use karat_blake2::{Algorithm, Blake2b, Blake2s, Params};
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

#[cfg(any(feature = "std", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod batch;
pub mod blake2b;
pub mod blake2s;
mod choices;
#[cfg(feature = "digest")]
mod digest;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[rustfmt::skip]
mod equal;
mod hasher;
#[cfg(miri)]
mod interpreted;
mod job;
mod many;
mod parallel;
mod params;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod plan;
mod portable;
mod refill;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows_shifts;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod shuffles;
mod single;
mod word;

use karat_cpu::AnyKernel;

pub use algorithm::{Algorithm, Blake2b, Blake2s};
pub use hasher::Hasher;
pub use parallel::ParallelHasher;
pub use params::Params;

use job::Many;
use params::{hash, hash_into};
use single::{Counter, One};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use single::{Node, hash_by};
use word::Word;

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[
    &blake2b::KERNEL,
    &blake2b::MANY,
    &blake2s::KERNEL,
    &blake2s::MANY,
];

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
