//! Expected functions by variants.

use crate::survival::{find, mix_text};
use crate::wording;
use karat_model::audit::{Survival, SurvivalState};
use karat_model::evidence::Evidence;

/// One function in one variant.
pub struct Row<'a> {
    /// The variant.
    pub variant: &'a str,
    /// Whether it is the baseline.
    pub baseline: bool,
    /// What the audit found.
    pub survival: &'a Survival,
    /// What of the instruction mix differs most from the baseline's.
    pub mix: String,
}

/// Every expected function, in the order in which the audits name them.
pub fn functions(evidence: &Evidence) -> Vec<&str> {
    let mut seen: Vec<&str> = Vec::new();
    for survival in audits(evidence).flat_map(|(_, a)| &a.survival) {
        if !seen.contains(&survival.function.as_str()) {
            seen.push(&survival.function);
        }
    }
    seen
}

/// A function in every audited variant.
pub fn rows<'a>(evidence: &'a Evidence, function: &str) -> Vec<Row<'a>> {
    let base = evidence
        .baseline()
        .and_then(|b| b.audit.as_ref())
        .and_then(|a| a.survival.iter().find(|s| s.function == function));
    evidence
        .variants
        .iter()
        .filter_map(|v| {
            let survival = find(v.audit.as_ref()?, function)?;
            Some(Row {
                variant: &v.name,
                baseline: v.baseline,
                survival,
                mix: match base {
                    Some(base) if !v.baseline => mix_text(&base.mix, &survival.mix),
                    _ => String::new(),
                },
            })
        })
        .collect()
}

/// Audited variants whose binary has no line tables, so that their answers are
/// weaker.
pub fn without_line_tables(evidence: &Evidence) -> Vec<&str> {
    audits(evidence)
        .filter(|(_, audit)| !audit.has_line_tables)
        .map(|(name, _)| name)
        .collect()
}

/// How many variants have the function in a state, and which they are.
pub fn by_state<'a>(rows: &[Row<'a>], state: SurvivalState) -> Vec<&'a str> {
    rows.iter()
        .filter(|r| r.survival.state == state)
        .map(|r| r.variant)
        .collect()
}

/// In how many variants a function is in which state; a few are named.
pub fn changed(rows: &[Row<'_>]) -> String {
    let states = [
        SurvivalState::Gone,
        SurvivalState::Changed,
        SurvivalState::Inlined,
        SurvivalState::Present,
    ];
    let parts = states.into_iter().filter_map(|state| {
        let names = by_state(rows, state);
        let word = wording::survival_word(state);
        match names.len() {
            0 => None,
            n if n == rows.len() => Some(format!("{word} in all {n}")),
            n if state == SurvivalState::Present || n > 2 => Some(format!("{word} in {n}")),
            _ => Some(format!("{word} in {}", names.join(", "))),
        }
    });
    parts.collect::<Vec<_>>().join(" · ")
}

fn audits(evidence: &Evidence) -> impl Iterator<Item = (&str, &karat_model::audit::BinaryAudit)> {
    evidence
        .variants
        .iter()
        .filter_map(|v| Some((v.name.as_str(), v.audit.as_ref()?)))
}
