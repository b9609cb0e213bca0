//! Which instruction sets this machine offers, asked at run time.
//!
//! An [`Isa`] is one of rustc's target-feature names. [`detect`] asks the CPU
//! (CPUID) and the operating system (XCR0) itself and never consults
//! `cfg!(target_feature)`: under `-Ctarget-cpu=native` the standard library's
//! `is_x86_feature_detected!` folds to a constant, and every path but one becomes
//! dead code. Code that dispatches on this crate keeps all its paths.
//!
//! A [`Kernel`] is a table of such paths, its [`Implementation`]s. The first call
//! picks one by what [`detect`] and [`identity`] say, later calls load an index.
//! The table holds function pointers in a static, so no compiler flag and no
//! link-time optimisation can fold a path away.
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
//! With the feature `std` (on by default) `KARAT_FORCE=blake3=avx2,sha256=portable`
//! in the environment overrides the choice. A choice that the CPU cannot run is
//! refused with a message, never tried.
#![no_std]
#![warn(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod force;
mod isa;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
mod aarch64;

#[cfg(feature = "std")]
pub use force::{ForceError, check_force};
pub use isa::{Isa, IsaSet};
pub use kernel::{AnyKernel, Implementation, Info, Kernel, Unavailable};

/// Vendor, family, model, stepping and brand of the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Vendor string, zero padded, such as `AuthenticAMD`.
    pub vendor: [u8; 12],
    /// Brand string, zero padded.
    pub brand: [u8; 48],
    /// Display family.
    pub family: u32,
    /// Display model.
    pub model: u32,
    /// Stepping.
    pub stepping: u32,
    /// Hypervisor's vendor string, zero padded; all zero on bare metal.
    pub hypervisor: [u8; 12],
}

impl Identity {
    /// Where nothing can be asked.
    pub const UNKNOWN: Self = Self {
        vendor: [0; 12],
        brand: [0; 48],
        family: 0,
        model: 0,
        stepping: 0,
        hypervisor: [0; 12],
    };
}

/// The ISAs that the CPU has and the operating system lets programs use.
///
/// Costs a few CPUID instructions (each traps to the hypervisor on a virtual
/// machine, about a microsecond): ask once and keep the answer.
#[must_use]
pub fn detect() -> IsaSet {
    // Miri interprets Rust and runs no CPUID; kernels then use their plain bodies.
    if cfg!(miri) {
        return IsaSet::EMPTY;
    }
    #[cfg(target_arch = "x86_64")]
    return x86::detect();
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    return aarch64::detect();
    #[cfg(not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_os = "linux")
    )))]
    return IsaSet::EMPTY;
}

/// Who made the CPU and which one it is; all zero where there is no CPUID.
#[must_use]
pub fn identity() -> Identity {
    if cfg!(miri) {
        return Identity::UNKNOWN;
    }
    #[cfg(target_arch = "x86_64")]
    return x86::identity();
    #[cfg(not(target_arch = "x86_64"))]
    return Identity::UNKNOWN;
}
