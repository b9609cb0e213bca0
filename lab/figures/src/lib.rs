//! What benchmark tools, load generators and counters print in, measurements out; of
//! their lines in a [`log`], events.
//!
//! A [`Reader`] knows the output of one tool. It keeps every repetition the tool
//! tells of, in the order they were measured, and ignores what the tool computed
//! of them: means and deviations are the judge's business.
//!
//! **Units** are reported as the tool names them. A value is converted only when
//! one metric would have two units of time otherwise (criterion's text adapts
//! the unit to the value); then the first unit stays. Whether more is better
//! follows from the unit ([`karat_model::units::better`]). A unit that does not
//! say is read as "lower is better": most things a program counts are costs.
//! Whoever shows such a metric can ask the same function, which answers `None`,
//! and say so.
//!
//! **A failed run measures nothing**: an output that tells of a failed benchmark
//! or command is refused with the name of what failed.
//!
//! **Memory**: a text is read in place; what grows is the list of measurements.
//! No reader panics, whatever the bytes.
#![forbid(unsafe_code)]

pub mod criterion;
pub mod go;
pub mod log;

mod collect;
mod google_benchmark;
mod hyperfine;
mod jmh;
mod path;
mod pytest;
mod reader;
mod registry;
mod value;

pub use error::ReadError;
pub use path::read_path;
pub use reader::{Measurement, Reader};
pub use registry::{all, named, recognise};

use karat_log::{error, json, text};
