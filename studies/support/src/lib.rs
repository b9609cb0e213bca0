//! What the subjects of the studies on karat's kernels share.
//!
//! Each is a program of two commands: `bench WORKLOAD` does a fixed amount of work and prints
//! how fast it went as one JSON line, and `selftest` prints what must be equal in all variants.

mod cli;
mod messages;
mod prng;
mod text;
mod timing;

pub use cli::{Program, main};
pub use messages::{Messages, fold};
pub use prng::Prng;
pub use text::{check, counting, hex};
pub use timing::{Unit, Workload, timed};
