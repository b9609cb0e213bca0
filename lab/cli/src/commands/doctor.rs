//! `karat doctor`.

use crate::args::{self, ListFormat};
use crate::{exit, say};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use karat_run::doctor::{Fact, Health, examine};
use std::fmt::Write;

/// Examines the machine.
pub fn run(args: &args::Doctor) -> Result<u8> {
    let facts = examine();
    match args.format {
        ListFormat::Json => say::result(&serde_json::to_string_pretty(
            &serde_json::json!({ "schema": 1, "facts": facts }),
        )?)?,
        ListFormat::Human => say::result(&human(&facts))?,
    }
    Ok(exit::GOOD)
}

fn human(facts: &[Fact]) -> String {
    let mut out = String::new();
    for f in facts {
        let (word, color) = match f.health {
            Health::Good => ("good", AnsiColor::Green),
            Health::Fair => ("fair", AnsiColor::Yellow),
            Health::Poor => ("poor", AnsiColor::Red),
        };
        let style = Style::new().fg_color(Some(color.into()));
        let _ = writeln!(out, "{style}{word}{style:#}  {:18} {}", f.name, f.value);
        for (mark, text) in [("  ", &f.meaning), ("→ ", &f.advice)] {
            if !text.is_empty() {
                let _ = writeln!(out, "{:24} {mark}{text}", "");
            }
        }
    }
    out
}
