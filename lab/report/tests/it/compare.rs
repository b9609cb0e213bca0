//! The report of a comparison of logs, whole, in every form.
//!
//! `samples/source2.json` is what `karat compare --format json` says of the two logs in
//! `lab/cli/tests/it/samples`, `samples/judged.json` a comparison with every class of
//! difference and every word; both parse, so they fit the types.

use crate::markup;
use crate::render;
use karat_model::compare::LogComparison;
use karat_report::{Format, step_summary};

fn source2() -> LogComparison {
    serde_json::from_str(include_str!("samples/source2.json")).expect("a comparison")
}

fn judged() -> LogComparison {
    serde_json::from_str(include_str!("samples/judged.json")).expect("a comparison")
}

#[test]
fn single_runs() {
    let found = source2();
    insta::assert_snapshot!(
        "source2_markdown",
        render(Format::Markdown, &found, false, 0)
    );
    insta::assert_snapshot!(
        "source2_terminal",
        render(Format::Human, &found, false, 100)
    );
    insta::assert_snapshot!("source2_html", render(Format::Html, &found, false, 0));
    assert_eq!(
        render(Format::Json, &found, false, 0),
        include_str!("samples/source2.json")
    );
}

#[test]
fn every_difference_and_every_word() {
    let found = judged();
    insta::assert_snapshot!(
        "judged_markdown",
        render(Format::Markdown, &found, false, 0)
    );
    insta::assert_snapshot!("judged_terminal", render(Format::Human, &found, false, 100));
    insta::assert_snapshot!("judged_html", render(Format::Html, &found, false, 0));
    insta::assert_snapshot!("judged_junit", render(Format::Junit, &found, false, 0));
}

#[test]
fn pages_are_sound() {
    for found in [source2(), judged()] {
        let page = render(Format::Html, &found, false, 0);
        markup::check(&page);
        assert!(!markup::has_no_number(&page));
        for outside in ["http:", "https:", "src=", "url(", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn a_terminal_line_fits() {
    for found in [source2(), judged()] {
        let text = render(Format::Human, &found, false, 100);
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn names_from_logs_cannot_break_out() {
    let mut found = source2();
    found.tests[0].name = "<script>|`*\u{1b}[31m\"&]]>".into();
    found.figures[0].section = "</table>\u{202e}".into();
    let page = render(Format::Html, &found, false, 0);
    markup::check(&page);
    assert!(!page.contains("<script>"));
    let junit = render(Format::Junit, &found, false, 0);
    assert!(junit.contains("&lt;script&gt;") && !junit.contains('\u{1b}'));
    let markdown = render(Format::Markdown, &found, false, 0);
    assert!(markdown.contains("&lt;script&gt;\\|"), "{markdown}");
}

#[test]
fn a_step_summary_fits_what_github_takes() {
    let mut found = source2();
    let one = found.tests[0].clone();
    found.tests = (0..50_000)
        .map(|i| {
            let mut test = one.clone();
            test.name = format!("{}{i}", "long".repeat(300));
            test
        })
        .collect();
    let text = step_summary(&found);
    assert!(text.len() <= 1_000_000, "{} bytes", text.len());
    assert!(text.contains("more rows, in the JSON"));
    assert!(text.contains("## 5. Conclusion"));
}
