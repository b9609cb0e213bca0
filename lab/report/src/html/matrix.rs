//! Variants by workloads, and why each variant has its verdict.

use super::write::{Writer, tone};
use crate::number;
use crate::tables::matrix::{self, Row};
use crate::tables::pairs;
use crate::wording::{self, heading};
use karat_model::evidence::Evidence;
use karat_model::verdict::{Comparison, Judgement};

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    let rows = matrix::rows(evidence);
    w.node("p", &[("class", "note")], |w| {
        w.text("Change of speed against ");
        w.code(wording::baseline_name(evidence));
        w.text(&format!(
            " with its interval: +10 % is one tenth faster, whatever the metric. The margin, \
             below which a change does not matter, is {}.",
            number::chosen(evidence.study.margin)
        ));
    });
    if evidence.workloads.is_empty() {
        w.element("p", &[], wording::NOT_MEASURED);
    }
    w.table("Variants by workloads", "matrix", |w| {
        head(w, evidence, ["Variant", "Verdict"]);
        w.node("tbody", &[], |w| {
            baseline(w, evidence);
            for row in &rows {
                line(w, row, evidence.verdict.recommended.as_deref());
            }
        });
    });
    pairs(w, evidence);
    let left: Vec<_> = matrix::left_out(evidence).collect();
    if !left.is_empty() {
        w.element("h3", &[], "Left out");
        w.node("dl", &[("class", "reasons")], |w| {
            for (name, reason) in left {
                w.node("dt", &[], |w| w.code(name));
                w.element("dd", &[], reason);
            }
        });
    }
    reasons(w, evidence);
    if rows.iter().any(|r| r.cells.iter().any(Option::is_some)) {
        w.details("More numbers of the judge", false, |w| numbers(w, evidence));
    }
}

/// A judgement's word with its sign and tint.
pub fn judgement(w: &mut Writer, judgement: Judgement) {
    let sign = wording::judgement_sign(judgement);
    let class = format!("tag {}", tone(wording::judgement_tone(judgement)));
    w.node("span", &[("class", &class)], |w| {
        w.element("span", &[("aria-hidden", "true")], sign);
        w.text(" ");
        w.text(judgement.word());
    });
}

fn head(w: &mut Writer, evidence: &Evidence, first: [&str; 2]) {
    w.node("thead", &[], |w| {
        w.node("tr", &[], |w| {
            first.iter().for_each(|name| w.th("col", name));
            for workload in &evidence.workloads {
                w.node("th", &[("scope", "col")], |w| {
                    w.text(&workload.name);
                    w.element("small", &[], &workload.metric.name);
                });
            }
        });
    });
}

fn baseline(w: &mut Writer, evidence: &Evidence) {
    w.node("tr", &[("class", "base")], |w| {
        w.node("th", &[("scope", "row")], |w| {
            w.text(wording::baseline_name(evidence));
        });
        w.element("td", &[], "baseline");
        for workload in &evidence.workloads {
            w.element("td", &[], &matrix::baseline_value(workload));
        }
    });
}

fn line(w: &mut Writer, row: &Row<'_>, recommended: Option<&str>) {
    w.node("tr", &[], |w| {
        w.th("row", &row.variant.name);
        w.node("td", &[], |w| {
            verdict(w, row, recommended == Some(&row.variant.name));
        });
        row.cells.iter().for_each(|cell| self::cell(w, *cell));
    });
}

fn cell(w: &mut Writer, cell: Option<&Comparison>) {
    match cell {
        Some(c) => {
            let class = tone(wording::judgement_tone(c.judgement));
            w.node("td", &[("class", class)], |w| comparison(w, c));
        }
        None => w.element("td", &[("class", "none")], "not measured"),
    }
}

