#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod bqfc;
mod discriminant;
mod error;
mod form;
#[cfg(feature = "kit")]
pub mod kit;
mod power;
mod prime;
mod proof;
mod squaring;

pub use discriminant::Discriminant;
pub use error::Error;
pub use form::Form;
pub use proof::{
    Claim, Proof, Prover, Segment, SegmentedProof, advance_all, verify, verify_batch, verify_each,
    verify_segmented, verify_with_challenge,
};
pub use squaring::{Chain, square_all, square_many};

use karat_cpu::AnyKernel;

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[&squaring::KERNEL, &squaring::MANY];

/// Fewest bits of a discriminant. Groups of fewer than some hundred bits are for tests:
/// their order can be computed.
pub const MIN_BITS: usize = 64;
/// Most bits of a discriminant. chiavdf ends at 1024.
pub const MAX_BITS: usize = 2048;

/// Limbs of the largest number: products and squares below discriminants of 2048 bits, and
/// a few bits more.
const LIMBS: usize = 40;

type Uint = karat_bigint::Uint<LIMBS>;
type Int = karat_bigint::Int<LIMBS>;
