//! The parts of a soak's report.

use super::plots;
use super::words::{bounded, floor, found, limit, percent, share, surroundings, value, word};
use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use crate::number::{MISSING, p};
use crate::wording::Tone;
use karat_model::soak::{Change, Figure, Held, Soak, SystemCalls, Tails};
use karat_model::units;

/// All parts.
pub(super) fn parts(soak: &Soak, detail: Detail) -> Vec<Part> {
    let mut parts: Vec<Part> = limits(soak).into_iter().collect();
    parts.extend(over_time(soak, detail));
    parts.extend(figures(soak));
    parts.extend(levels(soak));
    parts.extend(tails(soak));
    parts.extend(soak.system_calls.as_ref().map(calls));
    let mut blocks = vec![Block::text(surroundings(soak))];
    blocks.extend(soak.floor.as_ref().map(|f| Block::text(floor(f))));
    blocks.extend(soak.notes.iter().map(|note| Block::note(note.as_str())));
    parts.push(Part::new("machine", "The machine", blocks));
    parts
}

fn limits(soak: &Soak) -> Option<Part> {
    let rows: Vec<Row> = soak
        .budgets
        .iter()
        .map(|b| {
            let tone = match b.held {
                Held::Held => Tone::Good,
                Held::Broken => Tone::Bad,
                Held::Open => Tone::Open,
            };
            Row::from(vec![
                Value::plain(b.kind.name()),
                Value::Toned(tone, word(b.held).to_owned()),
                Value::Number(limit(b)),
                Value::Number(found(b)),
            ])
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let columns = Column::all(["limit", "word", "at most", "found"]);
    let mut blocks = vec![Block::Table(Table::new("Limits", columns, rows))];
    for b in &soak.budgets {
        if let Some(why) = &b.why {
            blocks.push(Block::note(format!("{}: {why}.", b.kind.name())));
        }
    }
    Some(Part::new("limits", "Limits", blocks))
}

fn over_time(soak: &Soak, detail: Detail) -> Option<Part> {
    let block = match detail {
        Detail::Full => {
            let charts = plots::charts(soak);
            (!charts.is_empty()).then_some(Block::Figures(charts))
        }
        _ => plots::bars(soak).map(Block::Table),
    };
    let part = Part::new("time", "Over time", vec![block?]);
    Some(match detail {
        Detail::Full => part.note(
            "A point for each epoch; pale ones are warm and not judged. Vertical lines are change \
             points. Each plot has its own scale.",
        ),
        _ => part,
    })
}

fn figures(soak: &Soak) -> Option<Part> {
    let rows: Vec<Row> = soak
        .figures
        .iter()
        .map(|f| {
            Row::from(vec![
                Value::plain(&f.name),
                Value::Number(bounded(f.mean, &f.unit)),
                Value::Number(f.cv.map_or(MISSING.to_owned(), |cv| percent(cv.estimate))),
                Value::Number(drift(f)),
                Value::Number(value(f.low, &f.unit)),
                Value::Number(value(f.high, &f.unit)),
            ])
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let columns = vec![
        Column::new("figure", ""),
        Column::new("mean", "with its interval at 95 %"),
        Column::new("CV", "standard deviation over the mean"),
        Column::new("drift an hour", "the median slope (Theil and Sen)"),
        Column::wide("lowest", ""),
        Column::wide("highest", ""),
    ];
    let table = Table::new("Figures", columns, rows);
    let title = "Figures of the judged epochs";
    Some(Part::new("figures", title, vec![Block::Table(table)]).aside("intervals at 95 %"))
}

/// The drift, and its size where that is memory.
fn drift(figure: &Figure) -> String {
    let Some(drift) = figure.drift else {
        return MISSING.to_owned();
    };
    let size = match figure.slope {
        Some(slope) if figure.unit == "B" => format!("; {}/h", value(slope.estimate, "B")),
        _ => String::new(),
    };
    format!("{}{size}", share(drift))
}

fn levels(soak: &Soak) -> Option<Part> {
    let changed: Vec<(&Figure, &Change)> = soak
        .figures
        .iter()
        .flat_map(|f| f.changes.iter().map(move |c| (f, c)))
        .collect();
    let mut blocks = Vec::new();
    if let Some(l) = soak.levels {
        blocks.push(Block::text(format!(
            "Throughput sits on two levels: {} for {} of the time, else {} (p of one level {}).",
            value(l.low, "op/s"),
            percent(l.low_share),
            value(l.high, "op/s"),
            p(l.p)
        )));
    }
    if !changed.is_empty() {
        let rows = changed.iter().map(|(f, c)| {
            Row::from(vec![
                Value::plain(&f.name),
                Value::Number(units::seconds(c.at)),
                Value::Number(value(c.before, &f.unit)),
                Value::Number(value(c.after, &f.unit)),
                Value::Number(p(c.p)),
            ])
        });
        let columns = Column::all(["figure", "at", "from", "to", "p of none"]);
        blocks.push(Block::Table(Table::new("Changes", columns, rows.collect())));
    }
    (!blocks.is_empty()).then(|| Part::new("levels", "Levels", blocks))
}

fn tails(soak: &Soak) -> Option<Part> {
    let row = |name: &str, t: &Tails| {
        let cells = [t.p50, t.p95, t.p99, t.p999, t.max];
        let text = |v: Option<f64>| Value::Number(v.map_or(MISSING.to_owned(), |v| value(v, "s")));
        let mut row = vec![Value::plain(name)];
        row.extend(cells.map(text));
        Row::from(row)
    };
    let (typical, worst) = (soak.tails.as_ref()?, soak.worst.as_ref()?);
    let rows = vec![row("typical epoch", typical), row("worst epoch", worst)];
    let columns = Column::all(["", "p50", "p95", "p99", "p99.9", "max"]);
    let table = Table::new("Latency", columns, rows);
    Some(Part::new("latency", "Latency", vec![Block::Table(table)]))
}

fn calls(calls: &SystemCalls) -> Part {
    let each = calls.operations.filter(|o| *o > 0.0).map(|o| {
        format!(
            " in {} operations: {:.3e} each",
            value(o, ""),
            calls.calls as f64 / o
        )
    });
    let most: Vec<String> = calls
        .most
        .iter()
        .map(|(name, count)| format!("{name} {}", units::grouped(*count)))
        .collect();
    let cost = calls.slowdown.map(|s| {
        format!(
            " Throughput while they were counted: {} of what it was before.",
            percent(s)
        )
    });
    let text = format!(
        "{} in {}{}; most often {}. Counted after the watching by {}.{}",
        units::grouped(calls.calls),
        units::seconds(calls.seconds),
        each.unwrap_or_default(),
        most.join(", "),
        calls.method,
        cost.unwrap_or_default()
    );
    Part::new("calls", "System calls", vec![Block::text(text)])
}
