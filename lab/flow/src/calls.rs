//! What calls do to what is known: a part of the transfer function of
//! [`walk`](super::walk).

use super::convention::Convention;
use super::facts::systems;
use super::graph::callee;
use super::names::import_asks;
use super::program::{Target, Word};
use super::reading::Store;
use super::state::{FLAGS, Source, State, Value, bit};
use super::threads::GETTER;
use super::walk::Walk;
use iced_x86::{Instruction, OpKind};

/// Functions of C that set what a signal does; its number is their first argument.
pub const SIGNALS: [&str; 4] = ["signal", "sigaction", "__sysv_signal", "bsd_signal"];
/// Bytes behind a pointer that a detection may have filled.
const FILLED: i64 = 256;
/// Bytes of a result in memory that a choice is in.
const RESULT: i64 = 64;

impl Walk<'_> {
    fn convention(&self) -> &'static Convention {
        self.known.program.convention
    }

    /// A jump to a routine that answers answers.
    pub(crate) fn tail(&mut self, state: &State, instruction: &Instruction) {
        if let (Some(Target::Address(to)), Some(notes)) =
            (callee(self.known.program, instruction), &mut self.notes)
        {
            let routine = self.known.program.routine_at(to);
            notes.answers |= routine.is_some_and(|to| self.known.found.answers.contains(&to));
            notes.picks |= routine.is_some_and(|to| self.known.found.picks.contains(&to));
            if let Some(routine) = routine {
                self.select(state, routine);
                if self.known.found.fills.contains(&routine) {
                    self.fill(&mut state.clone(), routine);
                }
            }
        }
    }

    pub(crate) fn call(&mut self, state: &mut State, instruction: &Instruction) {
        if self.known.program.keeps(instruction) {
            return;
        }
        let mut result = None;
        let called = || self.called(state, instruction).map(Target::Import);
        match callee(self.known.program, instruction).or_else(called) {
            Some(Target::Import(name))
                if import_asks(name) || self.known.program.is_asked(name) =>
            {
                self.ask(state, instruction, name);
                result = Some(Source::Import(instruction.ip()))
                    .filter(|_| !systems::is_one(name) || self.tells(state, name));
            }
            // What its name says it tells may be an answer.
            Some(Target::Import(name)) if self.known.program.may_ask.contains(name) => {
                result = Some(Source::Flag);
            }
            Some(Target::Address(to)) => {
                if let Some(routine) = self.known.program.routine_at(to) {
                    if self.known.found.answers.contains(&routine) {
                        result = Some(Source::Call(routine));
                    }
                    if self.known.found.fills.contains(&routine) {
                        self.fill(state, routine);
                    }
                    self.select(state, routine);
                    if self.known.found.picks.contains(&routine) {
                        let start = self.known.program.routines[routine as usize].start;
                        result = result.or(Some(Source::Picked(start)));
                        if let Value::Stack(at) =
                            state.values[usize::from(self.convention().registers[0])]
                        {
                            for slot in (0..RESULT).step_by(8) {
                                let at = at.wrapping_add(slot);
                                let source = Source::Picked(start).more(state.slot(at, 8));
                                state.set_slot(at, 8, Some(source));
                            }
                        }
                    }
                    if result.is_none() && self.known.found.accessors.has(self.known, routine) {
                        result = Some(Source::Flag);
                        if let Some(notes) = &mut self.notes {
                            notes.loads = true;
                        }
                    }
                    if let Some(notes) = &mut self.notes {
                        notes.calls_kernel |= self.known.sweep.facts[routine as usize].extended;
                    }
                }
            }
            // What a pointer leads to may ask.
            None if self.known.found.accessors.is_open() => result = Some(Source::Flag),
            _ => {}
        }
        let variable = self.thread_variable(state, instruction);
        // What is told by a routine that was given an answer may be one.
        let registers = self.convention().registers.iter();
        if result.is_none() && registers.clone().any(|at| state.strong(*at).is_some()) {
            result = Some(Source::Flag);
        }
        let sweep = self.known.sweep;
        let changed = sweep.changes.of(self.known.program, sweep, instruction);
        for &register in self.convention().clobbered {
            let value = &mut state.values[usize::from(register)];
            let is_changed = changed >> register & 1 == 1;
            // An address of the file is mostly left over.
            if is_changed || matches!(value, Value::Address(_)) {
                *value = Value::Unknown;
            }
            if is_changed {
                state.set(register, None);
            }
        }
        for register in 16..=FLAGS {
            state.set(register, None);
        }
        if let Some(at) = variable {
            state.values[0] = Value::Address(at);
        } else if result.is_some() {
            // rax, rdx, xmm0
            for register in [0, 2, 16] {
                state.set(register, result);
            }
        }
    }

    /// The variable of a thread whose address a call gives.
    fn thread_variable(&self, state: &State, instruction: &Instruction) -> Option<u64> {
        let program = self.known.program;
        let is_one = program.threads.is_some()
            && callee(program, instruction) == Some(Target::Import(GETTER));
        let first = usize::from(self.convention().registers[0]);
        match state.values[first] {
            Value::Address(pair) if is_one => program.thread_pair(pair),
            _ => None,
        }
    }

    /// The system's function whose address is in a register that is called.
    pub(crate) fn called(&self, state: &State, instruction: &Instruction) -> Option<&'static str> {
        let register = (instruction.op0_kind() == OpKind::Register)
            .then(|| bit(instruction.op0_register()))
            .flatten()?;
        match state.strong(register)? {
            Source::Import(at) => match self.known.program.words.get(at)? {
                Word::Import(name) => systems::named(name),
                Word::Address(_) => None,
            },
            _ => None,
        }
    }

    /// Whether a system's function is asked for what the CPU has.
    fn tells(&self, state: &State, name: &str) -> bool {
        let first = match state.values[usize::from(self.convention().registers[0])] {
            Value::Address(at) => Some(at),
            _ => None,
        };
        systems::may_tell(self.known.program, name, first)
    }

    /// A system's function that writes what it tells where its second argument says.
    fn ask(&mut self, state: &mut State, instruction: &Instruction, name: &str) {
        if !systems::fills(name) || !self.tells(state, name) {
            return;
        }
        let source = Source::Import(instruction.ip());
        match state.values[usize::from(self.convention().registers[1])] {
            Value::Stack(at) => state.set_slot(at, 8, Some(source)),
            Value::Address(at) => {
                if let Some(notes) = &mut self.notes {
                    notes.filled.push(at);
                }
            }
            _ => {}
        }
    }

    /// A routine that stores what answers picked behind its arguments.
    fn select(&mut self, state: &State, routine: u32) {
        let Some(places) = self.known.found.selects.get(&routine) else {
            return;
        };
        let convention = self.convention();
        let Some(notes) = &mut self.notes else {
            return;
        };
        for &(number, distance) in places {
            let Some(register) = convention.register(number) else {
                continue;
            };
            match state.values[usize::from(register)] {
                Value::Address(at) => notes.stores.push(Store {
                    address: at.wrapping_add(distance as u64),
                    size: 8,
                    is_answer: false,
                    is_pointer: false,
                    is_picked: true,
                }),
                Value::Argument(own, at) => {
                    notes.selects.push((own, at.wrapping_add(distance)));
                }
                Value::Stack(_) | Value::Unknown => {}
            }
        }
    }

    /// A routine that writes answers through pointers was given some.
    pub(crate) fn fill(&mut self, state: &mut State, routine: u32) {
        let source = Some(Source::Call(routine));
        let convention = self.convention();
        for &register in convention.registers {
            match state.values[usize::from(register)] {
                Value::Stack(at) => {
                    for slot in (0..FILLED).step_by(8) {
                        state.set_slot(at.wrapping_add(slot), 8, source);
                    }
                }
                Value::Address(at) => {
                    if let Some(notes) = &mut self.notes {
                        notes.filled.push(at);
                    }
                }
                Value::Unknown | Value::Argument(..) => {
                    // Handed on to a caller's memory.
                    if let Some(notes) = &mut self.notes {
                        notes.fills |= register == convention.registers[0];
                    }
                }
            }
        }
        // Go's assembly returns on the stack, above what the caller calls with.
        if let Value::Stack(at) = state.values[4] {
            for slot in (0..40).step_by(8) {
                state.set_slot(at.wrapping_add(slot), 8, source);
            }
        }
    }
}
