//! Arms that lower the core's clock, which short batches in turns do not show.

use super::items;
use crate::document::Block;
use karat_model::kernels::{Case, CaseArm, KernelBench};
use karat_model::units::significant;

/// What the numbers of a case do not show of an arm.
pub(super) fn of_arm(arm: &CaseArm) -> Option<Block> {
    let percent = percent(arm.clock_drop?);
    Some(Block::caveat(format!(
        "{} alone lowers the core's clock by {percent} % within milliseconds. Here all arms ran \
         in turns at one clock, so it took less time than it will take alone, and the others \
         took more.",
        arm.name,
    )))
}

/// All such arms, with the case where each lowers it most: readers of what calls go to may not
/// unfold the numbers.
pub(super) fn of_all(bench: &KernelBench) -> Option<Block> {
    let mut worst: Vec<(f64, &Case, &CaseArm)> = Vec::new();
    for case in &bench.cases {
        for arm in &case.arms {
            let Some(drop) = arm.clock_drop else { continue };
            let same = |(_, c, a): &&mut (f64, &Case, &CaseArm)| {
                (&c.task, &a.name) == (&case.task, &arm.name)
            };
            match worst.iter_mut().find(same) {
                Some(known) if known.0 < drop => *known = (drop, case, arm),
                Some(_) => {}
                None => worst.push((drop, case, arm)),
            }
        }
    }
    let told = |(drop, case, arm): &(f64, &Case, &CaseArm)| {
        let (percent, size) = (percent(*drop), items(case));
        format!("{} by {percent} % ({}, {size})", arm.name, case.title)
    };
    let told: Vec<String> = worst.iter().map(told).collect();
    (!told.is_empty()).then(|| {
        Block::caveat(format!(
            "Alone these lower the core's clock, and take longer than the speeds here say: {}.",
            told.join("; "),
        ))
    })
}

fn percent(drop: f64) -> String {
    significant(drop * 100.0)
}
