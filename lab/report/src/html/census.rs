//! What is in the binaries.

use super::write::Writer;
use crate::audit;
use crate::svg::bar;
use crate::tables::census::{self, COLUMNS};
use crate::wording;
use karat_model::audit::BinaryAudit;
use karat_model::evidence::Evidence;
use karat_model::units;

/// Crates that are shown.
const CRATES: usize = 12;
/// Functions that are shown for each variant.
const FUNCTIONS: usize = 10;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    let audited = census::audited(evidence);
    if audited.is_empty() {
        w.element("p", &[], "No binary was audited.");
        return;
    }
    w.element("p", &[("class", "note")], wording::CENSUS_NOTE);
    widths(w, evidence);
    apart(w, evidence);
    crates(w, evidence);
    growth(w, evidence);
    w.details(
        "Functions with most wide vector instructions, and extensions",
        false,
        |w| {
            for (variant, audit) in &audited {
                w.element("h3", &[], &variant.name);
                functions(w, &variant.name, audit);
            }
        },
    );
}

/// Which functions grew against the baseline, variant by variant.
fn growth(w: &mut Writer, evidence: &Evidence) {
    let tables: Vec<_> = census::audited(evidence)
        .into_iter()
        .filter_map(|(variant, facts)| {
            let bloat = facts.bloat.as_ref()?;
            Some((variant, bloat, audit::by_function(facts, bloat)?))
        })
        .collect();
    if tables.is_empty() {
        return;
    }
    w.details("Growth by function, by variant", false, |w| {
        for (variant, bloat, mut table) in tables {
            table.caption = format!("{}: {}", table.caption, variant.name);
            table.more += table.rows.len().saturating_sub(FUNCTIONS) as u64;
            table.rows.truncate(FUNCTIONS);
            audit::table::write(w, &table);
            w.element("p", &[("class", "fine")], &audit::differing(bloat));
        }
    });
}

/// What no total holds, or whose extensions are not believed.
fn apart(w: &mut Writer, evidence: &Evidence) {
    let lines = census::apart(evidence);
    if lines.is_empty() {
        return;
    }
    w.element("p", &[("class", "note")], "Told apart from these counts:");
    w.node("ul", &[], |w| {
        for line in &lines {
            w.element("li", &[], line);
        }
    });
}

fn widths(w: &mut Writer, evidence: &Evidence) {
    let audited = census::audited(evidence);
    w.table("Instructions by register width", "numbers bars", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                w.th("col", "Variant");
                for column in &COLUMNS {
                    w.element(
                        "th",
                        &[("scope", "col"), ("title", column.meaning)],
                        column.name,
                    );
                }
            });
        });
        w.node("tbody", &[], |w| {
            for (variant, audit) in &audited {
                w.node("tr", &[], |w| {
                    w.th("row", &variant.name);
                    for column in &COLUMNS {
                        let most = audited.iter().map(|(_, a)| (column.of)(a)).max();
                        let (count, change) = census::cell(evidence, column, audit);
                        w.node("td", &[], |w| {
                            w.text(&count);
                            bar::draw(w, &[((column.of)(audit), "b0")], most.unwrap_or(0));
                            w.element("small", &[], if change.is_empty() { "=" } else { &change });
                        });
                    }
                });
            }
        });
    });
}

fn crates(w: &mut Writer, evidence: &Evidence) {
    let (rows, more) = census::crates(evidence, CRATES);
    if rows.is_empty() {
        w.element(
            "p",
            &[],
            "No crate has 256-bit or 512-bit instructions in any variant.",
        );
        return;
    }
    let most = rows
        .iter()
        .flat_map(|r| &r.cells)
        .map(|(zmm, ymm)| zmm + ymm)
        .max()
        .unwrap_or(0);
    w.element("h3", &[], "Wide vector instructions by crate");
    w.node("p", &[("class", "note")], |w| {
        w.text("Counted in the crate whose source they come from, wherever they were inlined. ");
        w.element("span", &[("class", "key k1")], "zmm (512 bits)");
        w.text(" / ");
        w.element("span", &[("class", "key k2")], "ymm (256 bits)");
    });
    w.table(
        "512-bit and 256-bit instructions by crate",
        "numbers bars",
        |w| {
            w.node("thead", &[], |w| {
                w.node("tr", &[], |w| {
                    w.th("col", "Crate");
                    for (variant, _) in census::audited(evidence) {
                        w.th("col", &variant.name);
                    }
                });
            });
            w.node("tbody", &[], |w| {
                for row in &rows {
                    w.node("tr", &[], |w| {
                        w.th("row", row.name);
                        for (zmm, ymm) in &row.cells {
                            w.node("td", &[], |w| {
                                let text =
                                    format!("{} / {}", units::grouped(*zmm), units::grouped(*ymm));
                                w.text(&text);
                                bar::draw(w, &[(*zmm, "b1"), (*ymm, "b2")], most);
                            });
                        }
                    });
                }
            });
        },
    );
    if more > 0 {
        w.element(
            "p",
            &[("class", "fine")],
            &format!("{more} more crates with fewer are in evidence.json."),
        );
    }
}

fn functions(w: &mut Writer, name: &str, audit: &BinaryAudit) {
    w.element(
        "p",
        &[("class", "fine")],
        &format!(
            "{}; extensions: {}",
            audit.format,
            census::extensions(audit)
        ),
    );
    if audit.total.undecodable > 0 {
        let count = units::grouped(audit.total.undecodable);
        w.element(
            "p",
            &[("class", "caveat")],
            &format!("{count} positions do not decode as instructions."),
        );
    }
    if audit.functions.is_empty() {
        return;
    }
    w.table(&format!("Functions of {name}"), "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in ["Function", "instructions", "xmm", "ymm", "zmm", "mask"] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for f in audit.functions.iter().take(FUNCTIONS) {
                w.node("tr", &[], |w| {
                    w.node("th", &[("scope", "row")], |w| w.code(&f.name));
                    let c = &f.census;
                    for count in [c.instructions, c.xmm, c.ymm, c.zmm, c.mask] {
                        w.element("td", &[], &units::grouped(count));
                    }
                });
            }
        });
    });
    let shown = audit.functions.len().min(FUNCTIONS);
    w.element(
        "p",
        &[("class", "fine")],
        &format!(
            "{shown} of {} functions",
            units::grouped(audit.functions_total)
        ),
    );
}
