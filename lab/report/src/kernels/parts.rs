//! The parts of a report: a table for each case, what calls go to, and plots.

use super::panels::panels;
use super::{clock, cycles_unit, items, quick, rate, rate_unit, work};
use crate::document::{Block, Chart, Column, Detail, Figure, Part, Row, Table, Value};
use crate::number::{self, MISSING};
use crate::wording::{self, Tone, judgement_tone};
use karat_model::kernels::{Case, CaseArm, CycleShare, KernelBench, WorkUnit};
use karat_model::units::significant;

/// All parts. A terminal shows a case after the other, other forms fold them.
pub fn parts(bench: &KernelBench, detail: Detail) -> Vec<Part> {
    if bench.cases.is_empty() {
        let nothing = vec![Block::text(wording::NOT_MEASURED)];
        return vec![Part::new("chosen", "What calls go to", nothing)];
    }
    let mut parts = Vec::new();
    match detail {
        Detail::Brief => parts.extend(bench.cases.iter().map(one)),
        Detail::Middle => {}
        Detail::Full => parts.push(plots(bench)),
    }
    parts.push(chosen(bench, detail));
    if detail != Detail::Brief {
        parts.push(numbers(bench));
    }
    parts
}

fn plots(bench: &KernelBench) -> Part {
    let figure = |panel: super::panels::Panel<'_>| Figure {
        title: panel.title.clone(),
        chart: Chart::Curves(panel.curves()),
    };
    let figures = panels(bench).into_iter().map(figure).collect();
    let note = "Solid lines are karat's implementations, the thick one is what calls go to; \
                dashed lines are other crates. Up is faster. Each plot has its own scale. Sizes \
                are those of one item.";
    Part::new(
        "plots",
        "Size against throughput",
        vec![Block::Figures(figures)],
    )
    .note(note)
}

/// A case of its own.
fn one(case: &Case) -> Part {
    let title = format!("{}: {}", case.title, work(case));
    let aside = format!("kernel {}, {} rounds", case.kernel, case.rounds);
    Part::new("", title, measured(case)).aside(aside)
}

/// All cases by task, sizes together.
fn numbers(bench: &KernelBench) -> Part {
    let panel = |panel: super::panels::Panel<'_>| {
        let case = |case: &&Case| {
            let heading = format!("{} ({} rounds)", work(case), case.rounds);
            std::iter::once(Block::Heading(heading.into())).chain(measured(case))
        };
        Block::details(panel.title, panel.cases.iter().flat_map(case).collect())
    };
    let blocks = panels(bench).into_iter().map(panel).collect();
    Part::new("numbers", "Numbers", blocks).note(
        "All arms of a size ran interleaved in one process on the same fresh inputs. ns: mean of \
         the faster half.",
    )
}

/// The arms of a case, and what is to be known of them.
fn measured(case: &Case) -> Vec<Block> {
    let names = [
        "arm",
        "ns",
        rate_unit(case),
        cycles_unit(case),
        "speed",
        "interval",
        "word",
    ];
    let rows = case.arms.iter().map(|arm| row(case, arm)).collect();
    let caption = format!("{}, {}", case.title, work(case));
    let mut blocks = Vec::new();
    if !case.again_passed {
        blocks.push(Block::caveat(
            "A/A FAILED: the baseline came out different from itself, and words are withheld.",
        ));
    }
    let table = Table::new(caption, Column::all(names), rows);
    blocks.push(Block::Table(table));
    blocks.extend(case.arms.iter().filter_map(clock::of_arm));
    let counted = case.arms.iter().filter(|a| !a.histogram.is_empty());
    let lines: Vec<String> = counted.map(histogram).collect();
    if !lines.is_empty() {
        let unit = match case.work_unit {
            WorkUnit::Bytes => "1000 B",
            WorkUnit::Operations => "1000 operations",
        };
        let lead = "and the share of batches that took so many, the most frequent first";
        blocks.push(Block::text(format!("Core cycles of {unit}, {lead}:")));
        blocks.push(Block::list(lines));
    }
    let noted: Vec<&CaseArm> = case.arms.iter().filter(|a| !a.note.is_empty()).collect();
    if let Some(first) = noted.first() {
        let names: Vec<&str> = noted.iter().map(|a| a.name.as_str()).collect();
        blocks.push(Block::text(format!("{}: {}", names.join("; "), first.note)));
    }
    blocks
}

