//! Programs of Go's own compiler: where following them begins. The run-time itself is not gone
//! through: it asks the CPU, then runs the packages' initialisers in the linker's order, then
//! `main.main` (`runtime/proc.go`).

mod aside;
pub(crate) mod calls;
mod conjoined;
mod maps;
pub(crate) mod plain;
pub(crate) mod runtime;
mod tables;

use crate::bits::{Kind, Word, symbol};
use crate::convention::{GO_ROUTINE, GO_WORDS, GO_ZERO};
use crate::machine::{End, Machine, Stop};
use crate::memory::{Memory, STACK, STACK_SIZE};
use crate::state::{Back, State};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_flow::program::Program;
use karat_flow::sweep::{Sweep, to};

/// Where the goroutine that runs is described.
const ROUTINE: u64 = 0x7400_0000_0000;
/// `stackguard0` and `stackguard1` there.
const GUARDS: [u64; 2] = [0x10, 0x18];
/// Functions of one package's initialiser, and packages, at most.
const INITIALISERS: u64 = 4096;
/// Instructions that lead to where a program gives up, at most, and calls among them.
const ENDING: usize = 24;
const CALLS: usize = 4;
/// Words of a table of code, at most.
const TABLE: u64 = 64;

/// How far following a program has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The run-time asks the CPU.
    Asks,
    /// Packages are initialised.
    Begins,
    Runs,
}

/// See the module.
#[derive(Clone)]
pub(crate) struct Go {
    /// Where the run-time asks what the CPU has, which is a call, and what follows it.
    asks: u64,
    /// Initialisers in order.
    initialisers: Vec<u64>,
    main: u64,
    /// Where the run-time stores what is not followed before it asks: addresses and sizes.
    stored: Vec<(u64, u64)>,
    /// Routines that run something when they return or panic.
    defers: NumberSet<u32>,
    /// The turn of all branches that would lead to a panic.
    turn: u32,
    /// By address: whether what is there only panics.
    ends: NumberMap<u64, bool>,
    /// Ways that are apart by what the CPU told the run-time.
    apart: Vec<State>,
    phase: Phase,
    /// The numbers of initialisers that took too long.
    long: NumberSet<usize>,
    /// Pairs of an interface and a type whose table of methods the run-time makes.
    tables: Vec<(u64, u64)>,
    /// By start: variables that its routine names.
    named: NumberMap<u64, Vec<u64>>,
    /// Ways at the end of the initialisers, each with what it had stored before.
    pub ready: Vec<(State, Memory)>,
}

/// The name of the routine that begins at an address.
pub(crate) fn name<'p>(program: &'p Program<'_>, at: u64) -> Option<&'p str> {
    let routine = &program.routines[program.routine_at(at)? as usize];
    let name = routine.names.first().filter(|_| routine.start == at)?;
    Some(name.strip_suffix(".abi0").unwrap_or(name))
}

/// Whether a call there writes no register but those it is made for: code that clears and copies,
/// and what the collector is told.
pub(crate) fn keeps(program: &Program<'_>, at: u64) -> bool {
    let routine = program
        .routine_at(at)
        .map(|r| &program.routines[r as usize]);
    let name = routine.and_then(|routine| routine.names.first());
    name.is_some_and(|name| {
        let parts = ["runtime.duff", "runtime.gcWriteBarrier", "gcWriteBarrier"];
        parts.iter().any(|part| name.starts_with(part))
    })
}

/// Whether a name is of a package's initialiser.
fn initialises(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let mut parts = last.split('.').skip(1);
    parts.next() == Some("init") && parts.all(|part| part.bytes().all(|b| b.is_ascii_digit()))
}

