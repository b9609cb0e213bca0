//! What layout alone changes.

use crate::advice::PIN;
use crate::number;
use karat_model::evidence::Evidence;
use karat_model::layout::{LayoutTax, Moved, Pilot, PilotDecision};

/// How layouts were drawn, in a sentence; `None` when nothing was measured.
pub fn method(evidence: &Evidence) -> Option<String> {
    let layouts = &evidence.layouts;
    if evidence.samples.is_empty() {
        return None;
    }
    let mut out = match (layouts.method.is_empty(), layouts.layouts) {
        (true, _) => "One layout of each variant was measured.".to_owned(),
        (false, 0 | 1) => format!(
            "Layouts were drawn by {} in a pilot; the comparisons rest on one layout of each \
             variant.",
            layouts.method
        ),
        (false, n) => format!(
            "Each variant was measured in {n} layouts, drawn by {}.",
            layouts.method
        ),
    };
    if !layouts.note.is_empty() {
        out += &format!(" {}", layouts.note);
    }
    Some(out)
}

/// How far a variant's code moved between its layouts.
pub fn moved(m: &Moved) -> String {
    let share = |s: f64| number::similarity(s);
    let mut out = format!(
        "{} of the code ({} functions) lies elsewhere in a cache line, {} elsewhere in a page",
        share(m.by_64),
        m.functions,
        share(m.by_4096)
    );
    for hot in &m.hot {
        let places: Vec<String> = hot
            .addresses
            .iter()
            .map(|a| format!("{:#x}", a % 4096))
            .collect();
        out += &format!("; {} at {} of a page", hot.function, places.join(", "));
    }
    out
}

/// What a pilot found, and what follows.
pub fn pilot(p: &Pilot) -> String {
    let found = format!(
        "{} layouts of the baseline differ by {} (standard deviation, at most {})",
        p.layouts,
        number::percent(p.sd),
        number::percent(p.sd_high)
    );
    match (p.decision, p.needed) {
        (PilotDecision::NotKnown, _) => "not known".into(),
        (PilotDecision::Insensitive, _) => format!("{found}: far less than the margin"),
        (PilotDecision::Layouts, Some(n)) => {
            format!("{found}: {n} layouts bound an effect to the margin")
        }
        (PilotDecision::Layouts, None) => format!("{found}: more layouts are worth measuring"),
        (PilotDecision::OutOfReach, needed) => format!(
            "{found}: {} to bound an effect to the margin; {PIN}",
            needed.map_or_else(
                || "no number of layouts is enough".to_owned(),
                |n| format!("it would take {n} layouts")
            )
        ),
    }
}

/// The layout tax of a variant: spread and range.
pub fn tax(t: &LayoutTax) -> String {
    format!(
        "{} standard deviation, slowest layout {} against the fastest",
        number::percent(t.sd),
        number::change(1.0 + t.range)
    )
}
