//! Kernels of widely used libraries, found in any binary.
//!
//! The catalogue is data: one file per library in `lab/audit/catalogue/`, with
//! names, instruction sets and fingerprints of real builds; users can add their
//! own. A kernel is recognised, in this order,
//!
//! 1. by a name: a symbol, or a function of an inline chain;
//! 2. by its instruction mix together with the constants it uses: any code with
//!    enough vector instructions whose name says nothing, symbol or not;
//! 3. by the constants of its algorithm alone, which tells the algorithm and
//!    not the library.
//!
//! Code without a symbol or an entry of the unwind table may hold several
//! kernels: it is cut where one function may end and the next begin, and every
//! run of such pieces is compared. Limits: x86-64 only; in `.bolt.org.*`
//! sections code without symbols is compared where it is dense in vector
//! instructions.

mod atoms;
mod builtin;
mod collect;
mod compiled;
mod dense;
mod find;
mod hits;
mod inlined;
mod kinds;
mod known;
mod learn;
mod memory;
mod mix;
mod names;
#[cfg(test)]
mod pack;
mod packed;
mod regions;
mod similar;

pub use builtin::builtin;
pub use learn::{LearnError, fingerprints, learn};

pub(crate) use collect::code_at;
pub(crate) use compiled::Catalogue;
pub(crate) use find::{Facts, find};
pub(crate) use hits::Constants;
pub(crate) use inlined::add_inlined;
