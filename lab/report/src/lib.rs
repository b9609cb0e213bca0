//! What was found in, reports out.
//!
//! A report is made from what was found ([`Report`]: the evidence of a run, an audit, a
//! comparison of logs, gates, a scan, a benchmark of kernels, a soak) and from nothing else: no files, no
//! clock, no environment. All are built from the same parts (`document`), and there is one
//! writer a format (`write`), so that all formats say the same in the same words.
#![forbid(unsafe_code)]

mod audit;
mod compare;
mod document;
mod evidence;
mod format;
mod gates;
mod kernels;
mod number;
mod scan;
pub mod soak;
mod svg;
mod wording;
mod write;

pub use document::{
    Block, Card, Chapter, Chart, Code, Column, Detail, Document, Effect, Entry, Fact, Figure, Part,
    Row, Span, Table, Text, Value, Weight,
};
pub use evidence::brief;
pub use format::{Format, NoSuchReport, Report, Setting, offers, render, step_summary};
pub use wording::Tone;
pub use write::junit::{Case, End, Suite};
pub use write::sarif::Rule;
