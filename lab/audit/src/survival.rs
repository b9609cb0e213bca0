//! Whether an expected function is still there, and in what form.

use crate::attribute::names::readable;
use crate::attribute::span::{Span, push_merged};
use crate::debug::dwarf::Dwarf;
use crate::debug::inlines::{Inlines, NO_PARENT};
use crate::debug::lines::Lines;
use crate::read::symbols::Symbols;
use crate::read::target::Target;
use karat_model::audit::{BinaryAudit, Census, InlineHost, Survival, SurvivalState};
use std::collections::{BTreeMap, HashMap};

/// Below this similarity a function no longer has the baseline's code.
///
/// Measured on `blake2b_simd::avx2::compress1_loop` 1.0.5 with rustc 1.95, against
/// the build without flags: x86-64-v3, which only schedules it anew and picks
/// other shuffles, is 0.86 alike; native with AVX-512VL, where `vprolq` replaces
/// the rotations, 0.47. The limit lies between, nearer to the first.
pub const SAME_MIX: f64 = 0.75;

/// The expected functions each symbol is.
pub(crate) fn by_symbol(symbols: &Symbols<'_>, targets: &[Target]) -> HashMap<u32, Vec<u32>> {
    let mut out: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, function) in symbols.functions.iter().enumerate() {
        for (number, target) in targets.iter().enumerate() {
            if function
                .names
                .iter()
                .any(|name| target.matches_symbol(name))
            {
                out.entry(index as u32).or_default().push(number as u32);
            }
        }
    }
    out
}

/// Sets of expected functions, each with a number.
pub(crate) struct Sets {
    /// The first is empty.
    pub sets: Vec<Vec<u32>>,
    known: HashMap<Vec<u32>, u32>,
}

impl Default for Sets {
    fn default() -> Self {
        Self {
            sets: vec![Vec::new()],
            known: HashMap::from([(Vec::new(), 0)]),
        }
    }
}

impl Sets {
    /// The number of a sorted set.
    pub fn number(&mut self, set: Vec<u32>) -> u32 {
        *self.known.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            self.sets.len() as u32 - 1
        })
    }
}

/// The expected functions that the inline chains of a unit go through: spans of
/// numbers of sets. `kernel` gives the number of a further target.
pub(crate) fn by_chain(
    inlines: &Inlines<'_>,
    dwarf: &Dwarf<'_>,
    lines: &Lines,
    targets: &[Target],
    kernel: &impl Fn(&str) -> Option<u32>,
    sets: &mut Sets,
) -> Vec<Span<u32>> {
    let frames: Vec<Vec<u32>> = inlines
        .frames
        .iter()
        .map(|frame| {
            let matching = targets.iter().enumerate();
            matching
                .filter(|(_, target)| target.matches_frame(frame, dwarf, lines))
                .map(|(number, _)| number as u32)
                .chain(kernel(frame.name).filter(|_| frame.is_linkage))
                .collect()
        })
        .collect();
    let mut of_node: Vec<u32> = Vec::with_capacity(inlines.nodes.len());
    for node in &inlines.nodes {
        // The outermost body is the symbol's own; its symbol decides, because a
        // short name would take namesakes along.
        if node.parent == NO_PARENT {
            of_node.push(0);
            continue;
        }
        let inherited = of_node[node.parent as usize];
        let own = node.frame.map_or(&[][..], |frame| &frames[frame as usize]);
        let known = &sets.sets[inherited as usize];
        let set = if own.iter().all(|t| known.contains(t)) {
            inherited
        } else {
            let mut set = known.clone();
            set.extend(own);
            set.sort_unstable();
            set.dedup();
            sets.number(set)
        };
        of_node.push(set);
    }
    let mut spans = Vec::new();
    for span in &inlines.spans {
        let value = of_node[span.value as usize];
        if value != 0 {
            push_merged(&mut spans, Span { value, ..*span });
        }
    }
    spans
}

/// What was found of one expected function, in one object file or in several.
#[derive(Default)]
pub(crate) struct Found {
    /// Whether a symbol has its name.
    pub has_symbol: bool,
    pub census: Census,
    /// Mnemonic to count.
    pub mix: BTreeMap<String, u64>,
    /// Function to the instructions inlined there.
    pub hosts: BTreeMap<String, u64>,
    /// What limits the answer about inlined code.
    pub caveat: Option<String>,
}

/// The verdict on one expected function.
pub(crate) fn judge(written: &str, found: Found, baseline: Option<&BinaryAudit>) -> Survival {
    let similarity = baseline
        .and_then(|audit| audit.survival.iter().find(|s| s.function == written))
        .and_then(|before| similarity(&before.mix, &found.mix));
    let inlined = !found.hosts.is_empty();
    let state = match (found.has_symbol, similarity) {
        (true, Some(value)) if value < SAME_MIX => SurvivalState::Changed,
        (true, _) => SurvivalState::Present,
        (false, _) if inlined => SurvivalState::Inlined,
        (false, _) => SurvivalState::Gone,
    };
    let mut inlined_into: Vec<InlineHost> = found
        .hosts
        .into_iter()
        .map(|(function, instructions)| InlineHost {
            function,
            instructions,
        })
        .collect();
    inlined_into.sort_by_key(|host| std::cmp::Reverse(host.instructions));
    Survival {
        function: written.to_string(),
        state,
        inlined_into,
        census: found.census,
        mix: found.mix,
        similarity,
        caveat: found.caveat,
    }
}

/// A function's name for readers.
pub(crate) fn function_name(symbols: &Symbols<'_>, function: u32) -> String {
    let function = &symbols.functions[function as usize];
    match (function.names.first(), function.fde) {
        (Some(name), _) => readable(name),
        (None, Some(start)) => format!("[fde {start:#x}]"),
        (None, None) => "[no symbol]".into(),
    }
}

/// Weighted Jaccard of the two mixes as shares: the sum of minima over the sum
/// of maxima. Shares, because a function that is inlined in two places has
/// twice the instructions and the same code.
fn similarity(before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>) -> Option<f64> {
    if before.is_empty() || after.is_empty() {
        return None;
    }
    let total = |mix: &BTreeMap<String, u64>| mix.values().sum::<u64>() as f64;
    let (before_total, after_total) = (total(before), total(after));
    let (mut least, mut most) = (0.0, 0.0);
    let fresh = after.keys().filter(|name| !before.contains_key(*name));
    for name in before.keys().chain(fresh) {
        let share = |mix: &BTreeMap<String, u64>, total: f64| {
            mix.get(name).map_or(0.0, |count| *count as f64 / total)
        };
        let (a, b) = (share(before, before_total), share(after, after_total));
        least += f64::min(a, b);
        most += f64::max(a, b);
    }
    Some(least / most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(n, c)| ((*n).to_string(), *c)).collect()
    }

    #[test]
    fn similarity_is_of_shares() {
        let one = mix(&[("vpaddq", 10), ("vpxor", 10)]);
        let two = mix(&[("vpaddq", 20), ("vpxor", 20)]);
        assert_eq!(similarity(&one, &two), Some(1.0));
        // By hand: shares .5 .5 0 and .5 0 .5, so minima .5 and maxima 1.5.
        let other = mix(&[("vpaddq", 7), ("vprolq", 7)]);
        assert!((similarity(&one, &other).unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(similarity(&one, &mix(&[])), None);
    }
}
