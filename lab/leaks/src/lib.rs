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
//! ([`cells`](karat_flow::cells)), and only functions that matter get a control-flow graph and a
//! data-flow analysis ([`reading`](karat_flow::reading)). Then the search goes backwards from the
//! offending instructions (`reach`).
//!
//! It goes twice. The first time it passes routines that no answer comes to (`concerned`), as
//! if all in them ran; what it finds guarded is guarded, and most is found so. What it finds
//! to leak, and what a flag may be handed to, is searched again with all routines looked into.
//! In both, ways that can say nothing new are not followed (`ways`); the second goes up from
//! one use of a routine before it looks at the next, since one may say all that is asked.
//! What runs whenever the file is loaded comes first (`begins`), so that it is known also where
//! the search comes to its limit.
//!
//! A table of implementations is a gate where an element is called by an index or
//! pointer that answers picked: the result of a routine that branches on an answer
//! before it returns, and the variables that it is stored in, also behind an
//! argument ([`cells`](karat_flow::cells)). On every path to the call it must have been picked, and no
//! code that names the table may call an element by anything else (`uses`). Code
//! that only hands the table on, as the list of all tables does, decides nothing
//! then, but lowers the confidence; methods of a trait object that holds the table
//! are looked into.
//!
//! What a gate asks for is followed by [`facts`](karat_flow::facts), and
//! `judge` compares it with what the code needs. A question that was not understood
//! makes the state unknown, and is named. What a small routine that reads memory tells, or one
//! that is called through a pointer, may be an answer.
//!
//! Routines that are given a word of flags, and take pointers by it, are known by what their
//! callers give, or by that what they take fits the word (`installers`).
//!
//! Functions that are registered in a table by a number are used where answers pick that number
//! (`registrars`, `levels`).
//!
//! Elements of tables are guarded by what holds where a number is theirs, also where the number is
//! made of a word that the library's user may say (`numbered`).
//!
//! `xgetbv` is searched for by itself (`xgetbv`).
//!
//! What is UNKNOWN then, or not certain, is asked of the program itself, followed from its
//! start (`settled`, on `karat_symbolic`).
//!
//! What the search cannot see:
//! - That a structure is copied to where its members lie at another distance, but for words of
//!   flags in frames and new objects: the members of what is behind other pointers go by their
//!   distance.
//! - Pointers whose table is built by code, a pointer that is stored behind an argument under a
//!   flag that is another argument, and values that GCC keeps in registers over calls of large
//!   routines (`-fipa-ra`; small ones are followed).
//! - Texts of features that are searched (`strstr`), a CPU's family and model, code that the
//!   program writes anew, and what is called by a table of distances.
//! - Variables of a thread by descriptors (`-mtls-dialect=gnu2`), and names that are compared by
//!   other functions than C's, or in a program that is linked statically.
//! - Records of a table that is copied to the stack, or given to another routine otherwise than by
//!   the instruction before the call, or by frames that are kept on the stack (`-O0`).
//! - What the element of a table is for that an index picked in a way that is not
//!   followed: such a gate has low confidence. Of a table of tables each is looked at alone.
//! - What Go's assembly returns on the stack, as an answer by its bits.
//! - That a variable is written through a pointer that came from elsewhere, or that a
//!   signal handler skips an instruction (code behind `sigsetjmp` is unknown).
//! - That a table which an element is called from by an index is given to what is called, but as
//!   one of its first two arguments.
//! - Which call a handler of exceptions belongs to: what all calls before know is known.
//! - Who calls an element of a table that was given to another routine, other than
//!   as a trait object.
//!
//! AArch64 has an analysis of its own (`a64`); what it leaves open of a program is asked of the
//! program itself too.
//!
//! Where it does not see enough the state is unknown, never a leak.

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
