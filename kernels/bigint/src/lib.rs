#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#[cfg(feature = "kit")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod adx;
mod choices;
mod digits;
mod eight;
pub mod gcd;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod ifma;
mod int;
#[cfg(feature = "kit")]
pub mod kit;
mod lanes;
mod limbs;
mod montgomery;
mod one;
pub mod powers;
mod product;
mod reduction;
mod uint;
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
mod unrolled;

pub use eight::{Eight, LANES};
pub use int::Int;
pub use montgomery::{Montgomery, Residue};
pub use one::{Digits, Sums};
pub use uint::{TooLarge, Uint};

use karat_cpu::AnyKernel;

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[
    &product::KERNEL,
    &montgomery::KERNEL,
    &powers::KERNEL,
    &eight::KERNEL,
    &one::KERNEL,
];
