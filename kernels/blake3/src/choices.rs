//! Which implementation is the fastest on which CPU, from the records of
//! `karat kernels bench`. Made by `cargo xtask choices`; do not edit.

use karat_cpu::{Choice, Microarchitecture};

/// All choices of this crate.
#[rustfmt::skip]
pub(crate) static CHOICES: &[Choice] = &[
    Choice {
        kernel: "blake3",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "sse4.1", "portable"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake3",
        cpu: Microarchitecture::Zen4,
        order: &["avx512", "avx512-duet", "avx2", "sse4.1", "portable"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake3",
        cpu: Microarchitecture::Zen5,
        order: &["avx512-duet", "avx512", "avx2", "sse4.1", "portable"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
    Choice {
        kernel: "blake3-block",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "x86-64", "portable"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake3-block",
        cpu: Microarchitecture::Zen4,
        order: &["x86-64", "portable"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake3-block",
        cpu: Microarchitecture::Zen5,
        order: &["x86-64", "portable"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
    Choice {
        kernel: "lthash",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "lthash",
        cpu: Microarchitecture::Zen4,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels-rest.csv",
    },
    Choice {
        kernel: "lthash",
        cpu: Microarchitecture::Zen5,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
];
