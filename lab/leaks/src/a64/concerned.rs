//! Which functions are gone through.

use super::program::{Entry, Program};
use super::sweep::Sweep;
use std::collections::HashSet;

/// Functions that an answer may come to, or that are above the baseline: only they are gone
/// through. `ways` are those of which all callers count, and theirs.
pub(super) fn concerned(
    program: &Program<'_>,
    sweep: &Sweep,
    above: &HashSet<u32>,
    ways: &HashSet<u32>,
) -> HashSet<u32> {
    let with_callers = |list: &HashSet<u32>| -> HashSet<u32> {
        let callers = list
            .iter()
            .flat_map(|one| sweep.by.get(one).into_iter().flatten());
        list.iter().chain(callers).copied().collect()
    };
    // Those that ask, their callers, and theirs.
    let asks: HashSet<u32> = sweep.asks.union(&sweep.may_ask).copied().collect();
    let first = with_callers(&asks);
    let mut tell = with_callers(&first);
    // Those that are handed an answer.
    for function in with_callers(&sweep.asks) {
        tell.extend(sweep.to.get(&function).into_iter().flatten());
    }
    // What they may write, and who reads it.
    let mut readers: HashSet<u32> = HashSet::new();
    for function in &tell {
        for (place, is_store) in sweep.data.get(function).into_iter().flatten() {
            if *is_store || first.contains(function) {
                readers.extend(sweep.readers.get(place).into_iter().flatten());
            }
        }
    }
    let readers = with_callers(&readers);
    tell.extend(readers);
    tell.extend(above);
    let functions = |address: &u64| program.range(*address).map(|range| range.value);
    let resolvers = program.entries.iter().filter(|(_, entry)| {
        // They choose.
        **entry == Entry::Resolver
    });
    tell.extend(resolvers.filter_map(|(address, _)| functions(address)));
    let mut list: Vec<u32> = ways.iter().copied().collect();
    let mut seen: HashSet<u32> = ways.clone();
    while let Some(one) = list.pop() {
        for &caller in sweep.by.get(&one).into_iter().flatten() {
            if seen.insert(caller) {
                list.push(caller);
            }
        }
    }
    tell.extend(seen);
    tell
}
