//! Libraries whose user may say what decides: an exported function sets a variable that those also
//! use who ask the CPU, and does not ask itself. Following the file's start tries each exported
//! function with what it may be given, but not each order of calls, and not with each word.

use super::searches::File;
use karat_binary::numbers::NumberSet;
use karat_flow::sweep::within;

/// Routines that are looked into, at most.
const ROUTINES: usize = 4096;

/// The variables by which a library's user may say what decides: where they begin and end, sorted.
pub(super) fn settable(file: &File<'_>) -> Vec<(u64, u64)> {
    let (program, sweep) = (file.program, file.sweep);
    if !program.is_library {
        return Vec::new();
    }
    let asks = |routine: &u32| file.asking.contains(routine);
    let is_shared = |start: u64, bytes: u64| {
        let uses = within(&sweep.data, start, start.saturating_add(bytes)).iter();
        let mut users = uses.filter_map(|(_, at)| program.routine_at(at));
        program.is_written(start) && users.any(|user| asks(&user))
    };
    let called = called(file);
    let names = sweep.data.iter().filter(|(to, _)| program.is_written(*to));
    let names = names.filter_map(|(_, at)| program.routine_at(at));
    let mut users: Vec<u32> = names.filter(|routine| called.contains(routine)).collect();
    users.sort_unstable();
    users.dedup();
    let mut out = Vec::new();
    for routine in users.into_iter().take(ROUTINES) {
        let Some(told) = file.oracle.told(routine) else {
            continue;
        };
        let stores = told.stores.iter();
        let stores = stores.map(|(at, bytes, _)| (*at, u64::from(*bytes)));
        let given = told.escapes.keys().map(|at| (*at, 1));
        let all = stores.chain(given);
        let all = all.filter(|(at, bytes)| is_shared(*at, *bytes));
        out.extend(all.map(|(at, bytes)| (at, at.saturating_add(bytes))));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Exported functions, and what they call, however deep, but for those who ask and what only these
/// call.
fn called(file: &File<'_>) -> NumberSet<u32> {
    let (program, sweep) = (file.program, file.sweep);
    let asks = |routine: &u32| file.asking.contains(routine);
    let edges = sweep.edges.iter();
    let edges =
        edges.filter_map(|(to, at)| Some((program.routine_at(at)?, program.routine_at(to)?)));
    let mut edges: Vec<(u32, u32)> = edges
        .filter(|(from, to)| from != to && !asks(from) && !asks(to))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let exported = program.entries.iter();
    let exported = exported.filter(|(_, entry)| entry.is_exported());
    let mut list: Vec<u32> = exported
        .filter_map(|(at, _)| program.routine_at(*at))
        .filter(|routine| !asks(routine))
        .collect();
    let mut seen: NumberSet<u32> = list.iter().copied().collect();
    while let Some(routine) = list.pop() {
        let first = edges.partition_point(|(from, _)| *from < routine);
        let own = edges[first..]
            .iter()
            .take_while(|(from, _)| *from == routine);
        list.extend(own.map(|(_, to)| *to).filter(|to| seen.insert(*to)));
    }
    seen
}
