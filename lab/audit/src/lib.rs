//! Static audit of a native binary: bytes in, facts out.
//!
//! [`audit`] counts the instructions of a linked file by register width and
//! extension, function by function and crate by crate, and says what became of
//! the functions a study expects. [`checks::run`] turns two audits into
//! findings; [`addresses`] lists where functions lie; [`leaks`] finds instructions above a
//! baseline that nothing guards; [`gates`] tells of gate functions where they are asked. Nothing here reads a file or starts a process.
//!
//! Data flows one way:
//!
//! ```text
//! image ─► fdes ─► symbols ─► sections ─► owner, dwarf ─► lines, inlines ─► charge
//!       ─► decode ─► census ─► catalogue ─► survival ─► checks
//! ```
//!
//! Limits: ELF x86-64 only. Code that no sized symbol, no entry of the unwind
//! table and no global symbol without a size covers is `[no symbol]`. Of `.bolt.org.*` sections, where BOLT
//! leaves dead copies, only what sized symbols cover is counted (so symbol-less
//! assembly there is missed); the rest is told apart, as is code that may be data.

#![forbid(unsafe_code)]

pub mod catalogue;
pub mod checks;

mod addresses;
mod bloat;
mod census;
mod charge;
mod decode;
mod dwarf;
mod error;
mod fdes;
mod gates;
mod image;
mod inlines;
mod leaks;
mod lines;
mod names;
mod owner;
mod report;
mod sections;
mod span;
mod survival;
mod symbols;
mod target;

pub use addresses::{Addresses, Placed, addresses};
pub use bloat::bloat;
pub use error::AuditError;
pub use gates::gates;
pub use leaks::{Baseline, BaselineError, leaks};
pub use report::{Options, Phases, audit, audit_timed};
pub use survival::SAME_MIX;
