//! The clock, and how each possible cause stands.

use super::write::Writer;
use crate::number;
use crate::tables::causes::{self, Row, Stances};
use crate::wording;
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::measure::ClockReading;
use karat_model::verdict::{Cause, Stance};

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    w.element("p", &[("class", "note")], wording::CAUSES_NOTE);
    let summary = causes::summary(evidence.workloads.iter().flat_map(|x| &x.comparisons));
    if !summary.is_empty() {
        w.node("ul", &[], |w| {
            for line in summary {
                w.element("li", &[], &line);
            }
        });
    }
    let mut any = false;
    for workload in &evidence.workloads {
        let rows = causes::rows(evidence, workload);
        let found = causes::stances(workload);
        if rows.iter().all(|r| r.clock.is_none()) && found.total == 0 {
            continue;
        }
        any = true;
        w.details(&heading(workload, &found), false, |w| {
            clocks(w, workload, &rows);
            stances(w, &found);
        });
    }
    if !any {
        w.element("p", &[], "No clock was read and no cause was examined.");
    }
}

fn heading(workload: &WorkloadEvidence, found: &Stances<'_>) -> String {
    let count = wording::plural(found.total, "difference");
    format!("{}: {count}", workload.name)
}

fn clocks(w: &mut Writer, workload: &WorkloadEvidence, rows: &[Row<'_>]) {
    w.table(&format!("Clock during {}", workload.name), "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in [
                    "Variant",
                    "Speed",
                    "GHz before",
                    "during",
                    "after",
                    "during, against the baseline's",
                ] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for row in rows {
                w.node("tr", &[], |w| {
                    w.th("row", row.variant);
                    let speed = row.comparison.map_or_else(
                        || "baseline".to_owned(),
                        |c| number::change(c.speed.estimate),
                    );
                    w.element("td", &[], &speed);
                    let ghz = |of: fn(&ClockReading) -> f64| {
                        row.clock
                            .map_or_else(|| "not read".to_owned(), |c| number::gigahertz(of(c)))
                    };
                    for text in [ghz(|c| c.before), ghz(|c| c.during), ghz(|c| c.after)] {
                        w.element("td", &[], &text);
                    }
                    let relative = row
                        .relative
                        .map_or_else(|| number::MISSING.to_owned(), number::change);
                    w.element("td", &[], &relative);
                });
            }
        });
    });
}

/// What holds for every variant once, then what each variant has of its own.
fn stances(w: &mut Writer, stances: &Stances<'_>) {
    if stances.total == 0 {
        return;
    }
    w.node("dl", &[("class", "reasons")], |w| {
        if !stances.common.is_empty() {
            w.element("dt", &[], &format!("in all {}", stances.total));
            w.node("dd", &[], |w| {
                stances.common.iter().for_each(|c| stance(w, c))
            });
        }
        for (c, own) in &stances.own {
            w.node("dt", &[], |w| {
                w.code(&c.variant);
                let change = number::change(c.speed.estimate);
                w.element("small", &[], &format!(" {change} {}", c.judgement.word()));
            });
            w.node("dd", &[], |w| own.iter().for_each(|cause| stance(w, cause)));
        }
    });
}

fn stance(w: &mut Writer, cause: &Cause) {
    let class = match cause.stance {
        Stance::Excluded => "tag even",
        Stance::Consistent => "tag consistent",
        Stance::Unknown => "tag open",
    };
    w.node("p", &[], |w| {
        w.element("b", &[], &cause.kind);
        w.text(" ");
        w.element("span", &[("class", class)], wording::stance(cause.stance));
        w.text(" ");
        w.text(&cause.text);
    });
}
