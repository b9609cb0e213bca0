//! A few lines for a comparison of commands: what `karat ab` prints.

use crate::tables::{layout, neighbours, noise, oddities, usage};
use crate::text::{Cell, Paint, grid};
use crate::wording;
use crate::{advice, number};
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::units::bytes;
use karat_model::verdict::Comparison;
use serde_json::{Value, json};

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
        let mut rows: Vec<_> = arms.map(|v| row(workload, &v.name)).collect();
        rows.extend(workload.pairs.iter().map(|c| compared(workload, c)));
        grid(&mut out, paint, &rows);
        out += &trust(evidence, workload);
        if several {
            out.push('\n');
        }
    }
    if evidence.layouts.layouts > 1 {
        out += &layout::method(evidence).map_or_else(String::new, |m| format!("{m}\n"));
        for workload in &evidence.workloads {
            let Some(tax) = layout::taxes(workload) else {
                continue;
            };
            let of = match several {
                true => format!(" of {}", wording::printable(&workload.metric.name)),
                false => String::new(),
            };
            out += &format!("layout tax{of} (standard deviation): {tax}\n");
        }
    }
    if let Some((tone, line)) = neighbours::line(evidence) {
        out += &format!("{}\n", paint.tone(tone, &line));
    }
    if let Some(open) = advice::open(evidence) {
        out += &format!("{}\n", wording::printable(&open.text));
        if let Some(command) = open.command {
            out += &format!("  $ {}\n", wording::printable(&command).replace('\n', " "));
        }
    }
    out += &used(evidence, paint);
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
    compared(workload, c)
}

fn compared(workload: &WorkloadEvidence, c: &Comparison) -> Vec<Cell> {
    let tone = wording::judgement_tone(c.judgement);
    let mut cells = vec![
        Cell::plain(wording::compared(c)),
        Cell::plain(number::value(c.variant_value, &workload.metric.unit)),
        Cell::toned(c.judgement.word(), tone),
        Cell::plain(number::change(c.speed.estimate)),
        Cell::plain(format!("[{}]", wording::interval(&c.speed))),
    ];
    if let Some(split) = c.split {
        cells.push(Cell::plain(format!(
            "{} in the fastest runs, {} in a typical one",
            number::change(split.floor),
            number::change(split.typical)
        )));
    }
    cells
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
        noise::rounds(workload),
        workload.metric.name,
        if workload.metric.unit.is_empty() {
            "no unit"
        } else {
            &workload.metric.unit
        },
        number::chosen(evidence.study.margin),
    );
    if let Some(odd) = oddities::line(workload) {
        out += &format!("{}\n", wording::printable(&odd));
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
        "time": evidence.run.time,
        "neighbours": evidence.neighbours,
        "metrics": metrics,
        "used": used,
    })
}

fn metric(workload: &WorkloadEvidence) -> Value {
    let arms: Vec<Value> = workload
        .comparisons
        .iter()
        .chain(&workload.pairs)
        .map(|c| {
            json!({
                "arm": c.variant,
                "against": c.against,
                "rounds": c.rounds,
                "split": c.split,
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
