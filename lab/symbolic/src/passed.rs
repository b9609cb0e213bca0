//! Routines that are passed over: what they do takes long, or cannot be followed, and leads to
//! nothing that is asked about. What they may store is not known then.

use crate::bits::{Bit, Kind, ONE, Word, symbol_of};
use crate::machine::Machine;
use crate::matters::Matters;
use crate::memory::{HEAP, STACK, stack_of};
use crate::state::State;
use iced_x86::{Decoder, DecoderOptions, FlowControl};
use karat_flow::a64::decode::{Control, control};
use karat_flow::program::{Program, Target, Word as Stored};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Instructions of one call, at which it takes long.
const LONG: u64 = 2_000;
/// Instructions of all calls together.
const LONG_IN_ALL: u64 = 20_000;
/// Pointers to pointers that are looked behind.
const DEPTH: u32 = 3;
/// Words that are looked at, at most.
const WORDS: usize = 4096;
/// Calls within calls in which a routine of the C library is looked for.
const CALLS: u32 = 2;
/// Bytes that are looked at behind a pointer, at most, and on the stack, where no end is known.
const LOOKED: u64 = 512;
const ON_STACK: u64 = 64;
/// Symbols that decide which address a word is, at most.
const CHOICES: usize = 4;

/// Functions that end the program, or jump out of calls.
const ENDS: [&str; 13] = [
    "_longjmp",
    "thrd_exit",
    "__cxa_throw",
    "__cxa_rethrow",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "pthread_exit",
    "longjmp",
    "siglongjmp",
    "__longjmp_chk",
];

/// Whether a function of that name ends the program, or leaves calls, in a way that is followed.
pub(crate) fn is_end(name: &str) -> bool {
    ENDS.contains(&name)
}

/// Data of the file: starts and ends.
pub(crate) type Data = Rc<Vec<(u64, u64)>>;

/// What is kept from one time to the next that a program is followed.
pub(crate) struct Passed {
    matters: Rc<Matters>,
    /// Where they begin.
    pub over: BTreeSet<u64>,
    /// Those that are to be passed over from the beginning.
    pub wanted: BTreeSet<u64>,
    /// One of them takes long: no more is followed before that.
    pub is_long: bool,
    /// Those in which a program ended: they are never passed over, they may be its way out.
    ends: HashSet<u64>,
    /// Instructions in them.
    counts: HashMap<u64, u64>,
    /// By routine: none if it may end the program.
    data: HashMap<u32, Option<Data>>,
}

impl Passed {
    pub fn new(matters: Rc<Matters>) -> Self {
        Self {
            matters,
            over: BTreeSet::new(),
            wanted: BTreeSet::new(),
            is_long: false,
            ends: HashSet::new(),
            counts: HashMap::new(),
            data: HashMap::new(),
        }
    }

    /// Before it is followed again.
    pub fn again(&mut self) {
        self.over.append(&mut self.wanted);
        self.is_long = false;
        self.counts.clear();
    }

    /// Data that a routine and all that it calls name; none if one of them ends the program.
    fn data_of(&mut self, program: &Program<'_>, routine: u32) -> Option<Data> {
        if let Some(known) = self.data.get(&routine) {
            return known.clone();
        }
        let (routines, data) = self.matters.reach(routine);
        // Linked statically, all of the C library comes to `exit` somewhere.
        let own = self.matters.near(routine, CALLS);
        let is_exit = |routine: &u32| {
            let mut names = program.routines[*routine as usize].names.iter();
            names.any(|name| is_end(name))
        };
        let ends = own.iter().any(is_exit) || routines.iter().any(|at| ends(program, *at));
        let data = (!ends).then(|| Rc::new(data));
        self.data.insert(routine, data.clone());
        data
    }
}

