//! What the measured runs used, a table for each workload's runs.

use crate::document::{Block, Detail, Part};
use crate::evidence::tables::usage;
use crate::wording::{self, heading};
use karat_model::evidence::Evidence;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail != Detail::Full {
        return None;
    }
    if evidence.samples.is_empty() {
        return super::unmeasured("usage", heading::USAGE, detail);
    }
    let mut shown = Vec::new();
    let mut blocks = Vec::new();
    for workload in &evidence.workloads {
        if shown.contains(&workload.run) {
            continue;
        }
        shown.push(workload.run);
        blocks.push(Block::Details {
            id: String::new(),
            summary: workload.name.clone(),
            open: blocks.is_empty(),
            blocks: vec![Block::Table(usage::table(evidence, workload.run))],
        });
    }
    Some(Part::new("usage", heading::USAGE, blocks).note(wording::USAGE_NOTE))
}
