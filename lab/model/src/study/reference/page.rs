//! The reference as text: `docs/study.md` and `karat explain study.…`.

use super::{Base, Key, Kind, Preset, TABLES, Table};
use crate::diagnostic::nearest;
use crate::study::metric;
use std::fmt::Write as _;

/// What stands above the tables.
const HEAD: &str = r##"<!-- Written by `cargo xtask schema` from lab/model/src/study/reference/. -->
# The keys of a study

A study is a TOML file that names build variants, checks and workloads. The smallest one:

```toml
schema = 1
name = "o3"
baseline = "o2"

[subject]
dir = "."
artifact = "tool"

[[variant]]
name = "o2"
command = ["make", "CFLAGS=-O2"]

[[variant]]
name = "o3"
command = ["make", "CFLAGS=-O3"]

[[workload]]
name = "main"
args = ["input.txt"]
```

`karat init` writes one that fits a folder, [worked studies](worked-studies.md) show five, and the [cookbook](cookbook.md) says what to do with them.
`karat run STUDY --dry-run` checks one without building anything, `karat run STUDY --smoke` tries it.
`karat explain study.measure.margin` prints what stands here about a key.

Paths are relative to the folder of the study file, unless the table below says otherwise.
Durations are written with their unit: `"500 ms"`, `"10 s"`, `"2 min"`, `"1 h"`. Margins and growths are percentages (`"1%"`) or ratios (`"0.01"`).
A key that karat does not know is an error, and so is one that would do nothing.

**Editors** complete and check keys by the [schema](../schemas/study.schema.json): `karat init` writes it beside the study, and names it in the first line, `#:schema ./study.schema.json`, which Taplo and with it VS Code's "Even Better TOML" read. Of another study, begin the file with such a line.
"##;

/// Columns of what `karat explain` prints.
const WIDTH: usize = 80;

/// `docs/study.md`.
#[must_use]
pub fn markdown() -> String {
    let mut out = HEAD.to_owned();
    for table in &TABLES {
        let _ = write!(out, "\n## {}\n\n{}\n", heading(table), table.what);
        keys(&mut out, table.keys);
        match (table.shared, table.path) {
            ([], _) => {}
            (_, "variant") => out += "\nAnd every key of `[subject]`.\n",
            (_, _) => out += "\nAnd every key of `run` of a variant.\n",
        }
    }
    out
}

fn heading(table: &Table) -> String {
    match table.path {
        "" => table.header.to_owned(),
        _ => format!("`{}`", table.header),
    }
}

