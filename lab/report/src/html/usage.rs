//! What the measured runs used.

use super::write::Writer;
use crate::tables::usage;
use crate::{number, wording};
use karat_model::evidence::Evidence;
use karat_model::units::bytes;

/// Writes the part: one table for each workload's runs.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    if evidence.samples.is_empty() {
        w.element("p", &[], wording::NOT_MEASURED);
        return;
    }
    w.element("p", &[("class", "note")], wording::USAGE_NOTE);
    let mut shown = Vec::new();
    for workload in &evidence.workloads {
        if shown.contains(&workload.run) {
            continue;
        }
        let open = shown.is_empty();
        shown.push(workload.run);
        w.details(&workload.name, open, |w| table(w, evidence, workload.run));
    }
}

fn table(w: &mut Writer, evidence: &Evidence, run: u32) {
    w.table("What a run used, by variant", "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in [
                    "Variant",
                    "Wall",
                    "CPU",
                    "Peak memory",
                    "Page faults",
                    "Waits",
                    "Switched out",
                ] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for u in usage::usage(evidence, run) {
                w.node("tr", &[], |w| {
                    w.th("row", &u.variant);
                    w.element("td", &[], &number::value(u.wall, "s"));
                    w.element("td", &[], &number::value(u.cpu, "s"));
                    let rss = u.rss.map_or_else(|| usage::NOT_TOLD.to_owned(), bytes);
                    w.element("td", &[], &rss);
                    for count in [u.faults, u.waits, u.switches] {
                        w.element("td", &[], &format!("{count}"));
                    }
                });
            }
        });
    });
}
