//! Assembly for x86-64, in naked functions. Compiler flags, inlining and link-time
//! optimisation cannot change it.
//!
//! Macros that expand to text build the sources: [`schedule`] lists the rounds once for
//! all widths. rustfmt would put each token on its own line.

#[macro_use]
#[rustfmt::skip]
mod schedule;

#[macro_use]
#[rustfmt::skip]
mod frame;

#[macro_use]
#[rustfmt::skip]
mod steps;

// Before the next ones, whose macros have the same names.
pub(crate) mod narrow;

#[macro_use]
#[rustfmt::skip]
pub(crate) mod avx512;
#[macro_use]
#[rustfmt::skip]
mod avx512_once;
#[macro_use]
#[rustfmt::skip]
mod avx512_behind;
#[rustfmt::skip]
pub(crate) mod avx512_single;
#[rustfmt::skip]
pub(crate) mod avx512_blocks;
#[rustfmt::skip]
mod avx512_duet;
#[macro_use]
#[rustfmt::skip]
mod shifts;
#[macro_use]
#[rustfmt::skip]
mod two;
#[macro_use]
#[rustfmt::skip]
mod avx512_rows;
#[macro_use]
#[rustfmt::skip]
pub(crate) mod avx512vl;
#[macro_use]
#[rustfmt::skip]
mod xof_first;
#[rustfmt::skip]
pub(crate) mod avx512_pad;
#[rustfmt::skip]
pub(crate) mod avx512_xof;
#[rustfmt::skip]
pub(crate) mod avx512_xof_single;
#[rustfmt::skip]
pub(crate) mod avx512vl_xof;
#[macro_use]
#[rustfmt::skip]
mod avx512vl_few;
#[macro_use]
#[rustfmt::skip]
pub(crate) mod avx512vl_tree;
#[rustfmt::skip]
pub(crate) mod avx512_tree;
#[rustfmt::skip]
pub(crate) mod one;
#[rustfmt::skip]
mod ahead;
#[rustfmt::skip]
pub(crate) mod rows;
mod xof_groups;
