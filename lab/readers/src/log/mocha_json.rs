//! mocha's JSON (`--reporter json`).

use super::json_reader::{JsonReader, list, number, text, timed};
use karat_model::log::{Event, Outcome};
use std::collections::HashSet;

pub static MOCHA_JSON: JsonReader = JsonReader {
    name: "mocha",
    reads: "mocha's JSON (--reporter json)",
    keys: &["\"stats\"", "\"passes\"", "\"pending\""],
    read: |document, out| {
        let titles = |key: &str| -> HashSet<&str> {
            list(document, key)
                .iter()
                .map(|test| text(test, "fullTitle"))
                .collect()
        };
        let (failed, pending) = (titles("failures"), titles("pending"));
        for test in document.get("tests")?.as_array()? {
            let full = text(test, "fullTitle");
            let title = text(test, "title");
            let outcome = match (failed.contains(full), pending.contains(full)) {
                (true, _) => Outcome::Failed,
                (_, true) => Outcome::Skipped,
                _ => Outcome::Passed,
            };
            let why = test.get("err").map_or("", |err| text(err, "message"));
            let suite = full.strip_suffix(title).unwrap_or("").trim_end();
            let ms = number(test, "duration");
            out(Event::Test(timed(suite, title, outcome, ms, why)));
        }
        Some(())
    },
};
