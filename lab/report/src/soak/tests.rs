//! A small soak in every form.

use super::*;
use crate::format::{Setting, render};
use karat_model::machine::Machine;
use karat_model::soak::{
    Bounded, BudgetKind, BudgetOutcome, Change, Epoch, Figure, Floor, Held, Levels, Rates, SCHEMA,
    SoakMode, SoakPlan, Surroundings, SystemCalls, Tails,
};
use karat_model::verdict::Verdict;

fn around(estimate: f64) -> Bounded {
    Bounded {
        estimate,
        low: Some(0.9 * estimate),
        high: Some(1.1 * estimate),
    }
}

fn figure(name: &str, unit: &str, mean: f64) -> Figure {
    Figure {
        name: name.into(),
        unit: unit.into(),
        mean: around(mean),
        cv: Some(around(0.02)),
        low: 0.9 * mean,
        high: 1.1 * mean,
        slope: Some(around(0.1 * mean)),
        drift: Some(around(0.1)),
        changes: vec![Change {
            at: 90.0,
            before: mean,
            after: 1.1 * mean,
            p: 1e-6,
        }],
    }
}

fn soak() -> Soak {
    let tails = Tails {
        p50: Some(1e-3),
        p95: Some(2e-3),
        p99: Some(3e-3),
        p999: None,
        max: Some(0.5),
    };
    let epoch = |i: u32| Epoch {
        at: 10.0 * f64::from(i),
        seconds: 10.0,
        start: i / 10,
        warm: i < 2,
        samples: 10,
        throughput: Some(1000.0 + f64::from(i)),
        rss: Some(1e8 + 1e6 * f64::from(i)),
        // Nothing throughout, which is not drawn.
        minor_faults: Some(0.0),
        tails: Some(tails),
        quiet: 0.5,
        clock: 3.0,
        ..Epoch::default()
    };
    Soak {
        schema: SCHEMA,
        karat: "0".into(),
        started: "2026-11-22T00:00:00Z".into(),
        machine: Machine {
            cpu: "a <processor>".into(),
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
        },
        plan: SoakPlan {
            program: "server <fast>".into(),
            mode: SoakMode::Once,
            load: Some("load".into()),
            line: None,
            progress: None,
            seconds: 200.0,
            every: 1.0,
            epoch: 10.0,
            warm: 20.0,
            window: None,
            budgets: vec!["rss-drift=5%/h".into()],
        },
        watched: 200.0,
        complete: true,
        ending: "its time was over".into(),
        starts: 2,
        resumed: 1,
        own_share: 0.004,
        floor: Some(Floor {
            program: "sleep".into(),
            looks: 5,
            rss: Some(1_600_000),
            growth: Some(0),
            run: None,
            rates: Rates::default(),
        }),
        judged: 18,
        figures: vec![
            figure("throughput", "op/s", 1010.0),
            figure("rss", "B", 1.1e8),
        ],
        levels: Some(Levels {
            p: 0.001,
            low: 700.0,
            high: 1000.0,
            low_share: 0.3,
        }),
        tails: Some(tails),
        worst: Some(tails),
        system_calls: Some(SystemCalls {
            method: "counting".into(),
            seconds: 10.0,
            calls: 500,
            operations: Some(1000.0),
            most: vec![("read".into(), 400)],
            slowdown: Some(0.4),
        }),
        surroundings: Surroundings {
            quiet: 0.5,
            clock_low: 2.9,
            clock_high: 3.1,
            steal: 0.5,
            ..Surroundings::default()
        },
        budgets: vec![BudgetOutcome {
            kind: BudgetKind::RssDrift,
            limit: 0.05,
            found: Some(around(0.1)),
            held: Held::Broken,
            why: None,
        }],
        verdict: Some(Verdict::NoGo),
        notes: vec!["A note.".into()],
        epochs: (0..20).map(epoch).collect(),
    }
}

fn human(soak: &Soak, width: usize) -> String {
    let setting = Setting {
        width,
        ..Setting::default()
    };
    render(Format::Human, soak, setting).unwrap()
}

#[test]
fn a_terminal_gets_all_of_it_in_100_columns() {
    let text = human(&soak(), 100);
    for part in [
        "✗ NO-GO: 1 of 1 limits broken",
        "started 2 times, worked by `load`",
        "18 epochs of 10.0 s are judged",
        "10.0 %/h [9.0, 11.0",
        "BROKEN",
        "10.0 % [9.0, 11.0]; 10.5 MiB/h",
        "700 op/s for 30.0 %",
        "typical epoch",
        "2.00 ms",
        "5.000e-1 each; most often read 400",
        "40.0 % of what it was before",
        "500 ms taken by the hypervisor",
        "karat itself used 0.40 % of one processor",
        "The floor: an empty program (`sleep`)",
        "A note.",
    ] {
        let plain = text.replace('\n', " ").replace("   ", " ");
        assert!(
            text.contains(part) || plain.replace("  ", " ").contains(part),
            "no `{part}` in\n{text}"
        );
    }
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
}

#[test]
fn a_soak_of_nothing_is_a_report_too() {
    let empty = Soak {
        figures: Vec::new(),
        epochs: Vec::new(),
        budgets: Vec::new(),
        verdict: None,
        levels: None,
        tails: None,
        worst: None,
        system_calls: None,
        judged: 0,
        ..soak()
    };
    for &format in Soak::FORMATS {
        let text = render(format, &empty, Setting::default()).unwrap();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    assert!(human(&empty, 80).contains("no limits were declared"));
}

#[test]
fn a_page_has_a_plot_for_each_figure_that_is_there() {
    let page = render(Format::Html, &soak(), Setting::default()).unwrap();
    // Throughput, memory, two latencies, quiet looks.
    assert_eq!(page.matches("<figure>").count(), 5);
    // One change each in throughput and in memory.
    assert_eq!(page.matches("class=\"change\"").count(), 2);
    // No line from the last epoch of one start to the first of the next: 18 of 19 gaps.
    assert_eq!(page.matches("class=\"curve").count(), 5 * 18);
    assert!(page.contains("server &lt;fast&gt;") && !page.contains("NaN"));
}

#[test]
fn csv_has_a_line_for_each_epoch_and_json_comes_back() {
    let text = csv::csv(&soak());
    let rows: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(rows.len(), 21);
    let columns = rows[0].split(',').count();
    assert!(rows.iter().all(|r| r.split(',').count() == columns));
    assert!(
        rows[3].starts_with("20,10,0,0,10,1002,102000000,"),
        "{}",
        rows[3]
    );
    let back: Soak = serde_json::from_str(&soak().json()).unwrap();
    assert_eq!(back, soak());
}

#[test]
fn bars_follow_their_values() {
    assert_eq!(spark(&[1.0, 2.0, 3.0, 8.0], 4), "▁▂▃█");
    assert_eq!(spark(&[1.0, 1.0, 9.0, 9.0], 2), "▁█");
    assert_eq!(spark(&[5.0, 5.001], 8), "▄▄");
    assert_eq!(spark(&[], 8), "");
    assert_eq!(spark(&[f64::NAN, 1.0], 8), "▄");
    assert_eq!(value(-2048.0, "B"), "−2.00 KiB");
    assert_eq!(value(f64::NAN, "B"), "–");
}
