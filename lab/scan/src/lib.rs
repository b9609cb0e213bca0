//! Rust sources in; the places that choose by CPU features out.
//!
//! [`scan()`] reads the packages of a cargo dependency tree and finds where code asks for
//! features of the CPU: at run time, at compile time, or both ([`PAGES`] has the classes).
//! It says what a build's flags make of each place. [`rustflags`] finds those flags as
//! cargo does; [`patches`] offers changes; [`survey`] compares with a binary. It reads
//! source files and starts no process: what cargo and rustc say is given to it.
//!
//! ```text
//! walk ─► file: guard ─► visit ─► classes ─► modules ─► known ─► package ─► scan
//! ```
//!
//! Limits: macros that are not like `cfg_if!` are listed and not expanded; a feature that a
//! build script or another package decides is not known; detection through a wrapper in
//! another package is not seen.
#![forbid(unsafe_code)]

mod cfg;
mod classes;
mod exprs;
mod features;
mod file;
mod flags;
mod guard;
mod kernel;
mod known;
mod macros;
mod modules;
mod options;
mod package;
mod patch;
mod raw;
mod scan;
mod survey;
mod visit;
mod walk;

pub use classes::{PAGES, Page};
pub use flags::{ConfigFile, Environment, rustflags};
pub use kernel::Kernel;
pub use options::Options;
pub use patch::{Patch, patches};
pub use scan::scan;
pub use survey::{modules_to_look_for, survey};

/// Parses one text as a source file, on a thread of its own, and counts its places: for
/// fuzzing.
///
/// # Errors
/// Why it is not scanned.
///
/// # Panics
/// When no thread can be started; else it has a bug.
pub fn places(text: &str) -> Result<usize, String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(guard::STACK)
            .spawn_scoped(scope, || match file::read(text) {
                Ok((scan, _)) => Ok(scan.found.len()),
                Err(problem) => Err(problem.message),
            })
            .expect("a thread starts")
            .join()
            .expect("no panic in the scanner")
    })
}
