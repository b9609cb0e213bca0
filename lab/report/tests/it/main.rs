//! Reports of evidence that is made up but realistic.

mod audit;
mod compare;
mod edges;
mod formats;
mod gates;
mod html;
mod kernels;
mod large;
mod layout;
mod markup;
mod sample;
mod sample_audit;
mod sarif;
mod scan;
mod text;

use karat_report::{Format, Report, Setting};

/// A report in one of its formats; `width` in columns.
fn render<R: Report>(format: Format, report: &R, color: bool, width: usize) -> String {
    let setting = Setting {
        color,
        width,
        ..Setting::default()
    };
    karat_report::render(format, report, setting).expect("a format of this report")
}
