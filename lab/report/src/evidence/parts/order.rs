//! Every sample at its time.

use crate::document::{Block, Chart, Detail, Part};
use crate::svg::run_order::RunOrder;
use crate::wording::heading;
use karat_model::evidence::Evidence;

const NOTE: &str = "Every measured run at the time when it ran, one lane for each variant, as its \
    difference from the median of its arm (a variant in one layout): up is faster, and what lies \
    beyond the lane is drawn at its edge. A slope that all lanes share is drift of the machine, \
    which interleaving spreads evenly over the arms. Hollow: a run while somebody else used the \
    core, or from which the processor was taken away; such runs are made again, and the last \
    attempt counts. Of very many runs, bars show the middle half and a point the median.";

/// The anchor of a workload's plot.
pub fn id(workload: usize) -> String {
    format!("order-{workload}")
}

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail != Detail::Full {
        return None;
    }
    if evidence.samples.is_empty() {
        return super::unmeasured("order", heading::ORDER, detail);
    }
    let plot = |nth: usize| {
        let chart = RunOrder::new(evidence, nth)?;
        Some(Block::Details {
            id: id(nth),
            summary: format!("{}: {}", evidence.workloads[nth].name, chart.drift()),
            open: nth == 0,
            blocks: vec![Block::chart(Chart::RunOrder(chart))],
        })
    };
    let blocks = (0..evidence.workloads.len()).filter_map(plot).collect();
    Some(Part::new("order", heading::ORDER, blocks).note(NOTE))
}
