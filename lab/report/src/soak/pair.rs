//! Two soaks side by side.

use super::words::{bounded, share};
use crate::document::{
    Block, Chapter, Column, Detail, Document, Part, Row, Table, Text, Value, Weight,
};
use crate::format::{Report, json};
use crate::wording::Tone;
use karat_model::soak::{Bounded, Contrast, Difference, SoakPair};

impl Report for SoakPair {
    fn document(&self, detail: Detail) -> Document {
        let sides = [("A", &self.a), ("B", &self.b)];
        let programs = sides.map(|(name, soak)| {
            let text = Text::default().plain(format!("{name}: "));
            text.code(&soak.plan.program)
        });
        let columns = Column::all(["", "A", "B", "B over A", "better"]);
        let rows = self.contrasts.iter().map(row).collect();
        let advice = self.advice.iter().map(|a| a.as_str().into()).collect();
        let mut blocks = vec![Block::List(Weight::Plain, programs.into())];
        blocks.push(Block::Table(Table::new("A and B", columns, rows)));
        if !self.growth.is_empty() {
            let columns = Column::all(["", "A", "B", "B less A"]);
            let rows = self.growth.iter().map(growth).collect();
            blocks.push(Block::Table(Table::new("Growth an hour", columns, rows)));
        }
        blocks.push(Block::List(Weight::Strong, advice));
        for (name, soak) in sides {
            let notes = soak.notes.iter();
            blocks.extend(notes.map(|note| Block::note(format!("{name}: {note}"))));
        }
        let heading = "Two soaks side by side";
        Document {
            title: format!("{heading} · karat ab --soak"),
            origin: "karat ab --soak".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => heading.into(),
            },
            chapters: vec![Chapter {
                parts: vec![Part::new("pair", "A and B", blocks)],
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {}", self.a.karat, self.a.schema).into(),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(self)
    }
}

/// What both share, such as what the program that works them adds, is not in the last cell.
fn growth(d: &Difference) -> Row {
    Row::from(vec![
        Value::plain(&d.name),
        Value::Number(bounded(d.a, &d.unit)),
        Value::Number(bounded(d.b, &d.unit)),
        Value::Number(bounded(d.difference, &d.unit)),
    ])
}

fn row(c: &Contrast) -> Row {
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
    let better = c.better.as_deref().unwrap_or("not decided");
    Row::from(vec![
        Value::plain(&c.name),
        Value::Number(of(c.a)),
        Value::Number(of(c.b)),
        Value::Number(ratio(c.ratio)),
        Value::Toned(tone, better.to_owned()),
    ])
}
