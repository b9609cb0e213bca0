//! The noise table.

use super::write::Writer;
use crate::tables::noise;
use crate::wording;
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
                    "Looks (rounds: undecided)",
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
                    w.element("td", &[], &row.workload.rounds.to_string());
                    w.element("td", &[], &row.looks);
                });
            }
        });
    });
    let odd = || {
        evidence
            .workloads
            .iter()
            .flat_map(|x| x.oddities.iter().map(move |o| (x, o)))
    };
    if odd().next().is_some() {
        w.node("ul", &[("class", "caveat")], |w| {
            for (workload, oddity) in odd() {
                w.node("li", &[], |w| {
                    w.element("b", &[], &workload.name);
                    w.text(&format!(": {}", oddity.text));
                });
            }
        });
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