impl Go {
    /// What is known of a program; none if it is not one of Go's.
    pub fn of(program: &Program<'_>, sweep: &Sweep) -> Option<Self> {
        if program.is_library {
            return None;
        }
        let mut named = NumberMap::default();
        let (mut ask, mut main, mut defer) = (None, None, None);
        let mut start = None;
        for routine in &program.routines {
            match routine.names.first() {
                Some(&"internal/cpu.Initialize") => ask = Some(routine.start),
                Some(&"main.main") => main = Some(routine.start),
                Some(&"runtime.deferreturn") => defer = Some(routine.start),
                Some(&("runtime.rt0_go" | "runtime.rt0_go.abi0")) => start = Some(routine.start),
                Some(name) if initialises(name) => {
                    named.insert(routine.start, *name);
                }
                _ => {}
            }
        }
        let is_runtime = |at: &u64| {
            let routine = program.routine_at(*at);
            let name = routine.and_then(|r| program.routines[r as usize].names.first());
            name.is_some_and(|name| name.starts_with("runtime."))
        };
        let calls = to(&sweep.edges, ask?).iter().map(|(_, at)| at);
        let mut calls = calls.filter(is_runtime);
        let returns = to(&sweep.edges, defer.unwrap_or(u64::MAX));
        // The run-time's own are gone through where they only ask, and call nothing.
        let calls_on = |(to, at): &(u64, u64)| {
            let name = name(program, *to).unwrap_or("");
            is_runtime(at) && !name.starts_with("runtime.morestack")
        };
        let calling: NumberSet<u32> = (sweep.edges.iter().filter(calls_on))
            .filter_map(|(_, at)| program.routine_at(at))
            .collect();
        let mut initialisers = ordered(program, &named);
        let calls_on = |at: &u64| {
            program
                .routine_at(*at)
                .is_some_and(|r| calling.contains(&r))
        };
        initialisers.retain(|at| !calls_on(at));
        Some(Self {
            asks: calls.next()?,
            initialisers,
            stored: start.map_or(Vec::new(), |start| first_stores(program, start)),
            main: main?,
            defers: (returns.iter())
                .filter_map(|(_, at)| program.routine_at(at))
                .collect(),
            turn: 0,
            ends: NumberMap::default(),
            apart: Vec::new(),
            phase: Phase::Asks,
            long: NumberSet::default(),
            tables: Vec::new(),
            named: NumberMap::default(),
            ready: Vec::new(),
        })
    }

    /// What runs one after the other.
    pub fn starts(&self) -> Vec<u64> {
        let first = [self.asks].into_iter();
        first.chain(self.initialisers.iter().copied()).collect()
    }

    pub fn main(&self) -> u64 {
        self.main
    }

    /// Whether something is run when the routine panics: it may go on then.
    pub fn defers(&self, routine: u32) -> bool {
        self.defers.contains(&routine)
    }
}

/// Initialisers in the order of the linker's lists (`runtime_inittasks`, then those of the
/// module): lists of records that have two numbers and so many functions.
fn ordered(program: &Program<'_>, named: &NumberMap<u64, &str>) -> Vec<u64> {
    let word = |place: u64| match program.words.get(place) {
        Some(karat_flow::program::Word::Address(to)) => Some(to),
        _ => None,
    };
    let is_one = |place: u64| word(place).is_some_and(|to| named.contains_key(&to));
    let mut records: Vec<(u64, Vec<u64>)> = Vec::new();
    let mut places: Vec<u64> = (program.pointers.iter())
        .filter(|(to, _)| named.contains_key(to))
        .map(|(_, place)| place)
        .collect();
    places.sort_unstable();
    for place in places {
        let header = program.content(place.wrapping_sub(8)).unwrap_or(0);
        let count = header >> 32;
        let is_record = header as u32 == 0 && (1..INITIALISERS).contains(&count);
        let all = || (0..count).map(|at| place.wrapping_add(at * 8));
        if is_record && !is_one(place.wrapping_sub(8)) && all().all(is_one) {
            records.push((place - 8, all().filter_map(word).collect()));
        }
    }
    // Where the lists name them.
    let mut listed: Vec<(u64, usize)> = Vec::new();
    for (number, (record, _)) in records.iter().enumerate() {
        let places = to(&program.pointers, *record).iter();
        listed.extend(places.map(|(_, place)| (place, number)));
    }
    listed.sort_unstable();
    let is_runtime = |functions: &[u64]| {
        let names = functions.iter().filter_map(|at| named.get(at));
        names.into_iter().any(|name| name.starts_with("runtime."))
    };
    let mut lists: Vec<&[(u64, usize)]> =
        listed.chunk_by(|one, other| other.0 == one.0 + 8).collect();
    // The run-time's comes first.
    lists.sort_by_key(|list| !list.iter().any(|(_, at)| is_runtime(&records[*at].1)));
    let all = lists.into_iter().flatten();
    all.flat_map(|(_, at)| records[*at].1.iter().copied())
        .collect()
}

