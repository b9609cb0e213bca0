//! Growth against the baseline.

use crate::audit::facts;
use crate::audit::widths::Widths;
use crate::document::{Block, Column, Part, Row, Table, Text, Value};
use crate::wording;
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::bloat::{Amount, Bloat, Growth};
use karat_model::units::grouped;

/// Crates and functions in the short forms.
const BRIEF: usize = 10;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let bloat = file.audit.bloat.as_ref()?;
    if bloat.functions_differ == 0 && bloat.total.before == bloat.total.after {
        return None;
    }
    let baseline = facts::name(document, document.baseline.as_ref()?);
    let widths = Widths::of([&file.audit]);
    let mut blocks = vec![Block::Table(self::widths(&widths, bloat))];
    if bloat.crates.len() > 1 {
        let owner = wording::owner([&file.audit]);
        blocks.push(Block::Table(changes(
            owner,
            &format!("Growth by {owner}"),
            &widths,
            &bloat.crates,
            0,
        )));
    }
    if let Some(table) = growth_by_function(&widths, bloat) {
        blocks.push(Block::text(differing(bloat)));
        blocks.push(Block::Table(table));
    }
    let note = Text::from(
        "Instructions that exist, whether or not they run: growth is a reason to measure, not a \
         result. Functions are matched by name; parts that the compiler split off (",
    );
    let note = note.code(".cold").plain(", ").code(".part");
    let part = Part::new("growth", format!("Growth against {baseline}"), blocks);
    Some(part.note(note.plain(" …) count with their function.")))
}

/// How many functions differ, came and went.
pub fn differing(bloat: &Bloat) -> String {
    format!(
        "Functions that differ in their counts: {} ({} of them new, {} gone).",
        grouped(bloat.functions_differ),
        grouped(bloat.functions_new),
        grouped(bloat.functions_gone)
    )
}

/// Growth by function of a file, if any differs.
pub fn by_function(audit: &BinaryAudit, bloat: &Bloat) -> Option<Table> {
    growth_by_function(&Widths::of([audit]), bloat)
}

fn growth_by_function(widths: &Widths, bloat: &Bloat) -> Option<Table> {
    let functions = &bloat.functions;
    let more = bloat.functions_differ - functions.len().min(bloat.functions_differ as usize) as u64;
    let table = || changes("function", "Growth by function", widths, functions, more);
    (!functions.is_empty()).then(table)
}

fn widths(widths: &Widths, bloat: &Bloat) -> Table {
    let (before, after) = (&bloat.total.before, &bloat.total.after);
    let row = |name: &str, of: fn(&Amount) -> u64, bytes: fn(&Amount) -> u64| {
        Row::from(vec![
            Value::Text(name.into()),
            Value::Count(of(before)),
            Value::Count(of(after)),
            Value::Change(of(after) as i64 - of(before) as i64),
            Value::Ratio(of(after), of(before)),
            Value::Bytes(bytes(before)),
            Value::Bytes(bytes(after)),
            Value::BytesChange(bytes(after) as i64 - bytes(before) as i64),
            Value::Ratio(bytes(after), bytes(before)),
        ])
    };
    let mut rows: Vec<Row> = widths
        .all()
        .map(|w| row(w.long, w.amount, w.bytes))
        .collect();
    rows.push(row("all instructions", |a| a.instructions, |a| a.bytes));
    Table::new(
        "Growth by register width",
        vec![
            Column::new("width", ""),
            Column::new("before", "in the baseline"),
            Column::new("now", "in this file"),
            Column::new("change", ""),
            Column::new("", ""),
            Column::new("bytes before", "of those in the baseline"),
            Column::new("bytes now", "of those in this file"),
            Column::new("change", ""),
            Column::new("", ""),
        ],
        rows,
    )
}

fn changes(
    what: &'static str,
    caption: &str,
    widths: &Widths,
    growths: &[Growth],
    more: u64,
) -> Table {
    let [first, second] = widths.bar();
    let both = |a: &Amount| (first.amount)(a) + (second.amount)(a);
    let full = growths.iter().map(|g| both(&g.after)).max().unwrap_or(0);
    let rows = growths.iter().map(|g| {
        let (before, after) = (&g.before, &g.after);
        let change = |of: fn(&Amount) -> u64| Value::Change(of(after) as i64 - of(before) as i64);
        let mut counts: Vec<Value> = widths.all().map(|w| change(w.amount)).collect();
        let bar = Value::Bar((first.amount)(after), (second.amount)(after), full);
        counts.insert(2, bar);
        let mut cells = vec![Value::Code(g.name.clone())];
        cells.extend(counts);
        let wide = |a: &Amount| ((first.bytes)(a) + (second.bytes)(a)) as i64;
        cells.extend([
            Value::BytesChange(wide(after) - wide(before)),
            change(|a| a.instructions),
            Value::BytesChange(g.bytes_change()),
            Value::Ratio(after.bytes, before.bytes),
        ]);
        Row::from(cells)
    });
    let mut columns = vec![Column::new(what, "")];
    let bar = Column::wide("wide now", "the two before it together, in this file");
    columns.extend(widths.columns(bar));
    columns.extend([
        Column::new("wide bytes", "bytes of what the bar shows"),
        Column::new("instructions", ""),
        Column::new("bytes", ""),
        Column::new("size", "bytes against the baseline's"),
    ]);
    let table = Table::new(caption, columns, rows.collect());
    Table {
        more,
        ..table.brief(BRIEF)
    }
}
