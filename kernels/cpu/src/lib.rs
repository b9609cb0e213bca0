//! Detects at run time which instruction sets this machine has.
//!
//! An [`Isa`] is one of rustc's target-feature names. [`detect`] asks the CPU (CPUID)
//! and the operating system (XCR0) itself. It never uses `cfg!(target_feature)`: under
//! `-Ctarget-cpu=native` the standard library's `is_x86_feature_detected!` becomes a
//! constant, and all paths but one become dead code. Code that dispatches with this
//! crate keeps all its paths.
//!
//! A [`Kernel`] is a table of such paths, its [`Implementation`]s. The first call
//! chooses one by [`detect`] and [`identity`]: the fastest by measurements on this
//! [`Microarchitecture`] ([`Choice`]), or the first of the table. Later calls load an
//! index. The table
//! holds function pointers in a static, so no compiler flag and no link-time
//! optimisation can remove a path.
//!
//! ```
//! use karat_cpu::{Implementation, IsaSet, Kernel};
//!
//! fn portable(x: &mut [u32]) { for x in x { *x += 1 } }
//!
//! static INCREMENT: Kernel<fn(&mut [u32])> = Kernel::new("increment", &[
//!     // Best first; the last one runs everywhere.
//!     Implementation::new("portable", IsaSet::EMPTY, portable, "plain Rust"),
//! ]);
//!
//! let mut numbers = [1, 2];
//! (INCREMENT.get())(&mut numbers);
//! assert_eq!(numbers, [2, 3]);
//! ```
//!
//! With the feature `std` (on by default) the environment variable
//! `KARAT_FORCE=blake3=avx2,sha256=portable` overrides the choice, and so does a file
//! with such lines, `KARAT_TUNED=FILE`. An implementation that the CPU cannot run is
//! refused with a message and never called.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

mod choice;
#[cfg(feature = "std")]
mod force;
mod isa;
mod kernel;
mod microarchitecture;
#[cfg(feature = "std")]
mod requests;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "x86", target_feature = "sse2")
))]
mod x86;

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
mod aarch64;

pub use choice::Choice;
#[cfg(feature = "std")]
pub use force::{ForceError, check_force};
pub use isa::{Isa, IsaSet};
pub use kernel::{AnyKernel, Implementation, Info, Kernel, Unavailable};
pub use microarchitecture::Microarchitecture;
#[cfg(feature = "std")]
pub use requests::forced;

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Vendor, family, model, stepping and brand of the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Vendor string, padded with zeros, such as `AuthenticAMD`.
    pub vendor: [u8; 12],
    /// Brand string, padded with zeros.
    pub brand: [u8; 48],
    /// Display family: base and extended family together.
    pub family: u32,
    /// Display model: base and extended model together.
    pub model: u32,
    /// Stepping.
    pub stepping: u32,
    /// Vendor string of the hypervisor, padded with zeros. All zero on bare metal.
    pub hypervisor: [u8; 12],
}

impl Identity {
    /// The value where the CPU cannot be asked.
    pub const UNKNOWN: Self = Self {
        vendor: [0; 12],
        brand: [0; 48],
        family: 0,
        model: 0,
        stepping: 0,
        hypervisor: [0; 12],
    };
}

/// The ISAs that the CPU has and that the operating system lets programs use.
///
/// It costs a few CPUID instructions. On a virtual machine each one traps to the
/// hypervisor, about a microsecond. So call it once and keep the answer.
#[must_use]
pub fn detect() -> IsaSet {
    // Miri interprets Rust and cannot run CPUID. Kernels then use their portable
    // implementations.
    if cfg!(miri) {
        return IsaSet::EMPTY;
    }
    #[cfg(any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse2")
    ))]
    return x86::detect();
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    return aarch64::detect();
    #[cfg(not(any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse2"),
        all(target_arch = "aarch64", target_os = "linux")
    )))]
    return IsaSet::EMPTY;
}

/// Vendor and model of the CPU. All zero where there is no CPUID.
#[must_use]
pub fn identity() -> Identity {
    if cfg!(miri) {
        return Identity::UNKNOWN;
    }
    #[cfg(any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse2")
    ))]
    return x86::identity();
    #[cfg(not(any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse2")
    )))]
    return Identity::UNKNOWN;
}
