//! What tools print in, facts out: [`log`]s of tests, benchmarks and builds are read
//! line by line, and give events. What single benchmark tools print is read by
//! `karat-figures`; its readers are handed on here.
//!
//! No reader panics, whatever the bytes.
#![forbid(unsafe_code)]

pub mod log;

pub use karat_figures::{
    Measurement, ReadError, Reader, all, criterion, named, read_path, recognise,
};

use karat_figures::go;
use karat_log::{error, text};
