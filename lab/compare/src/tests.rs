//! The engine on events made here: each class of parity, counts, orders, verdicts.

use super::normalise::Normaliser;
use super::*;
use karat_model::compare::{Behaviour, CountClass, LogFile, TestClass, Times};
use karat_model::log::{Crash, Event, Fact, Figure, Level, Message, Outcome, Test};
use karat_model::verdict::{Judgement, Verdict};

const HOW: How = How {
    margin: 0.01,
    within: false,
};

fn test(name: &str, outcome: Outcome) -> Event {
    Event::Test(Test {
        suite: "suite".into(),
        name: name.into(),
        outcome,
        seconds: None,
        reason: (outcome == Outcome::Failed).then(|| "left != right".into()),
    })
}

fn ok(name: &str) -> Event {
    test(name, Outcome::Passed)
}

fn warning(text: &str, line: u32, count: u64) -> Event {
    Event::Message(Message {
        level: Level::Warning,
        file: Some("fd_blake3.c".into()),
        line: Some(line),
        text: text.into(),
        count,
    })
}

fn figure(name: &str, value: f64, unit: &str) -> Event {
    Event::Figure(Figure {
        section: "s".into(),
        name: name.into(),
        parameters: [("sz".to_owned(), "64".to_owned())].into(),
        value,
        statistic: None,
        samples: Vec::new(),
        unit: unit.into(),
        better: None,
    })
}

fn fact(key: &str, value: &str) -> Event {
    Event::Fact(Fact {
        key: key.into(),
        value: value.into(),
    })
}

fn side(normaliser: &Normaliser, files: &[Vec<Event>]) -> Side {
    let mut side = Side::default();
    for (i, events) in files.iter().enumerate() {
        side.begin(LogFile {
            path: format!("{i}.log"),
            ..LogFile::default()
        });
        for event in events {
            side.add(event.clone(), normaliser);
        }
    }
    side
}

fn compared(before: &[Vec<Event>], after: &[Vec<Event>]) -> LogComparison {
    with_noise(before, after, &[])
}

fn with_noise(before: &[Vec<Event>], after: &[Vec<Event>], noise: &[Vec<Event>]) -> LogComparison {
    let n = Normaliser::default();
    compare(side(&n, before), side(&n, after), side(&n, noise), &n, HOW)
}

#[test]
fn order_and_moved_lines_are_no_difference() {
    let found = compared(
        &[vec![ok("a"), ok("b"), warning("NULL shmem", 342, 1)]],
        &[vec![warning("NULL shmem", 343, 1), ok("b"), ok("a")]],
    );
    assert_eq!(found.verdict.behaviour, Behaviour::Same);
    assert_eq!(
        found.verdict.summary,
        "Behaviour is the same: 2 tests, 1 warning and no crash agree; the logs hold no figure \
         of performance."
    );
    assert_eq!(found.messages[0].lines_before, [342]);
    assert_eq!(found.messages[0].lines_after, [343]);
    assert!(found.notes.iter().any(|n| n.contains("another order")));
    assert!(found.notes.iter().any(|n| n.contains("other lines")));
}

#[test]
fn each_class_of_a_test() {
    use Outcome::{Failed, Passed, Skipped};
    for (before, after, class, behaviour) in [
        (vec![Passed], vec![Passed], TestClass::Same, Behaviour::Same),
        (
            vec![Failed],
            vec![Failed],
            TestClass::Same,
            Behaviour::Failing,
        ),
        (
            vec![Passed],
            vec![Failed],
            TestClass::NewlyFailing,
            Behaviour::Differs,
        ),
        (
            vec![Skipped],
            vec![Failed],
            TestClass::NewlyFailing,
            Behaviour::Differs,
        ),
        (
            vec![Failed],
            vec![Passed],
            TestClass::NewlyPassing,
            Behaviour::Differs,
        ),
        (
            vec![Passed],
            vec![Skipped],
            TestClass::NewlySkipped,
            Behaviour::Differs,
        ),
        (
            vec![Skipped],
            vec![Passed],
            TestClass::NoLongerSkipped,
            Behaviour::Differs,
        ),
        (vec![Passed], vec![], TestClass::Missing, Behaviour::Differs),
        (vec![], vec![Passed], TestClass::New, Behaviour::Same),
        (
            vec![],
            vec![Failed],
            TestClass::NewlyFailing,
            Behaviour::Differs,
        ),
        (
            vec![Passed, Passed],
            vec![Passed, Failed],
            TestClass::NewlyFlaky,
            Behaviour::Differs,
        ),
        (
            vec![Passed, Failed],
            vec![Passed, Passed],
            TestClass::Flaky,
            Behaviour::Same,
        ),
        (
            vec![Passed, Failed],
            vec![Failed, Passed],
            TestClass::Flaky,
            Behaviour::Same,
        ),
        (
            vec![Passed, Passed],
            vec![Passed],
            TestClass::OtherTimes,
            Behaviour::Differs,
        ),
    ] {
        let events = |outcomes: &[Outcome]| {
            let mut events = vec![ok("other")];
            events.extend(outcomes.iter().map(|o| test("t", *o)));
            vec![events]
        };
        let found = compared(&events(&before), &events(&after));
        let row = found.tests.iter().find(|t| t.name == "t").expect("a row");
        assert_eq!(row.class, class, "{before:?} {after:?}");
        assert_eq!(found.verdict.behaviour, behaviour, "{before:?} {after:?}");
    }
}

