//! Starts one process, waits for it with a time-out, and accounts for it.
//!
//! The child gets a process group of its own: what it leaves running is killed,
//! and a Ctrl-C at the terminal reaches karat first. [`run`] starts a bare
//! command; [`Setup`] puts input, a directory, an environment, commands before
//! and after, and hardware counters around it.
//!
//! What the numbers mean is at [`Finished`]; where the floor of the peak memory
//! comes from, in `rss.rs`.

mod finished;
mod reap;
mod rss;
mod setup;
mod start;
mod stream;
#[cfg(test)]
mod tests;

pub use finished::{Ending, Finished};
pub use rss::lower_floor;
pub use setup::{Failure, Script, Setup};
pub use start::run;