/// Variants against each other.
fn pairs(w: &mut Writer, evidence: &Evidence) {
    let rows = pairs::rows(evidence);
    if rows.is_empty() {
        return;
    }
    w.element("h3", &[], heading::PAIRS);
    w.element("p", &[("class", "note")], wording::PAIRS_NOTE);
    w.table("Variants against each other", "matrix", |w| {
        head(w, evidence, ["Variant", "Against"]);
        w.node("tbody", &[], |w| {
            for row in &rows {
                w.node("tr", &[], |w| {
                    w.th("row", row.variant);
                    w.node("td", &[], |w| w.path(row.against));
                    row.cells.iter().for_each(|cell| self::cell(w, *cell));
                });
            }
        });
    });
}

fn verdict(w: &mut Writer, row: &Row<'_>, recommended: bool) {
    let Some(said) = &row.variant.verdict else {
        return w.text(number::MISSING);
    };
    let class = format!("tag {}", tone(wording::verdict_tone(said.verdict)));
    w.node("strong", &[("class", &class)], |w| {
        w.element(
            "span",
            &[("aria-hidden", "true")],
            wording::verdict_sign(said.verdict),
        );
        w.text(" ");
        w.text(wording::verdict(said.verdict));
    });
    if recommended {
        w.element("small", &[("class", "recommended")], "recommended");
    }
    if row.cells.iter().any(Option::is_some) {
        w.element(
            "small",
            &[],
            &format!("mean {}", number::change(said.mean_speed)),
        );
    }
}

fn comparison(w: &mut Writer, c: &Comparison) {
    w.element("b", &[], &number::change(c.speed.estimate));
    w.element("small", &[], &wording::interval(&c.speed));
    judgement(w, c.judgement);
    if let Some(split) = c.split {
        for (what, speed) in [("fastest runs", split.floor), ("typical", split.typical)] {
            let text = format!("{what} {}", number::change(speed));
            w.element("small", &[], &text);
        }
    }
}

fn reasons(w: &mut Writer, evidence: &Evidence) {
    w.details("What each variant is, and why its verdict", false, |w| {
        variants(w, evidence);
    });
}

fn variants(w: &mut Writer, evidence: &Evidence) {
    w.node("dl", &[("class", "reasons")], |w| {
        for v in evidence.variants.iter().filter(|v| v.left_out.is_none()) {
            w.node("dt", &[], |w| {
                w.code(&v.name);
                match &v.verdict {
                    Some(said) => {
                        w.text(" ");
                        w.element("strong", &[], wording::verdict(said.verdict));
                    }
                    None if v.baseline => w.text(" baseline"),
                    None => {}
                }
            });
            w.node("dd", &[], |w| {
                if !v.why.is_empty() {
                    w.element("p", &[], &v.why);
                }
                if !v.settings.is_empty() {
                    w.element("p", &[("class", "settings")], &v.settings.join(" · "));
                }
                if let Some(said) = v.verdict.as_ref().filter(|said| !said.reasons.is_empty()) {
                    w.element("p", &[], &said.reasons.join(" · "));
                }
            });
        }
    });
}

fn numbers(w: &mut Writer, evidence: &Evidence) {
    w.table("More numbers of the judge", "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in [
                    "Variant",
                    "Workload",
                    "Baseline",
                    "Variant's",
                    "Error level",
                    "p",
                    "p, Holm",
                    "Detectable",
                    "Rounds",
                    "Rounds needed",
                ] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for workload in &evidence.workloads {
                for c in workload.comparisons.iter().chain(&workload.pairs) {
                    let unit = &workload.metric.unit;
                    w.node("tr", &[], |w| {
                        w.th("row", &wording::compared(c));
                        for text in [
                            workload.name.clone(),
                            number::value(c.baseline_value, unit),
                            number::value(c.variant_value, unit),
                            number::percent(c.level),
                            number::p(c.p),
                            number::p(c.p_adjusted),
                            c.detectable
                                .map_or_else(|| number::MISSING.to_owned(), number::percent),
                            c.rounds.to_string(),
                            c.rounds_needed
                                .map_or_else(|| number::MISSING.to_owned(), |r| r.to_string()),
                        ] {
                            w.element("td", &[], &text);
                        }
                    });
                }
            }
        });
    });
}
