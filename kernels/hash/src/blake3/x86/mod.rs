//! Assembly for x86-64, as naked functions: what no compiler flag, inlining or
//! link-time optimisation can change.
//!
//! Sources are built by macros that expand to text: [`schedule`] names the
//! rounds once for all widths.

#[macro_use]
mod schedule;

pub(crate) mod avx512;
mod avx512_rows;
pub(crate) mod avx512_xof;
pub(crate) mod narrow;
pub(crate) mod one;
