//! What layout alone changes.

use super::write::Writer;
use crate::tables::layout;
use crate::wording;
use karat_model::evidence::{Evidence, WorkloadEvidence};

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
    if let Some(remedy) = layout::remedy(evidence) {
        w.element("p", &[("class", "note")], &remedy);
    }
    let taxed = || {
        evidence
            .workloads
            .iter()
            .filter(|x| !x.layout_tax.is_empty())
    };
    if taxed().next().is_some() {
        w.details("Layout tax by workload and variant", false, |w| {
            taxed().for_each(|workload| taxes(w, workload));
        });
    }
    if !evidence.layouts.moved.is_empty() {
        w.details("How far the code moved", false, |w| {
            let moved = evidence.layouts.moved.iter();
            list(w, moved.map(|m| (&m.variant, layout::moved(m))));
        });
    }
}

fn taxes(w: &mut Writer, workload: &WorkloadEvidence) {
    let caption = format!("Layout tax on {}", workload.name);
    w.element("h3", &[], &workload.name);
    w.table(&caption, "pairs", |w| {
        for tax in &workload.layout_tax {
            w.node("tr", &[], |w| {
                w.th("row", &tax.variant);
                w.element("td", &[], &layout::tax(tax));
            });
        }
    });
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
