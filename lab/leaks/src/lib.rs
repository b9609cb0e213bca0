//! Instruction-set leaks: instructions above the declared baseline that run without the CPU having
//! been asked. Such a program dies with SIGILL on older machines, and only there.
//!
//! ```text
//! flow: program ─► sweep ─► cells (graph ─► reading ─► guard) ─► reach ─► report
//! ```
//!
//! One linear pass notes, by function, what is above the baseline and which address refers to
//! which. Who asks is followed outwards from `cpuid` ([`cells`](karat_flow::cells)); only functions
//! that matter get a graph and a data flow ([`reading`](karat_flow::reading)). Then the search goes
//! backwards from what is above the baseline (`reach`), in two rounds:
//!
//! - first past routines that no answer comes to (`concerned`), as if all in them ran;
//! - then, for what leaks by that or goes by flags, with all routines looked into. Ways that say
//!   nothing new are not followed (`ways`). What runs whenever the file is loaded comes first
//!   (`begins`).
//!
//! What guards:
//!
//! - A branch on an answer. What it asks is followed by [`facts`](karat_flow::facts), and `judge`
//!   compares it with what the code needs.
//! - A table of implementations, where answers picked the index or the pointer on each way to the
//!   call, and nobody calls an element by anything else (`uses`, `tables`, `numbered`).
//! - A word of flags by which a routine takes pointers (`installers`), and a number by which
//!   functions are registered (`registrars`, `levels`).
//!
//! `xgetbv` is searched for by itself (`xgetbv`). What is UNKNOWN then, or not certain, is asked of
//! the program itself, followed from its start (`settled`, on `karat_symbolic`). AArch64 has an
//! analysis of its own (`a64`).
//!
//! Where the search does not see enough the state is unknown, never a leak. Why it is so, and what
//! it cannot see: `docs/decisions/406-leaks.md`.

#![forbid(unsafe_code)]

mod a64;
mod begins;
mod certain;
mod compared;
mod concerned;
mod disproved;
mod elision;
mod follow;
mod for_callers;
mod guesses;
mod handed_out;
mod installers;
mod judge;
mod kept;
mod known;
mod left_to_callers;
mod levels;
mod listing;
mod locations;
mod middle;
mod numbered;
mod offence;
mod origins;
mod picked;
mod pointers;
mod reach;
mod registrars;
mod report;
mod said;
mod saves;
mod searches;
mod settable;
mod settled;
mod short;
mod tables;
mod uses;
mod verdicts;
mod ways;
mod whole;
mod writer;
mod xgetbv;

pub use known::{said, said_arm};
pub use locations::locations;
pub use picked::pick;
pub use report::{Looked, leaks, leaks_vouched, look, searched, sweep};
