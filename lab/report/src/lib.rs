//! What was found in, reports out.
//!
//! A report is made from what was found ([`Report`]: the evidence of a run, an audit, a
//! comparison of logs, gates, a scan, a benchmark of kernels, a soak) and from nothing else: no files, no
//! clock, no environment. All are built from the same parts of a document
//! (`karat_document`), which has one writer a format.
#![forbid(unsafe_code)]

mod audit;
mod compare;
mod evidence;
mod format;
mod gates;
mod kernels;
mod scan;
pub mod soak;
mod survival;
mod wording;

use karat_document as document;
use karat_document::{number, svg, write};

pub use evidence::brief;
pub use format::{Format, NoSuchReport, Report, Setting, offers, render, step_summary};
pub use karat_document::write::junit::{Case, End, Suite};
pub use karat_document::write::sarif::Rule;
pub use karat_document::{
    Block, Card, Chapter, Chart, Code, Column, Detail, Document, Effect, Entry, Fact, Figure, Part,
    Row, Span, Table, Text, Value, Weight,
};
pub use wording::Tone;
