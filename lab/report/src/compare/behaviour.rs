//! Tests, messages and crashes as tables.

use super::tables::{differing_and_all, table};
use crate::document::{Block, Detail, Value};
use crate::wording::{Tone, plural};
use karat_model::compare::{
    CountClass, LogComparison, MessageRow, TestRow, TestSide, Times, Weight,
};
use karat_model::log::Level;

/// The tint of a weight.
pub const fn tone(weight: Weight) -> Tone {
    match weight {
        Weight::Same => Tone::Even,
        Weight::Noted => Tone::Open,
        Weight::Fails => Tone::Bad,
    }
}

/// The part about tests.
pub fn tests(found: &LogComparison, detail: Detail) -> Vec<Block> {
    if found.tests.is_empty() {
        return vec![Block::text("The logs hold no test.")];
    }
    let of = |weight: Weight| {
        found
            .tests
            .iter()
            .filter(move |t| t.class.weight() == weight)
    };
    let (same, fails) = (of(Weight::Same).count(), of(Weight::Fails).count());
    let noted = of(Weight::Noted).count();
    let mut said = format!("{}: {same} the same", plural(found.tests.len(), "test"));
    if fails > 0 {
        said += &format!(", {fails} not the same");
    }
    if noted > 0 {
        said += &format!(", {noted} noted (new, flaky before, or not in every run)");
    }
    let mut out = vec![Block::text(said + ".")];
    let mut sorted: Vec<&TestRow> = found.tests.iter().collect();
    let differs = |t: &&TestRow| t.class.weight() != Weight::Same;
    // Those that fail first; the sort is stable.
    sorted.sort_by_key(|t| t.class.weight() == Weight::Noted);
    let captions = ["Tests that differ", "All tests"];
    let head = ["test", "before", "after", "class"];
    out.extend(differing_and_all(
        captions,
        &head,
        &sorted,
        differs,
        |t| row(t),
        detail,
    ));
    out
}

fn row(test: &TestRow) -> Vec<Value> {
    let tint = tone(test.class.weight());
    let why = test.after.as_ref().and_then(|a| a.reason.as_deref());
    let why = match (test.class.weight(), why) {
        (Weight::Fails, Some(why)) => format!(": {why}"),
        _ => String::new(),
    };
    vec![
        Value::plain(test.title()),
        Value::plain(ending(test.before.as_ref())),
        Value::Toned(tint, ending(test.after.as_ref())),
        Value::Toned(tint, format!("{}{why}", test.class.word())),
    ]
}

fn ending(side: Option<&TestSide>) -> String {
    let Some(side) = side else {
        return "not there".to_owned();
    };
    let ran = side.passed + side.failed + side.skipped;
    match side.word() {
        "flaky" => format!("flaky: {} of {ran} failed", side.failed),
        word if ran > 1 => format!("{word} {ran} times"),
        word => word.to_owned(),
    }
}

/// The part about messages and crashes.
pub fn messages(found: &LogComparison, detail: Detail) -> Vec<Block> {
    let mut rows = Vec::new();
    for (name, level) in [
        ("Fatal errors", Level::Fatal),
        ("Errors", Level::Error),
        ("Warnings", Level::Warning),
    ] {
        let of = found.messages.iter().filter(|m| m.level == level);
        let fails = of.filter(|m| m.class.weight() == Weight::Fails).count();
        let (before, after) = found.messages_of(level);
        rows.push(tally(name, before, after, fails));
    }
    let crashes = &found.crashes;
    let fails = crashes
        .iter()
        .filter(|c| c.class.weight() == Weight::Fails)
        .count();
    let sum = |times: fn(&karat_model::compare::CrashRow) -> Times| {
        crashes.iter().map(|c| times(c).high).sum::<u64>()
    };
    rows.push(tally(
        "Crashes, signals, sanitizers",
        sum(|c| c.before),
        sum(|c| c.after),
        fails,
    ));
    let head = ["kind", "before", "after", "difference"];
    let mut out = vec![Block::Table(table("In one run", &head, rows))];
    let all: Vec<Said> = said(found);
    if !all.is_empty() {
        let captions = ["Messages that differ", "All messages"];
        let head = ["kind", "message", "place", "before", "after", "class"];
        let differs = |s: &Said| s.class != CountClass::Same;
        out.extend(differing_and_all(
            captions,
            &head,
            &all,
            differs,
            Said::row,
            detail,
        ));
    }
    out
}

fn tally(name: &str, before: u64, after: u64, fails: usize) -> Vec<Value> {
    let (word, tint) = match fails {
        0 => ("none".to_owned(), Tone::Even),
        n => (format!("{n} differ"), Tone::Bad),
    };
    vec![
        Value::plain(name),
        Value::Number(before.to_string()),
        Value::Number(after.to_string()),
        Value::Toned(tint, word),
    ]
}

/// A message or a crash, ready to print.
struct Said {
    kind: String,
    text: String,
    place: String,
    before: Times,
    after: Times,
    class: CountClass,
}

fn said(found: &LogComparison) -> Vec<Said> {
    let crashes = found.crashes.iter().map(|c| Said {
        kind: c.kind.clone(),
        text: c.text.clone(),
        place: String::new(),
        before: c.before,
        after: c.after,
        class: c.class,
    });
    let messages = found.messages.iter().map(|m| Said {
        kind: level(m.level).to_owned(),
        text: m.text.clone(),
        place: place(m),
        before: m.before,
        after: m.after,
        class: m.class,
    });
    crashes.chain(messages).collect()
}

/// The word of a level.
pub const fn level(level: Level) -> &'static str {
    match level {
        Level::Warning => "warning",
        Level::Error => "error",
        Level::Fatal => "fatal",
    }
}

/// Source file with its lines: `fd_blake3.c(342)`, or `(342 → 343)` when it moved.
fn place(message: &MessageRow) -> String {
    let list = |lines: &[u32]| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        lines.join(", ")
    };
    let (before, after) = (list(&message.lines_before), list(&message.lines_after));
    let lines = match (before.as_str(), after.as_str()) {
        ("", "") => String::new(),
        (lines, "") | ("", lines) => format!("({lines})"),
        (before, after) if before == after => format!("({before})"),
        (before, after) => format!("({before} → {after})"),
    };
    format!("{}{lines}", message.file.as_deref().unwrap_or_default())
}

impl Said {
    fn row(&self) -> Vec<Value> {
        let tint = tone(self.class.weight());
        vec![
            Value::plain(&self.kind),
            Value::plain(&self.text),
            Value::plain(&self.place),
            Value::Number(times(self.before)),
            Value::Toned(tint, times(self.after)),
            Value::Toned(tint, self.class.word().into()),
        ]
    }
}

fn times(times: Times) -> String {
    if times.low == times.high {
        times.high.to_string()
    } else {
        format!("{} to {}", times.low, times.high)
    }
}
