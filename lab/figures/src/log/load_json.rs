//! The summaries of k6 (`--summary-export`) and oha (`--output-format json`).
//!
//! <https://grafana.com/docs/k6/latest/results-output/> and <https://github.com/hatoo/oha>.

use super::json_reader::{JsonReader, mean, number};
use super::reader::Sink;
use super::scan::{failures, figure, short, test};
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
        thresholds(document.get("metrics")?, out);
        checks(document.get("root_group").unwrap_or(&Value::Null), out);
        Some(())
    },
};

/// Limits of a metric are tests, `{"p(95)<500": false}`; true says that it was crossed. In
/// what `handleSummary` is given it is `{"ok": true}`, the other way round.
fn thresholds(metrics: &Value, out: &mut Sink<'_>) {
    let metrics = metrics.as_object().into_iter().flatten();
    for (metric, value) in metrics {
        let all = value.get("thresholds").and_then(Value::as_object);
        for (limit, crossed) in all.into_iter().flatten() {
            let ok = crossed.get("ok").unwrap_or(&Value::Null);
            let outcome = match (crossed.as_bool(), ok.as_bool()) {
                (Some(false), _) | (_, Some(true)) => Outcome::Passed,
                _ => Outcome::Failed,
            };
            out(Event::Test(test(
                "k6",
                &format!("{metric} {limit}"),
                outcome,
            )));
        }
    }
}

/// Checks are tests: each failed if it failed once. Those of groups have no group in their
/// name, as in the text that k6 prints.
fn checks(group: &Value, out: &mut Sink<'_>) {
    for (name, check) in named(group.get("checks")) {
        let outcome = match number(check, "fails") {
            Some(0.0) => Outcome::Passed,
            _ => Outcome::Failed,
        };
        out(Event::Test(test("k6", name, outcome)));
    }
    for (_, inner) in named(group.get("groups")) {
        checks(inner, out);
    }
}

/// An object of objects by name, or a list of objects that have their names in them.
fn named(values: Option<&Value>) -> Vec<(&str, &Value)> {
    match values {
        Some(Value::Object(map)) => map.iter().map(|(name, one)| (name.as_str(), one)).collect(),
        Some(Value::Array(list)) => {
            let named = |one| Some((Value::get(one, "name")?.as_str()?, one));
            list.iter().filter_map(named).collect()
        }
        _ => Vec::new(),
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
        errors(document, out);
        Some(())
    },
};

/// Requests that failed, or were answered with an error, are errors.
fn errors(document: &Value, out: &mut Sink<'_>) {
    let counts = |key| {
        let counts = document.get(key).and_then(Value::as_object);
        let counts = counts.into_iter().flatten();
        counts.map(|(what, count)| (what, count.as_f64().unwrap_or(0.0)))
    };
    for (status, count) in counts("statusCodeDistribution") {
        if status.starts_with(['4', '5']) {
            failures("oha", &answers(status), count, out);
        }
    }
    for (error, count) in counts("errorDistribution") {
        failures("oha", error, count, out);
    }
}

/// What answers with a status are called, in oha's JSON and in its text.
pub(super) fn answers(status: &str) -> String {
    format!("answers with status {status}")
}

/// A percentile, told apart by a parameter.
pub(super) fn percentile(
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
