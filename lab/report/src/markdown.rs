//! GitHub-flavoured Markdown: the middle form, fit for a step summary.

pub(crate) mod write;

use crate::Render;
use crate::advice;
use crate::number;
use crate::tables::{causes, census, findings, layout, machine, matrix, noise, parity, survival};
use crate::wording::{self, heading};
use karat_model::evidence::{Evidence, ParityCheck};
use karat_model::verdict::Cause;
use write::{code, details, fence, row, table, text};

/// Lines of a parity difference that are printed.
const DIFFERENCE_LINES: usize = 40;
/// Parity failures that are printed with their differences.
const FAILURES: usize = 12;
/// Rows of the crate table.
const CRATES: usize = 8;

/// Renders GitHub-flavoured Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Markdown;

impl Render for Markdown {
    fn render(&self, evidence: &Evidence) -> String {
        let mut out = String::new();
        verdict(&mut out, evidence);
        speed(&mut out, evidence);
        noise_floor(&mut out, evidence);
        layout_part(&mut out, evidence);
        cause_lists(&mut out, evidence);
        survivals(&mut out, evidence);
        census_table(&mut out, evidence);
        parity_part(&mut out, evidence);
        finding_groups(&mut out, evidence);
        reproduce(&mut out, evidence);
        out
    }
}

fn title(out: &mut String, heading: &str) {
    *out += &format!("\n## {heading}\n\n");
}

fn verdict(out: &mut String, evidence: &Evidence) {
    let word = evidence.verdict.verdict;
    *out += &format!(
        "# {} {}\n\n",
        wording::verdict_sign(word),
        text(&advice::headline(evidence))
    );
    *out += &format!(
        "Study {}: {}\n\n",
        code(&evidence.study.name),
        text(&evidence.study.title)
    );
    *out += &format!(
        "**{}** {}\n\n",
        text(&advice::advice(evidence)),
        text(&evidence.verdict.summary)
    );
    if let Some(variant) = advice::to_build(evidence) {
        *out += &fence("sh", &variant.reproduce.join("\n"));
        out.push('\n');
    }
    let facts: Vec<String> = advice::trust(evidence)
        .into_iter()
        .map(|fact| text(&fact.1))
        .collect();
    *out += &format!("{}\n", facts.join(" · "));
}

fn speed(out: &mut String, evidence: &Evidence) {
    title(out, heading::SPEED);
    if evidence.workloads.is_empty() {
        *out += &format!("{}\n\n", wording::NOT_MEASURED);
    }
    let mut head = vec!["variant".to_owned()];
    head.extend(evidence.workloads.iter().map(|w| code(&w.name)));
    head.push("verdict".to_owned());
    table(out, &head);
    let mut first = vec![format!(
        "{} (baseline)",
        code(wording::baseline_name(evidence))
    )];
    first.extend(
        evidence
            .workloads
            .iter()
            .map(|w| text(&matrix::baseline_value(w))),
    );
    first.push(number::MISSING.to_owned());
    row(out, &first);
    let rows = matrix::rows(evidence);
    for line in &rows {
        let mut cells = vec![code(&line.variant.name)];
        cells.extend(line.cells.iter().map(|cell| match cell {
            Some(c) => format!(
                "**{}** {}<br><sub>{}</sub>",
                number::change(c.speed.estimate),
                c.judgement.word(),
                wording::interval(&c.speed)
            ),
            None => "not measured".to_owned(),
        }));
        cells.push(match &line.variant.verdict {
            Some(v) => {
                let recommended = evidence.verdict.recommended.as_ref() == Some(&line.variant.name);
                format!(
                    "{} **{}**{}",
                    wording::verdict_sign(v.verdict),
                    wording::verdict(v.verdict),
                    if recommended {
                        "<br><sub>recommended</sub>"
                    } else {
                        ""
                    }
                )
            }
            None => number::MISSING.to_owned(),
        });
        row(out, &cells);
    }
    for (name, reason) in matrix::left_out(evidence) {
        *out += &format!("\nLeft out: {}: {}\n", code(name), text(reason));
    }
    let mut body = String::new();
    for line in &rows {
        let Some(v) = &line.variant.verdict else {
            continue;
        };
        body += &format!(
            "- {} **{}**: {}\n",
            code(&line.variant.name),
            wording::verdict(v.verdict),
            text(&v.reasons.join(" · "))
        );
    }
    if !body.is_empty() {
        details(out, "Why each variant has its verdict", &body);
    }
}

