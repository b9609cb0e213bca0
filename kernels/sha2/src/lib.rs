//! SHA-256, SHA-224, SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4), as fast as the machine allows whatever flags the
//! program that links them is built with.
//!
//! ```
//! use karat_sha2::sha256;
//!
//! let digest = sha256::hash(b"a message");
//! let mut digests = [[0; 32]; 2];
//! sha256::hash_many(&[b"a message", b"another"], &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
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
mod block;
mod choices;
mod chosen;
mod engine;
mod hasher;
mod job;
mod many;
mod portable;
mod prefix;
pub mod sha256;
pub mod sha512;
#[cfg(any(
    test,
    target_arch = "aarch64",
    all(target_arch = "x86_64", target_feature = "sse2", not(miri))
))]
mod wide;

use karat_cpu::AnyKernel;

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[
    &sha256::KERNEL,
    &sha256::MANY,
    &sha512::KERNEL,
    &sha512::MANY,
];

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
