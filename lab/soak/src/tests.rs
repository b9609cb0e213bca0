//! Planted series, from samples to the document.

use crate::{Facts, judge};
use karat_model::machine::Machine;
use karat_model::soak::{
    Budget, Held, Memory, Point, Reading, Soak, SoakMode, SoakPlan, SoakSample,
};
use karat_model::verdict::Verdict;

fn plan(seconds: f64) -> SoakPlan {
    SoakPlan {
        program: "planted".into(),
        mode: SoakMode::Once,
        load: None,
        line: Some("(?<total>x)".into()),
        progress: None,
        seconds,
        every: 1.0,
        epoch: 10.0,
        warm: 60.0,
        window: None,
        budgets: Vec::new(),
    }
}

/// Noise between -1 and 1 that no generator of pseudo-random numbers is needed for.
fn noise(i: u32) -> f64 {
    f64::from(i * 7919 % 1009) / 504.0 - 1.0
}

/// Samples of each second: `rss` and `rate` by the second.
fn samples(seconds: u32, rss: impl Fn(u32) -> f64, rate: impl Fn(u32) -> f64) -> Vec<SoakSample> {
    let mut total = 0.0;
    (1..=seconds)
        .map(|i| {
            total += rate(i);
            let memory = Memory {
                rss: rss(i) as u64,
                pss: rss(i) as u64,
                anonymous: rss(i) as u64 / 2,
                ..Memory::default()
            };
            SoakSample {
                at: f64::from(i),
                reading: Some(Reading {
                    processes: 1,
                    threads: 2,
                    files: 5,
                    memory: Some(memory),
                    cpu: 0.5 * f64::from(i),
                    ..Reading::default()
                }),
                widths: vec![if i % 10 == 0 { 2.0 } else { 4.0 }],
                clock: 3.0,
                points: vec![Point {
                    at: f64::from(i),
                    total: Some(total),
                    ..Point::default()
                }],
                latencies: (0..5).map(|k| 1e-3 + 1e-4 * noise(5 * i + k)).collect(),
                ..SoakSample::default()
            }
        })
        .collect()
}

fn facts() -> Facts {
    let machine = Machine {
        cpu: "a processor".into(),
        cpu_id: "x 1/2/3".into(),
        isas: Vec::new(),
        processors: 2,
        memory_bytes: 1 << 30,
        kernel: "linux".into(),
        hypervisor: None,
        governor: None,
        turbo: None,
        smt: None,
        perf_counters: false,
        cpu_quota: None,
        rustc: None,
        cc: None,
    };
    Facts {
        karat: "0".into(),
        started: "2026-11-22T00:00:00Z".into(),
        machine,
        resumed: 0,
        ending: "its time was over".into(),
        complete: true,
        system_calls: None,
        floor: None,
        notes: Vec::new(),
    }
}

fn judged(samples: &[SoakSample], budgets: &[&str]) -> Soak {
    let budgets: Vec<Budget> = budgets.iter().map(|b| Budget::parse(b).unwrap()).collect();
    judge(&plan(600.0), &budgets, samples, facts())
}

const MIB: f64 = 1048576.0;

fn steady(i: u32) -> f64 {
    1000.0 * (1.0 + 0.01 * noise(i))
}

#[test]
fn a_leak_of_a_mebibyte_a_minute_is_found_with_its_slope() {
    let leak = |i: u32| 100.0 * MIB + MIB / 60.0 * f64::from(i) + 20_000.0 * noise(i);
    let soak = judged(&samples(600, leak, steady), &["rss-drift=5%/h", "cv=5%"]);
    let slope = soak.figure("rss").unwrap().slope.unwrap();
    assert!(
        (slope.estimate / (60.0 * MIB) - 1.0).abs() < 0.02,
        "{slope:?}"
    );
    assert!(
        slope.low.unwrap() < 60.0 * MIB && 60.0 * MIB < slope.high.unwrap(),
        "{slope:?}"
    );
    assert!(
        soak.figure("rss").unwrap().changes.is_empty(),
        "a slope is no change"
    );
    let held: Vec<Held> = soak.budgets.iter().map(|b| b.held).collect();
    assert_eq!(held, [Held::Broken, Held::Held]);
    assert_eq!(soak.verdict, Some(Verdict::NoGo));
    assert_eq!(soak.judged, 54, "six of sixty epochs are warm");
}

