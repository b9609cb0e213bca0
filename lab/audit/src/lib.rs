//! Static audit of a native binary: bytes in, facts out.
//!
//! [`audit`] counts the instructions of a file by register width and
//! extension, function by function and crate by crate, and says what became of
//! the functions a study expects; [`audit_file`] says what it read of a file that
//! holds others. [`wanted`] says which debug files to look for. [`checks::run`] turns
//! two audits into findings; [`addresses`] lists where functions lie; [`leaks`] finds
//! instructions above a baseline that nothing guards; [`gates`] tells of gate functions
//! where they are asked (both of linked ELF x86-64 files only). Nothing here reads a
//! file or starts a process.
//!
//! Data flows one way:
//!
//! ```text
//! container ─► image ─► fdes ─► symbols ─► sections ─► dwarf ─► attribution ─► by_name
//!           (a unit at a time: lines, inlines ─► charge, survival)
//!           ─► chunks ─► census ─► catalogue ─► publish ─► checks
//! ```
//!
//! Limits: ELF, Mach-O and PE for x86-64 and AArch64; of Windows programs no PDB
//! files are read. Code that no sized symbol, no entry of the unwind
//! table and no global symbol without a size covers is `[no symbol]`. Of `.bolt.org.*` sections, where BOLT
//! leaves dead copies, only what sized symbols cover is counted (so symbol-less
//! assembly there is missed); the rest is told apart, as is code that may be data.
//! In AArch64 code only words of encoding groups that are not allocated count as
//! undecodable, zeros, which are padding, not among them.

#![forbid(unsafe_code)]

pub mod catalogue;
pub mod checks;

mod a64;
mod a64_names;
mod addresses;
mod attribution;
mod bloat;
mod by_name;
mod census;
mod charge;
mod chunks;
mod container;
mod counts;
mod debug_file;
mod decode;
mod dwarf;
mod error;
mod fdes;
mod format;
mod gates;
mod image;
mod inflate;
mod inlines;
mod isa;
mod leaks;
mod lines;
mod mach;
mod names;
mod owner;
mod pdata;
mod publish;
mod relocate;
mod report;
mod sections;
mod span;
mod survival;
mod symbols;
mod target;

pub use addresses::{Addresses, Placed, addresses};
pub use bloat::bloat;
pub use container::{FileAudit, Skipped, audit_file};
pub use debug_file::{DebugWanted, DwoWanted, belongs, wanted};
pub use error::AuditError;
pub use gates::gates;
pub use leaks::{Baseline, BaselineError, leaks};
pub use report::{Options, Phases, audit, audit_timed};
pub use survival::SAME_MIX;
