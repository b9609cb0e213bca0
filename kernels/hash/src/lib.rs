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
//! Every hash is a [`karat_cpu::Kernel`]: a table of implementations. The best one for
//! this CPU is chosen at run time.
#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod blake2;
pub mod blake2b;
pub mod blake2s;
pub mod blake3;
pub mod check;
pub mod ct;
pub mod keccak;
mod lanes;
pub mod lthash;
#[cfg(feature = "std")]
mod reader;
mod room;
pub mod sha256;
pub mod sha3;
mod short;
mod slices;

use karat_cpu::AnyKernel;

/// All kernels of this crate, for lists, checks and benchmarks.
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
