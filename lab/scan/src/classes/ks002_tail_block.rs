//! # KS002: compile-time answer in place of run-time detection
//!
//! The function's value is decided by the build if that assumes a feature of the CPU
//! (`#[cfg(target_feature = "avx2")] { true }`, `cfg!(…) || detected`), and by run-time
//! detection otherwise. It means the same as KS001, written without `return`.
//!
//! ## Why it matters
//! As for KS001: under flags that imply the feature nothing is asked at run time. That is
//! what std's macro would do by itself.
//!
//! ## What to do
//! - Nothing, as a rule. `karat scan --binary BIN` says where the code went.
//! - Measure: some crates of this pattern lose by `-Ctarget-cpu=native` because their
//!   kernels are compiled anew (memchr by half in `studies/blake2-dispatch`). Leave such a
//!   crate out of the flags.

use super::Around;
use crate::raw::{Found, Kind};

/// Whether it is one, given what is around it.
pub(super) fn is(found: &Found, around: &Around<'_>) -> bool {
    match &found.kind {
        Kind::Guard { otherwise, .. } => {
            around.detected(found, |at| otherwise.iter().any(|o| o.holds(at)))
        }
        // Two functions of one name, one for the feature and one that detects.
        Kind::Conditional { function: true } => around.twin(found),
        _ => false,
    }
}
