//! Everything that is needed to do it again.

use crate::document::{Block, Code, Detail, Fact, Part, Text};
use crate::evidence::tables::machine;
use crate::number;
use crate::wording::{self, heading};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::units;

/// Longest study file in bytes that Markdown has; the folder of the run and the page have
/// it in any case.
const SOURCE: usize = 2000;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail == Detail::Brief {
        return None;
    }
    let full = detail == Detail::Full;
    let mut blocks = Vec::new();
    let source = &evidence.study.source;
    if full || source.len() <= SOURCE {
        let code = vec![Block::Code(Code::first("toml", source, usize::MAX))];
        blocks.push(Block::details("The study file", code));
    }
    let commands: Vec<Block> = match full {
        true => evidence.variants.iter().flat_map(build).collect(),
        false => all_commands(evidence).into_iter().collect(),
    };
    if !commands.is_empty() {
        let summary = "Commands that build each variant";
        blocks.push(Block::details(summary, commands));
    }
    let facts = |rows: Vec<(&'static str, String)>| {
        Block::Facts(
            rows.into_iter()
                .map(|(name, said)| Fact::new(name, said))
                .collect(),
        )
    };
    let isas = evidence.machine.isas.join(" ");
    let mut machine = machine::machine(evidence);
    if !isas.is_empty() {
        machine.push(("ISAs", isas));
    }
    let run = machine::run(evidence);
    if full {
        blocks.extend([Block::Heading("Machine".into()), facts(machine)]);
        blocks.extend([Block::Heading("Run".into()), facts(run)]);
    } else {
        machine.extend(run);
        blocks.push(Block::details("Machine and run", vec![facts(machine)]));
    }
    Some(Part::new("reproduce", heading::REPRODUCE, blocks))
}

/// All commands in one block, to be copied.
fn all_commands(evidence: &Evidence) -> Option<Block> {
    let built = evidence.variants.iter().filter(|v| !v.reproduce.is_empty());
    let commands = built.map(|v| format!("# {}\n{}", v.name, v.reproduce.join("\n")));
    let commands: Vec<String> = commands.collect();
    (!commands.is_empty()).then_some(Block::Commands(commands))
}

fn build(variant: &VariantEvidence) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(Text::default().code(&variant.name))];
    if let Some(reason) = &variant.left_out {
        blocks.push(Block::fine(format!("left out: {reason}")));
    }
    if !variant.reproduce.is_empty() {
        blocks.push(Block::Commands(variant.reproduce.clone()));
    }
    if let Some(build) = &variant.build {
        let cached = match build.cached {
            true => " (from the cache)",
            false => "",
        };
        let text = format!(
            "built in {}{cached}, {}, {}, SHA-256 ",
            number::value(build.seconds, "s"),
            units::bytes(build.bytes),
            wording::plural(build.warnings as usize, "warning"),
        );
        blocks.push(Block::fine(Text::from(text).code(&build.sha256)));
    }
    blocks
}
