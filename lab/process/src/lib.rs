//! Starts one process, waits for it with a time-out, and accounts for it. The only
//! crate of the lab that starts processes; the others build a [`Command`] and hand it
//! over.
//!
//! The child gets a process group of its own, so that a Ctrl-C at the terminal
//! reaches karat first. What it leaves running is killed, in whatever group or
//! session (`leftovers.rs`), and it does not outlive karat (`guard.rs`). [`run`] starts a
//! bare command; [`Setup`] puts input, a directory, an environment, commands before
//! and after, and hardware counters ([`counters`]) around it. [`output`] is
//! for short questions to tools, [`become_program`] for standing in for one,
//! [`start_piped`] for a program that karat talks with, and [`Live`] for one that is
//! watched while it runs.
//!
//! What the numbers mean is at [`Finished`]; where the floor of the peak memory
//! comes from, in `rss.rs`.

pub mod counters;
pub mod executable;

mod failure;
mod finished;
mod guard;
#[cfg(test)]
mod leftover_tests;
mod leftovers;
mod live;
mod plain;
mod reap;
mod rss;
mod setup;
mod shell;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub use failure::{Failure, Script};
pub use finished::{Ending, Finished};
pub use live::{Ended, Live};
pub use plain::{become_program, fix_addresses, output, start_piped};
pub use reap::ignores;
pub use rss::lower_floor;
pub use setup::Setup;
pub use shell::quote;
pub use start::{Stdout, run};
pub use std::process::Command;