#[test]
fn a_steady_program_holds_its_limits() {
    let flat = |i: u32| 100.0 * MIB + 20_000.0 * noise(i);
    let limits = [
        "rss-drift=5%/h",
        "cv=5%",
        "changes=0",
        "p95=2 ms",
        "max=2 ms",
        "p99.9=2 ms",
    ];
    let soak = judged(&samples(600, flat, steady), &limits[..5]);
    assert_eq!(soak.verdict, Some(Verdict::Go), "{:?}", soak.budgets);
    assert!(soak.levels.is_none());
    assert!(
        (soak.surroundings.quiet - 0.9).abs() < 0.01,
        "{:?}",
        soak.surroundings
    );
    let cpu = soak.figure("cpu").unwrap();
    assert!((cpu.mean.estimate - 0.5).abs() < 1e-9, "{cpu:?}");
    // Fifty times in an epoch have no 99th percentile.
    let soak = judged(&samples(600, flat, steady), &limits);
    assert_eq!(soak.verdict, Some(Verdict::Inconclusive));
    assert!(soak.budgets[5].why.as_ref().unwrap().contains("latency"));
}

#[test]
fn steps_of_memory_are_found_with_their_times() {
    let stepped = |i: u32| {
        let step = f64::from(u32::from(i > 200) + u32::from(i > 400));
        (100.0 + 10.0 * step) * MIB + 20_000.0 * noise(i)
    };
    let soak = judged(&samples(600, stepped, steady), &["changes=0"]);
    let changes = &soak.figure("rss").unwrap().changes;
    let times: Vec<f64> = changes.iter().map(|c| c.at).collect();
    assert_eq!(times, [200.0, 400.0]);
    assert!((changes[0].after / MIB - 110.0).abs() < 0.1, "{changes:?}");
    assert_eq!(soak.budgets[0].held, Held::Broken);
}

#[test]
fn throughput_on_two_levels_is_told_and_so_is_a_late_change() {
    let flat = |_| 100.0 * MIB;
    let two = |i: u32| if i % 7 < 3 { 700.0 } else { steady(i) };
    let soak = judged(&samples(600, flat, two), &[]);
    let levels = soak.levels.expect("two levels");
    assert!(
        (levels.low - 700.0).abs() < 20.0 && (levels.high - 1000.0).abs() < 20.0,
        "{levels:?}"
    );
    assert!((levels.low_share - 3.0 / 7.0).abs() < 0.02, "{levels:?}");
    assert_eq!(soak.verdict, None, "no limit, no word");

    let late = |i: u32| if i > 500 { 0.8 * steady(i) } else { steady(i) };
    let soak = judged(&samples(600, flat, late), &["throughput-loss=1%/h"]);
    let changes = &soak.figure("throughput").unwrap().changes;
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!((changes[0].at - 500.0).abs() < 1.0, "{changes:?}");
    assert!(
        (changes[0].after / changes[0].before - 0.8).abs() < 0.02,
        "{changes:?}"
    );
    assert!(soak.levels.is_none(), "the change says it");
}

/// A program that prints a line every 20 ms, and a reader that is at its own work in the first
/// 0.4 s of each second: it finds those lines in its pipe all at once.
#[test]
fn lines_that_were_read_late_make_no_second_level() {
    let mut bursts = samples(600, |_| 100.0 * MIB, steady);
    for sample in &mut bursts {
        let end = sample.points[0];
        let first = end.total.unwrap() - 1000.0;
        let line = |k: u32| {
            let share = f64::from(k) / 50.0;
            let late = 0.4 + 3e-6 * f64::from(k);
            Point {
                at: end.at - 1.0 + share.max(late),
                total: Some(first + 1000.0 * share),
                ..Point::default()
            }
        };
        sample.points = (1..=50).map(line).collect();
    }
    let soak = judged(&bursts, &[]);
    assert!(soak.levels.is_none(), "{:?}", soak.levels);
    // So too where each line tells what was done since the last.
    for sample in &mut bursts {
        for point in &mut sample.points {
            (point.total, point.done) = (None, Some(20.0));
        }
    }
    let soak = judged(&bursts, &[]);
    assert!(soak.levels.is_none(), "{:?}", soak.levels);
}

