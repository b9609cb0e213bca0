//! Which variables hold CPUID's answer, and which routines hand it out.
//!
//! Found from the routines that execute `cpuid` and from variables known by name,
//! outwards: a routine that returns an answer makes its callers worth reading, a
//! variable that gets one makes its readers. Each step outwards is counted and
//! few are taken, since what is computed from an answer is in the end everything.

use super::accessors::Accessors;
use super::facts::vouched::Vouched;
use super::program::Program;
use super::reading::{Known, Reading};
use super::sweep::{References, Sweep, to, within};
use super::tellers::is_teller;
use karat_binary::numbers::{NumberMap, NumberSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Steps from `cpuid` outwards.
const STEPS: u8 = 5;
/// Steps after which a result, or what a routine writes, is no answer any more.
const ANSWERS: u8 = 4;
const FILLS: u8 = 3;
/// Readings of routines at most.
const READINGS: usize = 20_000;
/// A routine is read again when more is known, so often at most.
const AGAIN: u8 = 3;
/// Callers or readers that are followed from one place.
const FAN: usize = 500;
/// Calls of a routine that is there for the answer, at most, and of one that is small and given
/// nothing.
const CALLERS: usize = 1000;
const ALL: usize = 20_000;
/// Places behind arguments that one routine stores choices in, at most.
const PLACES: usize = 8;
/// Places that use a variable of a thread with an answer, at most.
const COMMON: usize = 32;
/// Bytes of a variable whose size is not known.
const SIZE: u64 = 64;
/// Words of data that point to an object with answers, at most.
const POINTERS: usize = 8;
/// Bytes of an object that they point to, at most.
const OBJECT: u64 = 1024;

/// Variables that hold answers: start to end.
#[derive(Default)]
pub struct Cells(BTreeMap<u64, u64>);

impl Cells {
    /// Whether an address is in one.
    pub fn has(&self, address: u64) -> bool {
        let before = self.0.range(..=address).next_back();
        before.is_some_and(|(_, end)| address < *end)
    }

    /// All of them, start and end.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().map(|(start, end)| (*start, *end))
    }

    /// Where the one begins that an address is in.
    pub(crate) fn start_of(&self, address: u64) -> Option<u64> {
        let (start, end) = self.0.range(..=address).next_back()?;
        (address < *end).then_some(*start)
    }

    /// Adds one; returns whether that says anything new.
    pub(crate) fn add(&mut self, start: u64, end: u64) -> bool {
        let before = self.0.range(..=start).next_back();
        if before.is_some_and(|(_, known)| *known >= end) {
            return false;
        }
        self.0.insert(start, end);
        true
    }
}

/// What is known of detection in a program.
pub struct Detection {
    /// Variables that hold answers.
    pub cells: Cells,
    /// Routines that return an answer.
    pub answers: NumberSet<u32>,
    /// Routines that write an answer through a pointer.
    pub fills: NumberSet<u32>,
    /// Static objects that answers are written in and words of data point to.
    pub objects: Cells,
    /// These words: variables with the address of such an object.
    pub pointers: Cells,
    /// Variables that hold what answers picked, such as the index of an
    /// implementation in its table.
    pub picked: Cells,
    /// Routines that give what answers picked.
    pub picks: NumberSet<u32>,
    /// Routines that store what answers picked behind an argument: its number,
    /// and the distance.
    pub selects: NumberMap<u32, BTreeSet<(u8, i64)>>,
    /// Routines that branch on an answer, or choose by one.
    pub asking: NumberSet<u32>,
    /// Routines that call one that asks the CPU or hands out its answer, or call
    /// such a routine; with the one that is asked.
    pub near: NumberMap<u32, u32>,
    /// Small routines whose result may be a flag; asked for when all else is known.
    pub accessors: Accessors,
}

impl Detection {
    /// [`answers`](Self::answers) in order. What is asked of them has a limit, and who is left out
    /// must not go by chance.
    pub fn answering(&self) -> Vec<u32> {
        let mut out: Vec<u32> = self.answers.iter().copied().collect();
        out.sort_unstable();
        out
    }

