//! Static audit of a native binary: bytes in, facts out.
//!
//! [`audit`] counts the instructions of a file by register width and
//! extension, function by function and crate by crate, and says what became of
//! the functions a study expects; [`audit_file`] says what it read of a file that
//! holds others. [`checks::run`] turns two audits into findings; [`leaks`] finds
//! instructions above a baseline that nothing guards; [`gates`] tells of gate functions
//! where they are asked (leaks of linked x86-64 files, gates of ELF among them only).
//! Nothing here reads a file or starts a process.
//!
//! Data flows one way; what is in the binary and whose code it is comes from
//! [`karat_binary`], what flows through it from [`karat_flow`]:
//!
//! ```text
//! count (chunks ─► census), survival ─► catalogue ─► document ─► checks
//! karat_flow ─► karat_leaks ─► gates
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

mod bloat;
mod container;
mod count;
mod counts;
mod document;
mod facts;
mod gates;
mod place;
mod report;
mod survival;

pub use bloat::bloat;
pub use container::{FileAudit, Skipped, audit, audit_file, audit_timed};
pub use facts::{changed as exports_changed, facts};
pub use gates::{
    FunctionSites, GateSites, KernelSite, function_sites, gate_sites, gates, kernel_sites,
};
pub use karat_binary::BinaryError;
pub use karat_flow::baseline::{Baseline, BaselineError};
pub use karat_flow::facts::vouched::{Says, Vouched};
pub use karat_leaks::{leaks, leaks_vouched, said, said_arm, searched};
pub use place::{Place, place_of};
pub use report::{LetGo, Options, Phases};
pub use survival::SAME_MIX;