/// Whether a routine ends the program, or goes elsewhere than back: a call of such a function of
/// the C library.
pub(crate) fn ends(program: &Program<'_>, routine: u32) -> bool {
    let routine = &program.routines[routine as usize];
    let is_exit = is_end;
    let calls = |start: u64, end: u64| {
        let bytes = program.bytes(start, end).unwrap_or_default();
        if program.is_arm {
            let words = (start..).step_by(4).zip(bytes.chunks_exact(4));
            let mut targets = words.filter_map(|(at, four)| {
                let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                match control(word, at) {
                    Control::Call(to) | Control::Jump(to) => Some(program.follow(to)),
                    _ => None,
                }
            });
            return targets.any(|it| matches!(it, Target::Import(name) if is_exit(name)));
        }
        let mut all = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE).into_iter();
        all.any(|it| match it.flow_control() {
            FlowControl::Call | FlowControl::UnconditionalBranch => {
                matches!(program.follow(it.near_branch_target()), Target::Import(name) if is_exit(name))
            }
            FlowControl::IndirectCall | FlowControl::IndirectBranch => {
                let slot = it.is_ip_rel_memory_operand().then(|| it.ip_rel_memory_address());
                let word = slot.and_then(|slot| program.words.get(slot));
                matches!(word, Some(Stored::Import(name)) if is_exit(name))
            }
            _ => false,
        })
    };
    let mut ranges = routine.ranges.iter();
    ranges.any(|(start, end)| calls(*start, *end))
}