#[test]
fn messages_are_counted_as_their_tools_fold_them() {
    let nine: Vec<Event> = (0..9).map(|i| warning("misaligned", i, 1)).collect();
    let folded = vec![warning("misaligned", 0, 1), warning("misaligned", 0, 8)];
    let found = compared(std::slice::from_ref(&nine), &[folded]);
    assert_eq!(found.messages[0].class, CountClass::Same);
    assert_eq!(found.messages[0].after, Times { low: 9, high: 9 });
    let found = compared(&[nine], &[vec![warning("misaligned", 0, 8)]]);
    assert_eq!(found.messages[0].class, CountClass::OtherTimes);
    assert_eq!(
        found.verdict.summary,
        "Behaviour differs: 1 warning more or less often; the logs hold no figure of performance."
    );
}

#[test]
fn what_means_nothing_is_made_equal_and_told() {
    let found = compared(
        &[vec![
            ok("a"),
            warning("at 0x7f0011223344 in /tmp/a1/x", 1, 1),
        ]],
        &[vec![
            ok("a"),
            warning("at 0x7f5566778899 in /tmp/b2/y", 1, 1),
        ]],
    );
    assert_eq!(found.verdict.behaviour, Behaviour::Same);
    assert_eq!(found.messages[0].text, "at <address> in <temporary>");
    let told: Vec<&str> = found.normalisations.iter().map(|n| n.by.as_str()).collect();
    assert_eq!(told, ["<address>", "<temporary>"]);
}

#[test]
fn new_messages_gone_ones_and_crashes() {
    let crash = Event::Crash(Crash {
        kind: "SIGSEGV".into(),
        text: "Segmentation fault (core dumped)".into(),
    });
    let found = compared(
        &[vec![ok("a"), warning("old", 1, 1)]],
        &[vec![ok("a"), warning("new", 1, 1), crash.clone()]],
    );
    let classes: Vec<_> = found.messages.iter().map(|m| m.class).collect();
    assert_eq!(classes, [CountClass::Gone, CountClass::New]);
    assert_eq!(found.crashes[0].class, CountClass::New);
    assert!(
        found
            .verdict
            .summary
            .starts_with("Behaviour differs: 1 warning new, 1 crash new, 1 warning gone;"),
        "{}",
        found.verdict.summary
    );
    // A crash that both sides have is told and no difference.
    let crashes = [vec![ok("a"), crash.clone()]];
    let found = compared(&crashes, &crashes);
    assert_eq!(found.verdict.behaviour, Behaviour::Failing);
    // One in some runs only is a difference when it is new, and none when it was there.
    let (with, without) = (vec![ok("a"), ok("b"), crash], vec![ok("a"), ok("b")]);
    let found = compared(
        &[without.clone(), without.clone()],
        &[without.clone(), with.clone()],
    );
    assert_eq!(found.crashes[0].class, CountClass::New);
    let found = compared(&[without.clone(), with], &[without.clone(), without]);
    assert_eq!(found.crashes[0].class, CountClass::Unsteady);
}

#[test]
fn files_of_several_programs_are_not_runs_of_one() {
    let first = vec![ok("a"), ok("b"), warning("w", 1, 2)];
    let second = vec![ok("c"), ok("d"), warning("w", 1, 3)];
    let both = [first.clone(), second.clone()];
    let found = compared(&both, &both);
    assert_eq!(found.before.programs, 2);
    assert_eq!(found.messages[0].before, Times { low: 5, high: 5 });
    assert_eq!(found.tests[0].before.as_ref().expect("there").times.low, 1);
    // Two runs of both, in any order, are the same as one.
    let runs = [second.clone(), first.clone(), first.clone(), second.clone()];
    let found = compared(&both, &runs);
    assert_eq!(found.after.programs, 2);
    assert_eq!(found.verdict.behaviour, Behaviour::Same);
    // A test that one program no longer has is missing, though another file has its own.
    let found = compared(&both, &[vec![ok("a"), warning("w", 1, 2)], second]);
    assert_eq!(found.tests[1].class, TestClass::Missing);
}

