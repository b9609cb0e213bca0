//! The short form for a terminal: what to do, and the numbers behind it.

use crate::Render;
use crate::advice;
use crate::number;
use crate::tables::{
    findings, layout, matrix, neighbours, noise, oddities, pairs, parity, survival,
};
use crate::text::{Cell, Paint, blocks, cut, wrap};
use crate::wording::{self, Tone, heading};
use karat_model::audit::SurvivalState;
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::verdict::Comparison;

/// Longest name that is printed whole.
const NAME: usize = 20;
/// Findings that are printed.
const FINDINGS: usize = 3;
/// Parity failures that are printed.
const FAILURES: usize = 4;
/// Functions whose survival is printed.
const FUNCTIONS: usize = 3;
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
        pair_rows(&mut out, evidence, paint, width);
        noise_and_layout(&mut out, evidence, paint, width);
        survivals(&mut out, evidence, paint, width);
        parity_failures(&mut out, evidence, paint, width);
        finding_groups(&mut out, evidence, paint, width);
        out
    }
}

/// A heading with an aside: beside it, or below where the line is too narrow.
fn title(out: &mut String, paint: Paint, width: usize, text: &str, aside: &str) {
    out.push('\n');
    out.push_str(&paint.bold(text));
    let aside = wording::printable(aside);
    if aside.is_empty() {
        out.push('\n');
    } else if text.chars().count() + aside.chars().count() + 3 <= width {
        *out += &format!("{}\n", paint.dim(&format!(" ({aside})")));
    } else {
        out.push('\n');
        let mut below = String::new();
        wrap(&mut below, &aside, 2, width);
        *out += &paint.dim(&below);
    }
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
    open(out, evidence, width);
    let facts: Vec<String> = advice::trust(evidence).into_iter().map(|f| f.1).collect();
    wrap(out, &facts.join(" · "), 2, width);
}

/// What is undecided, and the command that would decide it.
fn open(out: &mut String, evidence: &Evidence, width: usize) {
    let Some(open) = advice::open(evidence) else {
        return;
    };
    wrap(out, &open.text, 2, width);
    if let Some(command) = open.command {
        *out += &format!(
            "    $ {}\n",
            wording::printable(&command).replace('\n', " ")
        );
    }
}

fn speed(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let rows = matrix::rows(evidence);
    let aside = format!(
        "%, [interval]; margin {}; {}",
        number::chosen(evidence.study.margin),
        wording::SIGNS
    );
    title(out, paint, width, heading::SPEED, &aside);
    if evidence.workloads.is_empty() {
        *out += &format!("  {}\n", wording::NOT_MEASURED);
    }
    let name = |name: &str| Cell::plain(wording::shortened(name, NAME));
    let baseline = wording::baseline_name(evidence);
    let mut first = vec![Cell::plain("variant"), name(baseline)];
    first.extend(rows.iter().map(|r| name(&r.variant.name)));
    let mut verdicts = vec![Cell::plain("verdict"), Cell::plain("baseline")];
    verdicts.extend(rows.iter().map(|r| match &r.variant.verdict {
        Some(v) => Cell::toned(
            wording::verdict(v.verdict),
            wording::verdict_tone(v.verdict),
        ),
        None => Cell::plain(number::MISSING),
    }));
    let mut columns = vec![verdicts];
    columns.extend(compared(evidence, true, |w| {
        rows.iter().map(|r| r.cells[w]).collect()
    }));
    blocks(out, paint, width, &first, &columns);
    for (name, reason) in matrix::left_out(evidence) {
        wrap(out, &format!("left out: {name}: {reason}"), 2, width);
    }
    let splits = matrix::splits(evidence);
    if let Some(first) = splits.first() {
        let more = match splits.len() {
            1 => String::new(),
            n => format!("; {} more such in the report", n - 1),
        };
        wrap(out, &format!("{first}{more}"), 2, width);
    }
}

fn pair_rows(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let rows = pairs::rows(evidence);
    if rows.is_empty() {
        return;
    }
    title(
        out,
        paint,
        width,
        heading::PAIRS,
        "%, [interval]; variant against variant",
    );
    let mut first = vec![Cell::plain("pair")];
    first.extend(rows.iter().map(|r| {
        let [one, other] = [r.variant, r.against].map(|n| wording::shortened(n, NAME));
        Cell::plain(format!("{one} / {other}"))
    }));
    let columns = compared(evidence, false, |w| {
        rows.iter().map(|r| r.cells[w]).collect()
    });
    blocks(out, paint, width, &first, &columns);
}

/// A column for each workload: its name, the baseline's value where asked for, and its
/// comparisons.
fn compared<'a>(
    evidence: &'a Evidence,
    values: bool,
    cells: impl Fn(usize) -> Vec<Option<&'a Comparison>>,
) -> Vec<Vec<Cell>> {
    let of = |(w, workload): (usize, &WorkloadEvidence)| {
        let mut column = vec![Cell::plain(wording::shortened(&workload.name, NAME))];
        if values {
            column.push(Cell::plain(matrix::baseline_value(workload)));
        }
        column.extend(cells(w).into_iter().map(|cell| match cell {
            Some(c) => Cell::toned(brief(c), wording::judgement_tone(c.judgement)),
            None => Cell::toned("not measured", Tone::Open),
        }));
        column
    };
    evidence.workloads.iter().enumerate().map(of).collect()
}

