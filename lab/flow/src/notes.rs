//! What is found in the blocks of a routine.
//!
//! A block is gone through again where more is known of what comes before it, and what was
//! found the last time counts. So nothing has to be gone through once more at the end.

use super::guard::Gate;
use super::reading::Store;
use super::state::Source;
use karat_binary::numbers::NumberMap;

/// What is found in a block, or in a routine.
#[derive(Default)]
pub struct Notes {
    /// Branches on answers.
    pub gates: Vec<Gate>,
    /// Stores to variables.
    pub stores: Vec<Store>,
    /// See [`Reading`](super::reading::Reading), as of the fields below.
    pub answers: bool,
    /// Its result may be a flag.
    pub may_flag: bool,
    /// It has read memory which may be written, and is not on the stack.
    pub loads: bool,
    /// It comes back from here.
    pub returns: bool,
    /// It writes an answer through a pointer.
    pub fills: bool,
    /// A conditional move or an indirect call goes by an answer.
    pub chooses: Option<(u64, Source)>,
    /// Addresses of variables given to routines that fill.
    pub filled: Vec<u64>,
    /// It gives what answers picked.
    pub picks: bool,
    /// Where it stores what answers picked: number of an argument, and distance.
    pub selects: Vec<(u8, i64)>,
    /// It calls a routine with instructions that not every x86-64 CPU has.
    pub calls_kernel: bool,
}

impl Notes {
    /// What is only said, not listed, by its bits.
    fn said(&self) -> u8 {
        let all = [
            self.answers,
            self.may_flag,
            self.loads,
            self.returns,
            self.fills,
            self.picks,
            self.calls_kernel,
        ];
        (0..)
            .zip(all)
            .fold(0, |bits, (at, is)| bits | u8::from(is) << at)
    }

    /// Adds what is said of the next block.
    fn say(&mut self, said: u8) {
        let has = |at: u8| said >> at & 1 == 1;
        self.answers |= has(0);
        self.loads |= has(2);
        // What was read before may be what it comes back with.
        self.may_flag |= has(1) || has(3) && self.loads;
        self.returns |= has(3);
        self.fills |= has(4);
        self.picks |= has(5);
        self.calls_kernel |= has(6);
    }

    /// Adds what is listed of the next block.
    fn list(&mut self, next: Self) {
        self.gates.extend(next.gates);
        self.stores.extend(next.stores);
        self.chooses = self.chooses.or(next.chooses);
        self.filled.extend(next.filled);
        self.selects.extend(next.selects);
    }

    fn lists_nothing(&self) -> bool {
        self.gates.is_empty()
            && self.stores.is_empty()
            && self.chooses.is_none()
            && self.filled.is_empty()
            && self.selects.is_empty()
    }
}

/// What was found in each block. In most nothing is to be listed.
pub struct Found {
    said: Vec<u8>,
    listed: NumberMap<u32, Notes>,
}

impl Found {
    /// Of so many blocks.
    pub fn of(count: usize) -> Self {
        Self {
            said: vec![0; count],
            listed: NumberMap::default(),
        }
    }

    /// Takes the place of what was found in a block before.
    pub fn set(&mut self, block: u32, notes: Notes) {
        self.said[block as usize] = notes.said();
        match notes.lists_nothing() {
            true => self.listed.remove(&block),
            false => self.listed.insert(block, notes),
        };
    }

    /// All of it, in the order of the blocks.
    pub fn all(mut self) -> Notes {
        let mut notes = Notes::default();
        for (block, said) in (0..).zip(self.said) {
            notes.say(said);
            if let Some(next) = self.listed.remove(&block) {
                notes.list(next);
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(block: u32, at: u64) -> Notes {
        let source = Source::Cpu;
        let gates = vec![Gate { block, at, source }];
        Notes {
            gates,
            ..Notes::default()
        }
    }

    #[test]
    fn what_was_found_last_counts_in_the_order_of_blocks() {
        let mut found = Found::of(3);
        found.set(2, gate(2, 20));
        found.set(1, gate(1, 11));
        found.set(0, gate(0, 1));
        // More is known: the branch goes by no answer.
        found.set(0, Notes::default());
        found.set(1, gate(1, 12));
        let gates = found.all().gates;
        let places: Vec<(u32, u64)> = gates.iter().map(|gate| (gate.block, gate.at)).collect();
        assert_eq!(places, [(1, 12), (2, 20)]);
    }

    #[test]
    fn what_is_said_is_that_of_the_last_time_too() {
        let notes = |calls_kernel| Notes {
            calls_kernel,
            fills: true,
            ..Notes::default()
        };
        let mut found = Found::of(1);
        found.set(0, notes(true));
        found.set(0, notes(false));
        let all = found.all();
        assert!(all.fills && !all.calls_kernel && !all.answers && !all.picks);
    }

    #[test]
    fn what_is_read_in_a_block_before_may_be_given_back() {
        let loads = || Notes {
            loads: true,
            ..Notes::default()
        };
        let returns = || Notes {
            returns: true,
            ..Notes::default()
        };
        let may_flag = |blocks: [Notes; 2]| {
            let mut found = Found::of(2);
            for (block, notes) in (0..).zip(blocks) {
                found.set(block, notes);
            }
            found.all().may_flag
        };
        assert!(may_flag([loads(), returns()]));
        assert!(!may_flag([returns(), loads()]));
        assert!(!may_flag([Notes::default(), returns()]));
    }
}
