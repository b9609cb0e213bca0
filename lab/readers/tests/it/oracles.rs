//! What the tools computed of the repetitions must follow from those read.

use crate::{find, read_with, sample, sample_path};
use karat_readers::read_path;
use serde_json::Value;

fn json(name: &str) -> Value {
    serde_json::from_slice(&sample(name)).expect("JSON")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => f64::midpoint(sorted[half - 1], sorted[half]),
        _ => sorted[half],
    }
}

fn assert_near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().expect("a number");
    let off = (found - expected).abs();
    assert!(
        off <= 1e-9 * expected.abs(),
        "{what}: {found}, not {expected}"
    );
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().expect("a list")
}

#[test]
fn hyperfines_means_and_medians() {
    for name in ["hyperfine/list.json", "hyperfine/list-1.15.json"] {
        let read = read_with("hyperfine", &sample(name));
        let file = json(name);
        let results = list(&file, "results");
        assert_eq!(read.len(), results.len());
        for (m, result) in read.iter().zip(results) {
            assert_near(mean(&m.repetitions), &result["mean"], &m.name);
            assert_near(median(&m.repetitions), &result["median"], &m.name);
        }
    }
}

#[test]
fn pytests_means_and_medians() {
    let name = "pytest-benchmark/run.json";
    let read = read_with("pytest-benchmark", &sample(name));
    let file = json(name);
    for (m, benchmark) in read.iter().zip(list(&file, "benchmarks")) {
        assert_eq!(benchmark["fullname"], m.name.as_str());
        let stats = &benchmark["stats"];
        assert_near(mean(&m.repetitions), &stats["mean"], &m.name);
        assert_near(median(&m.repetitions), &stats["median"], &m.name);
        assert_eq!(stats["rounds"], m.repetitions.len());
    }
}

#[test]
fn jmhs_scores() {
    let mut compared = 0;
    for name in ["jmh/run.json", "jmh/gc.json"] {
        let read = read_with("jmh", &sample(name));
        for entry in json(name).as_array().expect("a list") {
            let full = format!("{} (n=64)", entry["benchmark"].as_str().expect("name"));
            let mode = entry["mode"].as_str().expect("mode");
            let m = find(&read, &full, mode);
            assert_near(
                mean(&m.repetitions),
                &entry["primaryMetric"]["score"],
                &full,
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 5);
}

#[test]
fn jmhs_histograms() {
    let read = read_with("jmh", &sample("jmh/sampled.json"));
    let m = find(&read, "tiny.Tiny.sampled (n=64)", "sample");
    assert_eq!(m.repetitions.len(), 2);
    let metric = &json("jmh/sampled.json")[0]["primaryMetric"];
    // The score is the mean of all calls: the iterations' means by their calls.
    let calls: Vec<f64> = list(metric, "rawDataHistogram")[0]
        .as_array()
        .expect("iterations")
        .iter()
        .map(|iteration| {
            let pairs = iteration.as_array().expect("pairs");
            pairs.iter().map(|p| p[1].as_f64().expect("count")).sum()
        })
        .collect();
    let total: f64 = m.repetitions.iter().zip(&calls).map(|(v, n)| v * n).sum();
    assert_near(
        total / calls.iter().sum::<f64>(),
        &metric["score"],
        "sampled",
    );
}

#[test]
fn google_benchmarks_aggregates() {
    let name = "google-benchmark/run.json";
    let read = read_with("google-benchmark", &sample(name));
    let text = String::from_utf8(sample(name)).expect("UTF-8");
    assert!(
        text.contains(": NaN"),
        "the sample shows what the tool writes"
    );
    let file: Value = serde_json::from_str(&text.replace(": NaN", ": null")).expect("JSON");
    let mut compared = 0;
    for entry in list(&file, "benchmarks") {
        let statistic: fn(&[f64]) -> f64 = match entry["aggregate_name"].as_str() {
            Some("mean") => mean,
            Some("median") => median,
            _ => continue,
        };
        let name = entry["run_name"].as_str().expect("name");
        for (metric, key) in [
            ("real", "real_time"),
            ("cpu", "cpu_time"),
            ("bytes_per_second", "bytes_per_second"),
            ("items_per_second", "items_per_second"),
        ] {
            let m = find(&read, name, metric);
            assert_near(statistic(&m.repetitions), &entry[key], metric);
            compared += 1;
        }
    }
    assert_eq!(compared, 8);
}

#[test]
fn criterions_estimates() {
    let read = read_path(&sample_path("criterion/folder"), None).expect("read");
    let text = read_with("criterion", &sample("criterion/second.txt"));
    let folders = [
        ("plain", "plain"),
        ("group/sum/64", "group/sum/64"),
        ("group/sum/4096", "group/sum/4096"),
        ("group/fold/left/64", "group/fold_left/64"),
        ("group/fold/left/4096", "group/fold_left/4096"),
    ];
    for (name, folder) in folders {
        let estimates = json(&format!("criterion/folder/{folder}/new/estimates.json"));
        let m = find(&read, name, "time");
        assert_eq!((m.unit.as_str(), m.repetitions.len()), ("ns", 10));
        assert_near(
            mean(&m.repetitions),
            &estimates["mean"]["point_estimate"],
            name,
        );
        assert_near(
            median(&m.repetitions),
            &estimates["median"]["point_estimate"],
            name,
        );
        // The text of the same run shows the slope, to five digits.
        let slope = estimates["slope"]["point_estimate"]
            .as_f64()
            .expect("slope");
        let shown = find(&text, name, "time");
        let scale = if shown.unit == "µs" { 1e3 } else { 1.0 };
        assert!(
            (shown.repetitions[0] * scale / slope - 1.0).abs() < 1e-4,
            "{name}"
        );
    }
    assert_eq!(read.len(), 6);
}
