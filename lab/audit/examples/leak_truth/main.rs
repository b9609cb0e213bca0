//! Builds the programs of `tests/leaks`, runs each on emulated CPUs, and compares what
//! happens with what the search for leaks claims.
//!
//! ```text
//! cargo run --release -p karat-audit --example leak_truth -- DIRECTORY [NAME] [--claim] [--builds FOLDER]
//! ```
//!
//! Of all it writes `cases.csv` (program, build, the CPUs it dies on, the claim) and
//! `summary.csv` to DIRECTORY, and the labels to `tests/leaks/labels.csv`. NAME is a set or a
//! part of a program's name. A set has a record of its own: `arm-`, all programs for AArch64,
//! `cases-arm.csv` and `summary-arm.csv`; `arm2-`, the second set for it; `unseen-`, the second
//! set, `cases-unseen.csv` and so on; from `third-` on with a column more, whether it dies on a CPU
//! with AVX where the system does not save its registers, which no figure counts as dying. Of a
//! part of a name the reports are printed, and nothing is written.
//!
//! With `--claim` nothing runs: what is known of each program stands in DIRECTORY's record,
//! whose claims are renewed. Builds are kept in FOLDER, by their number in the list, and taken
//! from there.
//!
//! It needs gcc, clang, rustc and go, and `qemu-x86_64` to run them; for AArch64 a cross
//! compiler, lld and `qemu-aarch64`.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

mod counts;
mod sets;
#[path = "../../tests/leaks/truth.rs"]
mod truth;

use counts::Counts;
use sets::Set;
use truth::{Case, Claim, build, claim, dies_of, dies_on, directory};

/// A CPU that has AVX, on a system that does not save its registers: who asks the CPU only
/// dies there.
const NO_AVX_STATE: [&str; 1] = ["Haswell,-xsave"];

/// What is asked for.
struct Asked {
    record: PathBuf,
    name: String,
    only_claims: bool,
    builds: Option<PathBuf>,
}

impl Asked {
    fn read() -> Result<Self, Box<dyn Error>> {
        let (mut places, mut only_claims, mut builds) = (Vec::new(), false, None);
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--claim" => only_claims = true,
                "--builds" => builds = Some(args.next().ok_or("--builds: name a folder")?.into()),
                _ => places.push(arg),
            }
        }
        let mut places = places.into_iter();
        let record = places.next().ok_or("name a directory for the record")?;
        Ok(Self {
            record: record.into(),
            name: places.next().unwrap_or_default(),
            only_claims,
            builds,
        })
    }
}

/// What happens when a program runs: as in a record.
struct Truth {
    /// The CPUs it dies on, with spaces between them.
    dies: String,
    /// Whether it dies where AVX's registers are not saved, if that was tried.
    without_state: Option<bool>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = Asked::read()?;
    let set = Set::of(&asked.name);
    let is_whole = set.is_whole(&asked.name);
    let known = match asked.only_claims {
        true => Some(std::fs::read_to_string(
            asked.record.join(set.file("cases")),
        )?),
        false => None,
    };
    let scratch = std::env::temp_dir().join(format!("leak-truth-{}", std::process::id()));
    let builds = asked.builds.as_ref().unwrap_or(&scratch);
    std::fs::create_dir_all(builds)?;

