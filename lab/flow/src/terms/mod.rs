//! Which values of a routine are the same for certain, wherever they are kept: value numbers
//! (as in Alpern, Wegman and Zadeck, POPL 1988), as sums of a number and multiples of values
//! that nothing is known of. So two loads are seen to be of one record of a table, whether it
//! is a pointer that goes on or an index, and what lies between them.
//!
//! A value that a block is entered with in two ways is the block's own, and another one each
//! time it is entered.

mod walk;

use super::convention::Convention;
use super::graph::Flow;
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, Register};
use std::collections::{BTreeMap, HashMap, VecDeque};
use walk::Walk;

/// A number, and multiples of values by their numbers, sorted by these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    /// Values by their numbers, sorted, and how many times each.
    pub parts: Vec<(u32, u64)>,
    /// The number.
    pub by: u64,
}

impl Term {
    fn number(by: u64) -> Self {
        Self {
            parts: Vec::new(),
            by,
        }
    }

    fn of(id: u32) -> Self {
        Self {
            parts: vec![(id, 1)],
            by: 0,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut parts = self.parts.clone();
        for (id, times) in &other.parts {
            match parts.binary_search_by_key(id, |part| part.0) {
                Ok(at) => parts[at].1 = parts[at].1.wrapping_add(*times),
                Err(at) => parts.insert(at, (*id, *times)),
            }
        }
        parts.retain(|part| part.1 != 0);
        Self {
            parts,
            by: self.by.wrapping_add(other.by),
        }
    }

    fn times(&self, by: u64) -> Self {
        let mut out = self.clone();
        for part in &mut out.parts {
            part.1 = part.1.wrapping_mul(by);
        }
        out.parts.retain(|part| part.1 != 0);
        out.by = out.by.wrapping_mul(by);
        out
    }

    /// The distance from the stack pointer at entry, where it is one.
    fn frame(&self) -> Option<i64> {
        (self.parts == [(FRAME, 1)]).then_some(self.by as i64)
    }
}

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kept {
    Register(u8),
    Slot(i64, u8),
}

/// What a value is that nothing is known of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// It was in a register where the routine is entered.
    Entry(u8),
    /// A block is entered with it.
    Block(u32, Kept),
    /// An instruction makes it, in a register or in memory.
    Made(u64, u8),
    /// The low four bytes of another, with zero or the sign above.
    Low(Term, bool),
}

/// The number of the stack pointer at entry.
const FRAME: u32 = 0;

/// What is kept where.
#[derive(Clone, PartialEq)]
struct Places {
    registers: [Term; 16],
    slots: BTreeMap<(i64, u8), Term>,
}

/// The values of a routine.
pub struct Terms {
    keys: HashMap<Key, u32>,
    /// By number: the blocks where it is made.
    made: Vec<Vec<u32>>,
    /// By number of a block's own value: what it is entered with.
    entered: HashMap<u32, Vec<Term>>,
    /// Loads by their place: the address, and bytes.
    pub loads: BTreeMap<u64, (Term, u8)>,
    /// What else is done with values, where that was asked for.
    pub uses: Uses,
}

/// What a routine does with its values, by place.
#[derive(Default)]
pub struct Uses {
    /// Stores outside of the frame: the address, and the value where it is followed.
    pub stores: BTreeMap<u64, (Term, Option<Term>)>,
    /// Calls and jumps: where they go, and the registers of arguments.
    pub calls: BTreeMap<u64, (Option<Term>, Vec<Term>)>,
    /// What the routine gives back, where it ends.
    pub results: Vec<Term>,
}

/// Where a value comes from that nothing is known of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was in a register where the routine is entered.
    Entry(u8),
    /// An instruction makes it, in a register.
    Made(u64, u8),
    /// It is not one value.
    Mixed,
}

impl Terms {
    /// Finds them; none where that takes too long.
    pub fn of(flow: &Flow, convention: &Convention) -> Option<Self> {
        Self::find(flow, convention, false)
    }

    /// The same, with what is done with them.
    pub fn with_uses(flow: &Flow, convention: &Convention) -> Option<Self> {
        Self::find(flow, convention, true)
    }

    fn find(flow: &Flow, convention: &Convention, has_uses: bool) -> Option<Self> {
        let mut terms = Self {
            keys: HashMap::new(),
            made: Vec::new(),
            entered: HashMap::new(),
            loads: BTreeMap::new(),
            uses: Uses::default(),
        };
        let entry: [Term; 16] = std::array::from_fn(|at| match at {
            // Its number is the first.
            4 => Term::of(FRAME),
            at => Term::of(at as u32 + 1),
        });
        terms.made.push(vec![0]);
        for at in 0..16u8 {
            terms.id(Key::Entry(at), 0);
        }
        let start = Places {
            registers: entry,
            slots: BTreeMap::new(),
        };
        let mut walk = Walk {
            terms,
            factory: InstructionInfoFactory::new(),
            convention,
            shown: shown(flow),
            block: 0,
        };
        let count = flow.blocks.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        // A jump that is not understood may seem to go to what is between two functions' parts.
        let is_padding = |block: u32| {
            let is_one = |it: &Instruction| matches!(it.mnemonic(), Mnemonic::Nop | Mnemonic::Int3);
            flow.of_block(block).iter().all(is_one)
        };
        for (block, known) in flow.blocks.iter().enumerate() {
            if is_padding(block as u32) {
                continue;
            }
            for &next in &known.next {
                before[next as usize].push(block);
            }
        }
        let mut states: Vec<Option<Places>> = vec![None; count];
        let mut ends: Vec<Option<Places>> = vec![None; count];
        let mut queue = VecDeque::from([0u32]);
        let mut left = count * 40 + 200;
        while let Some(block) = queue.pop_front() {
            left = left.checked_sub(1)?;
            walk.block = block;
            // All that lead there are asked anew: what was the first's alone may be all theirs.
            let number = block as usize;
            let others = before[number]
                .iter()
                .filter_map(|from| ends[*from].as_ref());
            let first = (number == 0).then_some(&start);
            let all: Vec<&Places> = first.into_iter().chain(others).collect();
            let Some(state) = walk.terms.meet(&all, block) else {
                continue;
            };
            states[number] = Some(state.clone());
            let mut state = state;
            for instruction in flow.of_block(block).iter() {
                walk.step(&mut state, instruction);
            }
            if ends[number].as_ref() != Some(&state) {
                ends[number] = Some(state);
                for &next in &flow.blocks[number].next {
                    if !queue.contains(&next) {
                        queue.push_back(next);
                    }
                }
            }
        }
        // What a block's own values are entered with is known only now.
        walk.terms.loads.clear();
        for (block, state) in (0..).zip(&states) {
            let Some(mut state) = state.clone() else {
                continue;
            };
            walk.block = block;
            for instruction in flow.of_block(block).iter() {
                walk.note(&state, instruction);
                if has_uses {
                    walk.note_uses(&state, instruction);
                }
                walk.step(&mut state, instruction);
            }
            for &next in &flow.blocks[block as usize].next {
                if let Some(known) = &states[next as usize] {
                    walk.terms.enter(known, &state, next);
                }
            }
        }
        Some(walk.terms)
    }