fn layout_part(out: &mut String, evidence: &Evidence) {
    let Some(method) = layout::method(evidence) else {
        return;
    };
    title(out, heading::LAYOUT);
    *out += &format!("{}\n\n", text(&method));
    for p in &evidence.layouts.pilots {
        *out += &format!("- {}: {}\n", code(&p.workload), text(&layout::pilot(p)));
    }
    for workload in &evidence.workloads {
        for t in &workload.layout_tax {
            *out += &format!(
                "- layout tax of {} on {}: {}\n",
                code(&t.variant),
                code(&workload.name),
                text(&layout::tax(t))
            );
        }
    }
}

fn noise_floor(out: &mut String, evidence: &Evidence) {
    if evidence.workloads.is_empty() {
        return;
    }
    title(out, heading::NOISE);
    *out += &format!("{}\n\n", wording::NOISE_NOTE);
    table(
        out,
        &[
            "workload",
            "A/A",
            "interval",
            "gate",
            "noise floor",
            "detectable",
            "rounds",
            "looks (rounds: undecided)",
        ]
        .map(str::to_owned),
    );
    for line in noise::rows(evidence) {
        row(
            out,
            &[
                code(&line.workload.name),
                line.again,
                line.interval,
                line.gate.to_owned(),
                line.floor,
                line.detectable,
                line.workload.rounds.to_string(),
                line.looks,
            ],
        );
    }
    for workload in &evidence.workloads {
        for oddity in &workload.oddities {
            *out += &format!("\n- {}: {}", code(&workload.name), text(&oddity.text));
        }
    }
    out.push('\n');
}

fn cause_lists(out: &mut String, evidence: &Evidence) {
    let all = evidence.workloads.iter().flat_map(|w| &w.comparisons);
    let summary = causes::summary(all);
    if summary.is_empty() {
        return;
    }
    title(out, heading::CAUSES);
    for line in summary {
        *out += &format!("- {}\n", text(&line));
    }
    for workload in &evidence.workloads {
        let stances = causes::stances(workload);
        let mut body = String::new();
        if !stances.common.is_empty() {
            body += &format!(
                "- in all {}: {}\n",
                stances.total,
                sentences(&stances.common)
            );
        }
        for (comparison, own) in &stances.own {
            body += &format!("- {}: {}\n", code(&comparison.variant), sentences(own));
        }
        if !body.is_empty() {
            details(out, &format!("Causes: {}", workload.name), &body);
        }
    }
}

fn sentences(causes: &[&Cause]) -> String {
    let parts: Vec<String> = causes
        .iter()
        .map(|cause| {
            let stance = wording::stance(cause.stance).to_lowercase();
            format!("{} **{stance}**: {}", text(&cause.kind), text(&cause.text))
        })
        .collect();
    parts.join(" ")
}

fn survivals(out: &mut String, evidence: &Evidence) {
    let functions = survival::functions(evidence);
    if functions.is_empty() {
        return;
    }
    title(out, heading::SURVIVAL);
    *out += &format!("{}\n", wording::SURVIVAL_NOTE);
    let blind = survival::without_line_tables(evidence);
    if !blind.is_empty() {
        let names: Vec<String> = blind.iter().map(|n| code(n)).collect();
        *out += &format!(
            "\nNo line tables, so INLINED cannot be told from GONE: {}\n",
            names.join(", ")
        );
    }
    for function in functions {
        let mut body = String::new();
        table(
            &mut body,
            &["variant", "state", "similarity", "what differs most"].map(str::to_owned),
        );
        for line in survival::rows(evidence, function) {
            row(
                &mut body,
                &[
                    code(line.variant),
                    text(&wording::survival(line.survival)),
                    survival::similarity(line.survival),
                    text(&line.mix),
                ],
            );
        }
        details(out, function, &body);
    }
}

