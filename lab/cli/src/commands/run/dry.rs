//! `karat run --dry-run`: what a run would do, what it would lack, how long it would take.

use crate::commands::failed;
use crate::{exit, say};
use anyhow::Result;
use karat_model::evidence::Evidence;
use karat_model::study::{AUTO_ROUNDS, AUTO_SECONDS, MaxTime, ParityOutput, Study};
use karat_model::units;
use karat_run::preflight::{self, Obstacle};
use karat_run::{Plan, Stage};
use karat_store::{HistoryRow, Store};
use std::path::Path;

/// Tells it, and fails when something that the run needs is known to be missing.
pub fn run(study: &Study, plan: &Plan, folder: &Path, store: &Store) -> Result<u8> {
    let mut out = format!("study {}: {}\n\nvariants\n", study.name, study.title);
    for (i, variant) in study.variants.iter().enumerate() {
        let name = &variant.name.value;
        let settings: Vec<String> = karat_build::settings(variant)
            .iter()
            .map(|setting| on_one_line(setting))
            .collect();
        let settings = settings.join("; ");
        let note = match (&plan.left_out[i], i == study.baseline) {
            (Some(why), _) => format!("left out: {why}"),
            (None, true) => format!("baseline {settings}"),
            (None, false) => settings,
        };
        out.push_str(&format!("  {name:24} {note}\n"));
    }
    out.push_str("workloads\n");
    for w in &study.workloads {
        let metric = |m: &karat_model::study::MetricPlan| match m.metric.unit.as_str() {
            "" => m.metric.name.clone(),
            unit => format!("{} in {unit}", m.metric.name),
        };
        let metrics: Vec<String> = w.metrics.iter().map(metric).collect();
        out.push_str(&format!(
            "  {:24} {} ({})\n",
            w.name,
            w.args.join(" "),
            metrics.join(", ")
        ));
    }
    out.push_str("parity checks\n");
    for p in &study.parity {
        let mut line = format!("  {:24} {}", p.name, p.args.join(" "));
        if let ParityOutput::Events { reader, logs } = &p.output {
            let logs: Vec<String> = logs.iter().map(ToString::to_string).collect();
            let reader = reader.as_ref().map_or("auto", |r| r.value.as_str());
            line += &format!(" (reads {}, reader {reader})", logs.join(", "));
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str("time\n");
    out.push_str(&time(study, plan, store));
    let obstacles = preflight::check(study, plan, folder);
    out.push_str(&listed("would fail", &obstacles, true));
    out.push_str(&listed("look at", &obstacles, false));
    say::result(&out)?;
    match obstacles.iter().filter(|o| o.certain).count() {
        0 => Ok(exit::GOOD),
        n => Err(failed(
            exit::USAGE,
            format!("this study cannot run here: {n} problem(s), listed under `would fail`"),
        )),
    }
}

/// The first line of a script that is a word of a command, and how many lines it has.
fn on_one_line(setting: &str) -> String {
    match setting.trim_end().split_once('\n') {
        Some((first, rest)) => format!("{first} … ({} lines)", rest.lines().count() + 1),
        None => setting.trim_end().to_owned(),
    }
}

fn listed(title: &str, obstacles: &[Obstacle], certain: bool) -> String {
    let lines = obstacles.iter().filter(|o| o.certain == certain);
    let text: String = lines
        .map(|o| format!("  {}: {}\n", o.who, o.what))
        .collect();
    if text.is_empty() {
        text
    } else {
        format!("{title}\n{text}")
    }
}

/// How long it would take, as far as that is known without building.
fn time(study: &Study, plan: &Plan, store: &Store) -> String {
    let arms = plan.active().count() + 1;
    let runs = arms * study.workloads.len();
    let mut out = format!(
        "  a round is {runs} runs: {arms} arms (the baseline twice) on {} workload(s)\n",
        study.workloads.len()
    );
    // Only for the estimate: a folder that cannot be read spoils no plan.
    let rows = store.history().unwrap_or_default().rows;
    let ran = |r: &&HistoryRow| r.study == study.name && r.samples > 0;
    let known: Option<Evidence> = rows
        .iter()
        .find(ran)
        .and_then(|r| Some(store.evidence(&r.id).ok()?.1));
    let run = known.as_ref().and_then(mean_run);
    let smoke = f64::from(plan.max_rounds) * runs as f64;
    out += &match (plan.smoke, run) {
        (true, Some(run)) => format!(
            "  {} rounds, about {} (smoke: no verdict)\n",
            plan.max_rounds,
            units::seconds(smoke * run)
        ),
        (true, None) => format!("  {} rounds (smoke: no verdict)\n", plan.max_rounds),
        (false, _) => format!("  {}\n", promised(study.measure.time)),
    };
    if let (Some(last), Some(run)) = (known, run) {
        let smoke = if last.run.smoke { "smoke " } else { "" };
        out += &format!(
            "  {smoke}run {} took {}: {} for builds and audit; a run took {}, so a round takes about \
             {}\n",
            last.run.id,
            units::seconds(last.run.seconds),
            units::seconds(building(&last)),
            units::seconds(run),
            units::seconds(run * runs as f64)
        );
    } else {
        out += "  how long a run takes is not known yet; `--smoke` shows it\n";
    }
    out += "  builds and their audit come before and are cached\n";
    out
}

/// Seconds of a run, what was waited for before it included.
fn mean_run(evidence: &Evidence) -> Option<f64> {
    let count = evidence.samples.len();
    let sum: f64 = evidence.samples.iter().map(|s| s.wall + s.waited).sum();
    (count > 0).then(|| sum / count as f64)
}

fn building(evidence: &Evidence) -> f64 {
    let before = [Stage::Build.word(), Stage::Audit.word()];
    let costs = evidence.costs.iter();
    let own = costs.filter(|c| before.contains(&c.name.as_str()) && c.unit == "s");
    own.map(|c| c.value).sum()
}

/// What is promised of the time for measuring.
fn promised(time: MaxTime) -> String {
    match time {
        MaxTime::Seconds(seconds) => format!(
            "at most {} of measuring, less if all is decided earlier (`max-time` in [measure], \
             `--max-time`)",
            units::seconds(seconds)
        ),
        MaxTime::Auto => format!(
            "as long as {AUTO_ROUNDS} rounds take, {} to {}, less if all is decided earlier",
            units::seconds(AUTO_SECONDS[0]),
            units::seconds(AUTO_SECONDS[1])
        ),
    }
}
