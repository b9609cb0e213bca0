//! Tools, and forms of their output, that were not captured: what their documents show.

use super::{events_of, shown};
use karat_readers::log::Readers;

fn read(text: &str) -> Vec<String> {
    let (events, summary) = events_of(text.as_bytes(), &Readers::all());
    assert_eq!(summary.problems, [""; 0]);
    events.iter().map(shown).collect()
}

#[test]
fn dotnet() {
    let text = "  Passed Shop.Basket.Adds [12 ms]\n  Failed Shop.Basket.Takes(n: 1.5) [3 ms]\n\
                \x20 Error Message:\n   Assert.Equal() Failure\n\n\
                Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4, Duration: 5 ms\n";
    let expected = [
        "test Passed [Shop.Basket] Adds 0.012 s",
        "test Failed [Shop.Basket] Takes(n: 1.5) 0.003 s (Assert.Equal() Failure)",
        "test Passed [] (passed, not named)",
        "test Passed [] (passed, not named)",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn swift() {
    let text = "◇ Test run started.\n◇ Test adds() started.\n\
                ✘ Test adds() recorded an issue at Shop.swift:3:4: Expectation failed: 2 == 3\n\
                ✘ Test adds() failed after 0.002 seconds with 1 issue.\n\
                ✔ Test \"takes one\" passed after 0.001 seconds.\n\
                ✘ Test run with 2 tests failed after 0.003 seconds with 1 issue.\n\
                Test Case 'Shop.testAdds' started at 2026-11-22 18:00:00.000\n\
                Test Case 'Shop.testAdds' passed (0.5 seconds)\n";
    let expected = [
        "test Failed [] adds() 0.002 s (Expectation failed: 2 == 3)",
        "test Passed [] takes one 0.001 s",
        "test Passed [Shop] testAdds 0.5 s",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn benchmark_dotnet() {
    let dotnet = r#"{"Title": "x", "HostEnvironmentInfo": {}, "Benchmarks": [
        {"FullName": "Shop.Sum", "Statistics": {"OriginalValues": [1, 3], "Mean": 2}}]}"#;
    assert_eq!(
        read(dotnet),
        ["figure [] Shop.Sum () = 2 ns Lower mean of 2"]
    );
}

#[test]
fn k6_by_its_handler() {
    // What `handleSummary` is given: lists of groups and checks, and limits with `ok`.
    let text = r#"{"metrics": {
            "http_req_duration": {"values": {"avg": 1.5},
                "thresholds": {"p(95)<500": {"ok": true}, "avg<1": {"ok": false}}},
            "iterations": {"values": {"count": 10, "rate": 5}}},
        "root_group": {"checks": [], "groups": [
            {"name": "body", "checks": [{"name": "says hello", "passes": 9, "fails": 1}]}]}}"#;
    let expected = [
        "figure [k6] http_req_duration () = 1.5 ms Lower mean",
        "figure [k6] iterations () = 5 iterations/s Higher",
        "test Failed [k6] http_req_duration avg<1",
        "test Passed [k6] http_req_duration p(95)<500",
        "test Failed [k6] says hello",
    ];
    assert_eq!(read(text), expected);
}
