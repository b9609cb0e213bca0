//! What the stages found that a reader should know.

use karat_build::Built;
use karat_model::audit::BinaryAudit;
use karat_model::evidence::{ParityCheck, WorkloadEvidence};
use karat_model::finding::{Finding, Severity};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::{MetricPlan, MetricSource, Parity, Study};
use karat_model::units::{self, change};
use std::collections::BTreeMap;

fn finding(code: &str, severity: Severity, message: String) -> Finding {
    Finding {
        code: code.into(),
        severity,
        variant: None,
        place: None,
        location: None,
        message,
    }
}

/// The audit's checks, each variant against the baseline.
pub(crate) fn of_audit(study: &Study, audits: &[Option<BinaryAudit>]) -> Vec<Finding> {
    let Some(Some(baseline)) = audits.get(study.baseline) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (i, audit) in audits.iter().enumerate() {
        if let Some(audit) = audit
            && i != study.baseline
        {
            let name = &study.variants[i].name.value;
            out.extend(karat_audit::checks::run(name, audit, baseline));
        }
    }
    // A name that the baseline has not either is a mistake in the study.
    for survival in &baseline.survival {
        if survival.mix.is_empty() {
            let mut f = finding(
                "KR001",
                Severity::Warning,
                "the baseline has no such function: is the name right?".into(),
            );
            f.place = Some(survival.function.clone());
            out.push(f);
        }
    }
    out
}

/// A program that exists but cannot be audited.
pub(crate) fn unaudited(variant: &str, why: &str) -> Finding {
    let mut f = finding("KR006", Severity::Note, format!("not audited: {why}"));
    f.variant = Some(variant.to_owned());
    f
}

/// Compiler warnings that a variant adds or loses.
pub(crate) fn of_builds(study: &Study, builds: &[Option<Built>]) -> Vec<Finding> {
    let warnings = |i: usize| builds[i].as_ref().map(|b| b.evidence.warnings);
    let Some(expected) = warnings(study.baseline) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (i, variant) in study.variants.iter().enumerate() {
        if let Some(found) = warnings(i).filter(|w| *w != expected) {
            let mut f = finding(
                "KR002",
                Severity::Note,
                format!(
                    "the compiler warned {found} times, {expected} times in the baseline's build"
                ),
            );
            f.variant = Some(variant.name.value.clone());
            out.push(f);
        }
    }
    out
}

/// A parity check that the baseline itself fails.
pub(crate) fn baseline_fails(check: &Parity, failure: &str) -> Finding {
    let mut f = finding(
        "KR003",
        Severity::Warning,
        format!("the baseline itself ends with {failure}"),
    );
    f.place = Some(check.name.clone());
    f
}

/// Failed parity checks.
pub(crate) fn of_parity(checks: &[ParityCheck]) -> Vec<Finding> {
    let failed = checks.iter().filter(|c| !c.passed);
    failed
        .map(|c| Finding {
            code: "KR004".into(),
            severity: Severity::Error,
            variant: Some(c.variant.clone()),
            place: Some(c.name.clone()),
            location: None,
            message: "behaviour differs from the baseline's".into(),
        })
        .collect()
}

/// Metrics that were asked for and are not judged, since a program is too small.
pub(crate) fn not_told(study: &Study, workloads: &[WorkloadEvidence]) -> Vec<Finding> {
    let mut out = Vec::new();
    for (run, plan) in (0_u32..).zip(&study.workloads) {
        let judged = |name: &str| {
            let mut own = workloads.iter().filter(|w| w.run == run);
            own.any(|w| w.metric.name == name)
        };
        for metric in plan
            .metrics
            .iter()
            .filter(|m| m.source == MetricSource::Rss)
        {
            if judged(&metric.metric.name) {
                continue;
            }
            let mut f = finding(
                "KR009",
                Severity::Warning,
                format!(
                    "`{}` is not judged: the peak memory of a run could not be told from karat's \
                     own; `page-faults` counts the memory of small programs too",
                    metric.metric.name
                ),
            );
            f.place = Some(plan.name.clone());
            out.push(f);
        }
    }
    out
}

