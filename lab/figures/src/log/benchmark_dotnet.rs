//! BenchmarkDotNet's JSON (`--exporters json`): the mean of each benchmark, with the
//! values it comes from.
//!
//! Source: <https://benchmarkdotnet.org/articles/configs/exporters.html>; no output of
//! the tool was at hand.

use super::json_reader::{JsonReader, list, number, text};
use super::scan::figure;
use karat_model::log::{Event, Statistic};

/// BenchmarkDotNet's JSON.
pub static BENCHMARK_DOTNET: JsonReader = JsonReader {
    name: "benchmarkdotnet",
    reads: "BenchmarkDotNet's JSON (--exporters json)",
    keys: &["\"HostEnvironmentInfo\"", "\"Benchmarks\""],
    read: |document, out| {
        for benchmark in document.get("Benchmarks")?.as_array()? {
            let name = match text(benchmark, "FullName") {
                "" => text(benchmark, "DisplayInfo"),
                name => name,
            };
            let Some(statistics) = benchmark.get("Statistics") else {
                continue;
            };
            let Some(value) = number(statistics, "Mean") else {
                continue;
            };
            let mut figure = figure("", name, value, "ns");
            figure.statistic = Some(Statistic::Mean);
            let values = list(statistics, "OriginalValues").iter();
            let sound = |v: &f64| v.is_finite() && *v >= 0.0;
            figure.samples = values.filter_map(|v| v.as_f64()).filter(sound).collect();
            out(Event::Figure(figure));
        }
        Some(())
    },
};
