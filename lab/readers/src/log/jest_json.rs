//! The JSON of jest (`--json`), which vitest's (`--reporter=json`) has the form of.

use super::json_reader::{JsonReader, list, number, text, timed};
use karat_model::log::{Event, Outcome};
use serde_json::Value;

pub static JEST_JSON: JsonReader = JsonReader {
    name: "jest",
    reads: "the JSON of jest (--json) and vitest (--reporter=json)",
    keys: &["\"numTotalTests\"", "\"testResults\""],
    read: |document, out| {
        for file in document.get("testResults")?.as_array()? {
            let path = text(file, "name");
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let tests = list(file, "assertionResults");
            if tests.is_empty() && text(file, "status") == "failed" {
                let why = text(file, "message");
                out(Event::Test(timed(
                    name,
                    "(file)",
                    Outcome::Failed,
                    None,
                    why,
                )));
            }
            for test in tests {
                let titles = list(test, "ancestorTitles")
                    .iter()
                    .filter_map(Value::as_str);
                let suite: Vec<&str> = std::iter::once(name).chain(titles).collect();
                let outcome = match text(test, "status") {
                    "passed" => Outcome::Passed,
                    "failed" => Outcome::Failed,
                    _ => Outcome::Skipped,
                };
                let why = list(test, "failureMessages")
                    .first()
                    .and_then(Value::as_str);
                let ms = number(test, "duration").filter(|_| outcome != Outcome::Skipped);
                let (suite, title) = (suite.join(" > "), text(test, "title"));
                out(Event::Test(timed(
                    &suite,
                    title,
                    outcome,
                    ms,
                    why.unwrap_or(""),
                )));
            }
        }
        Some(())
    },
};
