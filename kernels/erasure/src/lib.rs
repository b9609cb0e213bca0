//! Reed-Solomon erasure codes: from k data shards m parity shards are made, and from any k
//! of the k + m shards all others.
//!
//! Four codes give the bytes of the usual libraries, see [`Code`]. Each is MDS: every set of
//! k shards is enough.
//!
//! ```
//! use karat_erasure::{Code, Codec};
//!
//! let codec = Codec::new(Code::A, 3, 2)?;
//! let data = [*b"one", *b"two", *b"six"];
//! let mut parity = [[0; 3]; 2];
//! codec.encode(&data, &mut parity)?;
//!
//! let mut shards = [data[0], [0; 3], data[2], [0; 3], parity[1]];
//! codec.reconstruct(&mut shards, &[true, false, true, false, true])?;
//! assert_eq!(shards[1], *b"two");
//! assert_eq!(shards[3], parity[0]);
//! # Ok::<(), karat_erasure::Error>(())
//! ```
//!
//! All buffers are the caller's. A [`Workspace`] that is kept makes calls allocate nothing:
//! `encode_with` and its like take one.
//!
//! | to | call |
//! |---|---|
//! | make parity shards | [`Codec::encode`] |
//! | add data shards as they come | [`Codec::incremental`] |
//! | follow a data shard that changed | [`Codec::update`] |
//! | make what is lost | [`Codec::reconstruct`], or [`Codec::reconstruct_from`] only what is wanted |
//! | do so for many shards with the same losses | [`Codec::plan`] |
//! | ask whether parity fits data | [`Codec::verify`] |
//! | find shards that are corrupt | [`Codec::locate`] |
//!
//! Multiplication is a [`karat_cpu::Kernel`]: a table of implementations, of which the best
//! for this CPU is chosen at run time. [`kernels`] lists the tables.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | the variables `KARAT_FORCE` and `KARAT_TUNED` |
//! | `isal` | `Codec::isal`: the system's ISA-L, opened when it is asked for |
//! | `kit` | `kit::SUITE`, which checks all implementations on the machine at hand |
//!
//! Without `std` the crate is `no_std`. It needs an allocator.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

extern crate alloc;

mod body;
mod code;
mod codec;
mod columns;
mod cost;
mod error;
mod field;
#[cfg(feature = "isal")]
pub mod isal;
mod kernel;
#[cfg(feature = "kit")]
pub mod kit;
mod points;
mod products;
mod vector;
mod workspace;

pub use code::Code;
pub use codec::{Codec, Incremental, Plan};
pub use error::{Error, Shards};
use karat_cpu::AnyKernel;
pub use workspace::Workspace;

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// All kernels of this crate, for lists, checks and benchmarks.
///
/// A program that follows `KARAT_FORCE` checks it when it starts:
/// `karat_cpu::check_force(karat_erasure::kernels())`.
#[must_use]
pub fn kernels() -> &'static [&'static dyn AnyKernel] {
    static KERNELS: &[&dyn AnyKernel] = &[&kernel::GF8, &kernel::GF16];
    KERNELS
}
