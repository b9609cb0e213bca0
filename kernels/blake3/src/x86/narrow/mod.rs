//! Lanes of 256 and of 128 bits, and rows of 256, for CPUs without AVX-512.

#[macro_use]
#[rustfmt::skip]
mod lanes;
#[rustfmt::skip]
mod xof;
#[macro_use]
#[rustfmt::skip]
mod eight;
#[rustfmt::skip]
mod blocks;
#[rustfmt::skip]
mod two;
#[macro_use]
#[rustfmt::skip]
mod rows;
#[macro_use]
#[rustfmt::skip]
mod few;
#[rustfmt::skip]
mod tree;

pub(crate) use blocks::blocks;
pub(crate) use eight::avx2;
pub(crate) use lanes::sse41;
pub(crate) use tree::FEW;
pub(crate) use xof::{xof_avx2, xof_sse41, xof8};
