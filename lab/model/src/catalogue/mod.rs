//! Kernels of widely used libraries: how they are described, and what was found
//! of them in a binary.
//!
//! A [`Library`] is one TOML file: where the code comes from, under which names
//! it appears, and [`Fingerprint`]s that were taken from real builds. The audit
//! compares a binary with them and reports [`KnownKernel`]s.

mod expect;
mod found;
mod library;
mod mix;
mod write;

pub use expect::Expected;
pub use found::{Confidence, KnownEvidence, KnownGroup, KnownKernel, groups};
pub use library::{Fingerprint, Kernel, Library};
pub use mix::{MixKey, Width};