fn keys(out: &mut String, keys: &[Key]) {
    *out += "\n| key | value | without it | means |\n|---|---|---|---|\n";
    for key in keys {
        let example = match key.kind {
            Kind::Tables(_) if key.example.starts_with('[') => String::new(),
            _ => format!("<br>`{}`", key.example.replace('\n', "`<br>`")),
        };
        let _ = writeln!(
            *out,
            "| `{}` | {} | {} | {}{} |",
            key.name,
            cell(&values(key.kind)),
            cell(&preset(key.preset)),
            cell(key.what),
            cell(&example)
        );
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// All tables and their keys, in a line each.
#[must_use]
pub fn list() -> String {
    let mut out = String::new();
    for table in &TABLES {
        let names: Vec<&str> = table.keys.iter().map(|k| k.name).collect();
        let _ = writeln!(out, "{:26} {}", place(table.path), names.join(", "));
    }
    out
}

/// What is said of a table or a key: `study.measure`, `study.measure.margin`.
///
/// # Errors
/// With what was probably meant, when there is no such table or key.
pub fn page(place: &str) -> Result<String, String> {
    let path = match place.split_once('.') {
        Some(("study", rest)) => rest,
        None if place == "study" => "",
        _ => place,
    };
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    // What belongs to a variant may stand in [subject] as well.
    let parent = match parent.strip_prefix("subject.") {
        Some(rest) => format!("variant.{rest}"),
        None => parent.to_owned(),
    };
    let at = |path: &str| TABLES.iter().find(|t| t.path == path);
    let key = at(&parent).and_then(|t| Some(of_key(t, t.all().find(|k| k.name == name)?)));
    match (key, at(path).map(of_table)) {
        (Some(key), Some(table)) => Ok(format!("{key}\n{table}")),
        (Some(text), None) | (None, Some(text)) => Ok(text),
        (None, None) => Err(unknown(path)),
    }
}

fn unknown(path: &str) -> String {
    let all: Vec<String> = TABLES
        .iter()
        .flat_map(|t| t.all().map(|k| join(t.path, k.name)))
        .collect();
    let last = |key: &'_ str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let names: Vec<String> = all.iter().map(|key| last(key)).collect();
    let paths: Vec<&str> = all.iter().map(String::as_str).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // A key's own name without its table is the likeliest shortening.
    let own = last(path);
    let meant: Vec<&str> = match (names.contains(&own.as_str()), nearest(path, &paths)) {
        (false, Some(near)) => vec![near],
        (known, _) => {
            let near = nearest(&own, &names).filter(|_| !known);
            let name = near.unwrap_or(&own);
            let places = paths.iter().zip(&names).filter(|(_, n)| **n == name);
            places.map(|(path, _)| *path).collect()
        }
    };
    let meant: Vec<String> = meant
        .iter()
        .map(|key| format!("`karat explain study.{key}`"))
        .collect();
    let hint = match meant.is_empty() {
        true => "`karat explain study` lists them".to_owned(),
        false => format!("did you mean {}?", meant.join(" or ")),
    };
    format!("no key `{path}` in a study; {hint}")
}

fn join(table: &str, key: &str) -> String {
    match table {
        "" => key.to_owned(),
        _ => format!("{table}.{key}"),
    }
}

fn place(path: &str) -> String {
    match path {
        "" => "study".to_owned(),
        _ => format!("study.{path}"),
    }
}

fn of_table(table: &Table) -> String {
    let mut out = format!(
        "# {}: {}\n\n{}\n\n",
        place(table.path),
        table.header,
        wrapped(table.what)
    );
    for key in table.all() {
        let _ = writeln!(out, "  {:18} {}", key.name, first_sentence(key.what));
    }
    let _ = writeln!(
        out,
        "\n`karat explain {}.KEY` says more.",
        place(table.path)
    );
    out
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

fn of_key(table: &Table, key: &Key) -> String {
    let mut out = format!(
        "# {}\n\n{}\n\n",
        place(&join(table.path, key.name)),
        wrapped(key.what)
    );
    let _ = writeln!(out, "in          {}", table.header);
    let _ = writeln!(out, "value       {}", values(key.kind));
    let _ = writeln!(out, "without it  {}", preset(key.preset));
    let example = key.example.replace('\n', "\n            ");
    let _ = writeln!(out, "example     {example}");
    out
}

/// In lines that fit a terminal.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let long = word.chars().count();
        if width > 0 && width + 1 + long > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += long;
    }
    out
}

fn preset(preset: Preset) -> String {
    match preset {
        Preset::Required => "**required**".to_owned(),
        Preset::Value(value) => format!("`{value}`"),
        Preset::Else(words) => words.to_owned(),
    }
}

/// What values a key takes, in words.
fn values(kind: Kind) -> String {
    let number = |least: u32, most: u32| match most {
        u32::MAX => format!("a whole number from {least}"),
        _ => format!("a whole number, {least} to {most}"),
    };
    match kind {
        Kind::Version => "`1`".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Name => "a name: letters, digits and `-_.+`".to_owned(),
        Kind::Path(Base::Study) => "a path, relative to the study file".to_owned(),
        Kind::Path(Base::Build) => "a path, relative to `dir`".to_owned(),
        Kind::Path(Base::Run) => "a path, relative to the working directory of the run".to_owned(),
        Kind::Texts => "a list of texts".to_owned(),
        Kind::TextMap => "a table of texts".to_owned(),
        Kind::Flag => "`true` or `false`".to_owned(),
        Kind::Integer(least, most) => number(least, most),
        Kind::AutoOrInteger(least, most) => format!("`\"auto\"`, or {}", number(least, most)),
        Kind::Duration => "a duration in `ms`, `s`, `min` or `h`".to_owned(),
        Kind::AutoOrDuration => "`\"auto\"`, or a duration in `ms`, `s`, `min` or `h`".to_owned(),
        Kind::Margin => "a percentage, more than 0 % and at most 50 %".to_owned(),
        Kind::Growth => "a percentage, 0 % or more".to_owned(),
        Kind::Word(words) => {
            let words: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
            words.join(" or ")
        }
        Kind::Isas => "a list of ISAs".to_owned(),
        Kind::Pairs => "a list of pairs of variants".to_owned(),
        Kind::Profile => "a table of texts, numbers, `true` and `false`".to_owned(),
        Kind::Metrics => {
            let words: Vec<String> = metric::words().iter().map(|w| format!("`{w}`")).collect();
            format!("{}, a table, or a list of them", words.join(", "))
        }
        Kind::Table(path) | Kind::Tables(path) => {
            let table = TABLES.iter().find(|t| t.path == path);
            let header = table.map_or("", |t| t.header);
            match kind {
                Kind::Table(_) => format!("a table: `{header}`"),
                _ => format!("tables: `{header}`"),
            }
        }
    }
}
