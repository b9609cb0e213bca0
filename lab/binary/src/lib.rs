//! What is in a native binary: its bytes in; functions and whose code they are out.
//!
//! Nothing here judges, reads a file or starts a process. What is counted and told of a
//! binary is `karat-audit`'s, what flows through its code `karat-flow`'s; this is what both stand on.
//!
//! Data flows one way:
//!
//! ```text
//! read (format ─► image ─► fdes ─► symbols ─► sections)
//!   ─► debug (dwarf, a unit at a time: lines, inlines)
//!   ─► attribute (attribution, expected, by_name)
//! ```
//!
//! [`brief`] reads x86-64 instructions as far as a count needs them.
//! [`addresses`](addresses::addresses) lists where functions lie, and
//! [`wanted`](debug::debug_file::wanted) which debug files to look for.

#![forbid(unsafe_code)]

pub mod a64;
pub mod addresses;
pub mod attribute;
pub mod brief;
mod d;
pub mod debug;
pub mod names;
pub mod numbers;
pub mod ranges;
pub mod read;
pub mod x86;

mod error;

pub use error::BinaryError;
