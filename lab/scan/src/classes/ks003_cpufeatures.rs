//! # KS003: detection by the crate cpufeatures
//!
//! `cpufeatures::new!` makes a module whose `get()` asks the CPU once. Where the build
//! assumes all its features, the macro answers `true` at compile time instead.
//!
//! ## Why it matters
//! It folds under the same flags as std's detection. Folding is what one wants of a build
//! for one machine; it is listed because reports have held these crates to be exempt.
//!
//! ## What to do
//! - Nothing, as a rule. `karat scan --binary BIN` says where the code went.
