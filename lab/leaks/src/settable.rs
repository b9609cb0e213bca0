//! Libraries whose user may say what decides: an exported function sets a variable that those also
//! use who ask the CPU, and does not ask itself. Following the file's start tries each exported
//! function with what it may be given, but not each order of calls, and not with each word.

use super::searches::File;
use karat_binary::numbers::NumberSet;
use karat_flow::sweep::within;

/// Routines that are looked at, at most, and how many calls deep they are from an exported one.
const ROUTINES: usize = 4096;
const DEPTH: usize = 2;

/// Whether a file is such a library.
pub(super) fn is_settable(file: &File<'_>) -> bool {
    let (program, sweep) = (file.program, file.sweep);
    if !program.is_library {
        return false;
    }
    let exported = program.entries.iter();
    let exported = exported.filter(|(_, entry)| entry.is_exported());
    let asks = |routine: &u32| file.asking.contains(routine);
    let mut list: Vec<u32> = exported
        .filter_map(|(at, _)| program.routine_at(*at))
        .filter(|routine| !asks(routine))
        .take(ROUTINES)
        .collect();
    let mut seen: NumberSet<u32> = list.iter().copied().collect();
    let mut next = 0..list.len();
    for _ in 0..DEPTH {
        for number in next.clone() {
            let calls = program.instructions(list[number]);
            let called = calls.filter_map(|it| karat_flow::graph::branch(&it));
            let called = called.filter_map(|to| program.routine_at(to));
            let called: Vec<u32> = called
                .filter(|called| !asks(called) && seen.len() < ROUTINES && seen.insert(*called))
                .collect();
            list.extend(called);
        }
        next = next.end..list.len();
    }
    let is_shared = |start: u64, bytes: u64| {
        let uses = within(&sweep.data, start, start.saturating_add(bytes)).iter();
        let mut users = uses.filter_map(|(_, at)| program.routine_at(at));
        program.is_written(start) && users.any(|user| asks(&user))
    };
    list.iter().any(|routine| {
        file.oracle.told(*routine).is_some_and(|told| {
            let mut stores = told.stores.iter();
            let mut given = told.escapes.keys();
            stores.any(|(at, bytes, _)| is_shared(*at, u64::from(*bytes)))
                || given.any(|at| is_shared(*at, 1))
        })
    })
}
