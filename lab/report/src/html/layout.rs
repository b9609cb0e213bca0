//! What layout alone changes.

use super::write::Writer;
use crate::tables::layout;
use crate::wording;
use karat_model::evidence::Evidence;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    w.element("p", &[("class", "note")], wording::LAYOUT_NOTE);
    let Some(method) = layout::method(evidence) else {
        w.element("p", &[], wording::NOT_MEASURED);
        return;
    };
    w.element("p", &[], &method);
    list(
        w,
        evidence
            .layouts
            .pilots
            .iter()
            .map(|p| (&p.workload, layout::pilot(p))),
    );
    let taxed: Vec<_> = evidence
        .workloads
        .iter()
        .filter(|x| !x.layout_tax.is_empty())
        .collect();
    if !taxed.is_empty() {
        w.table("Layout tax by workload and variant", "pairs", |w| {
            w.node("tbody", &[], |w| {
                for workload in taxed {
                    for tax in &workload.layout_tax {
                        w.node("tr", &[], |w| {
                            w.th("row", &format!("{} · {}", workload.name, tax.variant));
                            w.element("td", &[], &layout::tax(tax));
                        });
                    }
                }
            });
        });
    }
    list(
        w,
        evidence
            .layouts
            .moved
            .iter()
            .map(|m| (&m.variant, layout::moved(m))),
    );
}

fn list<'a>(w: &mut Writer, items: impl Iterator<Item = (&'a String, String)>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    w.node("ul", &[("class", "fine")], |w| {
        for (name, text) in items {
            w.node("li", &[], |w| {
                w.element("b", &[], name);
                w.text(&format!(": {text}"));
            });
        }
    });
}
