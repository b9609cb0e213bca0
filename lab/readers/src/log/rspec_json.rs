//! RSpec's JSON (`--format json`).

use super::json_reader::{JsonReader, number, text, timed};
use karat_model::log::{Event, Outcome};

pub static RSPEC_JSON: JsonReader = JsonReader {
    name: "rspec",
    reads: "RSpec's JSON (--format json)",
    keys: &["\"examples\"", "\"full_description\""],
    read: |document, out| {
        for test in document.get("examples")?.as_array()? {
            let outcome = match text(test, "status") {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                _ => Outcome::Skipped,
            };
            let why = test.get("exception").map_or("", |e| text(e, "message"));
            let why = if why.is_empty() {
                text(test, "pending_message")
            } else {
                why
            };
            let ms = number(test, "run_time").map(|s| s * 1e3);
            out(Event::Test(timed(
                "",
                text(test, "full_description"),
                outcome,
                ms,
                why,
            )));
        }
        Some(())
    },
};
