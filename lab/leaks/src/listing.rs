//! What is told of all functions above the baseline together: how many of each state, which are
//! listed, what stands in their way, and where they are in the source.

use super::locations::locations;
use karat_binary::read::image::Image;
use karat_model::finding::Location;
use karat_model::leaks::{AboveBaseline, LeakReport, Obstacle, Reach};
use std::collections::BTreeMap;

/// Obstacles that are listed.
const OBSTACLES: usize = 50;

/// So many functions of each state.
pub(super) fn keep(functions: &mut Vec<AboveBaseline>, most: usize) {
    let mut left: BTreeMap<Reach, usize> = BTreeMap::new();
    functions.retain(|f| {
        let listed = left.entry(f.reach).or_default();
        *listed += 1;
        *listed <= most
    });
}

pub(super) fn count_states(report: &mut LeakReport, functions: &[AboveBaseline]) {
    let counts = &mut report.counts;
    counts.above = functions.len() as u64;
    for function in functions {
        *match function.reach {
            Reach::Guarded => &mut counts.guarded,
            Reach::Leak => &mut counts.leaks,
            Reach::Insufficient => &mut counts.insufficient,
            Reach::Exported => &mut counts.exported,
            Reach::Unknown => &mut counts.unknown,
            Reach::Unreferenced => &mut counts.unreferenced,
        } += 1;
    }
}

/// What stands in the way of the functions whose state is unknown, one line each.
pub(super) fn obstacles(functions: &[AboveBaseline]) -> Vec<Obstacle> {
    let mut out: BTreeMap<&str, Obstacle> = BTreeMap::new();
    for function in functions.iter().filter(|f| f.reach == Reach::Unknown) {
        let known = out.entry(&function.obstacle).or_insert_with(|| Obstacle {
            what: function.obstacle.clone(),
            functions: 0,
            example: format!("{}: {}", function.function, function.reason),
            decide: decide(&function.reason).into(),
        });
        known.functions += 1;
    }
    let mut out: Vec<Obstacle> = out.into_values().collect();
    out.sort_by(|a, b| {
        b.functions
            .cmp(&a.functions)
            .then_with(|| a.what.cmp(&b.what))
    });
    out.truncate(OBSTACLES);
    out
}

/// What a reader can do about a reason.
fn decide(reason: &str) -> &'static str {
    let has = |part| reason.contains(part);
    match () {
        () if has("which feature") => "--cpu-cell or --gate-function",
        () if has("through a pointer") || has("may be on a flag") => {
            "a run (--try), or --gate-function"
        }
        () => "a run (--try)",
    }
}

/// Adds source lines to what is listed.
pub(super) fn locate(image: &Image<'_>, functions: &mut [AboveBaseline]) {
    let mut addresses = Vec::new();
    for function in functions.iter() {
        addresses.push(function.first.address);
        addresses.extend(function.path.iter().map(|step| step.address));
    }
    let lines = locations(image, &addresses);
    let find = |address: u64| -> Option<Location> { lines.get(&address).cloned() };
    for function in functions {
        function.first.location = find(function.first.address);
        for step in &mut function.path {
            step.location = find(step.address);
        }
    }
}
