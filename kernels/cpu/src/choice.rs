//! Which implementation is the fastest on which CPU, and how that is known.

use crate::Microarchitecture;

/// The implementations of a kernel by their speed on one design of CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The kernel.
    pub kernel: &'static str,
    /// The design.
    pub cpu: Microarchitecture,
    /// Names of implementations, the fastest first.
    pub order: &'static [&'static str],
    /// For inputs of at most so many bytes another order holds.
    pub short: Option<(u16, &'static [&'static str])>,
    /// The record with the figures, or a model's table in `records/models/`.
    pub evidence: &'static str,
}
