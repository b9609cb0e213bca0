//! A small benchmark in every form.

use crate::render;
use karat_model::kernels::{Case, CaseArm, CycleShare, KernelBench, SizeUnit, WorkUnit};
use karat_model::verdict::{Judgement, SpeedRatio};
use karat_report::Format;

fn arm(name: &str, gib: f64, speed: Option<f64>) -> CaseArm {
    CaseArm {
        name: name.into(),
        peer: name.contains("peer"),
        chosen: name == "karat avx512",
        note: if name == "peer <2>" {
            "built without its flags"
        } else {
            ""
        }
        .into(),
        ns: 100.0 / gib,
        per_second: gib * f64::from(1 << 30),
        cycles: Some(4.0 / gib),
        clock_drop: None,
        histogram: Vec::new(),
        speed: speed.map(|estimate| SpeedRatio {
            estimate,
            low: Some(estimate * 0.99),
            high: None,
        }),
        judgement: speed.map(|s| {
            if s > 1.0 {
                Judgement::Faster
            } else {
                Judgement::Slower
            }
        }),
    }
}

fn terminal(bench: &KernelBench, width: usize) -> String {
    render(Format::Human, bench, false, width)
}

fn html(bench: &KernelBench) -> String {
    render(Format::Html, bench, false, 100)
}

fn csv(bench: &KernelBench) -> String {
    render(Format::Csv, bench, false, 100)
}

fn bench() -> KernelBench {
    let case = |items: u64, size: u64| Case {
        task: "sum".into(),
        title: "Sum, of all".into(),
        kernel: "sum".into(),
        item: "messages".into(),
        items,
        size,
        unit: SizeUnit::Bytes,
        work: items * size,
        work_unit: WorkUnit::Bytes,
        threads: 1,
        baseline: "peer, one by one".into(),
        rounds: 50,
        out_of_time: false,
        again_passed: true,
        noise_floor: Some(0.01),
        clock_ghz: 4.1,
        arms: vec![
            arm("karat avx512", 2.0, Some(2.0)),
            arm("karat portable", 0.5, Some(0.5)),
            arm("peer, one by one", 1.0, None),
            arm("peer <2>", 0.9, Some(0.9)),
        ],
    };
    KernelBench {
        schema: 2,
        command: "karat kernels bench <&>".into(),
        started: "2026-11-20T10:00:00Z".into(),
        karat: "0.1.0".into(),
        seconds: 12.0,
        seed: 1,
        margin: 0.01,
        quick: false,
        machine: karat_model::machine::Machine {
            isas: vec!["avx512f".into(), "amx-tile".into()],
            ..Default::default()
        },
        cases: vec![case(1, 65536), case(1, 64), case(16, 1000)],
    }
}

#[test]
fn a_record_has_its_heading_and_a_line_for_each_arm() {
    let text = csv(&bench());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "# command: karat kernels bench <&>");
    assert!(lines[2].starts_with("# machine: "), "{text}");
    assert_eq!(lines[3], "# isas: avx512f amx-tile");
    let table: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|l| !l.starts_with('#'))
        .collect();
    assert_eq!(table.len(), 1 + 12);
    let columns = table[0].split(',').count();
    assert_eq!(
        table[1].split(',').count(),
        columns + 1,
        "a comma inside of quotes"
    );
    assert_eq!(
        table[1],
        "sum,sum,1,65536,bytes,1,karat avx512,false,true,50.00,bytes,2147483648,2.0000,\
         \"peer, one by one\",2.00000,1.98000,,FASTER,50,4.1000,,"
    );
}

#[test]
fn histograms_are_lines_of_shares_and_cycles() {
    let mut bench = bench();
    let share = |cycles, percent| CycleShare { cycles, percent };
    assert!(!terminal(&bench, 100).contains("Core cycles"));
    bench.cases[0].arms[0].histogram = vec![share(11_719, 99.5), share(22_699, 0.5)];
    let text = terminal(&bench, 100);
    assert!(text.contains("Core cycles of 1000 B"), "{text}");
    assert!(
        text.contains("karat avx512: 99 %: 11719, 0 %: 22699"),
        "{text}"
    );
}

