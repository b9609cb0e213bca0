//! Which implementation is the fastest on which CPU, from the records of
//! `karat kernels bench`, or by model where there is none. Made by
//! `cargo xtask choices`; do not edit.

use karat_cpu::{Choice, Microarchitecture};

/// All choices of this crate.
#[rustfmt::skip]
pub(crate) static CHOICES: &[Choice] = &[
    Choice {
        kernel: "bigint-mul",
        cpu: Microarchitecture::Zen4,
        order: &["avx512ifma", "adx", "portable"],
        short: Some((64, &["adx", "avx512ifma", "portable"])),
        evidence: "records/authenticamd-25-17-1-2p/2026-11-28-kernels-bigint-mul.csv",
    },
];
