//! A table, whose columns can be sorted where scripts run.

use crate::wording::{self, Tone};
use crate::{Effect, Row, Table, Value};
use karat_model::units::grouped;
use karat_page::Writer;
use karat_page::bar;

/// Rows from which on a table scrolls by itself.
const LONG: usize = 25;
/// Rows that a page has; all of them are in the JSON.
const ROWS: usize = 5000;
/// A name with more characters gets more room.
const NAME: usize = 20;
/// Text with more characters may break into lines.
const BREAKS: usize = 36;

/// Writes it.
pub fn write(w: &mut Writer, table: &Table, sortable: bool) {
    let kept = table.kept(true);
    let tinted = table.columns.iter().any(|c| c.tinted);
    let class = match (tinted, sortable, table.rows.len() > LONG) {
        (true, ..) => "matrix",
        (_, true, true) => "sheet sortable long",
        (_, true, false) => "sheet sortable",
        (_, false, true) => "sheet long",
        (_, false, false) => "sheet",
    };
    w.table(&table.caption, class, |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| kept.iter().for_each(|c| head(w, table, *c)));
        });
        w.node("tbody", &[], |w| {
            for row in table.rows.iter().take(ROWS) {
                line(w, table, row, &kept);
            }
        });
    });
    let more = table.more + table.rows.len().saturating_sub(ROWS) as u64;
    if more > 0 {
        let text = format!("and {} more", grouped(more));
        w.element("p", &[("class", "fine")], &text);
    }
}

fn head(w: &mut Writer, table: &Table, c: usize) {
    let column = &table.columns[c];
    let mut attributes = vec![("scope", "col")];
    if table.is_right(c) {
        attributes.push(("class", "n"));
    }
    if !column.meaning.is_empty() {
        attributes.push(("title", &column.meaning));
    }
    w.node("th", &attributes, |w| w.path(&column.name));
}

fn line(w: &mut Writer, table: &Table, row: &Row, kept: &[usize]) {
    let id = row.anchor.as_deref().unwrap_or_default();
    let attributes: &[(&str, &str)] = match id.is_empty() {
        true => &[],
        false => &[("id", id)],
    };
    w.node("tr", attributes, |w| {
        for c in kept {
            match c {
                0 => name(w, &row.cells[0], id),
                c => cell(w, table, &row.cells[*c], *c),
            }
        }
    });
}

/// What names a row; it leads to itself, to be copied.
fn name(w: &mut Writer, value: &Value, id: &str) {
    let class = match value.text().chars().count() > NAME {
        true => "long",
        false => "",
    };
    let attributes = [("scope", "row"), ("class", class)];
    let used = if class.is_empty() { 1 } else { 2 };
    w.node("th", &attributes[..used], |w| match value {
        Value::Code(name) if !id.is_empty() => {
            let to = format!("#{id}");
            w.node("a", &[("href", &to)], |w| w.code(name));
        }
        value => content(w, value),
    });
}

fn cell(w: &mut Writer, table: &Table, value: &Value, c: usize) {
    let key = value.key().map(|k| k.to_string());
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    let class = match value {
        Value::Text(text) | Value::Code(text) | Value::Toned(_, text)
            if text.chars().count() > BREAKS =>
        {
            "long"
        }
        value if table.columns[c].tinted => tint(value),
        _ if table.is_right(c) => "n",
        _ => "",
    };
    if !class.is_empty() {
        attributes.push(("class", class));
    }
    if let Some(key) = &key {
        attributes.push(("data-key", key));
    }
    w.node("td", &attributes, |w| content(w, value));
}

/// The class of a cell that is tinted by its word.
fn tint(value: &Value) -> &'static str {
    match value {
        Value::Toned(state, _) => state.class(),
        Value::Effect(effect) => wording::judgement_tone(effect.judgement).class(),
        Value::Stack(values) => values.first().map_or("", tint),
        Value::Absent(_) => "none",
        _ => "",
    }
}

fn content(w: &mut Writer, value: &Value) {
    match value {
        Value::Code(name) => w.code(name),
        Value::Toned(Tone::Even, text) => w.text(text),
        Value::Toned(state, text) => {
            let class = format!("tag {}", state.class());
            w.element("span", &[("class", &class)], text);
        }
        Value::Absent(why) => w.element("span", &[("class", "none")], why),
        Value::Effect(effect) => self::effect(w, effect),
        Value::Bar(zmm, ymm, full) => bar::draw(w, &[(*zmm, "b1"), (*ymm, "b2")], *full),
        Value::Meter(length, full) => bar::draw(w, &[(*length, "b0")], *full),
        Value::Stack(values) => {
            for (nth, value) in values.iter().enumerate() {
                match value {
                    Value::Bar(..) | Value::Meter(..) => content(w, value),
                    value if nth == 0 => content(w, value),
                    value => w.node("small", &[], |w| w.path(&value.text())),
                }
            }
        }
        other => w.path(&other.text()),
    }
}

fn effect(w: &mut Writer, effect: &Effect) {
    let word = effect.judgement;
    w.element("b", &[], &crate::number::change(effect.speed.estimate));
    w.element("small", &[], &wording::interval(&effect.speed));
    let class = format!("tag {}", wording::judgement_tone(word).class());
    w.node("span", &[("class", &class)], |w| {
        let sign = wording::judgement_sign(word);
        w.element("span", &[("aria-hidden", "true")], sign);
        w.text(&format!(" {}", word.word()));
    });
    for aside in &effect.asides {
        w.element("small", &[], aside);
    }
}
