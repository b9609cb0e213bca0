//! Starts one process, waits for it with a time-out, and accounts for it.
//!
//! The child gets a process group of its own, so that a Ctrl-C at the terminal
//! reaches karat first. What it leaves running is killed, in whatever group or
//! session (`left.rs`), and it does not outlive karat (`guard.rs`). [`run`] starts a
//! bare command; [`Setup`] puts input, a directory, an environment, commands before
//! and after, and hardware counters around it.
//!
//! What the numbers mean is at [`Finished`]; where the floor of the peak memory
//! comes from, in `rss.rs`.

mod finished;
mod guard;
#[cfg(test)]
mod leavings;
mod left;
mod reap;
mod rss;
mod setup;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub use finished::{Ending, Finished};
pub use reap::ignores;
pub use rss::lower_floor;
pub use setup::{Failure, Script, Setup, Stdout};
pub use start::run;
