//! What the functions need that a function hands out, where it needs nothing itself: one that
//! fills a table of kernels when it is called first, as C++'s local variables are, and gives its
//! address.

use super::reach::Search;
use iced_x86::FlowControl;
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::program::Word;
use std::collections::BTreeSet;

/// Calls from it to the one that takes the addresses, and that.
const DEEP: u8 = 2;
/// Instructions of such a one, and of all that are looked at in a file, at most.
const FILLING: u32 = 2000;
const ALL: u32 = 3_000_000;

/// By function and how deep it is looked into.
pub(super) struct HandedOut {
    known: NumberMap<(u64, u8), Facts>,
    /// Instructions that may still be looked at.
    left: u32,
}

impl Default for HandedOut {
    fn default() -> Self {
        Self {
            known: NumberMap::default(),
            left: ALL,
        }
    }
}

impl HandedOut {
    /// What is needed by all that the function at an address calls and hands out.
    pub fn by(&mut self, search: &Search<'_>, address: u64) -> Facts {
        self.find(search, address, DEEP)
    }

    fn find(&mut self, search: &Search<'_>, address: u64, deep: u8) -> Facts {
        let own = search.needed(address);
        let routine = search.begins(address);
        let (Some(routine), Some(inner), true) = (routine, deep.checked_sub(1), own.is_none())
        else {
            return own;
        };
        if let Some(known) = self.known.get(&(address, deep)) {
            return *known;
        }
        let size = search.sweep.facts[routine as usize].instructions;
        let left = self.left.checked_sub(size);
        // One that asks chooses itself.
        let is_one = size <= FILLING && !search.asking.contains(&routine);
        let all = match left.filter(|_| is_one) {
            Some(left) => {
                self.left = left;
                let named = named(search, routine).into_iter();
                named.fold(own, |all, to| all | self.find(search, to, inner))
            }
            None => own,
        };
        self.known.insert((address, deep), all);
        all
    }
}

/// The functions that a routine names, by a word with the address too.
fn named(search: &Search<'_>, routine: u32) -> BTreeSet<u64> {
    let program = search.program;
    let mut out = BTreeSet::new();
    for instruction in program.instructions(routine) {
        let is_direct = matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::UnconditionalBranch
        );
        let to = match instruction.is_ip_rel_memory_operand() {
            true => instruction.ip_rel_memory_address(),
            false if is_direct => instruction.near_branch_target(),
            false => continue,
        };
        let to = match program.words.get(to) {
            Some(Word::Address(inner)) if program.is_got(to) => inner,
            _ => to,
        };
        out.extend(search.begins(to).map(|_| to));
    }
    out
}
