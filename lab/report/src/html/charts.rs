//! The figures, one for each workload.

use super::write::Writer;
use crate::svg::{forest, run_order};
use crate::wording;
use karat_model::evidence::Evidence;

/// Figures that are shown unfolded.
const OPEN: usize = 2;

/// Point and interval of every variant.
pub fn forests(w: &mut Writer, evidence: &Evidence) {
    if evidence.workloads.iter().all(|x| x.comparisons.is_empty()) {
        w.element("p", &[], wording::NOT_MEASURED);
        return;
    }
    w.element(
        "p",
        &[("class", "note")],
        "Point: estimated change. Bar: its interval. Band: the margin. Filled points are \
         decided, hollow ones are not; squares lie inside the margin. Small rings: the change \
         in each layout, when there are several. The grey row is the baseline against itself. \
         Each figure has its own scale.",
    );
    w.node("div", &[("class", "figures")], |w| {
        for workload in evidence
            .workloads
            .iter()
            .filter(|x| !x.comparisons.is_empty())
        {
            w.node("figure", &[], |w| {
                w.element("h3", &[], &workload.name);
                forest::draw(w, evidence, workload);
            });
        }
    });
}

/// Every sample at its time.
pub fn run_orders(w: &mut Writer, evidence: &Evidence) {
    if evidence.samples.is_empty() {
        w.element("p", &[], wording::NOT_MEASURED);
        return;
    }
    w.element(
        "p",
        &[("class", "note")],
        "Every measured run at the time when it ran, one lane for each arm, as its difference \
         from the arm's own median: up is faster. A slope that all lanes share is drift of the \
         machine, which interleaving spreads evenly over the arms. A tick above a point: the \
         processor was taken away from this run more than is usual; such runs are made again, \
         and the last attempt counts. A hollow ring on the edge lies beyond \
         it.",
    );
    for (index, workload) in evidence.workloads.iter().enumerate() {
        if let Some(chart) = run_order::Chart::new(evidence, index) {
            let summary = format!("{}: {}", workload.name, chart.drift());
            w.details(&summary, index < OPEN, |w| {
                w.node("figure", &[], |w| chart.draw(w));
            });
        }
    }
}