#[test]
fn an_arm_that_lowers_the_clock_is_told() {
    let mut bench = bench();
    assert!(!terminal(&bench, 100).contains("lowers"));
    bench.cases[0].arms[0].clock_drop = Some(0.152);
    let text = terminal(&bench, 100);
    let told = "karat avx512 alone lowers the core's clock by 15.2 %";
    assert_eq!(text.matches(told).count(), 1, "{text}");
    let above = "Alone these lower the core's clock, and take longer than the speeds here say: \
                 karat avx512 by 15.2 % (Sum, of all, ";
    assert!(!text.contains("Alone these"), "each case has it: {text}");
    // The numbers are folded in a page: it is said above them too, once, of the worst size.
    bench.cases[1].arms[0].clock_drop = Some(0.05);
    let page = html(&bench).replace("&#39;", "'").replace('\n', " ");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(page.matches(above).count(), 1, "{page}");
    let row = csv(&bench).lines().nth(6).map(str::to_owned);
    assert!(row.is_some_and(|r| r.ends_with(",FASTER,50,4.1000,0.152,")));
}

#[test]
fn a_terminal_gets_all_arms_in_100_columns() {
    let text = terminal(&bench(), 100);
    let mut wide = bench();
    for case in &mut wide.cases {
        case.task = "keccak256-many-threads".into();
        case.baseline = "a crate, called one by one".into();
        (case.items, case.size, case.threads) = (4096, 64 << 10, 128);
        for arm in &mut case.arms {
            arm.name = format!("{}, one by one and slowly", arm.name);
            arm.ns = 123_456_789.0;
            arm.judgement = arm.judgement.map(|_| Judgement::Inconclusive);
            arm.speed = arm.speed.map(|s| SpeedRatio {
                high: Some(12.345),
                ..s
            });
        }
    }
    let widest = terminal(&wide, 100);
    assert!(widest.lines().all(|l| l.chars().count() <= 100), "{widest}");
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    for part in [
        "Sum, of all: 64 KiB (kernel sum, 50 rounds)",
        "* karat avx512",
        "×2.000",
        "1.980 or more",
        "peer <2>: built without its flags",
        "16 × 1000 B",
        "baseline",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let mut failed = bench();
    failed.cases[0].again_passed = false;
    failed.cases[0].arms[0].judgement = None;
    let text = terminal(&failed, 100);
    assert!(
        text.contains("A/A FAILED") && text.contains("withheld"),
        "{text}"
    );
}

#[test]
fn a_page_has_a_plot_for_each_panel() {
    let page = html(&bench());
    assert_eq!(page.matches("<figure>").count(), 2);
    // One segment between the two sizes for each of four arms.
    assert_eq!(page.matches("class=\"curve\"").count(), 4);
    for part in [
        "64 KiB",
        "16 messages",
        "peer &lt;2&gt;",
        "bench &lt;&amp;&gt;",
        "dashed",
    ] {
        assert!(page.contains(part), "no `{part}`");
    }
    assert!(!page.contains("NaN") && !page.contains("inf%"));
}

#[test]
fn operations_have_units_of_their_own() {
    let mut both = bench();
    for case in &mut both.cases[1..] {
        (case.unit, case.work, case.work_unit) = (SizeUnit::Bits, 16, WorkUnit::Operations);
        case.item = "products".into();
        for arm in &mut case.arms {
            arm.per_second = 160e6;
        }
    }
    let text = terminal(&both, 100);
    for part in [
        "64 bits",
        "M op/s",
        "cycles/op",
        "GiB/s",
        "160 M op/s",
        "throughput",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let page = html(&both);
    for part in [
        "16 products",
        "cycles/op",
        "cycles/B",
        "in M op/s: 160 at 1000 bits",
    ] {
        assert!(page.contains(part), "no `{part}`");
    }
    assert!(csv(&both).contains(",bits,1,karat avx512,false,true,50.00,operations,160000000,"));
}

#[test]
fn nothing_measured_is_said() {
    let mut nothing = bench();
    nothing.cases.clear();
    assert!(terminal(&nothing, 80).contains("Nothing was measured"));
    assert!(!html(&nothing).contains("<figure>"));
}
