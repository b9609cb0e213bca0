//! Builds the programs of `tests/leaks`, runs each on emulated CPUs, and compares what
//! happens with what the search for leaks claims.
//!
//! `cargo run --release -p karat-audit --example leak_truth -- DIRECTORY [NAME]` writes
//! `cases.csv` (program, build, the CPUs it dies on, the claim) and `summary.csv` there,
//! and the labels to `tests/leaks/labels.csv`; with a part of a name only what has it,
//! with the reports, and nothing is written. Of `arm-`, all programs for AArch64, it writes
//! `cases-arm.csv` and `summary-arm.csv`, and replaces their labels; of `unseen-`, the second
//! set, `cases-unseen.csv` and `summary-unseen.csv`, and no labels; of `third-`, `fourth-`,
//! `fifth-`, `sixth-` and `seventh-` the same, with a column more: whether it dies on a CPU with AVX where the system
//! does not save its registers, which no figure counts as dying. It needs `qemu-x86_64`, gcc,
//! clang, rustc and go; for AArch64 `qemu-aarch64`, a cross compiler and lld.

use karat_model::leaks::Certainty;
use std::fmt::Write;

#[path = "../tests/leaks/truth.rs"]
mod truth;

use truth::{
    Case, Claim, build, cases, cases_of, claim, dies_of, dies_on, directory, fifth, fourth, third,
    unseen,
};

/// What the names of programs for AArch64 begin with.
const ARM: &str = "arm-";
/// A set with a record and no labels of its own.
struct Set {
    /// What the names of its programs begin with.
    start: &'static str,
    cases: fn() -> Vec<Case>,
    /// Whether they also run where the system does not save AVX's registers.
    asks_state: bool,
}
const SETS: [Set; 6] = [
    Set {
        start: "unseen-",
        cases: unseen,
        asks_state: false,
    },
    Set {
        start: "third-",
        cases: third,
        asks_state: true,
    },
    Set {
        start: "fourth-",
        cases: fourth,
        asks_state: true,
    },
    Set {
        start: "fifth-",
        cases: fifth,
        asks_state: true,
    },
    Set {
        start: "sixth-",
        cases: || cases_of("sixth.txt"),
        asks_state: true,
    },
    Set {
        start: "seventh-",
        cases: || cases_of("seventh.txt"),
        asks_state: true,
    },
];
/// A CPU that has AVX, on a system that does not save its registers: who asks the CPU only
/// dies there.
const NO_AVX_STATE: [&str; 1] = ["Haswell,-xsave"];

