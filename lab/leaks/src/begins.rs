//! Routines that run whenever a file is loaded.
//!
//! They are searched first: where the search of a large file comes to its limit, it is known
//! at least what happens when somebody loads it.

use karat_binary::numbers::NumberSet;
use karat_flow::graph::callee;
use karat_flow::program::{Program, Target};

/// Calls that are gone along from there.
const CALLS: usize = 3;
/// Routines that are looked through, at most.
const MOST: usize = 4000;

/// What the loader, the C run-time or an interpreter calls first, and what these call.
pub(super) fn begins(program: &Program<'_>) -> NumberSet<u32> {
    let entries = program.entries.iter();
    let first = entries.filter(|(_, entry)| entry.is_first());
    let first = first.filter_map(|(at, _)| program.routine_at(*at));
    let mut level: Vec<u32> = first.collect();
    let mut out: NumberSet<u32> = level.iter().copied().collect();
    for _ in 0..CALLS {
        let mut next = Vec::new();
        for routine in level {
            for instruction in program.instructions(routine) {
                if let Some(Target::Address(to)) = callee(program, &instruction)
                    && let Some(to) = program.routine_at(to)
                    && out.len() < MOST
                    && out.insert(to)
                {
                    next.push(to);
                }
            }
        }
        level = next;
    }
    out
}
