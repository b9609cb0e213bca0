#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod eds;
mod error;
mod format;
mod hash;
mod kernel;
#[cfg(feature = "kit")]
pub mod kit;
mod leaf;
mod level;
mod proof;
mod slots;
mod tree;

pub use error::Error;
pub use format::Format;
pub use hash::{Hash, Sha256};
use karat_cpu::AnyKernel;
pub use leaf::Leaf;
use proof::shape::split;
pub use proof::{DecodeError, MultiProof, Proof, Verifier, VerifyError};
pub use tree::{Builder, Tree};

/// All kernels of this crate, for lists, checks and benchmarks.
#[must_use]
pub fn kernels() -> &'static [&'static dyn AnyKernel] {
    static KERNELS: &[&dyn AnyKernel] = &[&kernel::KERNEL];
    KERNELS
}