#[derive(Default)]
struct Counts {
    cases: u32,
    dying: u32,
    found: u32,
    found_high: u32,
    false_dies: u32,
    false_dies_high: u32,
    false_lives: u32,
    false_lives_high: u32,
    unknown: u32,
    without_state: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().ok_or("name a directory for the record")?;
    let only = args.next();
    let scratch = std::env::temp_dir().join(format!("leak-truth-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let program = scratch.join("program");
    let (mut table, mut labels) = (String::new(), String::new());
    let mut counts = Counts::default();
    let is_arm = only.as_deref() == Some(ARM);
    let part_of = |only: &String| SETS.iter().find(|set| only.starts_with(set.start));
    let set = only.as_ref().and_then(part_of);
    let whole_set = set.filter(|set| only.as_deref() == Some(set.start));
    let asks_state = whole_set.is_some_and(|set| set.asks_state);
    let is_whole = only.is_none() || is_arm || whole_set.is_some();
    let all = set.map_or_else(cases, |set| (set.cases)());
    for case in all {
        // They have a record of their own.
        let asks_arm = only.as_ref().is_some_and(|only| only.starts_with(ARM));
        if !asks_arm && case.name.starts_with(ARM) {
            continue;
        }
        if only
            .as_ref()
            .is_some_and(|only| !case.name.contains(only.as_str()))
        {
            continue;
        }
        let label = case.label();
        if let Err(error) = build(&case, &program) {
            println!("{label}: not built: {error}");
            continue;
        }
        let dies = match dies_on(&program) {
            // `Opteron_G5,+bmi1` is one CPU.
            Ok(dies) => dies.join(" ").replace(',', ""),
            Err(error) => {
                println!("{label}: not labelled: {error}");
                continue;
            }
        };
        let (claim, report) = claim(&std::fs::read(&program)?);
        let is_right = counts.add(!dies.is_empty(), claim);
        let mut state = String::new();
        if asks_state {
            let bytes = std::fs::read(&program)?;
            let there = dies_of(&program, &bytes, "qemu-x86_64", &NO_AVX_STATE)?;
            let dies_there = !dies.is_empty() || !there.is_empty();
            counts.without_state += u32::from(dies_there && dies.is_empty());
            state = if dies_there { ",yes" } else { ",no" }.into();
        }
        writeln!(table, "{label},{dies}{state},{}", word(claim))?;
        writeln!(labels, "{label},{dies}")?;
        if !is_right || only.is_some() {
            println!("{label}: dies on [{dies}], claimed {}", word(claim));
        }
        if !is_whole {
            println!("{report:#?}");
        }
    }
    std::fs::remove_dir_all(&scratch)?;
    let mut summary = counts.summary();
    if asks_state {
        let name = "live unless the system does not save AVX's registers";
        writeln!(summary, "{name},{}", counts.without_state)?;
    }
    print!("{summary}");
    if is_whole {
        std::fs::create_dir_all(&out)?;
        let out = std::path::Path::new(&out);
        let group = match (is_arm, whole_set) {
            (true, _) => "-arm".into(),
            (false, Some(set)) => format!("-{}", set.start.trim_end_matches('-')),
            (false, None) => String::new(),
        };
        let state = if asks_state {
            ",dies_without_state"
        } else {
            ""
        };
        std::fs::write(
            out.join(format!("cases{group}.csv")),
            format!("program,build,dies_on{state},claim\n{table}"),
        )?;
        std::fs::write(out.join(format!("summary{group}.csv")), summary)?;
        if whole_set.is_some() {
            return Ok(());
        }
        let path = directory().join("labels.csv");
        let (mut first, mut second) = (String::new(), String::new());
        for line in std::fs::read_to_string(&path)?.lines() {
            let part = if line.starts_with(ARM) {
                &mut second
            } else {
                &mut first
            };
            writeln!(part, "{line}")?;
        }
        match is_arm {
            true => second = labels,
            false => first = labels,
        }
        std::fs::write(path, first + &second)?;
    }
    Ok(())
}

fn word(claim: Claim) -> String {
    match claim {
        Claim::Dies(sure) => format!("dies ({sure:?})"),
        Claim::Unknown => "unknown".into(),
        Claim::Lives(sure) => format!("lives ({sure:?})"),
    }
}

impl Counts {
    /// Returns whether the claim is right.
    fn add(&mut self, dies: bool, claim: Claim) -> bool {
        self.cases += 1;
        self.dying += u32::from(dies);
        let high = |sure| u32::from(sure == Certainty::High);
        match (dies, claim) {
            (_, Claim::Unknown) => self.unknown += 1,
            (true, Claim::Dies(sure)) => {
                self.found += 1;
                self.found_high += high(sure);
            }
            (false, Claim::Dies(sure)) => {
                self.false_dies += 1;
                self.false_dies_high += high(sure);
            }
            (true, Claim::Lives(sure)) => {
                self.false_lives += 1;
                self.false_lives_high += high(sure);
            }
            (false, Claim::Lives(_)) => {}
        }
        matches!(claim, Claim::Dies(_)) == dies && claim != Claim::Unknown
    }

    fn summary(&self) -> String {
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
        let mut out = String::from("figure,value\n");
        for (name, value) in [
            ("cases", self.cases),
            ("of which die", self.dying),
            ("found", self.found),
            ("found at confidence high", self.found_high),
            ("said to die and do not", self.false_dies),
            ("the same at confidence high", self.false_dies_high),
            ("said to live and do not", self.false_lives),
            (
                "the same at confidence high (guarded)",
                self.false_lives_high,
            ),
            ("unknown", self.unknown),
        ] {
            writeln!(out, "{name},{value}").unwrap_or_default();
        }
        let precision = share(self.found, self.found + self.false_dies);
        let recall = share(self.found, self.dying);
        let unknown = share(self.unknown, self.cases);
        for (name, value) in [
            ("precision", precision),
            ("recall", recall),
            ("share of unknown", unknown),
        ] {
            writeln!(out, "{name},{value:.3}").unwrap_or_default();
        }
        out
    }
}
