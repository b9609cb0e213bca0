//! The benchmark for a terminal: a block for each case, the chosen ones last.

use super::{cycles_unit, items, rate, rate_unit, work};
use crate::number::MISSING;
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::{self, Tone, judgement_tone, shortened};
use karat_model::kernels::{Case, CaseArm, KernelBench};
use karat_model::units::significant;
use std::fmt::Write as _;

/// Longest name of an arm that is printed whole.
const NAME: usize = 24;

/// Plain text of at most 100 columns.
#[must_use]
pub fn terminal(bench: &KernelBench, color: bool, width: usize) -> String {
    let paint = Paint { on: color };
    let mut out = String::new();
    for case in &bench.cases {
        block(&mut out, case, paint);
    }
    summary(&mut out, bench, paint);
    let about = format!(
        "Speed: against the baseline of each block, {} margin {}, interval after it. Times are the \
         processor's, with threads those that pass; of a call through a pointer, results stored. * \
         is what calls go to.",
        if peers(bench) {
            "the fastest peer;"
        } else {
            "what calls go to;"
        },
        crate::number::chosen(bench.margin),
    );
    out.push('\n');
    wrap(&mut out, &about, 0, width.clamp(40, 100));
    if bench.quick {
        wrap(
            &mut out,
            "--quick: too few rounds to conclude from; it shows that all of it works.",
            0,
            width.clamp(40, 100),
        );
    }
    out
}

fn peers(bench: &KernelBench) -> bool {
    bench.cases.iter().flat_map(|c| &c.arms).any(|a| a.peer)
}

fn block(out: &mut String, case: &Case, paint: Paint) {
    let _ = write!(
        out,
        "{}{}",
        paint.bold(&format!("{}: {}", case.title, work(case))),
        paint.dim(&format!(
            " (kernel {}, {} rounds)",
            case.kernel, case.rounds
        ))
    );
    if !case.again_passed {
        out.push_str(" A/A FAILED: words are withheld");
    }
    out.push('\n');
    let (rate, cycles) = (rate_unit(case), cycles_unit(case));
    let head = ["arm", "ns", rate, cycles, "speed", "interval", ""];
    let mut rows = vec![head.map(Cell::plain).to_vec()];
    rows.extend(case.arms.iter().map(|arm| row(case, arm)));
    grid(out, paint, &rows);
    let notes: Vec<&CaseArm> = case.arms.iter().filter(|a| !a.note.is_empty()).collect();
    if let Some(first) = notes.first() {
        let names: Vec<&str> = notes.iter().map(|a| a.name.as_str()).collect();
        wrap(
            out,
            &format!("{}: {}", names.join("; "), first.note),
            2,
            100,
        );
    }
    out.push('\n');
}

fn row(case: &Case, arm: &CaseArm) -> Vec<Cell> {
    let mark = if arm.chosen { "* " } else { "  " };
    let mut cells = vec![
        Cell::plain(format!("{mark}{}", shortened(&arm.name, NAME))),
        Cell::plain(format!("{:>9}", significant(arm.ns))),
        Cell::plain(format!("{:>6}", significant(rate(case, arm)))),
        Cell::plain(arm.cycles.map_or(MISSING.into(), significant)),
    ];
    cells.extend(against(case, arm));
    cells
}

/// Ratio, interval and word of an arm.
fn against(case: &Case, arm: &CaseArm) -> [Cell; 3] {
    let Some(speed) = &arm.speed else {
        let what = if arm.name == case.baseline {
            "baseline"
        } else {
            MISSING
        };
        return [Cell::plain(what), Cell::plain(""), Cell::plain("")];
    };
    let (word, tone) = match arm.judgement {
        Some(judgement) => (judgement.word(), judgement_tone(judgement)),
        None => ("withheld", Tone::Open),
    };
    [
        Cell::toned(format!("×{:.3}", speed.estimate), tone),
        Cell::toned(bounds(speed.low, speed.high), tone),
        Cell::toned(word, tone),
    ]
}

/// An interval of ratios.
fn bounds(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.3} … {high:.3}"),
        (Some(low), None) => format!("{low:.3} or more"),
        (None, Some(high)) => format!("{high:.3} or less"),
        (None, None) => "no bounds yet".to_owned(),
    }
}

/// What calls go to, in one line for each case.
fn summary(out: &mut String, bench: &KernelBench, paint: Paint) {
    let units = || bench.cases.iter().map(rate_unit);
    let common = units().zip(units().skip(1)).all(|(a, b)| a == b);
    let unit = units().next().filter(|_| common).unwrap_or("throughput");
    let head = [
        "what calls go to",
        "",
        unit,
        "against",
        "speed",
        "interval",
        "",
    ];
    let mut rows = vec![head.map(Cell::plain).to_vec()];
    for case in &bench.cases {
        let Some(arm) = case.chosen() else { continue };
        let mut row = vec![
            Cell::plain(shortened(&case.task, 20)),
            Cell::plain(items(case)),
            Cell::plain(match common {
                true => significant(rate(case, arm)),
                false => format!("{} {}", significant(rate(case, arm)), rate_unit(case)),
            }),
            Cell::plain(shortened(&case.baseline, 14)),
        ];
        let [speed, interval, word] = against(case, arm);
        row.extend([speed, interval, word]);
        if arm.name == case.baseline {
            row.truncate(3);
        }
        rows.push(row);
    }
    if rows.len() == 1 {
        let _ = writeln!(out, "{}", wording::NOT_MEASURED);
        return;
    }
    grid(out, paint, &rows);
}
