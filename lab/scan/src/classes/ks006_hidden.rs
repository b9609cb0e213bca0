//! # KS006: hidden in a macro
//!
//! A macro's definition, or tokens given to one, mention `target_feature` or detection, and
//! are not Rust by themselves. `cfg_if!` and macros of the same form are looked into; this
//! one is not.
//!
//! ## Why it matters
//! The scan does not know how often and where the macro is used, nor how it chooses.
//!
//! ## What to do
//! - Read the place. Its uses choose by CPU features in one of the ways of KS001 to KS005.
