//! How a file was built and hardened, and what it exports.

use crate::audit::facts;
use crate::document::{Block, Fact, Part, Text};
use crate::wording::plural;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::facts::{ExportsChanged, FileFacts, Tool};
use karat_model::units::grouped;

/// Tools that are named.
const TOOLS: usize = 6;
/// Symbols that are named.
const SYMBOLS: usize = 8;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let of = file.facts.as_ref()?;
    let mut said: Vec<Fact> = Vec::new();
    if !of.tools.is_empty() {
        said.push(tools(of));
    }
    if !of.declares.is_empty() {
        let declares = of.declares.iter();
        let declares = declares.map(|d| format!("{} {}", d.what, d.value));
        said.push(Fact::new("needs", declares.collect::<Vec<_>>().join(", ")));
    }
    if !of.hardening.is_empty() {
        let guards = of.hardening.iter();
        let guards = guards.map(|guard| format!("{}: {}", guard.name, guard.state));
        said.push(Fact::new("guards", guards.collect::<Vec<_>>().join("; ")));
    }
    if let Some(exports) = of.exports.filter(|count| *count > 0) {
        let baseline = document.baseline.as_ref();
        let baseline = baseline.map(|baseline| facts::name(document, baseline));
        said.push(symbols(exports, of.exports_changed.as_ref(), baseline));
    }
    if said.is_empty() {
        return None;
    }
    let note = "What the file says of itself: its headers, its notes, its debug information. A \
                guard that is not there is a fact and no finding; one that is switched off is \
                KA013.";
    let part = Part::new("built", "How it was built", vec![Block::Facts(said)]);
    Some(part.note(note).folded())
}

fn tools(of: &FileFacts) -> Fact {
    let named = of
        .tools
        .iter()
        .take(TOOLS)
        .map(|tool| Text::from(line(tool)));
    let mut named: Vec<Text> = named.collect();
    if of.tools.len() > TOOLS {
        named.push(format!("{} more", of.tools.len() - TOOLS).into());
    }
    Fact {
        name: "built by".into(),
        said: named,
    }
}

/// `GNU C17 12.2.0 -march=haswell -O2 (DWARF, 12 units)`.
fn line(tool: &Tool) -> String {
    let mut words = vec![tool.name.clone()];
    words.extend(tool.flags.iter().cloned());
    let units = match tool.units {
        0 => String::new(),
        units => format!(
            ", {}",
            plural(usize::try_from(units).unwrap_or(usize::MAX), "unit")
        ),
    };
    format!("{} ({}{units})", words.join(" "), tool.from)
}

fn symbols(count: u64, changed: Option<&ExportsChanged>, baseline: Option<String>) -> Fact {
    let mut said = vec![Text::from(format!("{} symbols", grouped(count)))];
    if let (Some(changed), Some(baseline)) = (changed, baseline) {
        if changed.gone + changed.new == 0 {
            said.push(format!("the same as {baseline}").into());
        }
        for (what, count, names) in [
            ("gone", changed.gone, &changed.gone_names),
            ("new", changed.new, &changed.new_names),
        ] {
            if count > 0 {
                let named = names
                    .iter()
                    .take(SYMBOLS)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", ");
                let more = if count > SYMBOLS as u64 { ", …" } else { "" };
                said.push(
                    format!(
                        "{} {what} against {baseline}: {named}{more}",
                        grouped(count)
                    )
                    .into(),
                );
            }
        }
    }
    Fact {
        name: "exports".into(),
        said,
    }
}
