//! The noise table.

use super::charts;
use super::write::Writer;
use crate::tables::{layout, neighbours, noise, oddities};
use crate::wording::{self, Tone};
use karat_model::evidence::Evidence;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    w.element("p", &[("class", "note")], wording::NOISE_NOTE);
    if evidence.workloads.is_empty() {
        w.element("p", &[], wording::NOT_MEASURED);
        return;
    }
    w.table("Noise floor by workload", "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in [
                    "Workload",
                    "A/A change",
                    "Interval",
                    "Gate",
                    "Noise floor",
                    "Detectable change",
                    "Rounds",
                    "Layout tax (standard deviation)",
                ] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for row in noise::rows(evidence) {
                w.node("tr", &[], |w| {
                    w.th("row", &row.workload.name);
                    w.element("td", &[], &row.again);
                    w.element("td", &[], &row.interval);
                    let class = if row.workload.again_passed {
                        "tag even"
                    } else {
                        "tag bad"
                    };
                    w.node("td", &[], |w| {
                        w.element("span", &[("class", class)], row.gate);
                    });
                    w.element("td", &[], &row.floor);
                    w.element("td", &[], &row.detectable);
                    w.element("td", &[], &row.rounds);
                    let tax = layout::taxes(row.workload);
                    let tax = tax.unwrap_or_else(|| "one layout".to_owned());
                    w.element("td", &[("class", "prose")], &tax);
                });
            }
        });
    });
    if let Some((t, line)) = neighbours::line(evidence) {
        let class = if t == Tone::Even { "note" } else { "caveat" };
        w.element("p", &[("class", class)], &line);
    }
    oddities(w, evidence);
    if let Some(looks) = noise::looks(evidence) {
        w.element("p", &[("class", "fine")], &looks);
    }
    w.node("ul", &[("class", "fine")], |w| {
        for workload in &evidence.workloads {
            if workload.why.is_empty() && workload.args.is_empty() {
                continue;
            }
            w.node("li", &[], |w| {
                w.element("b", &[], &workload.name);
                if !workload.why.is_empty() {
                    w.text(": ");
                    w.text(&workload.why);
                }
                if !workload.args.is_empty() {
                    w.text(" ");
                    w.code(&workload.args.join(" "));
                }
            });
        }
    });
}

/// A line for each workload that is odd, with a way to its plot.
fn oddities(w: &mut Writer, evidence: &Evidence) {
    let lines: Vec<_> = evidence
        .workloads
        .iter()
        .enumerate()
        .filter_map(|(nth, x)| Some((nth, x, oddities::line(x)?)))
        .collect();
    if lines.is_empty() {
        return;
    }
    w.node("ul", &[("class", "caveat")], |w| {
        for (nth, workload, line) in lines {
            w.node("li", &[], |w| {
                w.element("b", &[], &workload.name);
                w.text(&format!(": {line} "));
                if charts::has_run_order(evidence, nth) {
                    let plot = format!("#{}", charts::run_order_id(nth));
                    w.element("a", &[("href", &plot)], "plot");
                }
            });
        }
    });
}