    fn id(&mut self, key: Key, block: u32) -> u32 {
        let made = match &key {
            Key::Low(term, _) => self.blocks(term),
            _ => vec![block],
        };
        let next = self.made.len() as u32;
        let id = *self.keys.entry(key).or_insert(next);
        if id == next {
            self.made.push(made);
        }
        id
    }

    /// Where what has a number comes from; of four bytes, where the whole does.
    pub fn origin(&self, id: u32) -> Origin {
        let found = self.keys.iter().find(|(_, known)| **known == id);
        match found.map(|(key, _)| key) {
            Some(Key::Entry(register)) => Origin::Entry(*register),
            Some(Key::Made(at, register)) => Origin::Made(*at, *register),
            Some(Key::Low(whole, _)) => match whole.parts[..] {
                [(id, 1)] if whole.by == 0 => self.origin(id),
                _ => Origin::Mixed,
            },
            Some(Key::Block(..)) | None => Origin::Mixed,
        }
    }

    /// Where a value comes from that is no sum.
    pub fn source(&self, term: &Term) -> Origin {
        match term.parts[..] {
            [(id, 1)] if term.by == 0 => self.origin(id),
            _ => Origin::Mixed,
        }
    }

    /// The blocks where the parts of a value are made: each time one of them is entered it may
    /// be another.
    pub fn blocks(&self, term: &Term) -> Vec<u32> {
        let mut out: Vec<u32> = (term.parts.iter())
            .flat_map(|(id, _)| self.made[*id as usize].iter().copied())
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Where an address begins and by how much it goes on, of one that goes through a table.
    pub fn stride(&self, term: &Term) -> Option<(u64, u64)> {
        let [(id, times)] = term.parts[..] else {
            return None;
        };
        if times != 1 {
            return Some((term.by, times));
        }
        let mut start = None;
        let mut stride = 0;
        for entered in self.entered.get(&id)? {
            if entered.parts == [(id, 1)] {
                stride = gcd(stride, entered.by);
            } else if entered.parts.is_empty() && start.is_none_or(|start| start == entered.by) {
                start = Some(entered.by);
            } else {
                return None;
            }
        }
        (stride != 0).then_some((start?.wrapping_add(term.by), stride))
    }

    /// What is known where all these paths meet.
    fn meet(&mut self, all: &[&Places], block: u32) -> Option<Places> {
        let (first, others) = all.split_first()?;
        let mut out = (*first).clone();
        for at in 0..16u8 {
            let place = usize::from(at);
            let own = &first.registers[place];
            if others.iter().any(|other| other.registers[place] != *own) {
                out.registers[place] =
                    Term::of(self.id(Key::Block(block, Kept::Register(at)), block));
            }
        }
        out.slots
            .retain(|slot, _| others.iter().all(|other| other.slots.contains_key(slot)));
        for (slot, term) in &mut out.slots {
            if others
                .iter()
                .any(|other| other.slots.get(slot) != Some(term))
            {
                let key = Key::Block(block, Kept::Slot(slot.0, slot.1));
                *term = Term::of(self.id(key, block));
            }
        }
        Some(out)
    }

    /// Notes what a block's own values are entered with.
    fn enter(&mut self, known: &Places, with: &Places, block: u32) {
        let registers = (0u8..).zip(known.registers.iter().zip(&with.registers));
        let registers = registers.map(|(at, (own, other))| (Kept::Register(at), own, other));
        let slots = known.slots.iter().filter_map(|(slot, own)| {
            let other = with.slots.get(slot)?;
            Some((Kept::Slot(slot.0, slot.1), own, other))
        });
        for (kept, own, other) in registers.chain(slots) {
            let id = self.keys.get(&Key::Block(block, kept)).copied();
            if let Some(id) = id.filter(|id| own.parts == [(*id, 1)] && own.by == 0) {
                let entered = self.entered.entry(id).or_default();
                if !entered.contains(other) {
                    entered.push(other.clone());
                }
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// From where on others may know places of the frame: an address of it is made.
fn shown(flow: &Flow) -> bool {
    flow.instructions().any(|it| {
        it.mnemonic() == Mnemonic::Lea
            && matches!(it.memory_base(), Register::RSP | Register::RBP)
            && !matches!(it.op0_register(), Register::RSP | Register::RBP)
    })
}
