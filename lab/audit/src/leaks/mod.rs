//! Instruction-set leaks: instructions above the declared baseline that run
//! without the CPU having been asked. Such a program dies with SIGILL on older
//! machines, and only there.
//!
//! ```text
//! program ─► sweep ─► cells (flow ─► reading ─► guard) ─► reach ─► report
//! ```
//!
//! One linear pass notes, per function, what is above the baseline, and which
//! address refers to which. Detection is followed outwards from `cpuid`
//! ([`cells`]), and only functions that matter get a control-flow graph and a
//! data-flow analysis ([`reading`]). Then the search goes backwards from the
//! offending instructions ([`reach`]).
//!
//! What this cannot see: which feature a gate asks for (a gate for SSE4.2 before
//! an AVX2 call counts), flags in memory that is allocated, pointers whose table
//! is built by code. Where it does not see enough the state is unknown, never a
//! leak.

mod branches;
mod calls;
mod cells;
pub(crate) mod flow;
mod guard;
pub(crate) mod isa;
mod load;
mod operands;
mod origins;
pub(crate) mod places;
mod pointers;
pub(crate) mod program;
mod reach;
mod reading;
pub(crate) mod report;
mod state;
pub(crate) mod sweep;
mod verdicts;
mod walk;

pub use isa::{Baseline, BaselineError};
pub use report::leaks;
