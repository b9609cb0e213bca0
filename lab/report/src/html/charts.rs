//! The figures, one for each workload.

use super::write::Writer;
use crate::svg::{forest, run_order};
use crate::wording;
use karat_model::evidence::Evidence;

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

/// The anchor of a workload's run order.
pub fn run_order_id(workload: usize) -> String {
    format!("order-{workload}")
}

/// Whether there is anything to draw of a workload.
pub fn has_run_order(evidence: &Evidence, workload: usize) -> bool {
    run_order::Chart::new(evidence, workload).is_some()
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
        "Every measured run at the time when it ran, one lane for each variant, as its \
         difference from the median of its arm (a variant in one layout): up is faster, and what \
         lies beyond the lane is drawn at its edge. A slope that all lanes share is drift of the \
         machine, which interleaving spreads evenly over the arms. Hollow: a run while somebody \
         else used the core, or from which the processor was taken away; such runs are made \
         again, and the last attempt counts. Of very many runs, bars show the middle half and a \
         point the median.",
    );
    for (index, workload) in evidence.workloads.iter().enumerate() {
        if let Some(chart) = run_order::Chart::new(evidence, index) {
            let summary = format!("{}: {}", workload.name, chart.drift());
            w.node("div", &[("id", &run_order_id(index))], |w| {
                w.details(&summary, index == 0, |w| {
                    w.node("figure", &[], |w| chart.draw(w));
                });
            });
        }
    }
}
