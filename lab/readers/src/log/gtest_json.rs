//! GoogleTest's JSON (`--gtest_output=json`).

use super::json_reader::{JsonReader, list, text, timed};
use super::scan::seconds;
use karat_model::log::{Event, Outcome};

pub static GTEST_JSON: JsonReader = JsonReader {
    name: "gtest",
    reads: "GoogleTest's JSON (--gtest_output=json)",
    keys: &["\"testsuites\"", "\"disabled\""],
    read: |document, out| {
        for suite in document.get("testsuites")?.as_array()? {
            for test in list(suite, "testsuite") {
                let failures = list(test, "failures");
                let outcome = match (text(test, "result"), failures.is_empty()) {
                    (_, false) => Outcome::Failed,
                    ("SUPPRESSED" | "SKIPPED", true) => Outcome::Skipped,
                    _ if text(test, "status") == "NOTRUN" => Outcome::Skipped,
                    _ => Outcome::Passed,
                };
                let why = failures.first().map_or("", |f| text(f, "failure"));
                // The first line is the place.
                let why = why.split_once('\n').map_or(why, |(_, why)| why);
                let ms = seconds(text(test, "time")).map(|s| s * 1e3);
                let (suite, name) = (text(test, "classname"), text(test, "name"));
                out(Event::Test(timed(suite, name, outcome, ms, why)));
            }
        }
        Some(())
    },
};
