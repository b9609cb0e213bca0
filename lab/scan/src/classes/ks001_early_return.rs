//! # KS001: compile-time early return before run-time detection
//!
//! The function returns early if the build assumes a feature of the CPU
//! (`#[cfg(target_feature = "avx2")] { return … }`), and asks the CPU only after that.
//!
//! ## Why it matters
//! With `-Ctarget-cpu=native` and the like the question is never asked. That alone costs
//! nothing: std's `is_x86_feature_detected!` folds to true in such a build just the same.
//! But the fast path then has one caller with the same features, so link-time optimisation
//! may inline it: its symbol is gone, its code is not. Reports that take the missing symbol
//! for lost code, and patches that bring the symbol back, have not changed the speed
//! (`studies/blake2-dispatch`).
//!
//! ## What to do
//! - Nothing, as a rule. `karat scan --binary BIN` says where the code went.
//! - Measure with and without the flags; `-Ctarget-cpu` also recompiles the kernel itself,
//!   which is what makes it faster or slower.
//! - To keep the kernel as it is without the flags, leave its crate out of them (flags per
//!   crate, see README.md). To keep only its symbol, `karat scan --patch DIR`.

use super::Around;
use crate::raw::{Found, Kind};

/// Whether it is one, given what is around it.
pub(super) fn is(found: &Found, around: &Around<'_>) -> bool {
    let Kind::Guard { returns: true, .. } = found.kind else {
        return false;
    };
    around.detected(found, |at| at.start >= found.at.end)
}