#[test]
fn one_run_a_side_is_not_judged() {
    let found = compared(
        &[vec![ok("a"), figure("f", 27.657, "Gbps")]],
        &[vec![ok("a"), figure("f", 43.244, "Gbps")]],
    );
    let row = &found.figures[0];
    assert_eq!(row.unjudged, "one run a side");
    assert!((row.speed.expect("a ratio") - 43.244 / 27.657).abs() < 1e-12);
    assert_eq!(found.verdict.speed, None);
    assert!(
        found
            .verdict
            .summary
            .ends_with("performance is unjudged: one run a side."),
        "{}",
        found.verdict.summary
    );
}

#[test]
fn units_are_made_one_and_direction_is_the_units() {
    let found = compared(
        &[vec![
            figure("f", 8.0, "Gbps"),
            figure("t", 700.0, "ns/op"),
            figure("x", 3.0, "things"),
        ]],
        &[vec![
            figure("f", 2000.0, "MB/s"),
            figure("t", 1.4, "us/op"),
            figure("x", 4.0, "things"),
        ]],
    );
    assert_eq!(found.figures.len(), 3);
    assert_eq!(found.figures[0].after_value, Some(16.0));
    assert_eq!(found.figures[0].speed, Some(2.0));
    assert!((found.figures[1].speed.expect("a ratio") - 0.5).abs() < 1e-12);
    assert_eq!(found.figures[2].speed, None);
    assert_eq!(
        found.figures[2].unjudged,
        "which way is better is not known"
    );
    let section = &found.sections[0];
    assert!((section.mean_speed.expect("two ratios") - 1.0).abs() < 1e-12);
    assert_eq!((section.worst, section.best), (Some(1), Some(0)));
    // A namesake of another kind of unit is another figure.
    let found = compared(
        &[vec![figure("f", 8.0, "Gbps")]],
        &[vec![figure("f", 8.0, "ns/byte")]],
    );
    assert_eq!(found.figures[0].unjudged, "only before");
    assert_eq!(found.figures[1].unjudged, "only after");
}

fn runs(values: &[f64], unit: &str) -> Vec<Vec<Event>> {
    let run = |v: &f64| vec![ok("a"), ok("b"), figure("f", *v, unit)];
    values.iter().map(run).collect()
}

const BEFORE: [f64; 5] = [100.0, 100.2, 99.9, 100.1, 100.4];

#[test]
fn several_runs_a_side_are_judged() {
    for (factor, unit, word, verdict) in [
        (1.2, "GB/s", Judgement::Faster, Verdict::Go),
        (0.8, "GB/s", Judgement::Slower, Verdict::NoGo),
        (1.2, "ns", Judgement::Slower, Verdict::NoGo),
        (1.0, "ns", Judgement::Same, Verdict::Same),
    ] {
        let after = BEFORE.map(|v| v * factor);
        let found = compared(&runs(&BEFORE, unit), &runs(&after, unit));
        let judged = found.figures[0].judged.as_ref().expect("judged");
        assert_eq!(judged.judgement, word, "{factor} {unit}");
        assert_eq!(found.verdict.speed, Some(verdict));
        assert!(found.notes.iter().any(|n| n.contains("not made in rounds")));
    }
    let found = compared(&runs(&BEFORE[..3], "ns"), &runs(&[50.0, 50.1, 50.2], "ns"));
    assert_eq!(found.verdict.speed, Some(Verdict::Inconclusive));
    assert!(
        found
            .verdict
            .reasons
            .iter()
            .any(|r| r.contains("about 4 runs a side"))
    );
}

#[test]
fn repetitions_of_one_run_are_no_runs() {
    let many = |factor: f64| {
        let mut events = vec![ok("a")];
        events.extend(BEFORE.iter().map(|v| figure("f", v * factor, "ns")));
        vec![events]
    };
    let found = compared(&many(1.0), &many(2.0));
    assert_eq!(found.figures[0].unjudged, "one run a side");
    // The mean of the better half: 99.9, 100.0, 100.1.
    assert!((found.figures[0].before_value.expect("there") - 100.0).abs() < 1e-9);
}

#[test]
fn reference_runs_give_single_runs_a_word() {
    let noise = runs(&BEFORE, "GB/s");
    let judge = |after: f64| {
        let found = with_noise(&runs(&[100.0], "GB/s"), &runs(&[after], "GB/s"), &noise);
        let judged = found.figures[0].judged.clone().expect("judged");
        (judged.judgement, found.verdict.speed)
    };
    assert_eq!(judge(110.0), (Judgement::Faster, Some(Verdict::Go)));
    assert_eq!(judge(90.0), (Judgement::Slower, Some(Verdict::NoGo)));
    assert_eq!(judge(100.1), (Judgement::Same, Some(Verdict::Same)));
}

