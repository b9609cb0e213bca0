//! Functions that tables of distances name instead of addresses: 32 bits from where the table
//! begins, which need no relocation.

use crate::program::Program;
use crate::sweep::{References, Sweep};
use karat_binary::numbers::NumberSet;

/// Entries of one table that are looked at.
const ENTRIES: u64 = 256;

/// Where the functions begin that distances in data which code names lead to. Jump tables lead
/// into the middle of functions.
#[must_use]
pub fn named(program: &Program<'_>, sweep: &Sweep) -> NumberSet<u64> {
    let mut out = NumberSet::default();
    let all = [&sweep.data, &sweep.distances].into_iter();
    for table in all.flat_map(References::targets) {
        let entry = |index: u64| {
            let distance = program.content32(table.checked_add(index * 4)?)?;
            let to = table.wrapping_add(i64::from(distance) as u64);
            // An empty one.
            (distance == 0 || program.is_code(to)).then_some(to)
        };
        for to in (0..ENTRIES).map_while(entry) {
            let routine = program.routine_at(to);
            let is_start = |routine: u32| program.routines[routine as usize].start == to;
            if routine.is_some_and(is_start) {
                out.insert(to);
            }
        }
    }
    out
}
