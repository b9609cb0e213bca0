//! A table whose columns can be sorted where scripts run.

use crate::audit::part::{Row, Table, Value};
use crate::html::write::{Writer, tone};
use crate::number;
use crate::svg::bar;
use karat_model::units::grouped;

/// Rows that are not folded away.
const OPEN: usize = 25;

/// Text with more characters may break into lines.
const LONG: usize = 36;

/// Writes it.
pub fn write(w: &mut Writer, table: &Table) {
    let kept: Vec<usize> = (0..table.columns.len())
        .filter(|c| *c == 0 || table.rows.iter().any(|r| says(&r.cells[*c])))
        .collect();
    let numbers = |c: usize| table.rows.iter().any(|r| r.cells[c].is_number());
    w.element("h3", &[], &table.caption);
    let class = match table.rows.len() > OPEN {
        true => "audit sortable long",
        false => "audit sortable",
    };
    w.table(&table.caption, class, |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for c in &kept {
                    let column = &table.columns[*c];
                    let class = if numbers(*c) { "n" } else { "" };
                    let mut attributes = vec![("scope", "col"), ("class", class)];
                    if !column.meaning.is_empty() {
                        attributes.push(("title", column.meaning));
                    }
                    w.element("th", &attributes, column.name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for row in &table.rows {
                line(w, row, &kept);
            }
        });
    });
    if table.more > 0 {
        let text = format!("and {} more", grouped(table.more));
        w.element("p", &[("class", "fine")], &text);
    }
}

/// Whether a cell says anything.
fn says(value: &Value) -> bool {
    match value {
        Value::Bar(zmm, ymm, _) => zmm + ymm > 0,
        other => !matches!(other.text().as_str(), "" | "=" | number::MISSING),
    }
}

fn line(w: &mut Writer, row: &Row, kept: &[usize]) {
    let id = row.anchor.as_deref().unwrap_or_default();
    let attributes: &[(&str, &str)] = match id.is_empty() {
        true => &[],
        false => &[("id", id)],
    };
    w.node("tr", attributes, |w| {
        for c in kept {
            cell(w, &row.cells[*c], *c == 0, id);
        }
    });
}

fn cell(w: &mut Writer, value: &Value, first: bool, id: &str) {
    let key = value.key().map(|k| k.to_string());
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    if first {
        attributes.push(("scope", "row"));
    }
    match value {
        Value::Text(text) | Value::Code(text) if !first && text.chars().count() > LONG => {
            attributes.push(("class", "long"));
        }
        value if value.is_number() => attributes.push(("class", "n")),
        _ => {}
    }
    if let Some(key) = &key {
        attributes.push(("data-key", key));
    }
    w.node(
        if first { "th" } else { "td" },
        &attributes,
        |w| match value {
            Value::Code(name) if !id.is_empty() => {
                let to = format!("#{id}");
                w.node("a", &[("href", &to)], |w| w.code(name));
            }
            Value::Code(name) => w.code(name),
            Value::Toned(state, text) => {
                let class = format!("tag {}", tone(*state));
                w.element("span", &[("class", &class)], text);
            }
            Value::Bar(zmm, ymm, full) => bar::draw(w, &[(*zmm, "b1"), (*ymm, "b2")], *full),
            other => w.text(&other.text()),
        },
    );
}