#[test]
fn an_environment_that_differs_is_told() {
    let found = compared(
        &[vec![
            ok("a"),
            fact("compiler", "clang 15"),
            fact("FD_HAS_AVX", "1"),
        ]],
        &[vec![
            ok("a"),
            fact("compiler", "clang 16"),
            fact("FD_HAS_AVX", "1"),
        ]],
    );
    assert!(!found.facts[0].same && found.facts[1].same);
    assert_eq!(found.verdict.behaviour, Behaviour::Same);
    let reasons = &found.verdict.reasons;
    assert!(
        reasons
            .iter()
            .any(|r| r.contains("not the same (compiler)")),
        "{reasons:?}"
    );
}

#[test]
fn logs_that_say_nothing_of_behaviour_do_not_agree() {
    let found = compared(
        &[vec![figure("f", 1.0, "s")]],
        &[vec![figure("f", 1.0, "s")]],
    );
    assert_eq!(found.verdict.behaviour, Behaviour::Unknown);
}

#[test]
fn without_a_test_on_both_sides_nothing_is_the_same() {
    let warned = [vec![warning("w", 1, 1)]];
    let tested = [vec![ok("a"), warning("w", 1, 1)]];
    for (before, after, behaviour, says) in [
        (
            &warned,
            &warned,
            Behaviour::Unknown,
            "no test was read on either side",
        ),
        (
            &warned,
            &tested,
            Behaviour::Unknown,
            "no test was read before",
        ),
        (&tested, &warned, Behaviour::Differs, "1 test missing"),
        (&tested, &tested, Behaviour::Same, "1 test, 1 warning"),
    ] {
        let verdict = compared(before, after).verdict;
        assert_eq!(verdict.behaviour, behaviour, "{says}");
        assert!(verdict.summary.contains(says), "{}", verdict.summary);
    }
}

#[test]
fn more_kinds_of_things_than_are_kept_leave_behaviour_open() {
    let n = Normaliser::default();
    let mut before = side(&n, &[vec![]]);
    let long = "x".repeat(1 << 20);
    for i in 0..80 {
        before.add(ok(&format!("{long}{i}")), &n);
    }
    assert!(before.left_out() > 0);
    let found = compare(before, side(&n, &[vec![]]), Side::default(), &n, HOW);
    // What was kept is missing after.
    assert_eq!(found.verdict.behaviour, Behaviour::Differs);
    assert!(
        found
            .verdict
            .reasons
            .iter()
            .any(|r| r.contains("than are kept"))
    );
}

#[test]
fn a_stream_is_counted_and_read_whole() {
    let n = Normaliser::default();
    let rest = "test a ... ok\nnothing\ntest b ... FAILED\n".repeat(100_000);
    let text = format!("running 200000 tests\n{rest}");
    let mut side = side(&n, &[vec![]]);
    let mut told = 0;
    let readers = Readers::all();
    read_one(&mut side, text.as_bytes(), &readers, &n, &mut |bytes| {
        told += bytes;
    })
    .expect("memory");
    assert_eq!(told, text.len() as u64);
    let file = &side.files()[0];
    assert_eq!((file.lines, file.bytes), (300_001, text.len() as u64));
    assert_eq!(file.readers, ["libtest"]);
    assert_eq!(side.tests.iter().count(), 2);
}

#[test]
fn a_table_and_a_document_of_pytest_benchmark_name_the_same() {
    let normaliser = Normaliser::default();
    let document = ["a.py::test_sum[x::1]", "a.py::test_two", "b.py::test_two"];
    let table = ["test_sum[x::1]", "test_two", "test_three"];
    let side = |names: &[&str]| {
        let figures = names.iter().map(|name| figure(name, 1.0, "s")).collect();
        side(&normaliser, &[figures])
    };
    let names = |before: &[&str], after: &[&str]| -> Vec<(String, bool)> {
        let (before, after) = (side(before), side(after));
        let found = compare(before, after, Side::default(), &normaliser, HOW);
        let rows = found.figures.into_iter();
        rows.map(|row| {
            (
                row.name,
                row.before_value.is_some() && row.after_value.is_some(),
            )
        })
        .collect()
    };
    for (before, after, all) in [(document, table, 5), (table, document, 5)] {
        let rows = names(&before, &after);
        let both: Vec<_> = rows.iter().filter(|row| row.1).collect();
        // Which of two files `test_two` is in is not known.
        assert_eq!((both.len(), rows.len()), (1, all), "{rows:?}");
        assert_eq!(both[0].0, before[0]);
    }
    assert_eq!(names(&["a.py::t"], &["b.py::t"]).len(), 2);
}
