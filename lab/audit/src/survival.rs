//! Whether an expected function is still there, and in what form.

use crate::census::TargetCount;
use crate::inlines::{Inlines, NO_PARENT};
use crate::names::readable;
use crate::span::{Span, push_merged};
use crate::symbols::Symbols;
use crate::target::Target;
use crate::{dwarf::Dwarf, lines::Lines};
use iced_x86::Mnemonic;
use karat_model::audit::{BinaryAudit, InlineHost, Survival, SurvivalState};
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

/// The expected functions that inline chains go through: spans of indices into
/// a list of sets.
pub(crate) fn by_chain(
    inlines: &Inlines<'_>,
    dwarf: &Dwarf<'_>,
    lines: &Lines,
    targets: &[Target],
) -> (Vec<Span<u32>>, Vec<Vec<u32>>) {
    let frames: Vec<Vec<u32>> = inlines
        .frames
        .iter()
        .map(|frame| {
            let matching = targets.iter().enumerate();
            matching
                .filter(|(_, target)| target.matches_frame(frame, dwarf, lines))
                .map(|(number, _)| number as u32)
                .collect()
        })
        .collect();
    let mut sets: Vec<Vec<u32>> = vec![Vec::new()];
    let mut known: HashMap<Vec<u32>, u32> = HashMap::from([(Vec::new(), 0)]);
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
        let set = if own.iter().all(|t| sets[inherited as usize].contains(t)) {
            inherited
        } else {
            let mut set = sets[inherited as usize].clone();
            set.extend(own);
            set.sort_unstable();
            set.dedup();
            *known.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
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
    (spans, sets)
}

/// The verdict on one expected function.
pub(crate) fn judge(
    target: &Target,
    has_symbol: bool,
    counted: &TargetCount,
    symbols: &Symbols<'_>,
    caveat: Option<String>,
    baseline: Option<&BinaryAudit>,
) -> Survival {
    let mix: BTreeMap<String, u64> = Mnemonic::values()
        .zip(&counted.mix)
        .filter(|(_, count)| **count > 0)
        .map(|(mnemonic, &count)| (mnemonic_name(mnemonic), u64::from(count)))
        .collect();
    let similarity = baseline
        .and_then(|audit| audit.survival.iter().find(|s| s.function == target.written))
        .and_then(|before| similarity(&before.mix, &mix));
    let inlined = !counted.hosts.is_empty();
    let state = match (has_symbol, similarity) {
        (true, Some(value)) if value < SAME_MIX => SurvivalState::Changed,
        (true, _) => SurvivalState::Present,
        (false, _) if inlined => SurvivalState::Inlined,
        (false, _) => SurvivalState::Gone,
    };
    let mut hosts: BTreeMap<String, u64> = BTreeMap::new();
    for (&function, &instructions) in &counted.hosts {
        let name = function_name(symbols, function);
        *hosts.entry(name).or_default() += instructions;
    }
    let mut inlined_into: Vec<InlineHost> = hosts
        .into_iter()
        .map(|(function, instructions)| InlineHost {
            function,
            instructions,
        })
        .collect();
    inlined_into.sort_by_key(|host| std::cmp::Reverse(host.instructions));
    Survival {
        function: target.written.clone(),
        state,
        inlined_into,
        census: counted.tally.census(),
        mix,
        similarity,
        caveat,
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

fn mnemonic_name(mnemonic: Mnemonic) -> String {
    format!("{mnemonic:?}").to_ascii_lowercase()
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
