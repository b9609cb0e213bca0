//! A soak for a terminal.

use super::words::{
    about, bounded, found, limit, percent, share, spark, surroundings, value, word,
};
use crate::number::{MISSING, p};
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::{Tone, verdict, verdict_sign, verdict_tone};
use karat_model::soak::{Change, Epoch, Figure, Held, Soak, Tails};
use karat_model::units;

/// Columns of a row of bars.
const SPARK: usize = 40;

/// Text of at most `width` columns where it can be broken.
#[must_use]
pub fn terminal(soak: &Soak, color: bool, width: usize) -> String {
    let paint = Paint { on: color };
    let width = width.clamp(60, 100);
    let mut out = String::new();
    headline(&mut out, soak, paint);
    wrap(&mut out, &about(soak), 2, width);
    limits(&mut out, soak, paint, width);
    figures(&mut out, soak, paint);
    series(&mut out, soak, paint);
    changes(&mut out, soak, paint, width);
    tails(&mut out, soak, paint);
    calls(&mut out, soak, paint, width);
    out.push('\n');
    wrap(&mut out, &surroundings(soak), 0, width);
    for note in &soak.notes {
        wrap(&mut out, note, 0, width);
    }
    out
}

fn headline(out: &mut String, soak: &Soak, paint: Paint) {
    let text = match soak.verdict {
        None => "– no limits were declared: this is what was seen".to_owned(),
        Some(word) => {
            let held = |held| soak.budgets.iter().filter(|b| b.held == held).count();
            let why = match (held(Held::Broken), held(Held::Open), soak.complete) {
                (0, 0, true) => "all limits are held".to_owned(),
                (0, 0, false) => "its time was not over".to_owned(),
                (0, open, _) => format!("{open} of {} limits stay open", soak.budgets.len()),
                (broken, ..) => format!("{broken} of {} limits broken", soak.budgets.len()),
            };
            format!(
                "{} {}: {why}",
                verdict_sign(Some(word)),
                verdict(Some(word))
            )
        }
    };
    *out += &paint.tone(verdict_tone(soak.verdict), &text);
    out.push('\n');
}

fn heading(out: &mut String, paint: Paint, text: &str) {
    *out += &format!("\n{}\n", paint.bold(text));
}

fn limits(out: &mut String, soak: &Soak, paint: Paint, width: usize) {
    if soak.budgets.is_empty() {
        return;
    }
    heading(out, paint, "Limits");
    let mut rows = vec![["", "at most", "found", ""].map(Cell::plain).to_vec()];
    rows.extend(soak.budgets.iter().map(|b| {
        let tone = match b.held {
            Held::Held => Tone::Good,
            Held::Broken => Tone::Bad,
            Held::Open => Tone::Open,
        };
        vec![
            Cell::plain(b.kind.name()),
            Cell::plain(limit(b)),
            Cell::plain(found(b)),
            Cell::toned(word(b.held), tone),
        ]
    }));
    grid(out, paint, &rows);
    for b in &soak.budgets {
        if let Some(why) = &b.why {
            wrap(out, &format!("{}: {why}.", b.kind.name()), 2, width);
        }
    }
}

fn figures(out: &mut String, soak: &Soak, paint: Paint) {
    if soak.figures.is_empty() {
        return;
    }
    heading(out, paint, "Figures, by epochs; intervals at 95 %");
    let mut rows = vec![
        ["", "mean", "CV", "drift an hour"]
            .map(Cell::plain)
            .to_vec(),
    ];
    rows.extend(soak.figures.iter().map(|f| {
        vec![
            Cell::plain(&f.name),
            Cell::plain(bounded(f.mean, &f.unit)),
            Cell::plain(f.cv.map_or(MISSING.to_owned(), |cv| percent(cv.estimate))),
            Cell::plain(drift(f)),
        ]
    }));
    grid(out, paint, &rows);
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

/// Rows of bars over all epochs, the warm ones too.
fn series(out: &mut String, soak: &Soak, paint: Paint) {
    type Value = fn(&Epoch) -> Option<f64>;
    let shown: [(&str, &str, Value); 4] = [
        ("throughput", "op/s", |e| e.throughput),
        ("rss", "B", |e| e.rss),
        ("cpu", "processors", |e| e.cpu),
        ("p99", "s", |e| e.tails?.p99),
    ];
    let mut rows = vec![
        ["", "all epochs", "lowest", "highest"]
            .map(Cell::plain)
            .to_vec(),
    ];
    for (name, unit, get) in shown {
        let values: Vec<f64> = soak.epochs.iter().filter_map(get).collect();
        if values.len() > 1 {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            rows.push(vec![
                Cell::plain(name),
                Cell::plain(spark(&values, SPARK)),
                Cell::plain(value(low, unit)),
                Cell::plain(value(high, unit)),
            ]);
        }
    }
    if rows.len() > 1 {
        heading(out, paint, "Over time");
        grid(out, paint, &rows);
    }
}

fn changes(out: &mut String, soak: &Soak, paint: Paint, width: usize) {
    let changed: Vec<(&Figure, &Change)> = soak
        .figures
        .iter()
        .flat_map(|f| f.changes.iter().map(move |c| (f, c)))
        .collect();
    if changed.is_empty() && soak.levels.is_none() {
        return;
    }
    heading(out, paint, "Levels");
    if let Some(l) = soak.levels {
        let text = format!(
            "Throughput sits on two levels: {} for {} of the time, else {} (p of one level {}).",
            value(l.low, "op/s"),
            percent(l.low_share),
            value(l.high, "op/s"),
            p(l.p)
        );
        wrap(out, &text, 2, width);
    }
    if changed.is_empty() {
        return;
    }
    let mut rows = vec![
        ["at", "", "from", "to", "p of none"]
            .map(Cell::plain)
            .to_vec(),
    ];
    rows.extend(changed.iter().map(|(f, c)| {
        vec![
            Cell::plain(units::seconds(c.at)),
            Cell::plain(&f.name),
            Cell::plain(value(c.before, &f.unit)),
            Cell::plain(value(c.after, &f.unit)),
            Cell::plain(p(c.p)),
        ]
    }));
    grid(out, paint, &rows);
}

fn tails(out: &mut String, soak: &Soak, paint: Paint) {
    let (Some(typical), Some(worst)) = (&soak.tails, &soak.worst) else {
        return;
    };
    heading(out, paint, "Latency");
    let head = ["", "p50", "p95", "p99", "p99.9", "max"];
    let row = |name: &str, t: &Tails| {
        let cells = [t.p50, t.p95, t.p99, t.p999, t.max];
        let text = |v: Option<f64>| Cell::plain(v.map_or(MISSING.to_owned(), |v| value(v, "s")));
        let mut row = vec![Cell::plain(name)];
        row.extend(cells.map(text));
        row
    };
    let rows = [
        head.map(Cell::plain).to_vec(),
        row("typical epoch", typical),
        row("worst epoch", worst),
    ];
    grid(out, paint, &rows);
}

fn calls(out: &mut String, soak: &Soak, paint: Paint, width: usize) {
    let Some(calls) = &soak.system_calls else {
        return;
    };
    heading(out, paint, "System calls");
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
    wrap(out, &text, 2, width);
}
