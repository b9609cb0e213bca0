//! What layout alone changes.

use crate::{number, wording};
use karat_model::evidence::{Evidence, WorkloadEvidence};
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
        "{} layouts of the baseline differ by {} (standard deviation{})",
        p.layouts,
        number::percent(p.sd),
        bounds(p.sd_low, p.sd_high)
    );
    match (p.decision, p.needed) {
        (PilotDecision::NotKnown, _) => format!(
            "what layouts do is not known: one layout measured twice scatters as much ({})",
            most(p.sd_high)
        ),
        (PilotDecision::Insensitive, _) => format!("{found}: far less than the margin"),
        (PilotDecision::Layouts, Some(n)) => {
            format!("{found}: {n} layouts bound an effect to the margin")
        }
        (PilotDecision::Layouts, None) => format!("{found}: more layouts are worth measuring"),
        (PilotDecision::OutOfReach, needed) => format!(
            "{found}: {} to bound an effect to the margin",
            needed.map_or_else(
                || "no number of layouts is enough".to_owned(),
                |n| format!("it would take {n} layouts")
            )
        ),
    }
}

/// What to do where layouts differ more than can be averaged out.
pub fn remedy(evidence: &Evidence) -> Option<String> {
    let mut pilots = evidence.layouts.pilots.iter();
    let out = pilots.any(|p| p.decision == PilotDecision::OutOfReach);
    out.then(|| format!("Where it would take too many layouts, {}.", pin(evidence)))
}

/// All pilots in a line, workloads with the same outcome together.
pub fn pilots(evidence: &Evidence) -> Option<String> {
    let outcomes = [
        (PilotDecision::Insensitive, "layout hardly matters on"),
        (PilotDecision::Layouts, "several layouts are worth it on"),
        (
            PilotDecision::OutOfReach,
            "no affordable number of layouts is enough on",
        ),
        (PilotDecision::NotKnown, "not known on"),
    ];
    let parts: Vec<String> = outcomes
        .iter()
        .filter_map(|(decision, words)| {
            let pilots = evidence.layouts.pilots.iter();
            let names: Vec<&str> = pilots
                .filter(|p| p.decision == *decision)
                .map(|p| p.workload.as_str())
                .collect();
            (!names.is_empty()).then(|| format!("{words} {}", names.join(", ")))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("Pilot: {}.", parts.join("; ")))
}

/// The layout tax of a variant: spread and range.
pub fn tax(t: &LayoutTax) -> String {
    if !t.known {
        return format!("not known ({})", most(t.sd_high));
    }
    format!(
        "{} standard deviation{}, slowest layout {} against the fastest",
        number::percent(t.sd),
        bounds(t.sd_low, t.sd_high),
        number::change(1.0 + t.range)
    )
}

/// The layout tax of all variants on a workload: spreads, and the largest. `None` when
/// one layout was measured.
pub fn taxes(workload: &WorkloadEvidence) -> Option<String> {
    let all = &workload.layout_tax;
    let known: Vec<&LayoutTax> = all.iter().filter(|t| t.known).collect();
    if all.is_empty() {
        return None;
    }
    let Some(largest) = known.iter().max_by(|a, b| a.sd.total_cmp(&b.sd)) else {
        return Some("not known".to_owned());
    };
    let mut out = number::range(known.iter().map(|t| t.sd));
    if known.len() > 1 {
        out += &format!(", most in {}", largest.variant);
    }
    if known.len() < all.len() {
        out += &format!(
            ", not known for {} of {}",
            all.len() - known.len(),
            all.len()
        );
    }
    Some(out)
}

/// The same for a narrow column: the spreads, or that they are not known.
pub fn taxes_brief(workload: &WorkloadEvidence) -> String {
    let all = &workload.layout_tax;
    match (all.is_empty(), all.iter().any(|t| t.known)) {
        (true, _) => String::new(),
        (false, false) => "not known".to_owned(),
        (false, true) => number::range(all.iter().filter(|t| t.known).map(|t| t.sd)),
    }
}

/// `; 1.2 % to 3.4 %`, or nothing where there are no bounds.
fn bounds(low: f64, high: f64) -> String {
    if bounded(high) {
        format!("; {} to {}", number::percent(low), number::percent(high))
    } else {
        String::new()
    }
}

fn most(high: f64) -> String {
    if bounded(high) {
        format!("at most {}", number::percent(high))
    } else {
        "no bound".to_owned()
    }
}

/// A spread of ten times the cost is no bound.
fn bounded(high: f64) -> bool {
    high.is_finite() && high < 10.0
}

/// What takes most of a layout tax away, by the flag of the compiler that the programs are
/// from.
pub fn pin(evidence: &Evidence) -> String {
    let audits = || evidence.variants.iter().filter_map(|v| v.audit.as_ref());
    let flag = match audits().next().is_some() {
        true if audits().any(wording::has_rust) => "-Cllvm-args=-align-all-functions=6",
        true => "-falign-functions=64 (gcc and clang)",
        false => "their compiler's flag for it",
    };
    format!("try variants with aligned functions, by {flag}")
}
