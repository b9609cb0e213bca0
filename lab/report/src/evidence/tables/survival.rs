//! Expected functions by variants.

use crate::{number, wording};
use karat_model::audit::{Survival, SurvivalState};
use karat_model::evidence::Evidence;
use karat_model::units;
use std::collections::{BTreeMap, BTreeSet};

/// How many mnemonics a row names.
const SHOWN: usize = 4;

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

/// A function in one audit.
pub fn find<'a>(
    audit: &'a karat_model::audit::BinaryAudit,
    function: &str,
) -> Option<&'a Survival> {
    audit.survival.iter().find(|s| s.function == function)
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

/// What a function is inlined into: `f (1 000), g (312), 3 more`.
pub fn hosts(survival: &Survival, limit: usize, name: fn(&str) -> &str) -> String {
    let hosts = &survival.inlined_into;
    let named = hosts.iter().take(limit);
    let mut names: Vec<String> = named
        .map(|h| format!("{} ({})", name(&h.function), units::grouped(h.instructions)))
        .collect();
    if hosts.len() > limit {
        names.push(format!("{} more", hosts.len() - limit));
    }
    names.join(", ")
}

/// The mnemonics whose counts differ most: `vprolq 0→192, vpermq 160→154`.
pub fn mix_text(base: &BTreeMap<String, u64>, here: &BTreeMap<String, u64>) -> String {
    if here.is_empty() {
        return "no code".to_owned();
    }
    let count = |mix: &BTreeMap<String, u64>, name: &str| mix.get(name).copied().unwrap_or(0);
    let names: BTreeSet<&String> = base.keys().chain(here.keys()).collect();
    let mut changes: Vec<(&str, u64, u64)> = names
        .into_iter()
        .map(|name| (name.as_str(), count(base, name), count(here, name)))
        .filter(|(_, before, after)| before != after)
        .collect();
    if changes.is_empty() {
        return "no difference".to_owned();
    }
    changes.sort_by_key(|(name, before, after)| (u64::MAX - before.abs_diff(*after), *name));
    let mut parts: Vec<String> = changes
        .iter()
        .take(SHOWN)
        .map(|(name, before, after)| format!("{name} {before}→{after}"))
        .collect();
    if changes.len() > SHOWN {
        parts.push(format!("{} more", changes.len() - SHOWN));
    }
    parts.join(", ")
}

/// Similarity with the baseline as text.
pub fn similarity(survival: &Survival) -> String {
    survival
        .similarity
        .map_or_else(|| number::MISSING.to_owned(), number::similarity)
}

fn audits(evidence: &Evidence) -> impl Iterator<Item = (&str, &karat_model::audit::BinaryAudit)> {
    evidence
        .variants
        .iter()
        .filter_map(|v| Some((v.name.as_str(), v.audit.as_ref()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(n, c)| ((*n).to_owned(), *c)).collect()
    }

    #[test]
    fn largest_differences_come_first() {
        let base = mix(&[("vpermq", 160), ("vpshufb", 142), ("vpaddq", 336)]);
        let here = mix(&[("vpermq", 154), ("vprolq", 192), ("vpaddq", 336)]);
        assert_eq!(
            mix_text(&base, &here),
            "vprolq 0→192, vpshufb 142→0, vpermq 160→154"
        );
        assert_eq!(mix_text(&base, &base), "no difference");
        assert_eq!(mix_text(&base, &mix(&[])), "no code");
    }
}