impl Machine<'_> {
    /// Calls from the innermost outwards that lead to nothing that is asked about.
    fn idle<'s>(&self, state: &'s State) -> impl Iterator<Item = usize> + use<'s, '_> {
        let program = self.image.program;
        let matters = self.passed.as_ref().map(|passed| &passed.matters);
        let frames = (0..state.frames.len()).rev();
        let is_idle = move |number: &usize| {
            let start = state.frames[*number].start;
            program.is_code(start) && matters.is_some_and(|matters| !matters.does(program, start))
        };
        frames.take_while(is_idle)
    }

    /// Counts instructions for all calls that they are part of; one that takes long is wanted.
    pub fn counted(&mut self, state: &State, steps: u64) {
        if self.passed.is_none() {
            return;
        }
        let all = self.idle(state).map(|number| &state.frames[number]);
        let idle: Vec<(u64, u64)> = all.map(|frame| (frame.start, frame.since)).collect();
        let now = self.steps;
        let Some(passed) = &mut self.passed else {
            return;
        };
        for (start, since) in idle {
            let count = passed.counts.entry(start).or_default();
            *count += steps;
            let is_long = since.saturating_sub(now) > LONG || *count > LONG_IN_ALL;
            let may = !passed.over.contains(&start) && !passed.ends.contains(&start);
            if is_long && may && !passed.is_long {
                passed.is_long = true;
                passed.wanted.insert(start);
            }
        }
    }

    /// What cannot be followed is wanted to be passed over; false if it matters.
    pub fn wants(&mut self, state: &State) -> bool {
        let starts: Vec<u64> =
            (self.idle(state).map(|number| state.frames[number].start)).collect();
        let Some(passed) = &mut self.passed else {
            return false;
        };
        if starts.iter().any(|start| passed.wanted.contains(start)) {
            return true;
        }
        let may = |start: &u64| !passed.over.contains(start) && !passed.ends.contains(start);
        let wanted = starts.into_iter().find(may);
        passed.wanted.extend(wanted);
        wanted.is_some()
    }

    /// The program ended in these calls, and not since something went a way that is not known.
    pub fn way_out(&mut self, state: &State) {
        let starts: Vec<u64> =
            (self.idle(state).map(|number| state.frames[number].start)).collect();
        let is_opaque = |kind| kind == Kind::Opaque;
        let cubes = state.conditions.cubes();
        let is_doubtful = cubes
            .iter()
            .all(|cube| cube.turns(&self.symbols).any(is_opaque));
        if let Some(passed) = self.passed.as_mut().filter(|_| !is_doubtful) {
            passed.ends.extend(starts);
        }
    }

    /// Whether the routine at an address is passed over, called as it is now. What it may store
    /// is not known then.
    pub fn passes(&mut self, state: &mut State, start: u64) -> bool {
        let program = self.image.program;
        let Some(routine) = program.routine_at(start) else {
            return false;
        };
        let Some(passed) = self.passed.as_mut().filter(|p| p.over.contains(&start)) else {
            return false;
        };
        let Some(data) = passed.data_of(program, routine) else {
            return false;
        };
        let matters = passed.matters.clone();
        let given = self.read_by(state, start);
        if self.hands(state, &matters, &given, &data) {
            return false;
        }
        for at in given.iter().filter_map(Word::known) {
            let end = self.end(state, &matters, at);
            state.memory.forget(at, end - at, Kind::Opaque);
        }
        for &(start, end) in data.iter() {
            if program.is_written(start) && matters.is_shared(start) {
                let size = (end - start).min(LOOKED);
                state.memory.forget(start, size, Kind::Opaque);
            }
        }
        state.is_unsure = true;
        true
    }

    /// What a routine is given in the registers that it reads. Others hold what was left in them.
    pub fn read_by(&mut self, state: &State, start: u64) -> Vec<Word> {
        let reads = self
            .order(start)
            .map_or(u64::MAX, |order| order.given(start));
        let registers = self.convention.arguments;
        let is_read = |number: &usize| reads >> registers[*number] & 1 == 1;
        let numbers = (0..registers.len()).filter(is_read);
        numbers.map(|number| self.given(state, number)).collect()
    }

    /// Whether what a routine is given, or what was stored in data that it names, leads to what
    /// is asked about.
    pub fn hands(&self, state: &State, matters: &Matters, given: &[Word], data: &Data) -> bool {
        let is_own = |at: u64| {
            let number = data.partition_point(|(start, _)| *start <= at);
            number
                .checked_sub(1)
                .is_some_and(|number| at < data[number].1)
        };
        let stored = state.memory.stored_words().filter(|at| is_own(*at));
        let words = stored.map(|at| state.read(&self.image, &self.symbols, at, 8));
        self.lead(state, matters, given.iter().cloned().chain(words))
    }

    /// Where the object ends that an address is in, which may be changed; the address if none is.
    fn end(&self, state: &State, matters: &Matters, at: u64) -> u64 {
        let most = at.saturating_add(LOOKED);
        let program = self.image.program;
        if let Some((start, size)) = state.memory.object(at) {
            return most.min(start + size);
        }
        if let Some(stack) = stack_of(at) {
            return (at + ON_STACK).min(stack.end);
        }
        match at {
            HEAP..STACK => at,
            _ if program.is_written(at) => most.min(matters.end_of(at)),
            _ => at,
        }
    }

    /// Whether a word leads to what is asked about: as an address of code or data, or by what is
    /// stored there. What would take too long to see may.
    fn lead(&self, state: &State, matters: &Matters, words: impl Iterator<Item = Word>) -> bool {
        let mut seen: HashSet<u64> = HashSet::new();
        let mut waiting: Vec<(Word, u32)> = words.map(|word| (word, DEPTH)).collect();
        while let Some((word, depth)) = waiting.pop() {
            if self.choices(&word).any(|at| self.is_of_those(matters, at)) {
                return true;
            }
            let Some(at) = word.known().filter(|_| depth > 0) else {
                continue;
            };
            for place in (at & !7..self.end(state, matters, at)).step_by(8) {
                if seen.insert(place) {
                    let word = state.read(&self.image, &self.symbols, place, 8);
                    waiting.push((word, depth - 1));
                }
            }
            if seen.len() > WORDS {
                return true;
            }
        }
        false
    }

    /// Whether an address is that of data, or of the beginning of a routine, that may come to what
    /// is asked about. Others in code are where calls return to.
    fn is_of_those(&self, matters: &Matters, at: u64) -> bool {
        let program = self.image.program;
        matters.does(program, at) && (self.is_start(at) || !program.is_code(at))
    }

    /// The numbers that a word may be, where few symbols decide: one of several addresses.
    fn choices(&self, word: &Word) -> impl Iterator<Item = u64> {
        let bits: [Bit; 64] = std::array::from_fn(|at| word.bit(at));
        let mut symbols: Vec<u32> = (bits.iter())
            .filter_map(|bit| Some(symbol_of(*bit)?.0))
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        let count = match symbols.len() {
            few @ 0..=CHOICES if word.kind().is_none() => 1u32 << few,
            _ => 0,
        };
        let value = move |chosen: u32| {
            let set = |bit: Bit| match symbol_of(bit) {
                Some((number, is_opposite)) => {
                    let at = symbols.binary_search(&number).unwrap_or(0);
                    (chosen >> at & 1 == 1) != is_opposite
                }
                None => bit == ONE,
            };
            (0..64).fold(0, |all, at| all | u64::from(set(bits[at])) << at)
        };
        (0..count).map(value)
    }
}
