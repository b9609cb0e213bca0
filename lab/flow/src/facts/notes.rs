//! What is found in the blocks of a routine while its values are followed.
//!
//! A block is gone through again where more is known of what comes before it, and what was noted
//! the last time counts. So no block has to be gone through once more at the end but those
//! behind which the routine is left.

use super::behind::Written;
use super::features::Facts;
use super::indexed::{Index, Indexed};
use super::jumped::Registers;
use super::objects::Part;
use super::routine::Reached;
use super::state::{Decided, State};
use super::step::Arguments;
use super::value::Value;
use karat_binary::numbers::{NumberMap, NumberSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Stores to variables at most.
const STORES: usize = 4096;

/// One thing that is found in a block.
pub enum Note {
    /// A store to a variable: address, bytes, value.
    Store(u64, u8, Value),
    /// From here on others may see what was stored.
    Show,
    /// A store behind an argument.
    Behind(Written),
    /// A store in a member of a structure, by its place.
    Member(u64, Value),
    /// A store on the stack, by its place.
    Stacked(u64),
    /// An address that others may come to use: what is known then, and a place.
    Escape(u64, Facts, u64),
    /// An address in the register of an argument, where a call is not followed.
    Hand(u64, Facts, u64),
    /// The same of an object behind a pointer, which is given to the call for certain, as far as
    /// that can be told: not left over in the register of a late argument.
    Given(u64),
    /// A pointer that was this argument goes where it is not followed, and whether it is given
    /// there, as above.
    HandsOn(u8, bool),
    /// A store at a distance that is not known, in an object behind a pointer.
    Scatter(u64),
    /// The same behind an argument.
    ScatterBehind(u8),
    /// A handler of SIGILL is set here.
    Catches(u64),
    /// What another signal does is set here, or that there is no handler.
    Other(u64),
    /// A branch or a conditional move: what it tells where it is taken, and where not.
    Branch(u64, Facts, Facts),
    /// Arguments of which bits are asked that facts do not tell apart, as bits.
    Coarse(u8),
    /// A branch that goes by values which are all followed, and answers are among them.
    Follow(u64),
    /// A branch that leaves the routine, and where it runs on.
    Fall(u64, u64),
    /// The result that another routine gives, which this one goes on to, and what holds.
    Give(Value, Facts),
    /// A direct call, with what it is given.
    Call(u64, Rc<Arguments>),
    /// A jump to another routine, with what registers hold, where answers are among it.
    Jump(u64, Box<Registers>),
    /// What memory holds there.
    Memory(u64, Vec<Part>),
    /// A load of one of several elements of the table that is asked for, and from where.
    Load(u64, Vec<u64>),
    /// A place behind which more holds.
    Change(u64, Facts),
    /// An indirect call, and where it goes.
    Reached(u64, Reached),
    /// What a table of pointers to functions is picked from by.
    Index(Index),
}

impl Note {
    /// What a branch, or a conditional move, tells. Where it goes by numbers which say no more than
    /// that the vendor or the model was asked for, that was done before, on the way: what the
    /// numbers are is told by something that was not followed.
    pub(super) fn branch(at: u64, state: &State, decided: &Decided) -> Self {
        let (yes, no) = (decided.yes, decided.no);
        let is_plain = |side: Facts| {
            let is_other = side.is_member() || side.is_vague() || !side.of_arguments().is_none();
            !side.has_extension() && !is_other
        };
        let says = yes.says() || no.says();
        match says && is_plain(yes) && is_plain(no) && state.is_followed() {
            true => Self::Branch(at, Facts::NONE, Facts::NONE),
            false => Self::Branch(at, yes, no),
        }
    }
}

/// What was noted, in that order.
pub(super) type Log = Vec<Note>;

/// Notes for which room is kept, at most.
const ROOM: usize = 1000;

/// What was noted in each block when it was gone through last, in one list: with one for each
/// block there would be as many allocations.
pub(super) struct Noted {
    log: Log,
    /// By block: where its notes begin, and how many they are.
    parts: Vec<(usize, usize)>,
}

impl Noted {
    /// Of so many blocks, in the room of another routine's notes.
    pub fn of(blocks: usize, mut room: Log) -> Self {
        room.clear();
        Self {
            log: room,
            parts: vec![(0, 0); blocks],
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.log.clear();
        self.parts.fill((0, 0));
    }

    /// The list, to add those of a block to.
    pub fn open(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }

    /// Takes it back: what was added from a place on takes the place of what was noted in a block
    /// before.
    pub fn close(&mut self, block: u32, log: Log, from: usize) {
        self.log = log;
        let part = &mut self.parts[block as usize];
        let count = self.log.len() - from;
        if count <= part.1 {
            for at in 0..count {
                self.log.swap(part.0 + at, from + at);
            }
            self.log.truncate(from);
            part.1 = count;
        } else {
            *part = (from, count);
        }
    }

    /// How many there are, with those whose place others took.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Those of a block, which are gone then.
    pub fn take(&mut self, block: u32) -> impl Iterator<Item = Note> + '_ {
        let (from, count) = std::mem::take(&mut self.parts[block as usize]);
        let notes = self.log[from..from + count].iter_mut();
        notes.map(|note| std::mem::replace(note, Note::Show))
    }

    /// The room that is left, where it is not large.
    pub fn end(mut self) -> Option<Log> {
        self.log.clear();
        (self.log.capacity() <= ROOM).then_some(self.log)
    }
}

/// What is found in a routine, block by block.
#[derive(Default)]
pub(super) struct Notes {
    pub stores: Vec<(u64, u8, Value)>,
    /// How many of them others may have seen.
    seen: usize,
    block: u32,
    /// The routine is small: which of its arguments had to be set is told with what it gives.
    pub is_small: bool,
    pub behind: Vec<Written>,
    pub members: NumberMap<u64, Value>,
    pub stacked: NumberSet<u64>,
    pub escapes: NumberMap<u64, (Facts, u64)>,
    pub handed: NumberMap<u64, (Facts, u64)>,
    pub given: NumberSet<u64>,
    pub scattered: NumberSet<u64>,
    /// Arguments behind which it stores at distances that are not known, as bits.
    pub scatters: u16,
    pub hands_on: bool,
    /// Arguments that are given on, as bits.
    pub given_on: u16,
    pub catches: Option<u64>,
    pub others: Vec<u64>,
    pub returned: Option<(Value, Facts)>,
    pub branches: Vec<(u64, (Facts, Facts))>,
    pub followed: BTreeSet<u64>,
    pub falls: BTreeMap<u64, u64>,
    pub calls: NumberMap<u64, Rc<Arguments>>,
    pub jumps: NumberMap<u64, Box<Registers>>,
    pub memory: NumberMap<u64, Vec<Part>>,
    pub loads: Vec<(u64, Vec<u64>)>,
    pub changes: Vec<(u64, Facts)>,
    pub reached: NumberMap<u64, Reached>,
    pub indexed: Indexed,
    pub coarse: u8,
}

impl Notes {
    /// Nothing yet, of a routine that is small or not.
    pub fn of(is_small: bool) -> Self {
        Self {
            is_small,
            ..Self::default()
        }
    }

    /// What is added from here on is of this block.
    pub fn begin(&mut self, block: u32) {
        self.block = block;
        self.seen = self.stores.len();
    }

    /// Adds one.
    pub fn add(&mut self, note: Note) {
        match note {
            Note::Store(at, bytes, value) => self.store(at, bytes, value),
            Note::Show => self.seen = self.stores.len(),
            Note::Behind(mut written) => {
                written.block = self.block;
                self.behind.push(written);
            }
            Note::Member(at, value) => {
                self.members.insert(at, value);
            }
            Note::Stacked(at) => {
                self.stacked.insert(at);
            }
            Note::Escape(address, facts, at) => known(&mut self.escapes, address, facts, at),
            Note::Hand(address, facts, at) => known(&mut self.handed, address, facts, at),
            Note::Given(address) => {
                self.given.insert(address);
            }
            Note::HandsOn(number, is_given) => {
                self.hands_on = true;
                self.given_on |= u16::from(is_given) << number;
            }
            Note::Scatter(address) => {
                self.scattered.insert(address);
            }
            Note::ScatterBehind(number) => self.scatters |= 1 << number,
            Note::Catches(at) => {
                self.catches.get_or_insert(at);
            }
            Note::Other(at) => self.others.push(at),
            Note::Branch(at, yes, no) => self.branches.push((at, (yes, no))),
            Note::Coarse(bits) => self.coarse |= bits,
            Note::Follow(at) => {
                self.followed.insert(at);
            }
            Note::Fall(at, to) => {
                self.falls.insert(at, to);
            }
            Note::Give(value, facts) => self.gives(&value, facts),
            Note::Call(at, arguments) => {
                self.calls.insert(at, arguments);
            }
            Note::Jump(at, registers) => {
                self.jumps.insert(at, registers);
            }
            Note::Memory(at, parts) => {
                self.memory.insert(at, parts);
            }
            Note::Load(at, places) => self.loads.push((at, places)),
            Note::Change(at, facts) => self.changes.push((at, facts)),
            Note::Reached(at, reached) => {
                self.reached.insert(at, reached);
            }
            Note::Index(index) => self.indexed.add(index),
        }
    }

    /// A store to a variable. One that the next ones replace before anything else runs is
    /// seen by nobody: compilers store a word and cut its bit out there.
    fn store(&mut self, at: u64, bytes: u8, value: Value) {
        let fresh = &mut self.stores[self.seen..];
        if let Some(known) = fresh
            .iter_mut()
            .find(|known| (known.0, known.1) == (at, bytes))
        {
            known.2 = value;
            return;
        }
        if self.stores.len() < STORES {
            self.stores.push((at, bytes, value));
        }
    }

    /// A result that the routine gives, and what holds then.
    pub fn gives(&mut self, value: &Value, facts: Facts) {
        let facts_of_value = match self.is_small {
            true => facts,
            false => facts.features(),
        };
        let value = value.told().under(facts_of_value);
        self.returned = Some(match self.returned.take() {
            Some((known, before)) => (known.or(&value), before & facts),
            None => (value, facts),
        });
    }
}

impl Extend<Note> for Notes {
    fn extend<T: IntoIterator<Item = Note>>(&mut self, notes: T) {
        notes.into_iter().for_each(|note| self.add(note));
    }
}

/// Of one address what is known at all places, and the first of them.
fn known(all: &mut NumberMap<u64, (Facts, u64)>, address: u64, facts: Facts, at: u64) {
    let known = all.entry(address).or_insert((facts, at));
    known.0 = known.0 & facts;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stores(blocks: Vec<Log>) -> Vec<(u64, Option<u64>)> {
        let mut notes = Notes::default();
        for (block, log) in (0..).zip(blocks) {
            notes.begin(block);
            notes.extend(log);
        }
        let stores = notes.stores.iter();
        stores
            .map(|(at, _, value)| (*at, value.constant()))
            .collect()
    }

    fn store(at: u64, number: u64) -> Note {
        Note::Store(at, 8, Value::number(number))
    }

    #[test]
    fn a_store_that_nobody_sees_is_none() {
        assert_eq!(
            stores(vec![vec![store(8, 1), store(16, 2), store(8, 3)]]),
            [(8, Some(3)), (16, Some(2))]
        );
        let both = [(8, Some(1)), (8, Some(3))];
        let shown = vec![vec![store(8, 1), Note::Show, store(8, 3)]];
        assert_eq!(stores(shown), both);
        // The next block may be come to otherwise.
        assert_eq!(stores(vec![vec![store(8, 1)], vec![store(8, 3)]]), both);
    }

    #[test]
    fn of_each_block_what_was_noted_last_counts() {
        let mut noted = Noted::of(3, vec![Note::Other(1)]);
        let mut note = |block: u32, places: &[u64]| {
            let from = noted.len();
            let mut log = noted.open();
            log.extend(places.iter().map(|at| Note::Other(*at)));
            noted.close(block, log, from);
        };
        note(0, &[10, 11]);
        note(1, &[20]);
        // Fewer, more, and none.
        note(0, &[12]);
        note(1, &[21, 22]);
        note(2, &[30]);
        note(2, &[]);
        let mut places = |block| -> Vec<u64> {
            let place = |note| match note {
                Note::Other(at) => at,
                _ => 0,
            };
            noted.take(block).map(place).collect()
        };
        assert_eq!([places(0), places(1)], [vec![12], vec![21, 22]]);
        assert!(places(2).is_empty() && places(1).is_empty());
        assert!(noted.end().is_some_and(|room| room.is_empty()));
    }

    #[test]
    fn of_an_address_what_is_known_everywhere_counts_and_the_first_place() {
        let (one, other) = (Facts::named("avx"), Facts::named("bmi1"));
        let mut notes = Notes::default();
        notes.extend([
            Note::Escape(8, one | other, 1),
            Note::Escape(8, one, 2),
            Note::Hand(8, other, 3),
        ]);
        assert_eq!(notes.escapes[&8], (one, 1));
        assert_eq!(notes.handed[&8], (other, 3));
    }

    #[test]
    fn stores_behind_arguments_are_of_the_block_that_is_looked_at() {
        let written = Written {
            block: 0,
            number: 0,
            distance: 0,
            bytes: 8,
            value: Value::number(1),
            is_certain: true,
        };
        let mut notes = Notes::default();
        notes.begin(7);
        notes.add(Note::Behind(written));
        assert_eq!(notes.behind[0].block, 7);
    }
}
