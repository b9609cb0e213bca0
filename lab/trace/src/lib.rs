//! Starts a command under ptrace and tells which places in the code of given files it
//! executes, exactly: a breakpoint is planted at each, in every process that maps the
//! file, and taken out again when its place is done.
//!
//! A [`Plan`] names files and offsets in them; [`run`] carries it out and calls back at
//! every hit with the [`Hit`]. The answer says which sites are done: their breakpoints
//! are removed everywhere, so a site that is done at its first hit costs one trap. One
//! that is not done is stepped over and hit again. Nothing here knows what a site is
//! good for.
//!
//! ```text
//! plan ─► start (fork, seize, exec) ─► tracer: wait ─► events ─► hits ─► resume
//!                                        │             │
//!                                        │             └─ loader: libraries as they come
//!                                        └─ space (mappings, planted sites) ─► memory
//! ```
//!
//! What it rests on: ptrace(2) with `PTRACE_SEIZE`, which follows threads, forks, vforks
//! and execs by itself, and `/proc/PID/mem`, which writes into code that is mapped
//! read-only. Addresses belong to an address space, which processes may share (vfork,
//! `CLONE_VM`), so spaces are kept apart from tasks.
//!
//! What it changes for the program: a process can have one tracer only, so the program
//! cannot trace itself or its children; its code has other bytes where a breakpoint is;
//! set-user-id programs run without their privileges; a handler of `SIGTRAP` is lost
//! in a thread that blocks that signal and hits a breakpoint.

mod abi;
mod error;
mod loader;
mod machine;
mod maps;
mod memory;
mod plan;
mod space;
mod start;
mod sys;
mod tracer;

pub use error::TraceError;
pub use machine::{AARCH64, Machine, X86_64};
pub use plan::{Ending, FileSites, Hit, Plan, Program, Site, Traced};
pub use tracer::run;
