//! Counters of google-benchmark, in each of its formats.
//!
//! `bytes_per_second` and `items_per_second` are rates; of a counter of the user's only
//! the console says whether it is one, by `/s`.

use super::scan::short;
use karat_model::log::{Figure, Statistic};
use karat_model::units::Better;
use serde_json::Value;

/// A counter of a benchmark; `rate` if the console says that it is one.
pub fn figure(name: &str, counter: &str, value: f64, rate: bool) -> Figure {
    let unit = match counter {
        "bytes_per_second" => "B/s",
        "items_per_second" => "item/s",
        _ => "",
    };
    let mut figure = super::scan::figure("", name, value, unit);
    figure
        .parameters
        .insert("counter".to_owned(), short(counter));
    figure.statistic = Some(Statistic::Mean);
    if rate {
        figure.better = Some(Better::Higher);
    }
    figure
}

/// The counters in a row of the console: `items=21.7185M/s depth=7`.
pub fn in_row(name: &str, row: &str) -> Vec<Figure> {
    let pairs = row
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    let counter = |(counter, value): (&str, &str)| {
        let (value, rate) = match value.strip_suffix("/s") {
            Some(value) => (value, true),
            None => (value, false),
        };
        Some(figure(name, counter, scaled(value)?, rate))
    };
    pairs.filter_map(counter).take(64).collect()
}

/// `5.17809G`: bytes are told in powers of 1024 (`Ki`, since version 1.8, or `k`).
fn scaled(text: &str) -> Option<f64> {
    let end = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    // `1e+06` is a number as a whole.
    if let Some(value) = super::scan::number(text) {
        return Some(value);
    }
    let factor: f64 = match &text[end..] {
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "m" => 1e-3,
        "u" => 1e-6,
        "Ki" => 1024.0,
        "Mi" => 1024f64.powi(2),
        "Gi" => 1024f64.powi(3),
        "Ti" => 1024f64.powi(4),
        _ => return None,
    };
    Some(super::scan::number(&text[..end])? * factor)
}

/// Keys of a benchmark in the JSON that are no counters.
const OWN: &[&str] = &[
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "big_o",
    "rms",
    "cpu_coefficient",
    "real_coefficient",
    "allocs_per_iter",
    "max_bytes_used",
    "total_allocated_bytes",
    "net_heap_growth",
];

/// The counters of a JSON document.
pub fn in_json(document: &[u8]) -> Vec<Figure> {
    let Ok(document) = serde_json::from_slice::<Value>(document) else {
        return Vec::new();
    };
    let benchmarks = document.get("benchmarks").and_then(Value::as_array);
    let mut out = Vec::new();
    for benchmark in benchmarks
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
    {
        if benchmark
            .get("run_type")
            .is_some_and(|kind| kind != "iteration")
        {
            continue;
        }
        let name = benchmark.get("name").and_then(Value::as_str).unwrap_or("");
        for (key, value) in benchmark {
            let Some(value) = value.as_f64().filter(|v| v.is_finite() && *v >= 0.0) else {
                continue;
            };
            if !OWN.contains(&key.as_str()) {
                out.push(figure(name, key, value, false));
            }
        }
    }
    out
}
