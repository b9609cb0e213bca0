//! What became of an expected function, in words.

use crate::number;
use karat_model::audit::{BinaryAudit, Survival};
use karat_model::units;
use std::collections::{BTreeMap, BTreeSet};

/// How many mnemonics a row names.
const SHOWN: usize = 4;

/// A function in one audit.
pub fn find<'a>(audit: &'a BinaryAudit, function: &str) -> Option<&'a Survival> {
    audit.survival.iter().find(|s| s.function == function)
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
