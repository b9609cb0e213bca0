//! The summaries of k6 (`--summary-export`) and oha (`--output-format json`).
//!
//! Read by their documents: <https://grafana.com/docs/k6/latest/results-output/> and
//! <https://github.com/hatoo/oha>; no output of the tools was at hand.

use super::json_reader::{JsonReader, mean, number};
use super::reader::Sink;
use super::scan::{figure, short, test};
use karat_model::log::{Event, Outcome};
use serde_json::Value;

/// k6's summary.
pub static K6: JsonReader = JsonReader {
    name: "k6",
    reads: "k6's summary (--summary-export FILE)",
    keys: &["\"metrics\"", "\"iterations\""],
    read: |document, out| {
        for (name, metric) in document.get("metrics")?.as_object()? {
            // Newer versions put the values into an object of their own.
            let values = metric.get("values").unwrap_or(metric);
            if name.ends_with("_duration")
                || name.starts_with("http_req_") && number(values, "avg").is_some()
            {
                mean("k6", name, number(values, "avg"), "ms", out);
                for (key, percent) in [("med", "50"), ("p(90)", "90"), ("p(95)", "95")] {
                    percentile("k6", name, percent, number(values, key), "ms", out);
                }
            } else if let Some(rate) =
                number(values, "rate").filter(|_| number(values, "count").is_some())
            {
                out(Event::Figure(figure(
                    "k6",
                    name,
                    rate,
                    &format!("{}/s", short(name)),
                )));
            }
        }
        checks(document.get("root_group").unwrap_or(&Value::Null), out);
        Some(())
    },
};

/// Checks are tests: each failed if it failed once.
fn checks(group: &Value, out: &mut Sink<'_>) {
    let Some(checks) = group.get("checks") else {
        return;
    };
    let all: Vec<(&str, &Value)> = match (checks.as_object(), checks.as_array()) {
        (Some(map), _) => map
            .iter()
            .map(|(name, check)| (name.as_str(), check))
            .collect(),
        (_, Some(list)) => {
            let named = list
                .iter()
                .filter_map(|c| Some((c.get("name")?.as_str()?, c)));
            named.collect()
        }
        _ => Vec::new(),
    };
    for (name, check) in all {
        let outcome = match number(check, "fails") {
            Some(0.0) => Outcome::Passed,
            _ => Outcome::Failed,
        };
        out(Event::Test(test("k6", name, outcome)));
    }
}

/// oha's JSON.
pub static OHA: JsonReader = JsonReader {
    name: "oha",
    reads: "oha's JSON (--output-format json)",
    keys: &["\"successRate\"", "\"requestsPerSec\""],
    read: |document, out| {
        let summary = document.get("summary")?;
        if let Some(rate) = number(summary, "requestsPerSec") {
            out(Event::Figure(figure("oha", "requests", rate, "request/s")));
        }
        mean("oha", "latency", number(summary, "average"), "s", out);
        let percentiles = document.get("latencyPercentiles").unwrap_or(&Value::Null);
        for percent in ["50", "90", "99"] {
            percentile(
                "oha",
                "latency",
                percent,
                number(percentiles, &format!("p{percent}")),
                "s",
                out,
            );
        }
        Some(())
    },
};

fn percentile(
    section: &str,
    name: &str,
    percent: &str,
    value: Option<f64>,
    unit: &str,
    out: &mut Sink<'_>,
) {
    if let Some(value) = value {
        let mut figure = figure(section, name, value, unit);
        figure
            .parameters
            .insert("percentile".to_owned(), percent.to_owned());
        out(Event::Figure(figure));
    }
}
