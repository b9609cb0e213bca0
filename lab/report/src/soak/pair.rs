//! Two soaks side by side, for a terminal.

use super::words::{bounded, share};
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::Tone;
use karat_model::soak::{Bounded, Contrast, SoakPair};

/// Text of at most `width` columns where it can be broken.
#[must_use]
pub fn pair(pair: &SoakPair, color: bool, width: usize) -> String {
    let paint = Paint { on: color };
    let width = width.clamp(60, 100);
    let mut out = String::new();
    for (name, soak) in [("A", &pair.a), ("B", &pair.b)] {
        wrap(
            &mut out,
            &format!("{name}: {}", soak.plan.program),
            0,
            width,
        );
    }
    out.push('\n');
    let mut rows = vec![
        ["", "A", "B", "B over A", "better"]
            .map(Cell::plain)
            .to_vec(),
    ];
    rows.extend(pair.contrasts.iter().map(row));
    grid(&mut out, paint, &rows);
    out.push('\n');
    for advice in &pair.advice {
        wrap(&mut out, advice, 0, width);
    }
    for (name, soak) in [("A", &pair.a), ("B", &pair.b)] {
        for note in &soak.notes {
            wrap(&mut out, &format!("{name}: {note}"), 0, width);
        }
    }
    out
}

fn row(c: &Contrast) -> Vec<Cell> {
    let tone = match c.better.as_deref() {
        Some("B") => Tone::Good,
        Some("A") => Tone::Bad,
        Some(_) => Tone::Even,
        None => Tone::Open,
    };
    let ratio = |b: Bounded| match (b.low, b.high) {
        (Some(low), Some(high)) => format!("×{:.3} [{low:.3}, {high:.3}]", b.estimate),
        _ => format!("×{:.3}", b.estimate),
    };
    let of = |b: Bounded| match c.name.as_str() {
        "cv" => share(b),
        _ => bounded(b, &c.unit),
    };
    vec![
        Cell::plain(&c.name),
        Cell::plain(of(c.a)),
        Cell::plain(of(c.b)),
        Cell::plain(ratio(c.ratio)),
        Cell::toned(c.better.as_deref().unwrap_or("not decided"), tone),
    ]
}
