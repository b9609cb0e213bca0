//! Whether an expected function is still there, and in what form.

use karat_model::audit::{BinaryAudit, Census, InlineHost, Survival, SurvivalState};
use std::collections::BTreeMap;

/// Below this similarity a function no longer has the baseline's code.
///
/// Measured on `blake2b_simd::avx2::compress1_loop` 1.0.5 with rustc 1.95, against
/// the build without flags: x86-64-v3, which only schedules it anew and picks
/// other shuffles, is 0.86 alike; native with AVX-512VL, where `vprolq` replaces
/// the rotations, 0.47. The limit lies between, nearer to the first.
pub const SAME_MIX: f64 = 0.75;

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
    let only_after = after.keys().filter(|name| !before.contains_key(*name));
    for name in before.keys().chain(only_after) {
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
