#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

pub mod gcd;
mod int;
mod limbs;
mod montgomery;
mod product;
mod uint;

pub use int::Int;
pub use montgomery::{Montgomery, Residue};
pub use uint::{TooLarge, Uint};

use karat_cpu::AnyKernel;

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[&product::KERNEL, &montgomery::KERNEL];
