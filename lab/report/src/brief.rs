//! A few lines for a comparison of commands: what `karat ab` prints.

use crate::number;
use crate::tables::{layout, usage};
use crate::text::{Cell, Paint, grid};
use crate::wording;
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::units::bytes;
use karat_model::verdict::Comparison;
use serde_json::{Value, json};

/// Findings without which the figures mislead: processes left behind, and a metric
/// that was asked for and is not there.
const TOLD: [&str; 2] = ["KR007", "KR008"];

/// The comparison for people: a line for each arm, then how far to trust it.
#[must_use]
pub fn human(evidence: &Evidence, color: bool) -> String {
    let paint = Paint { on: color };
    let several = evidence.workloads.len() > 1;
    let mut out = String::new();
    for workload in &evidence.workloads {
        if several {
            out += &format!(
                "{}\n",
                paint.bold(&wording::printable(&workload.metric.name))
            );
        }
        let arms = evidence.variants.iter();
        let rows: Vec<_> = arms.map(|v| row(workload, &v.name)).collect();
        grid(&mut out, paint, &rows);
        out += &trust(evidence, workload);
        if several {
            out.push('\n');
        }
    }
    if evidence.layouts.layouts > 1 {
        out += &layout::method(evidence).map_or_else(String::new, |m| format!("{m}\n"));
        for workload in &evidence.workloads {
            for tax in &workload.layout_tax {
                out += &format!("layout tax of {}: {}\n", tax.variant, layout::tax(tax));
            }
        }
    }
    out += &used(evidence, paint);
    for finding in evidence
        .findings
        .iter()
        .filter(|f| TOLD.contains(&f.code.as_str()))
    {
        let of = finding.variant.as_ref().or(finding.place.as_ref());
        let of = of.map_or_else(String::new, |name| {
            format!("{}: ", wording::printable(name))
        });
        out += &format!("{of}{}\n", wording::printable(&finding.message));
    }
    if let Some(why) = &evidence.verdict.withheld {
        out += &format!("no verdict: {why}\n");
    }
    out
}

fn row(workload: &WorkloadEvidence, arm: &str) -> Vec<Cell> {
    let unit = &workload.metric.unit;
    let Some(c) = workload.comparisons.iter().find(|c| c.variant == arm) else {
        let value = workload.again.as_ref().map(|c| c.baseline_value);
        let value = value.map_or_else(|| number::MISSING.into(), |v| number::value(v, unit));
        return vec![
            Cell::plain(arm),
            Cell::plain(value),
            Cell::plain("baseline"),
        ];
    };
    let tone = wording::judgement_tone(c.judgement);
    vec![
        Cell::plain(arm),
        Cell::plain(number::value(c.variant_value, unit)),
        Cell::toned(c.judgement.word(), tone),
        Cell::plain(number::change(c.speed.estimate)),
        Cell::plain(format!("[{}]", wording::interval(&c.speed))),
    ]
}

fn trust(evidence: &Evidence, workload: &WorkloadEvidence) -> String {
    let floor = workload
        .noise_floor
        .map_or_else(|| "no bound yet".into(), number::percent);
    let again = if workload.again_passed {
        "passed"
    } else {
        "FAILED"
    };
    let mut out = format!(
        "{} rounds of {} ({}), margin {}, noise floor {floor} (A/A {again})\n",
        workload.rounds,
        workload.metric.name,
        if workload.metric.unit.is_empty() {
            "no unit"
        } else {
            &workload.metric.unit
        },
        number::chosen(evidence.study.margin),
    );
    let needed = |c: &Comparison| c.rounds_needed.map(|n| (c.variant.clone(), n));
    for oddity in &workload.oddities {
        out += &format!("{}\n", wording::printable(&oddity.text));
    }
    for (arm, rounds) in workload.comparisons.iter().filter_map(needed) {
        out += &format!("{arm} would be decided by about {rounds} rounds\n");
    }
    out
}

/// What runs used, whatever they are judged by.
fn used(evidence: &Evidence, paint: Paint) -> String {
    let mut rows = vec![
        [
            "",
            "wall",
            "cpu",
            "peak memory",
            "page faults",
            "waits",
            "switched out",
        ]
        .map(Cell::plain)
        .to_vec(),
    ];
    for u in usage::usage(evidence, 0) {
        rows.push(
            [
                u.variant,
                number::value(u.wall, "s"),
                number::value(u.cpu, "s"),
                u.rss.map_or_else(|| usage::NOT_TOLD.to_owned(), bytes),
                format!("{}", u.faults),
                format!("{}", u.waits),
                format!("{}", u.switches),
            ]
            .map(Cell::plain)
            .to_vec(),
        );
    }
    let mut out = String::new();
    if rows.len() > 1 {
        grid(&mut out, paint, &rows);
    }
    out
}

/// The comparison for programs: `verdict` for each arm.
#[must_use]
pub fn json(evidence: &Evidence) -> Value {
    let metrics: Vec<Value> = evidence.workloads.iter().map(metric).collect();
    let used: Vec<Value> = usage::usage(evidence, 0)
        .into_iter()
        .map(|u| {
            json!({
                "arm": u.variant, "wall": u.wall, "cpu": u.cpu, "peak_memory": u.rss,
                "page_faults": u.faults, "waits": u.waits, "switches": u.switches,
            })
        })
        .collect();
    json!({
        "schema": 1,
        "run": evidence.run.id,
        "rounds": evidence.workloads.first().map(|w| w.rounds),
        "margin": evidence.study.margin,
        "withheld": evidence.verdict.withheld,
        "metrics": metrics,
        "used": used,
    })
}

fn metric(workload: &WorkloadEvidence) -> Value {
    let arms: Vec<Value> = workload
        .comparisons
        .iter()
        .map(|c| {
            json!({
                "arm": c.variant,
                "verdict": c.judgement.word(),
                "speed": c.speed.estimate,
                "low": c.speed.low,
                "high": c.speed.high,
                "baseline_value": c.baseline_value,
                "value": c.variant_value,
                "p": c.p_adjusted,
                "detectable": c.detectable,
                "rounds_needed": c.rounds_needed,
                "layouts": c.layouts,
            })
        })
        .collect();
    json!({
        "metric": workload.metric.name,
        "unit": workload.metric.unit,
        "again_passed": workload.again_passed,
        "noise_floor": workload.noise_floor,
        "oddities": workload.oddities,
        "arms": arms,
    })
}
