//! Cases sorted into panels: one for each task and number of items.

use super::rate;
use karat_model::kernels::{Case, CaseArm, KernelBench};

/// What one plot shows.
pub(super) struct Panel<'a> {
    pub(super) title: String,
    pub(super) kernel: &'a str,
    /// The arms of all sizes, karat's first.
    pub(super) series: Vec<Series>,
    pub(super) cases: Vec<&'a Case>,
}

/// One arm over sizes.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) peer: bool,
    pub(super) chosen: bool,
    pub(super) note: String,
    /// Size of an item, and throughput.
    pub(super) points: Vec<(f64, f64)>,
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
                kernel: &case.kernel,
                series: Vec::new(),
                cases: vec![case],
            }),
        }
    }
    for panel in &mut panels {
        panel.cases.sort_by_key(|c| c.size);
        panel.series = series(&panel.cases);
    }
    panels
}

fn title(case: &Case) -> String {
    match case.items {
        1 => case.title.clone(),
        items => format!("{}, {items} {}", case.title, case.item),
    }
}

fn series(cases: &[&Case]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for case in cases {
        for arm in &case.arms {
            let point = (case.size as f64, rate(case, arm));
            let known = |s: &&mut Series| (s.name.as_str(), s.peer) == (&arm.name, arm.peer);
            match all.iter_mut().find(known) {
                Some(series) => series.points.push(point),
                None => all.push(new(arm, point)),
            }
        }
    }
    all.sort_by_key(|s| s.peer);
    all
}

fn new(arm: &CaseArm, point: (f64, f64)) -> Series {
    Series {
        name: arm.name.clone(),
        peer: arm.peer,
        chosen: arm.chosen,
        note: arm.note.clone(),
        points: vec![point],
    }
}
