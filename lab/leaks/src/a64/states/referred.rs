//! Which functions something refers to.

use crate::a64::whole::Whole;
use std::collections::HashSet;

/// Functions that something refers to which is not itself without any reference: those that
/// are reached, those in data, and those that their code refers to.
pub(super) fn referred(whole: &Whole<'_>) -> HashSet<u32> {
    let program = whole.program;
    let function = |address: u64| program.range(address).map(|range| range.value);
    let roots = (whole.nodes.iter())
        .filter(|(_, node)| node.entry.is_some())
        .map(|(address, _)| address)
        .chain(program.words.values())
        .chain(program.entries.keys());
    let mut list: Vec<u32> = roots.copied().filter_map(function).collect();
    let mut out = HashSet::new();
    while let Some(one) = list.pop() {
        if out.insert(one) {
            list.extend(whole.known.sweep.to.get(&one).into_iter().flatten());
        }
    }
    out
}
