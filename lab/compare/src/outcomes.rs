//! Tests matched by suite and name.

use super::collect::Side;
use super::programs::Programs;
use super::seen::{TestSeen, join};
use karat_model::compare::{CountClass, TestClass, TestRow, TestSide};

/// A row for each test of either side: those of before in their order, then the
/// new ones.
pub(super) fn rows(before: &Side, after: &Side, programs: &[Programs; 2]) -> Vec<TestRow> {
    let mut out = Vec::new();
    for seen in before.tests.iter() {
        let other = after.tests.get(&join(&[&seen.suite, &seen.name]));
        out.push(row(
            Some(side(seen, &programs[0])),
            other.map(|o| side(o, &programs[1])),
            seen,
        ));
    }
    for seen in after.tests.iter() {
        if before
            .tests
            .get(&join(&[&seen.suite, &seen.name]))
            .is_none()
        {
            out.push(row(None, Some(side(seen, &programs[1])), seen));
        }
    }
    out
}

/// Whether the tests that both sides have came in another order.
pub(super) fn reordered(before: &Side, after: &Side) -> bool {
    let key = |t: &TestSeen| join(&[&t.suite, &t.name]);
    let shared = |side: &Side, other: &Side| -> Vec<String> {
        let keys = side.tests.iter().map(key);
        keys.filter(|k| other.tests.get(k).is_some()).collect()
    };
    shared(before, after) != shared(after, before)
}

fn side(seen: &TestSeen, programs: &Programs) -> TestSide {
    TestSide {
        passed: seen.passed,
        failed: seen.failed,
        skipped: seen.skipped,
        times: programs.times(&seen.by_file),
        reason: seen.reason.clone(),
    }
}

fn row(before: Option<TestSide>, after: Option<TestSide>, seen: &TestSeen) -> TestRow {
    let unnamed = seen.name.ends_with(karat_readers::log::NOT_NAMED);
    let class = class(before.as_ref(), after.as_ref(), unnamed);
    TestRow {
        suite: seen.suite.clone(),
        name: seen.name.clone(),
        before,
        after,
        class,
    }
}

fn class(before: Option<&TestSide>, after: Option<&TestSide>, unnamed: bool) -> TestClass {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (Some(_), None) => return TestClass::Missing,
        (None, Some(after)) if after.failed > 0 => return TestClass::NewlyFailing,
        (None, _) => return TestClass::New,
    };
    match (before.word(), after.word()) {
        ("flaky", _) => TestClass::Flaky,
        (_, "flaky") => TestClass::NewlyFlaky,
        ("failed", "passed") => TestClass::NewlyPassing,
        ("skipped", "passed") => TestClass::NoLongerSkipped,
        (was, "failed") if was != "failed" => TestClass::NewlyFailing,
        (was, "skipped") if was != "skipped" => TestClass::NewlySkipped,
        // Of tests that their tool does not name, more are new and fewer are missing.
        ("passed" | "skipped", _) if unnamed => match CountClass::of(before.times, after.times) {
            CountClass::OtherTimes if before.times.high < after.times.low => TestClass::New,
            CountClass::OtherTimes => TestClass::Missing,
            CountClass::Same => TestClass::Same,
            _ => TestClass::Unsteady,
        },
        _ => match CountClass::of(before.times, after.times) {
            CountClass::Same => TestClass::Same,
            CountClass::Unsteady => TestClass::Unsteady,
            _ => TestClass::OtherTimes,
        },
    }
}
