//! Two outputs of one and the same run must tell the same tests.

use super::{events, sample, tests};
use karat_model::log::{Event, Outcome, Test};
use std::collections::BTreeMap;

/// Outcome by name. One name in two suites would make the comparison blind.
fn outcomes(tests: &[Test]) -> BTreeMap<String, Outcome> {
    let mut found = BTreeMap::new();
    for test in tests {
        let before = found.insert(test.name.clone(), test.outcome);
        assert!(before.is_none(), "{} is there twice", test.name);
    }
    found
}

fn assert_same(first: &str, second: &str) {
    let (a, b) = (outcomes(&tests(first)), outcomes(&tests(second)));
    assert!(a.len() > 5, "{first}: {a:?}");
    assert_eq!(a, b, "{first} and {second}");
}

#[test]
fn pytests_text_and_xml() {
    assert_same("log/pytest/verbose.txt", "log/junit/pytest.xml");
    assert_same("log/pytest/colour.txt", "log/junit/pytest.xml");
    assert_same("log/pytest/xdist.txt", "log/junit/pytest.xml");
}

#[test]
fn ctests_text_and_xml() {
    // CTest's XML calls skipped what it could not start, its text failed.
    let not_started = |test: &Test| ["two", "missing"].contains(&test.name.as_str());
    let mut text = tests("log/ctest/plain.txt");
    let mut xml = tests("log/junit/ctest.xml");
    assert_eq!((text.len(), xml.len()), (9, 9));
    text.retain(|test| !not_started(test));
    xml.retain(|test| !not_started(test));
    assert_eq!(outcomes(&text), outcomes(&xml));
}

#[test]
fn gos_text_and_json() {
    let in_json = |test: &Test| !test.suite.ends_with("/broken");
    let key = |test: Test| ((test.suite, test.name), test.outcome);
    let text = tests("log/go/verbose.txt").into_iter().filter(in_json);
    let text: BTreeMap<_, _> = text.map(key).collect();
    let json: BTreeMap<_, _> = tests("log/go/json.txt").into_iter().map(key).collect();
    assert_eq!(text.len(), 15);
    assert_eq!(text, json);
}

#[test]
fn nextests_text_and_xml() {
    let last = |tests: Vec<Test>| -> BTreeMap<_, _> {
        let key = |test: Test| ((test.suite, test.name), test.outcome);
        tests.into_iter().map(key).collect()
    };
    let text = last(tests("log/nextest/retries.txt"));
    assert_eq!(text.len(), 8);
    assert_eq!(text, last(tests("log/junit/nextest.xml")));
}

#[test]
fn surefires_text_names_the_failures_of_its_xml() {
    let text = tests("log/surefire/maven.txt");
    let failed = |tests: &[Test]| -> Vec<String> {
        let failed = tests.iter().filter(|t| t.outcome == Outcome::Failed);
        let names = failed.map(|t| format!("{} {}", t.suite, t.name));
        names.filter(|name| !name.ends_with("(class)")).collect()
    };
    assert_eq!(failed(&text), failed(&tests("log/junit/surefire.xml")));
}

#[test]
fn libtests_tests_are_as_many_as_it_counts() {
    for name in ["log/libtest/cargo-test.txt", "log/libtest/nocapture.txt"] {
        let text = String::from_utf8(sample(name)).expect("UTF-8");
        let mut counted = [0usize; 3];
        for line in text
            .lines()
            .filter(|line| line.starts_with("test result: "))
        {
            for (i, word) in [" passed", " failed", " ignored"].iter().enumerate() {
                let (front, _) = line.split_once(word).expect("counted");
                let count = front.rsplit(' ').next().expect("a number");
                counted[i] += count.parse::<usize>().expect("a number");
            }
        }
        let outcomes = [Outcome::Passed, Outcome::Failed, Outcome::Skipped];
        let read = outcomes.map(|o| tests(name).iter().filter(|t| t.outcome == o).count());
        assert_eq!(read, counted, "{name}");
    }
}

#[test]
fn firedancers_two_forms() {
    let known = |event: &Event| !matches!(event, Event::Fact(_));
    let stderr = events("log/firedancer/lthash-stderr.txt");
    let mut file = events("log/firedancer/lthash-file.txt");
    file.retain(known);
    assert_eq!(stderr.len(), 10);
    assert_eq!(stderr, file);
}

#[test]
fn colours_change_nothing() {
    let colour = outcomes(&tests("log/pytest/colour.txt"));
    assert_eq!(colour, outcomes(&tests("log/pytest/verbose.txt")));
    assert!(sample("log/firedancer/colour.txt").contains(&0x1b));
    let plain = events("log/firedancer/lthash-stderr.txt");
    assert_eq!(events("log/firedancer/colour.txt"), plain[..3]);
}

#[test]
fn jmhs_iterations_have_the_means_of_its_table() {
    let mut sums: BTreeMap<Vec<String>, (f64, f64)> = BTreeMap::new();
    for event in events("log/jmh/run.txt") {
        if let Event::Figure(f) = event {
            let name = f.name.rsplit('.').next().expect("a name").to_owned();
            let key = [vec![name], f.parameters.into_values().collect()].concat();
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + f.value, sum.1 + 1.0);
        }
    }
    let mut compared = 0;
    for event in events("log/jmh/table.txt") {
        let Event::Figure(f) = event else { continue };
        let name = f.name.rsplit('.').next().expect("a name").to_owned();
        // The score of sampled times weighs iterations by their calls.
        if name == "sampled" {
            continue;
        }
        let key = [vec![name], f.parameters.into_values().collect()].concat();
        let (sum, count) = sums[&key];
        assert!(
            (sum / count - f.value).abs() < 2e-3,
            "{key:?}: {} and {}",
            sum / count,
            f.value
        );
        compared += 1;
    }
    assert_eq!(compared, 4);
}
