//! `cargo xtask record EVIDENCE`: a run's results as a CSV file under `records/`.
//!
//! Figures in documents come from here: a record names machine, date, command
//! and seed, and says what the judge said.

use crate::Task;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use karat_model::evidence::Evidence;
use karat_model::verdict::Comparison;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub const TASK: Task = Task {
    name: "record",
    help: "write a run's results (its evidence.json) to records/MACHINE/DATE-STUDY.csv",
    run,
};

fn run(args: &[String]) -> Result<bool> {
    let [path] = args else {
        bail!("usage: cargo xtask record RUN/evidence.json");
    };
    let text = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
    let evidence: Evidence =
        serde_json::from_slice(&text).with_context(|| format!("{path} is no evidence"))?;
    if evidence.run.smoke {
        bail!("{path} is of a smoke run, which says nothing");
    }
    let date = evidence.run.started.get(..10).unwrap_or("undated");
    let folder = root().join("records").join(machine(&evidence));
    std::fs::create_dir_all(&folder)?;
    let file = free_name(
        &folder,
        &format!("{date}-{}", evidence.study.name),
        &evidence.run.id,
    );
    std::fs::write(&file, csv(&evidence))?;
    println!("{}", file.display());
    Ok(true)
}

/// `STEM.csv`, or `STEM-2.csv` and so on where another run of that day has the name: a record
/// is written over by the same run only.
fn free_name(folder: &Path, stem: &str, run: &str) -> PathBuf {
    let same_run = format!("\n# run: {run} ");
    let mut names = std::iter::once(format!("{stem}.csv"))
        .chain((2..).map(|n: u32| format!("{stem}-{n}.csv")))
        .map(|name| folder.join(name));
    names
        .find(|file| {
            std::fs::read_to_string(file).map_or_else(
                |e| e.kind() == std::io::ErrorKind::NotFound,
                |text| text.contains(&same_run),
            )
        })
        .expect("some number is free")
}

/// A folder name for the machine: `authenticamd-26-2-1-2p`.
fn machine(evidence: &Evidence) -> String {
    let m = &evidence.machine;
    format!("{}-{}p", m.cpu_id, m.processors)
        .to_lowercase()
        .replace([' ', '/'], "-")
}

fn csv(evidence: &Evidence) -> String {
    let (m, r) = (&evidence.machine, &evidence.run);
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "# command: karat run studies/{} --seed {}\n# run: {} ({}), karat {}, {:.0} s\n\
         # machine: {} ({}), {} processors, {}, hypervisor {}\n# compilers: {}; {}\n\
         # verdict: {}; recommended: {}\n{}\
         workload,variant,unit,baseline,value,speed,low,high,judgement,rounds,p_adjusted,clock_ghz\n",
        evidence.study.name,
        r.seed,
        r.id,
        r.started,
        r.karat,
        r.seconds,
        m.cpu,
        m.cpu_id,
        m.processors,
        m.kernel,
        or_none(&m.hypervisor),
        or_none(&m.rustc),
        or_none(&m.cc),
        evidence.verdict.verdict.map_or("withheld", |v| v.word()),
        or_none(&evidence.verdict.recommended),
        layout_taxes(evidence),
    );
    for workload in &evidence.workloads {
        for (name, c) in workload
            .again
            .iter()
            .map(|c| (format!("{} (A/A)", c.variant), c))
            .chain(workload.comparisons.iter().map(|c| (c.variant.clone(), c)))
            .chain(workload.pairs.iter().map(|c| {
                let against = c.against.as_deref().unwrap_or_default();
                (format!("{} / {against}", c.variant), c)
            }))
        {
            let clock = workload.clock.iter().find(|r| r.variant == c.variant);
            row(&mut out, &workload.name, &name, &workload.metric.unit, c);
            let _ = writeln!(
                out,
                "{}",
                clock.map_or(String::new(), |r| format!("{:.4}", r.after))
            );
        }
    }
    out
}

/// What the linker's order of the functions alone makes, where it is known: a line a workload.
fn layout_taxes(evidence: &Evidence) -> String {
    let mut out = String::new();
    for workload in &evidence.workloads {
        let taxes: Vec<String> = (workload.layout_tax.iter().filter(|tax| tax.known))
            .map(|tax| {
                let [sd, low, high] = [tax.sd, tax.sd_low, tax.sd_high].map(|x| x * 100.0);
                format!("{} {sd:.1} % [{low:.1}, {high:.1}]", tax.variant)
            })
            .collect();
        if !taxes.is_empty() {
            let _ = writeln!(
                out,
                "# layout tax (sd) on {}: {}",
                workload.name,
                taxes.join(", ")
            );
        }
    }
    out
}

fn row(out: &mut String, workload: &str, variant: &str, unit: &str, c: &Comparison) {
    let bound = |b: Option<f64>| b.map_or(String::new(), |b| format!("{b:.5}"));
    let _ = write!(
        out,
        "{workload},{variant},{unit},{:.6},{:.6},{:.5},{},{},{},{},{:.2e},",
        c.baseline_value,
        c.variant_value,
        c.speed.estimate,
        bound(c.speed.low),
        bound(c.speed.high),
        c.judgement.word(),
        c.rounds,
        c.p_adjusted
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_of_a_day_gets_a_name_of_its_own() {
        let folder = std::env::temp_dir().join(format!("karat-record-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = free_name(&folder, "day-study", "run-1");
        assert_eq!(first, folder.join("day-study.csv"));
        std::fs::write(&first, "# command\n# run: run-1 (then)\n").unwrap();
        assert_eq!(free_name(&folder, "day-study", "run-1"), first);
        assert_eq!(
            free_name(&folder, "day-study", "run-2"),
            folder.join("day-study-2.csv")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
