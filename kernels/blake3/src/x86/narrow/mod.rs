//! Lanes of 256 and of 128 bits, for CPUs without AVX-512. One text serves both.

#[macro_use]
#[rustfmt::skip]
mod lanes;
#[rustfmt::skip]
mod xof;

pub(crate) use lanes::{avx2, sse41};
pub(crate) use xof::{xof_avx2, xof_sse41};
