//! # KS004: run-time detection by std
//!
//! `is_x86_feature_detected!` (or its like for another architecture) decides at run time.
//!
//! ## Why it matters
//! std's macro expands to `cfg!(target_feature = …) || …`: under flags that imply the
//! feature it is a constant, and the other path is no longer in the program. No crate with
//! detection is exempt from that, whatever else it does.
//!
//! ## What to do
//! - Nothing: this is the portable way to choose, and fast without any flags.
