//! # KS005: chosen at compile time only
//!
//! The code for a feature of the CPU is there if the build assumes the feature
//! (`cfg(target_feature = …)`) and otherwise not. The package detects it nowhere.
//!
//! ## Why it matters
//! Without flags that imply the feature the slower code runs, on every CPU, and nothing
//! says so. These are the crates that gain by `-Ctarget-cpu`.
//!
//! ## What to do
//! - See which features the report lists as missing. If the crate matters for speed, build
//!   with flags that have them, for this crate alone if need be (flags per crate, see
//!   README.md), and measure it: `karat ab`.
//! - Remember that generic and inline functions are compiled in the crate that calls them.
