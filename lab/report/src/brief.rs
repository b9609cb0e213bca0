//! A few lines for a comparison of commands: what `karat ab` prints.

use crate::number;
use crate::tables::{findings, layout, usage};
use crate::text::{Cell, Paint, grid};
use crate::wording;
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::finding::Severity;
use karat_model::units::bytes;
use karat_model::verdict::Comparison;

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
    out += &findings(evidence, paint);
    if !evidence.study.description.is_empty() {
        out += &format!("{}\n", wording::printable(&evidence.study.description));
    }
    if let Some(why) = &evidence.verdict.withheld {
        out += &format!("no verdict: {why}\n");
    }
    out
}

/// Warnings and errors; notes are in the other reports.
fn findings(evidence: &Evidence, paint: Paint) -> String {
    let weighty = |g: &findings::Group<'_>| g.severity >= Severity::Warning;
    let mut out = String::new();
    for group in findings::groups(evidence).iter().filter(|g| weighty(g)) {
        for finding in &group.findings {
            let tone = wording::severity_tone(group.severity);
            let word = paint.tone(tone, wording::severity(group.severity));
            out += &format!("{word} {}", group.code);
            if let Some(variant) = &finding.variant {
                out += &format!(" {}", wording::printable(variant));
            }
            out += &format!(": {}\n", wording::printable(&finding.message));
        }
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
