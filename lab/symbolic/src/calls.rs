//! Calls, jumps and returns, and what the loader starts.

use crate::a64::LINK;
use crate::bits::{Kind, Word};
use crate::conditions::Conditions;
use crate::go::calls::Called;
use crate::instructions::flags::Flags;
use crate::instructions::uppers::Uppers;
use crate::library::stubs;
use crate::library::threads::Threads;
use crate::machine::{End, Machine, Stop};
use crate::memory::{GIVEN, Memory, STACK, STUBS};
use crate::plain;
use crate::sold::Sold;
use crate::state::{Back, Frame, State};
use karat_binary::numbers::NumberMap;
use karat_flow::program::{Entry, Program, Target};
use std::rc::Rc;

/// Calls within calls, at most.
const DEPTH: usize = 96;
/// The number of SIGILL.
pub(crate) const SIGILL: u64 = 4;
/// Those that arguments are in, in order.
pub(crate) const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];

/// What the loader calls.
#[derive(Default)]
pub(crate) struct Starts {
    /// Initialisers, in order.
    pub first: Vec<u64>,
    /// What follows them: of a library, what it exports.
    pub then: Vec<u64>,
    /// How often all of `then` are called one after the other.
    pub rounds: usize,
}

impl State {
    /// A way of which nothing is left.
    pub fn nowhere() -> Self {
        Self {
            at: 0,
            registers: std::array::from_fn(|_| Word::ZERO),
            vectors: std::array::from_fn(|_| [Word::ZERO, Word::ZERO]),
            uppers: Uppers::default(),
            predicates: [None; 16],
            flags: Flags::unknown(Kind::Opaque),
            memory: Memory::default(),
            conditions: Conditions::default(),
            frames: Vec::new(),
            started: 0,
            is_unsure: false,
            catches: false,
            handler: None,
            jumps: Vec::new(),
            threads: Threads::default(),
            turn: None,
            turns: NumberMap::default(),
        }
    }

    /// Where a program begins.
    pub fn new(program: &Program<'_>, thread: u64, (is_plain, cpu): (bool, Option<&Sold>)) -> Self {
        let mut state = Self::nowhere();
        state.at = program.start;
        for register in &mut state.registers[..if program.is_arm { 32 } else { 16 }] {
            *register = Word::unknown(8, Kind::Opaque);
        }
        state.registers[4] = Word::Known(STACK - 0x1000);
        // argc, argv and the environment.
        state
            .memory
            .write(STACK - 0x1000, &Word::Unknown(31, Kind::Input), 8);
        if is_plain {
            plain::begin(&mut state, STACK - 0x1000, (program.is_arm, cpu));
        }
        if program.is_arm {
            return state;
        }
        state.memory.write(thread, &Word::Known(thread), 8);
        state.memory.write(thread + 0x10, &Word::Known(thread), 8);
        // What guards the stack.
        state
            .memory
            .write(thread + 0x28, &Word::Known(0x1234_5678_9abc_de00), 8);
        state
    }

    /// The same where the last call was of another routine.
    pub fn entered(&self, at: u64) -> Self {
        let mut other = self.clone();
        other.at = at;
        if let Some(last) = other.frames.last_mut() {
            last.start = at;
        }
        other
    }

    fn give(&mut self, arguments: &[usize]) {
        let given = [
            Word::Unknown(31, Kind::Input),
            Word::Known(GIVEN),
            Word::Known(GIVEN + 0x1000),
        ];
        for (number, word) in arguments.iter().zip(given) {
            self.registers[*number] = word;
        }
    }
}