    /// Finds it; what a user vouches for is taken for an answer.
    pub fn of(program: &Program<'_>, sweep: &Sweep, vouched: &Vouched) -> Self {
        let mut search = Search {
            program,
            sweep,
            out: Self {
                cells: Cells::default(),
                answers: NumberSet::default(),
                fills: NumberSet::default(),
                objects: Cells::default(),
                pointers: Cells::default(),
                picked: Cells::default(),
                picks: NumberSet::default(),
                selects: NumberMap::default(),
                asking: NumberSet::default(),
                near: NumberMap::default(),
                accessors: Accessors::default(),
            },
            queue: VecDeque::new(),
            readings: NumberMap::default(),
            version: 0,
        };
        let mut askers: BTreeSet<u32> = BTreeSet::new();
        for (routine, facts) in sweep.facts.iter().enumerate() {
            let known = &program.routines[routine];
            let is_one = !known.is_guess || !to(&sweep.edges, known.start).is_empty();
            if facts.asks && !facts.undecodable && is_one {
                askers.insert(routine as u32);
                search.queue.push_back((routine as u32, 0));
            }
        }
        for &(start, end, _) in &program.cells {
            search.out.cells.add(start, end);
            search.readers(start, end, 1);
        }
        for &(start, size, name) in &program.variables {
            if vouched.of_cell(name).is_some() {
                let end = start.saturating_add(size.max(1));
                search.out.cells.add(start, end);
                search.readers(start, end, 1);
            }
        }
        for (routine, known) in program.routines.iter().enumerate() {
            if known
                .names
                .iter()
                .any(|name| vouched.of_function(name).is_some())
            {
                search.out.answers.insert(routine as u32);
                for (_, at) in to(&sweep.edges, known.start).iter().take(FAN) {
                    search
                        .queue
                        .extend(program.routine_at(at).map(|caller| (caller, 1)));
                }
            }
        }
        for (_, at) in &sweep.asked {
            search
                .queue
                .extend(program.routine_at(at).map(|caller| (caller, 1)));
        }
        search.run();
        askers.extend(&search.out.answers);
        askers.extend(&search.out.fills);
        search.find_near(&askers);
        search.out.accessors.open();
        search.out
    }
}

struct Search<'p> {
    program: &'p Program<'p>,
    sweep: &'p Sweep,
    out: Detection,
    queue: VecDeque<(u32, u8)>,
    /// By routine: how often it was read, and what was known before the last time.
    readings: NumberMap<u32, (u8, u32)>,
    /// Grows whenever a reading tells something that others go by.
    version: u32,
}