/// Values of a histogram that are shown; what is rarer is noise.
const VALUES: usize = 5;

fn histogram(arm: &CaseArm) -> String {
    let value = |s: &CycleShare| format!("{:.0} %: {}", s.percent.floor(), s.cycles);
    let values: Vec<String> = arm.histogram.iter().take(VALUES).map(value).collect();
    let more = if arm.histogram.len() > VALUES {
        ", …"
    } else {
        ""
    };
    format!("{}: {}{more}", arm.name, values.join(", "))
}

fn row(case: &Case, arm: &CaseArm) -> Row {
    let mark = if arm.chosen { "* " } else { "" };
    let mut cells = vec![
        Value::plain(format!("{mark}{}", arm.name)),
        Value::Number(significant(arm.ns)),
        Value::Number(significant(rate(case, arm))),
        Value::Number(arm.cycles.map_or(MISSING.into(), significant)),
    ];
    cells.extend(against(case, arm));
    Row::from(cells)
}

/// Ratio, interval and word of an arm.
fn against(case: &Case, arm: &CaseArm) -> [Value; 3] {
    let Some(speed) = &arm.speed else {
        let what = if arm.name == case.baseline {
            "baseline"
        } else {
            MISSING
        };
        return [Value::plain(what), Value::plain(""), Value::plain("")];
    };
    let (word, tone) = match arm.judgement {
        Some(judgement) => (judgement.word(), judgement_tone(judgement)),
        None => ("withheld", Tone::Open),
    };
    [
        Value::Toned(tone, format!("×{:.3}", speed.estimate)),
        Value::Toned(tone, bounds(speed.low, speed.high)),
        Value::Toned(tone, word.into()),
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
fn chosen(bench: &KernelBench, detail: Detail) -> Part {
    let units = || bench.cases.iter().map(rate_unit);
    let common = units().zip(units().skip(1)).all(|(a, b)| a == b);
    let unit = units().next().filter(|_| common).unwrap_or("throughput");
    let row = |case: &Case| {
        let arm = case.chosen()?;
        let rate = significant(rate(case, arm));
        let mut cells = vec![
            Value::plain(&case.task),
            Value::plain(items(case)),
            Value::Number(match common {
                true => rate,
                false => format!("{rate} {}", rate_unit(case)),
            }),
        ];
        let is_baseline = arm.name == case.baseline;
        cells.push(Value::plain(if is_baseline { "" } else { &case.baseline }));
        cells.extend(against(case, arm));
        Some(Row::from(cells))
    };
    let rows: Vec<Row> = bench.cases.iter().filter_map(row).collect();
    let names = ["task", "size", unit, "against", "speed", "interval", "word"];
    let mut blocks = match rows.is_empty() {
        true => vec![Block::text(wording::NOT_MEASURED)],
        false => {
            let table = Table::new("What calls go to", Column::all(names), rows);
            vec![Block::Table(table)]
        }
    };
    let peers = bench.cases.iter().flat_map(|c| &c.arms).any(|a| a.peer);
    blocks.push(Block::note(format!(
        "Speed: against the baseline of each case, {} margin {}, interval after it. Times are the \
         processor's, with threads those that pass; of a call through a pointer, results stored. * \
         is what calls go to.",
        if peers {
            "the fastest peer;"
        } else {
            "what calls go to;"
        },
        number::chosen(bench.margin),
    )));
    // A terminal shows it beside each case.
    if detail != Detail::Brief {
        blocks.extend(clock::of_all(bench));
    }
    blocks.extend(quick(bench));
    Part::new("chosen", "What calls go to", blocks)
}
