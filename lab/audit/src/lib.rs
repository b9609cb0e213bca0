//! Static audit of a native binary: bytes in, facts out.
//!
//! [`audit`] counts the instructions of a linked file by register width and
//! extension, function by function and crate by crate, and says what became of
//! the functions a study expects. [`checks::run`] turns two audits into
//! findings. Nothing here reads a file or starts a process.
//!
//! Data flows one way:
//!
//! ```text
//! image ─► symbols ─► owner, dwarf ─► lines, inlines ─► decode ─► census ─► survival ─► checks
//! ```
//!
//! Limits: ELF x86-64 only. Code that no sized symbol covers is `[no symbol]`;
//! of
//! `.bolt.org.*` sections, where BOLT leaves dead copies, only what sized symbols
//! cover is counted (so symbol-less assembly there is missed).

#![forbid(unsafe_code)]

pub mod checks;

mod census;
mod decode;
mod dwarf;
mod error;
mod image;
mod inlines;
mod lines;
mod names;
mod owner;
mod report;
mod span;
mod survival;
mod symbols;
mod target;

pub use error::AuditError;
pub use report::{Options, Phases, audit, audit_timed};
pub use survival::SAME_MIX;