    let (mut table, mut labels, mut left_out) = (String::new(), String::new(), 0);
    let mut counts = Counts::default();
    for (number, case) in set.cases() {
        if !case.name.contains(&asked.name) {
            continue;
        }
        let label = case.label();
        let program = builds.join(number.to_string());
        let in_record = known.as_ref().map(|record| recorded(record, &label, set));
        let truth = match in_record {
            // What could not be built when the programs ran.
            Some(None) => continue,
            Some(Some(truth)) => made(&case, &program).map(|()| truth),
            None => made(&case, &program).and_then(|()| run(&program, set)),
        };
        let truth = match truth {
            Ok(truth) => truth,
            Err(error) => {
                println!("{label}: {error}");
                left_out += 1;
                continue;
            }
        };
        let (claim, report) = claim(&std::fs::read(&program)?);
        if asked.builds.is_none() {
            std::fs::remove_file(&program)?;
        }
        let dies = &truth.dies;
        let is_right = counts.add(!dies.is_empty(), claim);
        let state = match truth.without_state {
            Some(dies_there) => {
                let only_there = u32::from(dies_there && dies.is_empty());
                *counts.without_state.get_or_insert(0) += only_there;
                if dies_there { ",yes" } else { ",no" }
            }
            None => "",
        };
        writeln!(table, "{label},{dies}{state},{}", word(claim))?;
        writeln!(labels, "{label},{dies}")?;
        if !is_right || !is_whole {
            println!("{label}: dies on [{dies}], claimed {}", word(claim));
        }
        if !is_whole {
            println!("{report:#?}");
        }
    }
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch)?;
    }
    let summary = counts.summary();
    print!("{summary}");
    if !is_whole {
        return Ok(());
    }
    if asked.only_claims && left_out > 0 {
        return Err(format!("{left_out} of the record are left out: it stays as it is").into());
    }
    std::fs::create_dir_all(&asked.record)?;
    let state = if set.asks_state {
        ",dies_without_state"
    } else {
        ""
    };
    let cases = format!("program,build,dies_on{state},claim\n{table}");
    std::fs::write(asked.record.join(set.file("cases")), cases)?;
    std::fs::write(asked.record.join(set.file("summary")), summary)?;
    if set.has_labels() && !asked.only_claims {
        write_labels(set, &labels)?;
    }
    Ok(())
}

/// Builds a program, unless it is there.
fn made(case: &Case, program: &Path) -> Result<(), String> {
    if program.exists() {
        return Ok(());
    }
    build(case, program).map_err(|error| format!("not built: {error}"))
}

/// Runs a program on all CPUs.
fn run(program: &Path, set: Set) -> Result<Truth, String> {
    let failed = |error| format!("not labelled: {error}");
    let dies = dies_on(program).map_err(failed)?;
    let without_state = match set.asks_state {
        true => {
            let bytes = std::fs::read(program).map_err(|error| failed(error.to_string()))?;
            let there = dies_of(program, &bytes, "qemu-x86_64", &NO_AVX_STATE).map_err(failed)?;
            Some(!dies.is_empty() || !there.is_empty())
        }
        false => None,
    };
    Ok(Truth {
        // `Opteron_G5,+bmi1` is one CPU.
        dies: dies.join(" ").replace(',', ""),
        without_state,
    })
}

/// What a record says of a program.
fn recorded(record: &str, label: &str, set: Set) -> Option<Truth> {
    let line = |line: &'_ str| {
        line.strip_prefix(label)?
            .strip_prefix(',')
            .map(str::to_owned)
    };
    let rest = record.lines().find_map(line)?;
    let mut words = rest.split(',');
    let dies = words.next().unwrap_or_default().to_owned();
    let without_state = set.asks_state.then(|| words.next() == Some("yes"));
    Some(Truth {
        dies,
        without_state,
    })
}

/// Replaces a set's part of the labels.
fn write_labels(set: Set, labels: &str) -> Result<(), Box<dyn Error>> {
    let path = directory().join("labels.csv");
    let old = std::fs::read_to_string(&path)?;
    let others = old.lines().filter(|line| !set.is_label_of(line));
    let others: String = others.map(|line| format!("{line}\n")).collect();
    let first = Set::of("");
    let text = match set == first {
        true => labels.to_owned() + &others,
        false => others + labels,
    };
    std::fs::write(path, text)?;
    Ok(())
}

fn word(claim: Claim) -> String {
    match claim {
        Claim::Dies(sure) => format!("dies ({sure:?})"),
        Claim::Unknown => "unknown".into(),
        Claim::Lives(sure) => format!("lives ({sure:?})"),
    }
}
