//! The short form for a terminal: what to do, and the numbers behind it.

use crate::Render;
use crate::advice;
use crate::number;
use crate::tables::{findings, layout, matrix, noise, parity, survival};
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::{self, Tone, heading};
use karat_model::audit::SurvivalState;
use karat_model::evidence::Evidence;

/// Longest variant name that is printed whole.
const NAME: usize = 28;
/// Findings that are printed.
const FINDINGS: usize = 8;
/// Build commands that are printed.
const COMMANDS: usize = 4;

/// Renders plain text of about a screen.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether to emit colours.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Render for Terminal {
    fn render(&self, evidence: &Evidence) -> String {
        let mut out = String::new();
        let paint = Paint { on: self.color };
        let width = self.width.max(40);
        verdict(&mut out, evidence, paint, width);
        speed(&mut out, evidence, paint, width);
        noise_floor(&mut out, evidence, paint);
        layout_part(&mut out, evidence, paint, width);
        survivals(&mut out, evidence, paint, width);
        parity_failures(&mut out, evidence, paint, width);
        finding_groups(&mut out, evidence, paint, width);
        out
    }
}

fn title(out: &mut String, paint: Paint, text: &str, aside: &str) {
    out.push('\n');
    out.push_str(&paint.bold(text));
    if !aside.is_empty() {
        out.push_str(&paint.dim(&format!(" ({})", wording::printable(aside))));
    }
    out.push('\n');
}

fn verdict(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let word = evidence.verdict.verdict;
    wrap(
        out,
        &format!("{}: {}", evidence.study.name, evidence.study.title),
        0,
        width,
    );
    out.push('\n');
    let line = format!(
        "{} {}",
        wording::verdict_sign(word),
        advice::headline(evidence)
    );
    let line = wording::printable(&line);
    *out += &paint.bold(&paint.tone(wording::verdict_tone(word), &line));
    out.push('\n');
    wrap(out, &evidence.verdict.summary, 2, width);
    wrap(out, &advice::advice(evidence), 2, width);
    if let Some(variant) = advice::to_build(evidence) {
        for command in variant.reproduce.iter().take(COMMANDS) {
            *out += &format!("    $ {}\n", wording::printable(command).replace('\n', " "));
        }
        if variant.reproduce.len() > COMMANDS {
            let more = variant.reproduce.len() - COMMANDS;
            *out += &format!("    and {more} more in the report\n");
        }
    }
    let facts: Vec<String> = advice::trust(evidence).into_iter().map(|f| f.1).collect();
    wrap(out, &facts.join(" · "), 2, width);
}

fn speed(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let rows = matrix::rows(evidence);
    let aside = format!(
        "against {}; margin {}",
        wording::baseline_name(evidence),
        number::chosen(evidence.study.margin)
    );
    title(out, paint, heading::SPEED, &aside);
    if evidence.workloads.is_empty() {
        *out += &format!("  {}\n", wording::NOT_MEASURED);
    }
    let names: Vec<String> = rows
        .iter()
        .map(|r| wording::shortened(&r.variant.name, NAME))
        .collect();
    let name_width = names
        .iter()
        .map(|n| n.chars().count())
        .chain([
            NAME.min(wording::baseline_name(evidence).chars().count()),
            7,
        ])
        .max()
        .unwrap_or(0);
    let columns = columns(evidence, &rows);
    for (nth, chunk) in chunks(&columns, width.saturating_sub(name_width + 2))
        .into_iter()
        .enumerate()
    {
        if nth > 0 {
            out.push('\n');
        }
        let mut lines: Vec<Vec<Cell>> = Vec::new();
        for line in 0..rows.len() + 2 {
            let first = match line {
                0 => "variant".to_owned(),
                1 => wording::shortened(wording::baseline_name(evidence), NAME),
                l => names[l - 2].clone(),
            };
            let mut cells = vec![Cell::plain(first)];
            cells.extend(chunk.iter().map(|column| column[line].clone()));
            lines.push(cells);
        }
        grid(out, paint, &lines);
    }
    for (name, reason) in matrix::left_out(evidence) {
        wrap(out, &format!("left out: {name}: {reason}"), 2, width);
    }
}

