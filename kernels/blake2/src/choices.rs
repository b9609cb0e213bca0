//! Which implementation is the fastest on which CPU, from the records of
//! `karat kernels bench`. Made by `cargo xtask choices`; do not edit.

use karat_cpu::{Choice, Microarchitecture};

/// All choices of this crate.
#[rustfmt::skip]
pub(crate) static CHOICES: &[Choice] = &[
    Choice {
        kernel: "blake2b",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "portable", "x86-64"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2b",
        cpu: Microarchitecture::Zen4,
        order: &["avx2", "avx512vl", "portable", "x86-64"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2b",
        cpu: Microarchitecture::Zen5,
        order: &["x86-64", "portable", "avx512vl", "avx2"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
    Choice {
        kernel: "blake2b-many",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2b-many",
        cpu: Microarchitecture::Zen4,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2b-many",
        cpu: Microarchitecture::Zen5,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
    Choice {
        kernel: "blake2s",
        cpu: Microarchitecture::Zen3,
        order: &["sse4.1", "portable", "x86-64"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2s",
        cpu: Microarchitecture::Zen4,
        order: &["avx512vl", "sse4.1", "portable", "x86-64"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2s",
        cpu: Microarchitecture::Zen5,
        order: &["x86-64", "portable", "avx512vl", "sse4.1"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
    Choice {
        kernel: "blake2s-many",
        cpu: Microarchitecture::Zen3,
        order: &["avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-1-1-2p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2s-many",
        cpu: Microarchitecture::Zen4,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-25-17-1-1p/2026-11-22-kernels.csv",
    },
    Choice {
        kernel: "blake2s-many",
        cpu: Microarchitecture::Zen5,
        order: &["avx512", "avx2", "portable"],
        short: None,
        evidence: "records/authenticamd-26-2-1-2p/2026-11-20-kernels-large.csv, records/authenticamd-26-2-1-2p/2026-11-20-kernels.csv",
    },
];