impl<'p> Machine<'p> {
    /// What a routine is given where it is called now.
    pub fn argument<'s>(&self, state: &'s State, number: usize) -> &'s Word {
        &state.registers[self.convention.arguments[number]]
    }

    pub fn enter(&mut self, state: &mut State, to: u64, back: Back, call: u64) -> Result<(), Stop> {
        if state.frames.len() >= DEPTH {
            return Err(Stop::End(End::Lost));
        }
        let address = match back {
            Back::To(at) | Back::Thread(at) | Back::Turn(at) => at,
            _ => 0,
        };
        if self.convention.pushed > 0 {
            self.push(state, &Word::Known(address))?;
        } else if back != Back::Resolved {
            state.registers[LINK] = Word::Known(address);
        }
        state.frames.push(Frame {
            back,
            call,
            start: to,
            given: Rc::new(state.registers.clone()),
            stack: state.registers[4].known().unwrap_or(0),
            since: self.steps,
        });
        self.enters(to);
        state.at = to;
        Ok(())
    }

    fn enters(&mut self, to: u64) {
        self.entered.extend(self.image.program.routine_at(to));
    }

    fn give(&self, state: &mut State) {
        match (self.go.is_some(), &self.windows) {
            (true, _) => self.give_go(state),
            (false, Some(windows)) => return windows.give(state),
            (false, None) => state.give(self.convention.arguments),
        }
        if self.is_plain {
            state.registers[self.convention.arguments[0]] = Word::Known(1);
        }
    }

    /// The next of what the loader starts.
    pub fn next(&mut self, state: &mut State) -> Result<(), Stop> {
        let number = state.started;
        state.registers[4] = Word::Known(STACK - 0x2000);
        state.memory.leave(STACK - 0x2000);
        if self.go.is_some() {
            self.between(state)?;
        }
        state.started += 1;
        state.turns.clear();
        if let Some(&to) = self.starts.first.get(number) {
            if let Some(known) = self.indicator.filter(|known| known.start == to) {
                self.indicate(state, known);
                return self.next(state);
            }
            self.give(state);
            return self.enter(state, to, Back::Next, 0);
        }
        if number >= self.starts.first.len() + self.starts.rounds {
            // Go's programs register nothing for their end.
            return match self.go {
                Some(_) => Err(Stop::End(End::Left)),
                None => self.leave(state),
            };
        }
        let then = self.starts.then.clone();
        if self.image.program.is_library {
            for number in self.convention.arguments {
                state.registers[*number] = Word::unknown(8, Kind::Input);
            }
        } else {
            self.give(state);
        }
        let call = self.starts.first.len() as u64;
        match then[..] {
            [] => Err(Stop::End(End::Left)),
            [one] => self.enter(state, one, Back::Next, call),
            _ => {
                self.enter(state, then[0], Back::Next, call)?;
                Err(Stop::Each(then))
            }
        }
    }

    /// A call of an address, from one and back to another; `is_loaded` if a word of data held it.
    pub fn call(
        &mut self,
        state: &mut State,
        (at, next): (u64, u64),
        to: u64,
        is_loaded: bool,
    ) -> Result<(), Stop> {
        let target = self.called(state, to);
        match target {
            Target::Import(name) => {
                let called = self.import(state, name, at)?;
                state.at = next;
                if let Some(to) = called {
                    match self.starts_thread(to) {
                        true => self.start_thread(state, (to, at), next)?,
                        false => self.enter(state, to, Back::To(next), at)?,
                    }
                }
                Ok(())
            }
            // What a program that is linked statically begins with is given `main`.
            Target::Address(_) if self.is_given_main(state) => self.begin(state),
            // The run-time asked, and goes on by itself.
            Target::Address(_) if self.has_asked(state) => self.back(state),
            Target::Address(address) => {
                if let Some(called) = self.go_call(state, address, at)? {
                    state.at = next;
                    if let Called::Code(code) = called {
                        self.enter(state, code, Back::To(next), at)?;
                    }
                    return Ok(());
                }
                let is_resolver = (is_loaded || address != to) && self.resolves(address);
                if !self.image.program.is_code(address)
                    && !(STUBS..STUBS + stubs::SIZE).contains(&address)
                {
                    self.lost(at, state);
                    state.is_unsure = true;
                    self.after_call(state, None);
                    state.at = next;
                    return Ok(());
                }
                self.comes_to_main(state);
                state.catches |= self.sets_handler(state) || self.tries(state, address);
                if let Some(known) = self.indicator.filter(|known| known.start == address) {
                    self.indicate(state, known);
                    self.after_call(state, Some(Word::ZERO));
                    state.at = next;
                    return Ok(());
                }
                if self.panics(state, address)? {
                    return Err(Stop::Go);
                }
                if self.carries(state, address)? {
                    state.at = next;
                    return Ok(());
                }
                if self.passes(state, address) {
                    self.after_call(state, None);
                    state.at = next;
                    return Ok(());
                }
                if let Some(main) = self.rust_main(state) {
                    return self.enter(state, main, Back::To(next), at);
                }
                self.enter(state, address, Back::To(next), at)?;
                if is_resolver {
                    self.resolve(state, address, at)?;
                }
                Ok(())
            }
        }
    }

    /// Whether what begins a program is called: it is given `main`, where that has come as far.
    fn is_given_main(&self, state: &State) -> bool {
        let main = self.argument(state, 0).known();
        state.started == 0
            && self.windows.is_none()
            && !self.image.program.is_library
            && main.is_some_and(|main| self.image.program.is_code(main))
    }

    /// What `__libc_start_main` does.
    pub fn begin(&mut self, state: &mut State) -> Result<(), Stop> {
        let main = self
            .argument(state, 0)
            .known()
            .ok_or(Stop::End(End::Lost))?;
        self.starts.then = vec![main];
        self.starts.rounds = 1;
        self.is_at_main(state);
        self.next(state)
    }

    /// Whether a routine of the file's own is given SIGILL and what handles it, as `signal` and
    /// `sigaction` are. Others call the C library for it in the end.
    fn sets_handler(&self, state: &State) -> bool {
        if self.has_imports || self.go.is_some() {
            return false;
        }
        let first = self.argument(state, 0).low(4).known();
        let Some(second) = self
            .argument(state, 1)
            .known()
            .filter(|_| first == Some(SIGILL))
        else {
            return false;
        };
        let word = state.memory.read(&self.image, second, 8).known();
        [Some(second), word]
            .into_iter()
            .flatten()
            .any(|at| self.is_start(at))
    }

    /// Whether a routine of the program begins there.
    pub fn is_start(&self, at: u64) -> bool {
        let program = self.image.program;
        let routine = program
            .routine_at(at)
            .map(|number| &program.routines[number as usize]);
        program.is_code(at) && routine.is_some_and(|routine| routine.start == at)
    }

    /// A resolver is asked which function is called.
    fn resolve(&mut self, state: &mut State, address: u64, at: u64) -> Result<(), Stop> {
        self.enter(state, address, Back::Resolved, at)?;
        if self.is_arm() {
            self.give_resolver(state);
        }
        Ok(())
    }

    fn resolves(&self, address: u64) -> bool {
        self.image.program.entries.get(&address) == Some(&Entry::Resolver)
    }

    /// A jump to an address.
    pub fn jump(&mut self, state: &mut State, to: u64, is_loaded: bool) -> Result<(), Stop> {
        let target = self.called(state, to);
        match target {
            Target::Import(name) => {
                let at = state.at;
                match self.import(state, name, at)? {
                    Some(to) if self.starts_thread(to) => {
                        self.start_thread(state, (to, at), STUBS + stubs::back(self.is_arm()))?;
                    }
                    Some(to) => state.at = to,
                    None => self.back(state)?,
                }
            }
            Target::Address(_) if self.is_given_main(state) => {
                self.begin(state)?;
                return Err(Stop::Go);
            }
            Target::Address(address) => {
                let is_own = address == to && self.is_start(address);
                if is_own && let Some(called) = self.go_call(state, address, state.at)? {
                    match called {
                        Called::Code(code) => state.at = code,
                        Called::Back => self.back(state)?,
                    }
                    return Ok(());
                }
                if !self.image.program.is_code(address)
                    && !(STUBS..STUBS + stubs::SIZE).contains(&address)
                {
                    return Err(Stop::End(End::Lost));
                }
                if self.passes(state, address) {
                    self.after_call(state, None);
                    return self.back(state);
                }
                let from = self.image.program.routine_at(state.at);
                let is_resolver = (is_loaded || address != to)
                    && self.resolves(address)
                    && from != self.image.program.routine_at(address);
                let at = state.at;
                self.enters(address);
                state.at = address;
                if is_resolver {
                    self.resolve(state, address, at)?;
                }
            }
        }
        Ok(())
    }

    /// What a call may change is not known behind it, but its result.
    pub fn after_call(&mut self, state: &mut State, result: Option<Word>) {
        if self.go.is_some() {
            return self.go_back(state, Vec::new(), Kind::Opaque);
        }
        for &number in self.convention.changed {
            state.registers[number] = Word::unknown(8, Kind::Opaque);
        }
        let (_, vectors) = self.convention.vectors;
        state.registers[0] = result.unwrap_or(Word::unknown(8, Kind::Opaque));
        state.registers[2] = Word::unknown(8, Kind::Opaque);
        let halves = &self.convention.halves;
        for (number, vector) in state.vectors[..vectors].iter_mut().enumerate() {
            if !halves.contains(&number) {
                vector[0] = Word::Unknown(64, Kind::Opaque);
            }
            vector[1] = Word::Unknown(64, Kind::Opaque);
        }
        state.uppers.forget(0);
        state.flags = Flags::unknown(Kind::Opaque);
    }

    /// A return.
    pub fn back(&mut self, state: &mut State) -> Result<(), Stop> {
        let Some(frame) = state.frames.last() else {
            return Err(Stop::End(End::Left));
        };
        // Before anything is changed: ways may have to be told apart.
        let result = match frame.back {
            Back::Resolved => state
                .plain(&self.symbols, state.registers[0].clone())
                .number()?,
            _ => None,
        };
        let Some(frame) = state.frames.pop() else {
            return Err(Stop::End(End::Left));
        };
        let depth = state.frames.len() as u64;
        state.turns.retain(|key, _| (key >> 48) <= depth);
        if matches!(frame.back, Back::Thread(_) | Back::Turn(_)) {
            self.thread_ends(state);
        }
        let top = frame.stack.wrapping_add(self.convention.pushed);
        state.registers[4] = Word::Known(top);
        state.memory.leave(top);
        for &number in self.convention.changed {
            if state.registers[number] != frame.given[number] {
                state.registers[number] = Word::unknown(8, Kind::Opaque);
            }
        }
        let (first, end) = self.convention.vectors;
        for vector in &mut state.vectors[first..end] {
            *vector = [const { Word::Unknown(64, Kind::Opaque) }; 2];
        }
        state.uppers.forget(first);
        state.predicates = [None; 16];
        state.flags = Flags::unknown(Kind::Opaque);
        match frame.back {
            Back::To(at) => {
                state.at = at;
                self.came_back(&frame, at)?;
            }
            Back::Thread(at) => state.at = at,
            Back::Turn(at) => {
                state.registers = (*frame.given).clone();
                state.registers[4] = Word::Known(top);
                state.at = at;
            }
            Back::Next => {
                self.next(state)?;
            }
            Back::Tried => return Err(Stop::End(End::Lost)),
            Back::Resolved => {
                let to = result.ok_or(Stop::End(End::Lost))?;
                if let Some(last) = state.frames.last_mut() {
                    last.start = to;
                }
                state.registers = (*frame.given).clone();
                state.registers[4] = Word::Known(top);
                self.jump(state, to, false)?;
            }
        }
        Ok(())
    }
}