fn census_table(out: &mut String, evidence: &Evidence) {
    let audited = census::audited(evidence);
    if audited.is_empty() {
        return;
    }
    title(out, heading::CENSUS);
    *out += &format!("{}\n\n", wording::CENSUS_NOTE);
    let mut head = vec!["variant".to_owned()];
    head.extend(census::COLUMNS.iter().map(|c| c.name.to_owned()));
    table(out, &head);
    for (variant, audit) in &audited {
        let mut cells = vec![code(&variant.name)];
        cells.extend(census::COLUMNS.iter().map(|column| {
            let (count, change) = census::cell(evidence, column, audit);
            if change.is_empty() {
                count
            } else {
                format!("{count}<br><sub>{change}</sub>")
            }
        }));
        row(out, &cells);
    }
    let apart = census::apart(evidence);
    if !apart.is_empty() {
        *out += "\nTold apart from these counts:\n\n";
        for line in &apart {
            *out += &format!("- {}\n", text(line));
        }
    }
    let (crates, more) = census::crates(evidence, CRATES);
    if crates.is_empty() {
        return;
    }
    let mut body = String::new();
    let mut head = vec!["crate (zmm / ymm)".to_owned()];
    head.extend(audited.iter().map(|(v, _)| code(&v.name)));
    table(&mut body, &head);
    for line in crates {
        let mut cells = vec![code(line.name)];
        cells.extend(line.cells.iter().map(|(zmm, ymm)| format!("{zmm} / {ymm}")));
        row(&mut body, &cells);
    }
    if more > 0 {
        body += &format!("\nand {more} more\n");
    }
    details(out, "Wide vector instructions by crate", &body);
}

fn parity_part(out: &mut String, evidence: &Evidence) {
    let failed: Vec<_> = parity::failed(evidence).collect();
    let read = |check: &ParityCheck| check.logs.is_some();
    if failed.is_empty() && !evidence.parity.iter().any(read) {
        return;
    }
    title(out, heading::PARITY);
    for check in evidence.parity.iter().filter(|c| c.passed) {
        if let Some(logs) = &check.logs {
            *out += &format!(
                "- {}, {}: {}\n",
                code(&check.variant),
                text(&check.name),
                text(crate::compare::behaviour_of(logs))
            );
        }
    }
    for check in failed.iter().take(FAILURES) {
        *out += &format!(
            "**FAILED** {}: {}\n\n",
            code(&check.variant),
            text(&check.name)
        );
        for difference in &check.differences {
            let (shown, more) = wording::first_lines(difference, DIFFERENCE_LINES);
            *out += &fence("diff", &shown);
            if more > 0 {
                *out += &format!("… {more} more lines in `evidence.json`\n");
            }
            out.push('\n');
        }
    }
    if failed.len() > FAILURES {
        *out += &format!("and {} more\n", failed.len() - FAILURES);
    }
}

fn finding_groups(out: &mut String, evidence: &Evidence) {
    if evidence.findings.is_empty() {
        return;
    }
    title(out, heading::FINDINGS);
    for group in findings::groups(evidence) {
        let place = match group.place {
            "" => String::new(),
            place => format!("{} ", code(place)),
        };
        let head = format!(
            "- **{} {}** {place}",
            text(group.code),
            wording::severity(group.severity)
        );
        let variants = text(&group.variants());
        match group.common_message() {
            Some(message) => {
                let colon = if variants.is_empty() { "" } else { ": " };
                *out += &format!("{head}{variants}{colon}{}\n", text(message));
            }
            None => {
                *out += &format!("{head}\n");
                for finding in &group.findings {
                    let variant = finding.variant.as_deref().unwrap_or("study");
                    *out += &format!("  - {}: {}\n", text(variant), text(&finding.message));
                }
            }
        }
    }
}

fn reproduce(out: &mut String, evidence: &Evidence) {
    title(out, heading::REPRODUCE);
    details(
        out,
        "The study file",
        &fence("toml", &evidence.study.source),
    );
    let mut commands = String::new();
    for variant in &evidence.variants {
        if !variant.reproduce.is_empty() {
            commands += &format!("# {}\n{}\n", variant.name, variant.reproduce.join("\n"));
        }
    }
    if !commands.is_empty() {
        details(
            out,
            "Commands that build each variant",
            &fence("sh", &commands),
        );
    }
    let mut facts = String::new();
    table(&mut facts, &["machine and run".to_owned(), String::new()]);
    for (name, value) in machine::machine(evidence)
        .into_iter()
        .chain(machine::run(evidence))
    {
        row(&mut facts, &[name.to_owned(), text(&value)]);
    }
    row(
        &mut facts,
        &["ISAs".to_owned(), text(&evidence.machine.isas.join(" "))],
    );
    for cost in &evidence.costs {
        row(
            &mut facts,
            &[text(&cost.name), text(&crate::tables::machine::cost(cost))],
        );
    }
    details(out, "Machine, run and costs", &facts);
    *out += &format!(
        "\n<sub>karat {} · run {} · every number is in `evidence.json`</sub>\n",
        text(&evidence.run.karat),
        text(&evidence.run.id)
    );
}