/// The verdicts and then each workload, as columns from heading to last row.
fn columns(evidence: &Evidence, rows: &[matrix::Row<'_>]) -> Vec<Vec<Cell>> {
    let mut columns = vec![vec![Cell::plain("verdict"), Cell::plain("baseline")]];
    columns[0].extend(rows.iter().map(|r| match &r.variant.verdict {
        Some(v) => Cell::toned(
            wording::verdict(v.verdict),
            wording::verdict_tone(v.verdict),
        ),
        None => Cell::plain(number::MISSING),
    }));
    for (w, workload) in evidence.workloads.iter().enumerate() {
        let mut column = vec![
            Cell::plain(wording::shortened(&workload.name, NAME)),
            Cell::plain(matrix::baseline_value(workload)),
        ];
        column.extend(rows.iter().map(|row| match row.cells[w] {
            Some(c) => Cell::toned(
                format!(
                    "{:>8} {}",
                    number::change(c.speed.estimate),
                    c.judgement.word()
                ),
                wording::judgement_tone(c.judgement),
            ),
            None => Cell::toned("not measured", Tone::Open),
        }));
        columns.push(column);
    }
    columns
}

/// Columns in as many blocks as the width needs.
fn chunks(columns: &[Vec<Cell>], room: usize) -> Vec<Vec<&Vec<Cell>>> {
    let mut blocks: Vec<Vec<&Vec<Cell>>> = vec![Vec::new()];
    let mut used = 0;
    for column in columns {
        let width = column
            .iter()
            .map(|c| c.text.chars().count())
            .max()
            .unwrap_or(0)
            + 2;
        if used + width > room && used > 0 {
            blocks.push(Vec::new());
            used = 0;
        }
        used += width;
        if let Some(block) = blocks.last_mut() {
            block.push(column);
        }
    }
    blocks
}

fn noise_floor(out: &mut String, evidence: &Evidence, paint: Paint) {
    if evidence.workloads.is_empty() {
        return;
    }
    title(out, paint, heading::NOISE, "the baseline against itself");
    let mut lines = vec![
        ["workload", "A/A", "floor", "detectable", "rounds"]
            .map(Cell::plain)
            .to_vec(),
    ];
    for row in noise::rows(evidence) {
        let tone = if row.workload.again_passed {
            Tone::Even
        } else {
            Tone::Bad
        };
        lines.push(vec![
            Cell::plain(wording::shortened(&row.workload.name, NAME)),
            Cell::toned(format!("{:>8} {}", row.again, row.gate), tone),
            Cell::plain(row.floor),
            Cell::plain(row.detectable),
            Cell::plain(row.workload.rounds.to_string()),
        ]);
    }
    grid(out, paint, &lines);
    for workload in &evidence.workloads {
        for oddity in &workload.oddities {
            let line = format!("{}: {}", workload.name, oddity.text);
            *out += &format!("  {}\n", wording::printable(&line));
        }
    }
}

fn layout_part(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let Some(method) = layout::method(evidence) else {
        return;
    };
    title(out, paint, heading::LAYOUT, "");
    wrap(out, &method, 2, width);
    for p in &evidence.layouts.pilots {
        wrap(
            out,
            &format!("{}: {}", p.workload, layout::pilot(p)),
            2,
            width,
        );
    }
    for workload in &evidence.workloads {
        for t in &workload.layout_tax {
            let line = format!("{} · {}: {}", workload.name, t.variant, layout::tax(t));
            wrap(out, &line, 2, width);
        }
    }
}

fn survivals(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let functions = survival::functions(evidence);
    if functions.is_empty() {
        return;
    }
    title(out, paint, "Survival", "");
    for function in functions {
        let rows = survival::rows(evidence, function);
        let total = rows.len();
        let parts: Vec<String> = [
            SurvivalState::Present,
            SurvivalState::Inlined,
            SurvivalState::Changed,
            SurvivalState::Gone,
        ]
        .into_iter()
        .filter_map(|state| {
            let names = survival::by_state(&rows, state);
            let word = wording::survival_word(state);
            match names.len() {
                0 => None,
                n if n == total => Some(format!("{word} in all {n}")),
                n if state == SurvivalState::Present => Some(format!("{word} in {n}")),
                n if n > 3 => Some(format!("{word} in {n}")),
                _ => Some(format!("{word} in {}", names.join(", "))),
            }
        })
        .collect();
        wrap(
            out,
            &format!("{}: {}", wording::short_path(function), parts.join(" · ")),
            2,
            width,
        );
    }
    let blind = survival::without_line_tables(evidence);
    if !blind.is_empty() {
        wrap(
            out,
            &format!(
                "no line tables, so INLINED cannot be told from GONE: {}",
                blind.join(", ")
            ),
            2,
            width,
        );
    }
}

fn parity_failures(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let failed: Vec<_> = parity::failed(evidence).collect();
    if failed.is_empty() {
        return;
    }
    title(
        out,
        paint,
        heading::PARITY,
        "behaviour differs from the baseline's",
    );
    for check in failed.iter().take(FINDINGS) {
        wrap(
            out,
            &format!("FAILED {}: {}", check.variant, check.name),
            2,
            width,
        );
        if let Some(difference) = check.differences.first() {
            let (text, more) = wording::first_lines(difference, 6);
            for line in wording::printable(&text).lines() {
                *out += &format!("    {line}\n");
            }
            if more > 0 {
                *out += &format!("    … {more} more lines in the report\n");
            }
        }
    }
    if failed.len() > FINDINGS {
        *out += &format!("  and {} more in the report\n", failed.len() - FINDINGS);
    }
}

fn finding_groups(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    if evidence.findings.is_empty() {
        return;
    }
    title(out, paint, heading::FINDINGS, "");
    let groups = findings::groups(evidence);
    for group in groups.iter().take(FINDINGS) {
        let mut line = format!("{} {}", group.code, wording::severity(group.severity));
        if !group.place.is_empty() {
            line += &format!(" {}", group.place);
        }
        // One example is enough here; the report has them all.
        let first = group.findings.first().and_then(|f| f.variant.as_deref());
        match (group.findings.len(), first) {
            (1, Some(variant)) => line += &format!(" in {variant}"),
            (count, Some(variant)) if group.common_message().is_none() => {
                line += &format!(" in {count} variants, such as {variant}");
            }
            (count, Some(_)) => line += &format!(" in {count} variants"),
            _ => {}
        }
        if let Some(finding) = group.findings.first() {
            line += &format!(": {}", finding.message);
        }
        wrap(out, &line, 2, width);
    }
    if groups.len() > FINDINGS {
        let more = groups.len() - FINDINGS;
        *out += &format!("  and {more} more in the report\n");
    }
}