impl Search<'_> {
    fn run(&mut self) {
        let mut readings = 0;
        while let Some((routine, step)) = self.queue.pop_front() {
            let (times, version) = self.readings.entry(routine).or_default();
            if *times >= AGAIN || readings >= READINGS {
                continue;
            }
            readings += 1;
            *times += 1;
            // What nothing has changed for reads as before. It was read at no later step, so
            // nothing more is learnt of it either.
            let is_same = *times > 1 && *version == self.version;
            *version = self.version;
            if is_same {
                continue;
            }
            let known = Known {
                program: self.program,
                sweep: self.sweep,
                found: &self.out,
            };
            if let Some(reading) = Reading::of(known, routine) {
                self.learn(routine, step, &reading);
            }
        }
    }

    /// Callers of routines that ask, and their callers.
    fn find_near(&mut self, askers: &BTreeSet<u32>) {
        let mut level: Vec<(u32, u32)> = askers.iter().map(|asker| (*asker, *asker)).collect();
        for _ in 0..2 {
            let mut next = Vec::new();
            for (routine, asker) in level {
                let start = self.program.routines[routine as usize].start;
                for (_, at) in to(&self.sweep.edges, start).iter().take(CALLERS) {
                    if let Some(caller) = self.program.routine_at(at)
                        && let Entry::Vacant(place) = self.out.near.entry(caller)
                    {
                        place.insert(asker);
                        next.push((caller, asker));
                    }
                }
            }
            level = next;
        }
    }

    fn learn(&mut self, routine: u32, step: u8, reading: &Reading) {
        if reading.asks() {
            self.out.asking.insert(routine);
        }
        if step >= STEPS {
            return;
        }
        let start = self.program.routines[routine as usize].start;
        // What everybody calls is there for something else.
        let callers = to(&self.sweep.edges, start).len();
        let few = callers <= CALLERS;
        let tells = few || callers <= ALL && is_teller(self.program, self.sweep, routine);
        let answers =
            reading.answers && tells && step <= ANSWERS && self.out.answers.insert(routine);
        // What fills memory far from `cpuid` fills it with something else.
        let fills = reading.fills && few && step <= FILLS && self.out.fills.insert(routine);
        let picks = reading.picks && few && step <= ANSWERS && self.out.picks.insert(routine);
        let mut selects = false;
        if few && !reading.selects.is_empty() {
            let places = self.out.selects.entry(routine).or_default();
            for &place in &reading.selects {
                selects |= places.len() < PLACES && places.insert(place);
            }
        }
        if answers || fills || picks || selects {
            self.version += 1;
            let fan = if few { FAN } else { ALL };
            for (_, at) in to(&self.sweep.edges, start).iter().take(fan) {
                if let Some(caller) = self.program.routine_at(at) {
                    self.queue.push_back((caller, step + 1));
                }
            }
        }
        for store in &reading.stores {
            if store.is_picked && self.program.is_written(store.address) {
                let end = store.address.saturating_add(store.size.clamp(1, SIZE));
                self.version += u32::from(self.out.picked.add(store.address, end));
            }
            let counts = store.is_pointer || store.is_answer;
            if counts
                && !self.is_common(store.address)
                && self.program.is_written(store.address)
                && !self.program.is_got(store.address)
            {
                let end = store.address.saturating_add(store.size.clamp(1, SIZE));
                if self.out.cells.add(store.address, end) {
                    self.version += 1;
                    self.readers(store.address, end, step + 1);
                }
            }
        }
        for &address in &reading.filled {
            if self.program.is_written(address) {
                let end = match self.pointed(address, step) {
                    true => object_end(self.program, self.sweep, address),
                    false => address.saturating_add(SIZE),
                };
                if self.out.cells.add(address, end) {
                    self.version += 1;
                    self.readers(address, end, step + 1);
                }
            }
        }
    }

    /// Whether words of data point to an object that answers are written in: who has it from
    /// there asks it at distances that no code names.
    fn pointed(&mut self, object: u64, step: u8) -> bool {
        let program = self.program;
        let words = to(&program.pointers, object);
        if words.is_empty() || words.len() > POINTERS {
            return false;
        }
        let last = object_end(program, self.sweep, object);
        self.out.objects.add(object, last);
        for (_, word) in words {
            let end = word.saturating_add(8);
            if self.out.pointers.add(word, end) {
                self.out.cells.add(word, end);
                self.version += 1;
                self.readers(word, end, step + 1);
            }
        }
        true
    }

    /// Whether a variable of a thread is used at so many places that it is no answer, as
    /// `errno` is.
    fn is_common(&self, address: u64) -> bool {
        self.program.all_threads(address).is_some() && to(&self.sweep.data, address).len() > COMMON
    }

    /// Queues the routines that name a variable.
    fn readers(&mut self, start: u64, end: u64, step: u8) {
        let mut seen = HashSet::new();
        for (_, at) in within(&self.sweep.data, start, end) {
            if seen.len() >= FAN {
                break;
            }
            if let Some(routine) = self.program.routine_at(at)
                && seen.insert(routine)
            {
                self.queue.push_back((routine, step));
            }
        }
    }
}

/// Where an object ends that begins at an address: by its symbol, or where the next begins that
/// code or data name. What is named near its start is a part of it.
pub(crate) fn object_end(program: &Program<'_>, sweep: &Sweep, start: u64) -> u64 {
    let most = start.saturating_add(OBJECT);
    let named = program.variables.binary_search_by_key(&start, |one| one.0);
    if let Ok(at) = named {
        let size = program.variables[at].1;
        return start.saturating_add(size.clamp(1, OBJECT));
    }
    let next = |all: &References| {
        let first = within(all, start.saturating_add(SIZE), most).iter().next();
        first.map_or(most, |(at, _)| at)
    };
    next(&sweep.data).min(next(&program.pointers))
}
