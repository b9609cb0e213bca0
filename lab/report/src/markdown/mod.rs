//! GitHub-flavoured Markdown: the middle form, fit for a step summary.

pub(crate) mod write;

use crate::Render;
use crate::advice;
use crate::number;
use crate::tables::{
    causes, census, findings, layout, machine, matrix, neighbours, noise, oddities, pairs, parity,
    survival,
};
use crate::wording::{self, heading};
use karat_model::evidence::{Evidence, ParityCheck};
use karat_model::finding::Severity;
use karat_model::verdict::{Cause, Comparison};
use write::{code, details, fence, row, table, text};

/// Lines of a parity difference that are printed.
const DIFFERENCE_LINES: usize = 40;
/// Parity failures that are printed with their differences.
const FAILURES: usize = 12;
/// Longest study file in bytes that is printed; the folder of the run and `report.html`
/// have it in any case.
const SOURCE: usize = 2000;
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
        pair_table(&mut out, evidence);
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
    if let Some(open) = advice::open(evidence) {
        *out += &format!("{}\n\n", text(&open.text));
        if let Some(command) = open.command {
            *out += &fence("sh", &command);
            out.push('\n');
        }
    }
    let facts: Vec<String> = advice::trust(evidence)
        .into_iter()
        .map(|fact| text(&fact.1))
        .collect();
    *out += &format!("{}\n", facts.join(" · "));
}

fn speed(out: &mut String, evidence: &Evidence) {
    title(out, heading::SPEED);
    *out += &format!(
        "{}, with the interval; margin {}\n\n",
        wording::SIGNS,
        number::chosen(evidence.study.margin)
    );
    if evidence.workloads.is_empty() {
        *out += &format!("{}\n\n", wording::NOT_MEASURED);
    }
    let mut head = vec!["variant".to_owned(), "verdict".to_owned()];
    head.extend(evidence.workloads.iter().map(|w| code(&w.name)));
    table(out, &head);
    let mut first = vec![
        code(wording::baseline_name(evidence)),
        "baseline".to_owned(),
    ];
    let values = evidence.workloads.iter();
    first.extend(values.map(|w| text(&matrix::baseline_value(w))));
    row(out, &first);
    for line in matrix::rows(evidence) {
        let recommended = evidence.verdict.recommended.as_ref() == Some(&line.variant.name);
        let verdict = line.variant.verdict.as_ref();
        let mut cells = vec![
            code(&line.variant.name),
            verdict.map_or_else(
                || number::MISSING.to_owned(),
                |v| {
                    let word = wording::verdict(v.verdict);
                    let aside = if recommended {
                        "<br><sub>recommended</sub>"
                    } else {
                        ""
                    };
                    format!("**{word}**{aside}")
                },
            ),
        ];
        cells.extend(line.cells.iter().map(|cell| compared(*cell)));
        row(out, &cells);
    }
    for (name, reason) in matrix::left_out(evidence) {
        *out += &format!("\nLeft out: {}: {}\n", code(name), text(reason));
    }
    let splits = matrix::splits(evidence);
    if !splits.is_empty() {
        out.push('\n');
    }
    for split in splits {
        *out += &format!("- {}\n", text(&split));
    }
}

/// A narrow cell, for a table has as many columns as there are workloads.
fn compared(cell: Option<&Comparison>) -> String {
    cell.map_or_else(
        || "not measured".to_owned(),
        |c| {
            format!(
                "{} **{}**<br><sub>{}</sub>",
                wording::judgement_sign(c.judgement),
                number::change(c.speed.estimate),
                wording::bare_interval(&c.speed)
            )
        },
    )
}

