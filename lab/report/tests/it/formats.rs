//! The formats, and which there are of what.

use crate::sample::sample;
use karat_model::audit_document::AuditDocument;
use karat_model::compare::LogComparison;
use karat_model::evidence::Evidence;
use karat_model::kernels::KernelBench;
use karat_model::scan::Scan;
use karat_report::{Format, NoSuchReport, Report, Setting, offers, render};

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(Format::named(&format.to_string()), Some(format));
        assert_eq!(Format::from_extension(format.extension()), Some(format));
    }
    assert_eq!(Format::named("pdf"), None);
}

/// What a report has besides the formats that are drawn from every document, and JSON.
fn others<R: Report>() -> Vec<Format> {
    for format in Format::ALL {
        assert_eq!(offers::<R>(format).is_ok(), R::FORMATS.contains(&format));
    }
    let every = [Format::Human, Format::Markdown, Format::Json, Format::Html];
    assert!(every.iter().all(|f| R::FORMATS.contains(f)));
    let all = R::FORMATS.iter().copied();
    all.filter(|f| !every.contains(f)).collect()
}

#[test]
fn every_report_has_the_formats_of_a_document() {
    assert_eq!(others::<Evidence>(), []);
    assert_eq!(others::<AuditDocument>(), [Format::Sarif]);
    assert_eq!(others::<LogComparison>(), [Format::Junit]);
    assert_eq!(others::<Scan>(), [Format::Sarif]);
    assert_eq!(others::<KernelBench>(), [Format::Csv]);
}

#[test]
fn what_there_is_not_is_said_with_what_there_is() {
    let error = render(Format::Csv, &sample(), Setting::default()).expect_err("no CSV of a run");
    assert_eq!(
        error,
        NoSuchReport {
            format: Format::Csv,
            known: Evidence::FORMATS
        }
    );
    assert_eq!(
        error.to_string(),
        "there is no csv of this report; there are human, markdown, json, html"
    );
}
