//! The JSON Schema of a study, for editors.

use super::{Key, Kind, Preset, TABLES, Table};
use crate::study::metric;
use serde_json::{Map, Value, json};

/// Where the newest schema is found.
pub const SCHEMA_ID: &str =
    "https://raw.githubusercontent.com/karat-lab/karat/main/schemas/study.schema.json";

/// The schema. Editors know draft 7 best.
#[must_use]
pub fn schema() -> Value {
    let mut root = object(&TABLES[0]);
    let definitions: Map<String, Value> = TABLES[1..]
        .iter()
        .filter(|table| table.path != METRIC)
        .map(|table| (table.path.to_owned(), object(table)))
        .chain([(METRIC.to_owned(), metric_table())])
        .collect();
    root["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    root["$id"] = json!(SCHEMA_ID);
    root["title"] = json!("A study of karat");
    root["$defs"] = Value::Object(definitions);
    root
}

const METRIC: &str = "workload.metric";

/// An object that has the keys of `table` and no others.
fn object(table: &Table) -> Value {
    let properties: Map<String, Value> = table
        .all()
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    let required = table.all().filter(|k| k.preset == Preset::Required);
    let required: Vec<&str> = required.map(|k| k.name).collect();
    closed(table.what, properties, &required)
}

fn closed(what: &str, properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut out = json!({
        "type": "object",
        "description": what,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    out
}

/// A metric's table has one source, which decides what other keys it takes.
fn metric_table() -> Value {
    let table = TABLES.iter().find(|table| table.path == METRIC);
    let keys = || table.into_iter().flat_map(Table::all);
    let form = |wanted: &[&str], required: &[&str]| {
        let own = keys().filter(|k| wanted.contains(&k.name));
        let properties = own.map(|k| (k.name.to_owned(), property(k))).collect();
        closed(table.map_or("", |t| t.what), properties, required)
    };
    let number = |source| {
        form(
            &[source, "name", "unit", "better"],
            &[source, "unit", "better"],
        )
    };
    json!({ "anyOf": [number("json"), number("regex"), form(&["output", "path"], &["output"])] })
}

fn property(key: &Key) -> Value {
    let mut out = of_kind(key.kind);
    out["description"] = json!(key.what);
    if let Preset::Value(value) = key.preset
        && let Some(value) = plain(value)
    {
        out["default"] = value;
    }
    out
}

/// A default as JSON: TOML writes numbers, texts and empty lists and tables alike.
fn plain(toml: &str) -> Option<Value> {
    serde_json::from_str(toml).ok()
}

/// What [`written::duration`](crate::units::written) reads, but for how long it may be.
const DURATION: &str = r"^\s*\+?([0-9]+\.?[0-9]*|\.[0-9]+)\s*(ms|s|m|min|h)\s*$";

/// What `written::ratio` reads, but for how large it may be.
const RATIO: &str = r"^\s*\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*%?\s*$";

fn of_kind(kind: Kind) -> Value {
    let integer =
        |least: u32, most: u32| json!({ "type": "integer", "minimum": least, "maximum": most });
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let to = |path: &str| json!({ "$ref": format!("#/$defs/{path}") });
    match kind {
        Kind::Version => json!({ "const": 1 }),
        Kind::Text | Kind::Name | Kind::Path(_) => json!({ "type": "string" }),
        Kind::Duration => json!({ "type": "string", "pattern": DURATION }),
        Kind::AutoOrDuration => {
            json!({ "anyOf": [{ "const": "auto" }, { "type": "string", "pattern": DURATION }] })
        }
        Kind::Margin | Kind::Growth => json!({ "type": "string", "pattern": RATIO }),
        Kind::Texts => texts(),
        Kind::TextMap => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Integer(least, most) => integer(least, most),
        Kind::AutoOrInteger(least, most) => {
            json!({ "anyOf": [{ "const": "auto" }, integer(least, most)] })
        }
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Isas => {
            let names: Vec<&str> = karat_cpu::Isa::all().map(karat_cpu::Isa::name).collect();
            json!({ "type": "array", "items": { "enum": names } })
        }
        Kind::Pairs => {
            let mut pair = texts();
            pair["minItems"] = json!(2);
            pair["maxItems"] = json!(2);
            json!({ "type": "array", "items": pair })
        }
        Kind::Profile => json!({
            "type": "object",
            "additionalProperties": { "type": ["string", "integer", "boolean"] },
        }),
        Kind::Metrics => {
            let one = json!({ "anyOf": [{ "enum": metric::words() }, to(METRIC)] });
            let several = json!({ "type": "array", "items": one.clone(), "minItems": 1 });
            json!({ "anyOf": [one, several] })
        }
        // Draft 7 reads nothing beside a `$ref`, and a description stands beside it.
        Kind::Table(path) => json!({ "anyOf": [to(path)] }),
        Kind::Tables(path) => json!({ "type": "array", "items": to(path) }),
    }
}

#[cfg(test)]
mod tests {
    use super::{DURATION, RATIO};
    use crate::units::written::{duration, ratio};
    use regex_lite::Regex;

    #[test]
    fn patterns_accept_what_is_read() {
        let texts = [
            "10 s",
            "500ms",
            " 2 min",
            "1.5 h",
            ".5 s",
            "5. m",
            "10 parsecs",
            "ten s",
            "10",
            "s",
            "1%",
            "0.5 %",
            "0.02",
            "1e-2",
            "one",
            "%",
            "",
            "1 % more",
            "auto",
        ];
        for (pattern, read) in [
            (DURATION, duration as fn(&str) -> Option<f64>),
            (RATIO, ratio),
        ] {
            let pattern = Regex::new(pattern).expect("a pattern");
            for text in texts {
                assert_eq!(pattern.is_match(text), read(text).is_some(), "{text:?}");
            }
        }
    }
}
