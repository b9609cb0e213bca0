//! A soak: one program is watched for a long time, and what it did is judged against limits.
//!
//! ```text
//! program ─► samples ─► epochs ─► figures ─► limits ─► document
//! ```
//!
//! - [`watch`]: starts the program (or takes one that runs), looks at it and at the machine,
//!   and gives a sample at a time; samples are all that must be kept.
//! - [`judge`]: from samples to the [`Soak`](karat_model::soak::Soak) document. It is pure:
//!   the same samples give the same document.
//! - [`pattern`]: what the lines of a program tell.
#![forbid(unsafe_code)]

mod budgets;
mod epochs;
mod figures;
mod judging;
mod pair;
pub mod pattern;
mod watch;

pub use judging::{Facts, judge};
pub use pair::pair;
pub use watch::{Asked, Begun, SoakError, Stopped, Target, watch};

#[cfg(test)]
mod tests;