fn left_running(workloads: &[WorkloadEvidence], arms: &[Arm], samples: &[Sample]) -> Vec<Finding> {
    let mut seen = BTreeMap::new();
    for s in samples.iter().filter(|s| s.left_running > 0) {
        let (runs, most) = seen
            .entry((s.workload, &arms[s.arm as usize].variant))
            .or_insert((0_u32, 0_u32));
        *runs += 1;
        *most = s.left_running.max(*most);
    }
    seen.into_iter()
        .map(|((run, variant), (runs, most))| {
            let mut f = finding(
                "KR007",
                Severity::Warning,
                format!(
                    "{runs} {} left up to {most} processes running; karat killed them before the \
                     next run, and their time is not in the metrics",
                    if runs == 1 { "run" } else { "runs" }
                ),
            );
            f.variant = Some(variant.clone());
            f.place = workloads
                .iter()
                .find(|w| w.run == run)
                .map(|w| w.name.clone());
            f
        })
        .collect()
}

/// Seconds under which the start of a process is too large a part of a run.
const SHORT: f64 = 0.005;

/// Workloads whose time is mostly that of starting a process. Numbers that a program
/// measures itself hold no start.
fn too_short(
    study: &Study,
    workloads: &[WorkloadEvidence],
    arms: &[Arm],
    samples: &[Sample],
) -> Vec<Finding> {
    let mut out = Vec::new();
    for w in workloads {
        let of_process = |m: &MetricPlan| {
            matches!(m.source, MetricSource::Cpu | MetricSource::Wall)
                && m.metric.name == w.metric.name
        };
        let plan = &study.workloads[w.run as usize];
        if !plan.metrics.iter().any(of_process) {
            continue;
        }
        let value = |wall: bool| {
            let of_baseline = samples
                .iter()
                .filter(|s| s.workload == w.run)
                .filter(|s| arms[s.arm as usize].role == Role::Baseline);
            let values: Vec<f64> = of_baseline
                .filter_map(|s| match wall {
                    true => Some(s.wall),
                    false => s.values.get(w.value as usize).copied(),
                })
                .collect();
            karat_judge::median(&values)
        };
        let Some(short) = value(false).filter(|v| *v < SHORT) else {
            continue;
        };
        let waits = value(true).is_some_and(|wall| wall >= 4.0 * SHORT);
        let mut f = finding(
            "KR008",
            Severity::Warning,
            format!(
                "a run of the baseline takes {} of {} time: starting the process is a large part \
                 of that, and hides what the program does; {}",
                units::seconds(short),
                w.metric.name,
                if waits {
                    "it waits most of the time: judge it by `wall`, which counts that too"
                } else {
                    "give each run more work, such as a larger input or more repetitions (20 ms \
                     to 1 s is good)"
                }
            ),
        );
        f.place = Some(w.name.clone());
        out.push(f);
    }
    out
}

/// Runs that left processes behind, runs that are too short, and A/A arms that came out different.
pub(crate) fn of_measuring(
    study: &Study,
    workloads: &[WorkloadEvidence],
    arms: &[Arm],
    samples: &[Sample],
) -> Vec<Finding> {
    let mut out = left_running(workloads, arms, samples);
    out.extend(too_short(study, workloads, arms, samples));
    for workload in workloads.iter().filter(|w| w.rounds > 0) {
        if let Some(again) = workload.again.as_ref().filter(|_| !workload.again_passed) {
            let mut f = finding(
                "KR005",
                Severity::Error,
                format!(
                    "the baseline came out {} {} against itself: nothing measured beside it can \
                     be trusted",
                    again.judgement.word(),
                    change(again.speed.estimate)
                ),
            );
            f.place = Some(workload.name.clone());
            out.push(f);
        }
    }
    out
}