/// What the run-time's first instructions store of the CPU's model and maker.
fn first_stores(program: &Program<'_>, start: u64) -> Vec<(u64, u64)> {
    let routine = program
        .routine_at(start)
        .map(|at| &program.routines[at as usize]);
    let ranges = routine.into_iter().flat_map(|routine| &routine.ranges);
    let bytes = ranges.filter_map(|(start, end)| Some((*start, program.bytes(*start, *end)?)));
    let decode = |(at, bytes)| Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
    let all = bytes.flat_map(decode);
    let stores = all.filter(|it| it.is_ip_rel_memory_operand() && it.op0_kind() == OpKind::Memory);
    stores
        .map(|it| (it.ip_rel_memory_address(), it.memory_size().size() as u64))
        .collect()
}

impl Machine<'_> {
    /// Something of Go's is about to start: `GODEBUG` says nothing, since it can only take away
    /// what the CPU has, as CPUs that lack it do.
    pub fn give_go(&self, state: &mut State) {
        for number in 0..16 {
            if number != 4 {
                state.registers[number] = Word::unknown(8, Kind::Opaque);
            }
        }
        for number in GO_WORDS {
            state.registers[number] = Word::ZERO;
        }
        state.registers[GO_ROUTINE] = Word::Known(ROUTINE);
        state.vectors[GO_ZERO] = [Word::ZERO, Word::ZERO];
        for place in GUARDS {
            let lowest = Word::Known(STACK - STACK_SIZE);
            state.memory.write(ROUTINE + place, &lowest, 8);
        }
        let own = self.thread.wrapping_sub(8);
        state.memory.write(own, &Word::Known(ROUTINE), 8);
    }

    /// The machine follows a program of Go's.
    pub fn follow_go(&mut self, state: &mut State, mut go: Go) {
        for (at, size) in &go.stored {
            state.memory.forget(*at, *size, Kind::Model);
        }
        go.turn = self.symbols.turn(Kind::Input);
        self.go = Some(go);
        self.convention = &crate::convention::GO;
        self.image.is_zeroed = true;
    }

    /// Between two of what runs: what a way stored is put away, where it is the only one. After
    /// the run-time asked, ways are gone one after the other: they do not become one again.
    pub fn between(&mut self, state: &mut State) -> Result<(), Stop> {
        let Some(go) = self.go.as_mut() else {
            return Ok(());
        };
        if go.phase == Phase::Asks && state.started == 1 {
            go.apart.push(state.clone());
            return Err(Stop::End(End::Left));
        }
        if self.is_alone {
            self.image.under.settle(&mut state.memory);
            self.clear();
        }
        self.began = self.steps;
        Ok(())
    }

    /// What follows where the run-time asked: the initialisers of each way, then `main` of each.
    pub fn go_on(&mut self) {
        let Some(go) = self.go.as_mut() else {
            return;
        };
        go.phase = Phase::Begins;
        let apart = std::mem::take(&mut go.apart);
        for state in &apart {
            self.go_way(state, &Memory::default());
            // What is not known of one way is not known of any.
            if self.steps == 0 || !self.waiting.is_empty() || self.is_dropped {
                self.found.is_complete = false;
                if let Some(go) = self.go.as_mut() {
                    go.ready.clear();
                }
                return;
            }
        }
        let Some(go) = self.go.as_mut() else {
            return;
        };
        go.phase = Phase::Runs;
        let ready = std::mem::take(&mut go.ready);
        let share = self.steps / ready.len().max(1) as u64;
        let mut left = self.steps;
        for (state, under) in &ready {
            self.steps = share;
            self.go_way(state, under);
            left -= share - self.steps;
        }
        self.steps = left;
        if let Some(go) = self.go.as_mut() {
            go.ready = ready;
        }
    }

    fn go_way(&mut self, state: &State, under: &Memory) {
        self.clear();
        self.image.under = under.clone();
        let mut state = state.clone();
        if self.next(&mut state).is_ok() {
            self.add(state);
        }
        self.run();
    }

    /// Of a branch on what is not known, one way of which only panics: whether it is taken. That
    /// no program that works panics there is what it is given that says so.
    pub fn goes_on(&mut self, state: &mut State, it: &Instruction) -> Result<Option<bool>, Stop> {
        let Some(turn) = self.go.as_ref().map(|go| go.turn) else {
            return Ok(None);
        };
        let bit = self.condition(state, it)?;
        if Kind::of(bit).is_none() || state.turn.is_some() {
            return Ok(None);
        }
        let taken = self.gives_up(it.near_branch_target());
        if taken == self.gives_up(it.next_ip()) {
            return Ok(None);
        }
        // What catches the panic is not followed.
        if self.may_recover(state) {
            self.found.lost(state.at, &state.conditions, &self.symbols);
        }
        if let Some(known) = state.conditions.with(&self.symbols, symbol(turn, false)) {
            state.conditions = known;
        }
        Ok(Some(!taken))
    }

    /// Whether the run-time's first part is at its end: what it calls next is something else.
    pub fn has_asked(&self, state: &State) -> bool {
        let is_first = state.started == 1 && state.frames.len() == 1;
        let asks = self.go.as_ref().map(|go| go.asks);
        is_first && asks.is_some_and(|asks| asks != state.at) && !self.is_passed(state.at)
    }

    /// Whether what is called there is a part of asking.
    fn is_passed(&self, at: u64) -> bool {
        let called = self
            .instructions
            .get(&at)
            .map(Instruction::near_branch_target);
        called.and_then(|to| name(self.image.program, to)) == Some("runtime.alginit")
    }

    /// A call through a table of the file's, by a number that is not known: any of it.
    pub fn tabled(&mut self, state: &mut State, it: &Instruction) -> Result<Option<Stop>, Stop> {
        let is_table = it.op0_kind() == OpKind::Memory
            && it.memory_index_scale() == 8
            && it.memory_base() != Register::None
            && self.go.is_some();
        if !is_table {
            return Ok(None);
        }
        let Some(base) = self.register(state, it.memory_base()).number()? else {
            return Ok(None);
        };
        let first = base.wrapping_add(it.memory_displacement64());
        let words =
            (0..TABLE).map(|at| self.load(state, Ok(first.wrapping_add(at * 8)), 8).known());
        let is_one = |word: &u64| *word == 0 || self.is_start(*word);
        let words = words.map_while(|word| word.filter(is_one));
        let mut all: Vec<u64> = words.filter(|word| *word != 0).collect();
        all.sort_unstable();
        all.dedup();
        let Some(&one) = all.first() else {
            return Ok(None);
        };
        let turn = symbol(self.symbols.turn(Kind::Opaque), false);
        if let Some(known) = state.conditions.with(&self.symbols, turn) {
            state.conditions = known;
        }
        self.enter(state, one, Back::To(it.next_ip()), it.ip())?;
        Ok(Some(Stop::Each(all)))
    }

    /// Whether what is there does nothing but to give up.
    fn gives_up(&mut self, at: u64) -> bool {
        let program = self.image.program;
        let Some(go) = self.go.as_mut() else {
            return false;
        };
        *go.ends.entry(at).or_insert_with(|| {
            let most = (1..=512).rev().step_by(16);
            let mut all = most.filter_map(|size| program.bytes(at, at.saturating_add(size)));
            let bytes = all.next().unwrap_or_default();
            let decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
            let mut calls = 0;
            for it in decoder.into_iter().take(ENDING) {
                match it.flow_control() {
                    FlowControl::Next => {}
                    FlowControl::Call => {
                        let name = name(program, it.near_branch_target()).unwrap_or("");
                        if crate::go::calls::is_end(name) {
                            return true;
                        }
                        calls += 1;
                        if calls > CALLS {
                            return false;
                        }
                    }
                    _ => return false,
                }
            }
            false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::initialises;

    #[test]
    fn initialisers_are_known_by_their_names() {
        for name in ["main.init", "a.b/c.init.0", "internal/cpu.init.12"] {
            assert!(initialises(name), "{name}");
        }
        for name in [
            "main.init.func1",
            "main.(*T).init",
            "main.initialise",
            "init",
        ] {
            assert!(!initialises(name), "{name}");
        }
    }
}