/// `▲ +25.1 [+24.6 … +25.7]`.
fn brief(c: &Comparison) -> String {
    let change = number::change(c.speed.estimate).replace(" %", "");
    format!(
        "{} {change:>5} [{}]",
        wording::judgement_sign(c.judgement),
        wording::bare_interval(&c.speed)
    )
}

fn noise_and_layout(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    if evidence.workloads.is_empty() {
        return;
    }
    title(
        out,
        paint,
        width,
        heading::NOISE_AND_LAYOUT,
        "A/A: the baseline against itself",
    );
    let rows = noise::rows(evidence);
    let column = |head: &str, cell: &dyn Fn(&noise::Row<'_>) -> Cell| {
        let mut column = vec![Cell::plain(head)];
        column.extend(rows.iter().map(cell));
        column
    };
    let plain = |text: &str| Cell::plain(text);
    let first = column("workload", &|r| {
        Cell::plain(wording::shortened(&r.workload.name, NAME))
    });
    let mut columns = vec![
        column("A/A", &|r| match r.workload.again_passed {
            true => Cell::plain(format!("{:>8}", r.again)),
            false => Cell::toned(format!("{:>8} {}", r.again, r.gate), Tone::Bad),
        }),
        column("floor", &|r| plain(&r.floor)),
        column("detectable", &|r| plain(&r.detectable)),
        column("rounds", &|r| plain(&r.rounds)),
    ];
    if evidence.workloads.iter().any(|w| !w.layout_tax.is_empty()) {
        columns.push(column("layout tax (sd)", &|r| {
            plain(&layout::taxes_brief(r.workload))
        }));
    }
    for (kind, head) in [("drift", "drifting"), ("two-levels", "two levels")] {
        if oddities::any(evidence, kind) {
            columns.push(column(head, &|r| {
                plain(&oddities::count(evidence, r.workload, kind))
            }));
        }
    }
    blocks(out, paint, width, &first, &columns);
    if let Some((tone, text)) = neighbours::line(evidence) {
        let mut line = String::new();
        wrap(&mut line, &text, 2, width);
        *out += &paint.tone(tone, &line);
    }
    // Of several layouts the column above says more than the pilot did.
    let pilots = layout::pilots(evidence).filter(|_| evidence.layouts.layouts <= 1);
    let said = [layout::method(evidence), pilots];
    let said: Vec<String> = said.into_iter().flatten().collect();
    wrap(out, &said.join(" "), 2, width);
}

fn survivals(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let functions = survival::functions(evidence);
    if functions.is_empty() {
        return;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for function in functions {
        let rows = survival::rows(evidence, function);
        let present = survival::by_state(&rows, SurvivalState::Present).len();
        if present == rows.len() {
            kept.push(wording::short_path(function));
        } else {
            let what = changed(&rows);
            lines.push(format!("{}: {what}", wording::short_path(function)));
        }
    }
    if !kept.is_empty() {
        let word = wording::survival_word(SurvivalState::Present);
        lines.push(format!("{word} in all: {}", kept.join(", ")));
    }
    title(out, paint, width, "Survival", &some(FUNCTIONS, lines.len()));
    for line in lines.iter().take(FUNCTIONS) {
        wrap(out, line, 2, width);
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

/// In how many variants a function is in which state; a few are named.
fn changed(rows: &[survival::Row<'_>]) -> String {
    let parts: Vec<String> = [
        SurvivalState::Gone,
        SurvivalState::Changed,
        SurvivalState::Inlined,
        SurvivalState::Present,
    ]
    .into_iter()
    .filter_map(|state| {
        let names = survival::by_state(rows, state);
        let word = wording::survival_word(state);
        match names.len() {
            0 => None,
            n if n == rows.len() => Some(format!("{word} in all {n}")),
            n if state == SurvivalState::Present || n > 2 => Some(format!("{word} in {n}")),
            _ => Some(format!("{word} in {}", names.join(", "))),
        }
    })
    .collect();
    parts.join(" · ")
}

fn parity_failures(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    let failed: Vec<_> = parity::failed(evidence).collect();
    if failed.is_empty() {
        return;
    }
    title(
        out,
        paint,
        width,
        heading::PARITY,
        "behaviour differs from the baseline's",
    );
    for check in failed.iter().take(FAILURES) {
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
    if failed.len() > FAILURES {
        *out += &format!("  and {} more in the report\n", failed.len() - FAILURES);
    }
}

fn finding_groups(out: &mut String, evidence: &Evidence, paint: Paint, width: usize) {
    if evidence.findings.is_empty() {
        return;
    }
    let groups = findings::groups(evidence);
    title(
        out,
        paint,
        width,
        heading::FINDINGS,
        &some(FINDINGS, groups.len()),
    );
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
        cut(out, &line, 2, width);
    }
}

/// How many of all are shown, unless it is all of them.
fn some(shown: usize, all: usize) -> String {
    if all > shown {
        format!("{shown} of {all}; the report has them all")
    } else {
        String::new()
    }
}
