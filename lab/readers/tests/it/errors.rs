//! What is refused, and with which words.

use crate::{REFUSED, find, read_with, refusal, sample};

fn assert_says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

/// A sample with one place replaced, the first of its kind.
fn changed(name: &str, from: &str, to: &str) -> String {
    let text = String::from_utf8(sample(name)).expect("UTF-8");
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1)
}

#[test]
fn failures_are_named() {
    let said: Vec<String> = REFUSED
        .iter()
        .map(|(r, name)| refusal(r, sample(name)))
        .collect();
    assert_says(&said[0], &["`Broken`", "no such device"]);
    assert_says(&said[1], &["`Broken`", "no such device"]);
    assert_says(&said[2], &["`false`: run 1 of 3 ended with exit code 1"]);
    assert_says(&said[3], &["test_plain`", "--benchmark-save-data"]);
    assert_says(&said[4], &["go: line 1: `BenchmarkBroken` failed"]);
    let events = changed(
        "go/json.txt",
        "PASS\\n",
        "FAIL\\texample.com/tiny\\t0.1s\\n",
    );
    assert_says(&refusal("go", events), &["`example.com/tiny` failed"]);
    let killed = changed("hyperfine/failed.json", "        1,", "        null,");
    assert_says(&refusal("hyperfine", killed), &["ended by a signal"]);
}

#[test]
fn values_that_are_no_measurements_have_a_place() {
    let bad = [
        "-0.5",
        "NaN",
        "Infinity",
        "-Infinity",
        "\"NaN\"",
        "1e999",
        "null",
        "true",
    ];
    let places = [
        ("hyperfine", "hyperfine/list-1.15.json", "0.002019852", 14),
        (
            "pytest-benchmark",
            "pytest-benchmark/run.json",
            "9.114002750720828e-07",
            0,
        ),
        (
            "criterion",
            "criterion/folder/plain/new/sample.json",
            "1800272.0",
            1,
        ),
        (
            "google-benchmark",
            "google-benchmark/run.json",
            "2.9719921772153238e+01",
            0,
        ),
        (
            "jmh",
            "jmh/run.json",
            "\"rawData\" : [\n                [\n                    ",
            0,
        ),
    ];
    for (reader, name, from, line) in places {
        for value in bad {
            let to = if reader == "jmh" {
                format!("{from}{value}, ")
            } else {
                value.to_owned()
            };
            let said = refusal(reader, changed(name, from, &to));
            assert_says(&said, &["line ", "column "]);
            if line > 0 {
                assert_says(&said, &[&format!("line {line},")]);
            }
            if value != "1e999" {
                assert_says(&said, &["expected a finite number that is not negative"]);
            }
        }
    }
}

#[test]
fn values_in_texts_have_a_line() {
    for value in ["-1", "NaN", "+Inf"] {
        let text = changed("go/text.txt", "32.27", value);
        let said = refusal("go", text);
        assert_says(
            &said,
            &["go: line 5: ", "BenchmarkPlain-2`", "expected a finite"],
        );
        let text = changed("criterion/first.txt", "18.665", value);
        let said = refusal("criterion", text);
        assert_says(&said, &["criterion: line ", "`plain`", "expected a finite"]);
        let text = changed("google-benchmark/console.txt", "27.8", value);
        let said = refusal("google-benchmark", text);
        assert_says(
            &said,
            &["google-benchmark: line 4: `Sum/64/repeats:3`", "finite"],
        );
    }
    let said = refusal("go", "BenchmarkX-2 \t 10\t 3.5 ns/op\t 7");
    assert_says(&said, &["line 1", "BenchmarkX-2", "expected its unit"]);
    let said = refusal("go", "BenchmarkX-2 10 3.5 ns/op 3.6 ns/op");
    assert_says(&said, &["two values in `ns/op`"]);
    let said = refusal("criterion", "  time: [1 ns 2 ns 3 ns]");
    assert_says(&said, &["line 1", "no name"]);
}

#[test]
fn missing_fields_are_named() {
    let fields = [
        ("hyperfine", "hyperfine/list.json", "\"times\""),
        ("hyperfine", "hyperfine/list.json", "\"results\""),
        (
            "pytest-benchmark",
            "pytest-benchmark/run.json",
            "\"fullname\"",
        ),
        ("pytest-benchmark", "pytest-benchmark/run.json", "\"stats\""),
        ("jmh", "jmh/run.json", "\"primaryMetric\""),
        ("jmh", "jmh/run.json", "\"scoreUnit\""),
        (
            "criterion",
            "criterion/folder/plain/new/sample.json",
            "\"times\"",
        ),
        (
            "google-benchmark",
            "google-benchmark/run.json",
            "\"cpu_time\"",
        ),
        (
            "google-benchmark",
            "google-benchmark/run.json",
            "\"time_unit\"",
        ),
        (
            "google-benchmark",
            "google-benchmark/run.json",
            "\"run_type\"",
        ),
    ];
    for (reader, name, field) in fields {
        let said = refusal(reader, changed(name, field, "\"label\""));
        assert_says(&said, &[field.trim_matches('"'), "line "]);
    }
    let said = refusal("jmh", changed("jmh/run.json", "\"rawData\"", "\"rawDat\""));
    assert_says(&said, &["`tiny.Tiny.sum (n=64)`", "rawData"]);
    let unequal = changed("criterion/folder/plain/new/sample.json", "1800272.0,", "");
    assert_says(
        &refusal("criterion", unequal),
        &["10 `iters` and 9 `times`"],
    );
    let zero = changed("criterion/folder/plain/new/sample.json", "101532.0", "0");
    assert_says(
        &refusal("criterion", zero),
        &["sample 1", "at least one iteration"],
    );
}

