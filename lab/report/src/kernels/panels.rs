//! Cases sorted into panels: one for each task and number of items.

use super::{item, rate, rate_unit};
use crate::svg::curves::{Curves, Series};
use karat_model::kernels::{Case, CaseArm, KernelBench};

/// Cases that differ in size alone.
pub(super) struct Panel<'a> {
    pub(super) title: String,
    pub(super) cases: Vec<&'a Case>,
}

/// The panels of a benchmark, in the order of its cases.
pub(super) fn panels(bench: &KernelBench) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for case in &bench.cases {
        let same = |p: &&mut Panel<'_>| {
            let first = p.cases[0];
            (&first.task, first.items) == (&case.task, case.items)
        };
        match panels.iter_mut().find(same) {
            Some(panel) => panel.cases.push(case),
            None => panels.push(Panel {
                title: title(case),
                cases: vec![case],
            }),
        }
    }
    for panel in &mut panels {
        panel.cases.sort_by_key(|c| c.size);
    }
    panels
}

fn title(case: &Case) -> String {
    match case.items {
        1 => case.title.clone(),
        items => format!("{}, {items} {}", case.title, case.item),
    }
}

impl Panel<'_> {
    /// Throughput by size; karat's arms first.
    pub(super) fn curves(&self) -> Curves {
        let mut sizes: Vec<(u64, String)> = self.cases.iter().map(|c| (c.size, item(c))).collect();
        sizes.dedup();
        let mut series: Vec<Series> = Vec::new();
        for case in &self.cases {
            for arm in &case.arms {
                let point = (case.size, rate(case, arm));
                let known = |s: &&mut Series| (s.name.as_str(), s.peer) == (&arm.name, arm.peer);
                match series.iter_mut().find(known) {
                    Some(series) => series.points.push(point),
                    None => series.push(new(arm, point)),
                }
            }
        }
        series.sort_by_key(|s| s.peer);
        Curves {
            title: self.title.clone(),
            about: format!("kernel {}", self.cases[0].kernel),
            unit: rate_unit(self.cases[0]),
            sizes,
            series,
        }
    }
}

fn new(arm: &CaseArm, point: (u64, f64)) -> Series {
    Series {
        name: arm.name.clone(),
        peer: arm.peer,
        chosen: arm.chosen,
        note: arm.note.clone(),
        points: vec![point],
    }
}