fn pair_table(out: &mut String, evidence: &Evidence) {
    let rows = pairs::rows(evidence);
    if rows.is_empty() {
        return;
    }
    title(out, heading::PAIRS);
    *out += &format!("{}\n\n", wording::PAIRS_NOTE);
    let mut head = vec!["variant".to_owned(), "against".to_owned()];
    head.extend(evidence.workloads.iter().map(|w| code(&w.name)));
    table(out, &head);
    for line in rows {
        let mut cells = vec![code(line.variant), code(line.against)];
        cells.extend(line.cells.iter().map(|cell| compared(*cell)));
        row(out, &cells);
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
    if let Some(remedy) = layout::remedy(evidence) {
        *out += &format!("\n{}\n", text(&remedy));
    }
}

fn noise_floor(out: &mut String, evidence: &Evidence) {
    if evidence.workloads.is_empty() {
        return;
    }
    title(out, heading::NOISE);
    *out += &format!("{}\n\n", wording::NOISE_NOTE);
    let taxed = evidence.workloads.iter().any(|w| !w.layout_tax.is_empty());
    let mut head = vec!["workload", "A/A", "noise floor", "detectable", "rounds"];
    if taxed {
        head.push("layout tax (standard deviation)");
    }
    table(
        out,
        &head.into_iter().map(str::to_owned).collect::<Vec<_>>(),
    );
    for line in noise::rows(evidence) {
        let mut cells = vec![
            code(&line.workload.name),
            format!(
                "{} {}<br><sub>{}</sub>",
                line.again, line.gate, line.interval
            ),
            line.floor,
            line.detectable,
            line.rounds,
        ];
        if taxed {
            cells.push(text(&layout::taxes(line.workload).unwrap_or_default()));
        }
        row(out, &cells);
    }
    out.push('\n');
    if let Some((_, line)) = neighbours::line(evidence) {
        *out += &format!("- {}\n", text(&line));
    }
    for workload in &evidence.workloads {
        if let Some(odd) = oddities::line(workload) {
            *out += &format!("- {}: {}\n", code(&workload.name), text(&odd));
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
    let Some(about) = &evidence.verdict.about else {
        return;
    };
    let mut body = String::new();
    for workload in &evidence.workloads {
        let found = matrix::comparison(workload, about).filter(|c| !c.causes.is_empty());
        if let Some(c) = found {
            let all: Vec<&Cause> = c.causes.iter().collect();
            body += &format!("- {}: {}\n", code(&workload.name), sentences(&all));
        }
    }
    if !body.is_empty() {
        details(out, &format!("Causes: {about}"), &body);
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
    let mut body = String::new();
    let mut head = vec!["variant".to_owned()];
    head.extend(functions.iter().map(|f| code(wording::short_path(f))));
    table(&mut body, &head);
    for variant in &evidence.variants {
        let Some(audit) = &variant.audit else {
            continue;
        };
        let mut cells = vec![code(&variant.name)];
        cells.extend(functions.iter().map(|f| {
            survival::find(audit, f).map_or_else(
                || number::MISSING.to_owned(),
                |s| {
                    let word = wording::survival_word(s.state);
                    match variant.baseline {
                        true => word.to_owned(),
                        false => format!("{word} {}", survival::similarity(s)),
                    }
                },
            )
        }));
        row(&mut body, &cells);
    }
    details(out, "State and similarity by variant", &body);
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
                format!("{count} ({change})")
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
        let first = group.findings.first().map_or("", |f| f.message.as_str());
        match group.common_message() {
            Some(message) => {
                let colon = if variants.is_empty() { "" } else { ": " };
                *out += &format!("{head}{variants}{colon}{}\n", text(message));
            }
            // An error is worth its words in each variant, of others one example does.
            None if group.severity == Severity::Error => {
                *out += &format!("{head}\n");
                for finding in &group.findings {
                    let variant = finding.variant.as_deref().unwrap_or("study");
                    *out += &format!("  - {}: {}\n", text(variant), text(&finding.message));
                }
            }
            None => *out += &format!("{head}{variants}; in the first: {}\n", text(first)),
        }
    }
}

fn reproduce(out: &mut String, evidence: &Evidence) {
    title(out, heading::REPRODUCE);
    let source = &evidence.study.source;
    if source.len() <= SOURCE {
        details(out, "The study file", &fence("toml", source));
    }
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