#[test]
fn two_units_of_one_name_are_refused() {
    let text = "a time: [1 ns 2 ns 3 ns]\na time: [1 cycles 2 cycles 3 cycles]\n";
    let said = refusal("criterion", text);
    assert_says(&said, &["`a`", "measured in `ns` and in `cycles`"]);
    let odd = changed("google-benchmark/run.json", "\"ns\"", "\"ticks\"");
    let said = refusal("google-benchmark", odd);
    assert_says(&said, &["`Sum/64/repeats:3`", "in `ticks` and in `ns`"]);
}

#[test]
fn times_in_two_units_are_converted() {
    let mixed = changed("google-benchmark/run.json", "\"ns\"", "\"us\"");
    let read = read_with("google-benchmark", mixed.as_bytes());
    let plain = read_with("google-benchmark", &sample("google-benchmark/run.json"));
    let name = "Sum/64/repeats:3";
    let (mixed, plain) = (find(&read, name, "cpu"), find(&plain, name, "cpu"));
    assert_eq!(mixed.unit, "us");
    assert_eq!(mixed.repetitions[0], plain.repetitions[0]);
    assert!((mixed.repetitions[1] * 1e3 / plain.repetitions[1] - 1.0).abs() < 1e-12);
}

#[test]
fn benchmarks_of_one_name_stay_apart() {
    let text = sample("google-benchmark/run.json");
    let text = String::from_utf8(text)
        .expect("UTF-8")
        .replace("Big/8", "Big/64");
    let read = read_with("google-benchmark", text.as_bytes());
    assert_eq!(find(&read, "Big/64", "real").repetitions.len(), 1);
    assert_eq!(find(&read, "Big/64 #2", "real").repetitions.len(), 1);
}

#[test]
fn skipped_benchmarks_are_left_out() {
    // The keys of google-benchmark 1.8 and later (json_reporter.cc).
    let skipped = changed(
        "google-benchmark/broken.json",
        "\"error_occurred\": true,\n      \"error_message\"",
        "\"skipped\": true,\n      \"skip_message\"",
    );
    let read = read_with("google-benchmark", skipped.as_bytes());
    assert!(read.iter().all(|m| m.name != "Broken") && !read.is_empty());
}

#[test]
fn aggregates_alone_are_no_measurements() {
    let text = "Benchmark   Time   CPU   Iterations\n\
                Sum_mean   10 ns   9 ns   3\n\
                Sum_median   10 ns   9 ns   3\n\
                Sum_stddev   1 ns   1 ns   3\n";
    assert_says(
        &refusal("google-benchmark", text),
        &["no measurement", "aggregates"],
    );
    // Names that end like an aggregate's are benchmarks when nothing else fits.
    let text = "x_mean   10 ns   9 ns   70000\n\
                x_median   10 ns   9 ns   80000\n\
                x_stddev   10 ns   9 ns   80000\n";
    assert_eq!(read_with("google-benchmark", text.as_bytes()).len(), 3 * 2);
}

#[test]
fn two_runs_in_one_text_are_repetitions() {
    let text = sample("google-benchmark/console.txt").repeat(2);
    let read = read_with("google-benchmark", &text);
    assert_eq!(find(&read, "Sum/64/repeats:3", "real").repetitions.len(), 6);
    assert_eq!(read.len(), 4 * 2);
}

#[test]
fn nothing_is_not_enough() {
    let nothing = [
        ("google-benchmark", "{\"context\": {}, \"benchmarks\": []}"),
        ("google-benchmark", "hello\n"),
        ("hyperfine", "{\"results\": []}"),
        (
            "pytest-benchmark",
            "{\"machine_info\": {}, \"benchmarks\": []}",
        ),
        ("jmh", "[]"),
        ("criterion", "running 0 tests\n"),
        ("go", "PASS\nok  \texample.com/tiny\t0.423s\n"),
        ("go", ""),
    ];
    for (reader, text) in nothing {
        assert_says(
            &refusal(reader, text),
            &["no measurement in this text; expected "],
        );
    }
    let said = refusal("hyperfine", sample("hyperfine/text.txt"));
    assert_says(&said, &["hyperfine: line 1, column 1", "--export-json"]);
}
