//! Instruction-set leaks: instructions above the declared baseline that run
//! without the CPU having been asked. Such a program dies with SIGILL on older
//! machines, and only there.
//!
//! ```text
//! flow: program ─► sweep ─► cells (graph ─► reading ─► guard) ─► reach ─► report
//! ```
//!
//! One linear pass notes, per function, what is above the baseline, and which
//! address refers to which. Detection is followed outwards from `cpuid`
//! ([`cells`](karat_binary::flow::cells)), and only functions that matter get a control-flow graph and a
//! data-flow analysis ([`reading`](karat_binary::flow::reading)). Then the search goes backwards from the
//! offending instructions ([`reach`]).
//!
//! A table of implementations is a gate where an element is called by an index or
//! pointer that answers picked: the result of a routine that branches on an answer
//! before it returns, and the variables that it is stored in, also behind an
//! argument ([`cells`](karat_binary::flow::cells)). On every path to the call it must have been picked, and no
//! code that names the table may call an element by anything else ([`uses`]). Code
//! that only hands the table on, as the list of all tables does, decides nothing
//! then, but lowers the confidence; methods of a trait object that holds the table
//! are looked into.
//!
//! What this cannot see:
//! - Which feature a gate asks for: a gate for SSE4.2 before an AVX2 call counts.
//!   It takes the leaf, the register and the bit in each source (CPUID's leaf is a
//!   constant in `eax` only where the call is not shared), the layout of each known
//!   cell (std_detect's cache, `__cpu_model`, libraries' own), what one bit implies,
//!   and the side of the branch; a table's index has no bit at all.
//! - That the element which was picked is one for this CPU, or that it was picked
//!   before a constant was stored over it.
//! - Flags in memory that is allocated, pointers whose table is built by code, an
//!   index that lives on the stack of unoptimised code, and values that GCC keeps in
//!   argument registers across calls (`-fipa-ra`).
//! - Who calls an element of a table that was given to another routine, other than
//!   as a trait object.
//!
//! Where it does not see enough the state is unknown, never a leak.

mod judge;
mod origins;
mod pointers;
mod reach;
pub(crate) mod report;
mod uses;
mod verdicts;

pub use report::{leaks, leaks_vouched};
