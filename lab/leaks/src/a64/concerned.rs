//! Which functions are gone through.
//!
//! Those that ask, who calls them and what these call begin, with all above the baseline. Then
//! who is seen to be told something is added, until nobody more is ([`Whole::informed`]): of all
//! who read what some function writes, hardly any reads an answer.
//!
//! [`Whole::informed`]: super::whole::Whole::informed

use super::program::{Entry, Program};
use super::sweep::Sweep;
use std::collections::{HashMap, HashSet};

/// Functions that ask, their callers, what is handed an answer, resolvers, and all above the
/// baseline.
pub(super) fn begin(program: &Program<'_>, sweep: &Sweep, above: &HashSet<u32>) -> HashSet<u32> {
    let with_callers = |list: HashSet<u32>| -> HashSet<u32> {
        let callers = list.iter().flat_map(|one| sweep.callers(*one));
        let callers: Vec<u32> = callers.collect();
        list.into_iter().chain(callers).collect()
    };
    let mut all = with_callers(sweep.asks.union(&sweep.may_ask).copied().collect());
    for function in with_callers(sweep.asks.clone()) {
        all.extend(sweep.to.get(&function).into_iter().flatten());
    }
    all.extend(above);
    let functions = |address: &u64| program.range(*address).map(|range| range.value);
    let resolvers = program.entries.iter().filter(|(_, entry)| {
        // They choose.
        **entry == Entry::Resolver
    });
    all.extend(resolvers.filter_map(|(address, _)| functions(address)));
    all
}

/// These functions, their callers, and so on. `seen` has callers that the code does not name.
pub(super) fn leading(
    sweep: &Sweep,
    to: &HashSet<u32>,
    seen: &HashMap<u32, Vec<u32>>,
) -> HashSet<u32> {
    let mut list: Vec<u32> = to.iter().copied().collect();
    let mut all = to.clone();
    while let Some(one) = list.pop() {
        let seen = seen.get(&one).into_iter().flatten().copied();
        let callers = sweep.callers(one).chain(seen);
        list.extend(callers.filter(|caller| all.insert(*caller)));
    }
    all
}
