//! The short forms, as snapshots.

use crate::render;
use crate::sample::sample;
use karat_report::Format;

#[test]
fn terminal() {
    insta::assert_snapshot!(render(Format::Human, &sample(), false, 120));
}

#[test]
fn narrow_terminal() {
    insta::assert_snapshot!(render(Format::Human, &sample(), false, 80));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(render(Format::Markdown, &sample(), false, 80));
}