#[test]
fn each_start_has_its_own_warm_up_and_slope() {
    let leak = |i: u32| 100.0 * MIB + MIB * f64::from(i);
    let mut both = samples(300, leak, steady);
    // Started again: memory begins anew.
    let second = samples(300, leak, steady).into_iter().map(|s| SoakSample {
        at: s.at + 300.0,
        start: 1,
        points: s
            .points
            .iter()
            .map(|p| Point {
                at: p.at + 300.0,
                ..*p
            })
            .collect(),
        ..s
    });
    both.extend(second);
    let soak = judged(&both, &[]);
    assert_eq!(soak.starts, 2);
    assert_eq!(soak.epochs.iter().filter(|e| e.warm).count(), 12);
    let slope = soak.figure("rss").unwrap().slope.unwrap().estimate;
    assert!((slope / (3600.0 * MIB) - 1.0).abs() < 0.01, "{slope}");
    let throughput = soak.figure("throughput").unwrap();
    assert!(
        throughput.low > 900.0 && throughput.high < 1100.0,
        "{throughput:?}"
    );
}

#[test]
fn too_few_samples_leave_limits_open_and_bring_nothing_down() {
    for count in [0, 1, 9, 65, 75] {
        let soak = judged(
            &samples(count, |_| MIB, steady),
            &["rss-drift=5%/h", "cv=1%", "changes=1"],
        );
        assert_eq!(soak.verdict, Some(Verdict::Inconclusive), "{count}");
        assert!(
            soak.budgets
                .iter()
                .all(|b| b.held == Held::Open && b.why.is_some()),
            "{count}"
        );
    }
    let mut silent = samples(600, |_| MIB, steady);
    for sample in &mut silent {
        sample.points.clear();
        sample.latencies.clear();
        sample.reading = None;
    }
    let soak = judged(&silent, &["cv=1%"]);
    assert!(soak.figures.is_empty());
    assert!(
        soak.notes[0].contains("No line matched"),
        "{:?}",
        soak.notes
    );
    assert!(soak.budgets[0].why.as_ref().unwrap().contains("--line"));
}

#[test]
fn two_soaks_are_held_against_each_other() {
    let flat = |mib: f64| move |i: u32| mib * MIB + 20_000.0 * noise(i);
    let a = judged(&samples(600, flat(100.0), steady), &[]);
    let b = judged(&samples(600, flat(70.0), |i| 0.9 * steady(i)), &[]);
    let pair = crate::pair(a.clone(), b, 0.01, "ABBA");
    let better = |name: &str| {
        let found = pair.contrasts.iter().find(|c| c.name == name);
        found.and_then(|c| c.better.clone())
    };
    assert_eq!(better("throughput").as_deref(), Some("A"));
    assert_eq!(better("rss").as_deref(), Some("B"));
    assert_eq!(better("p50").as_deref(), Some("SAME"));
    assert!(
        pair.advice[0].contains("A where throughput"),
        "{:?}",
        pair.advice
    );
    assert!(
        pair.advice[0].contains("B where memory"),
        "{:?}",
        pair.advice
    );
    let leak = |i: u32| 100.0 * MIB + MIB / 60.0 * f64::from(i) + 20_000.0 * noise(i);
    let leaks = judged(&samples(600, leak, steady), &[]);
    let growth = crate::pair(a.clone(), leaks, 0.01, "ABBA").growth;
    let more = growth.iter().find(|d| d.name == "rss").unwrap().difference;
    assert!(
        (more.estimate / (60.0 * MIB) - 1.0).abs() < 0.02,
        "{more:?}"
    );
    assert!(more.low.unwrap() < 60.0 * MIB && 60.0 * MIB < more.high.unwrap());
    let same = crate::pair(a.clone(), a, 0.01, "ABBA");
    assert!(
        same.advice[0].contains("Nothing is decided"),
        "{:?}",
        same.advice
    );
}

/// A figure that moved once has no interval of its slope however many epochs there are.
#[test]
fn one_step_is_no_lack_of_epochs() {
    let rss = |i| if i < 350 { 40.0 * MIB } else { 40.4 * MIB };
    let soak = judged(&samples(600, rss, |_| 1000.0), &["rss-drift=1%/h"]);
    let outcome = &soak.budgets[0];
    assert_eq!(outcome.held, Held::Open, "{outcome:?}");
    let why = outcome.why.as_ref().unwrap();
    assert!(why.contains("steps are too few"), "{why}");
}
