//! What calls, jumps and branches do to values, and what is noted of them.

use super::bits::Word;
use super::features::Facts;
use super::jumped::carried;
use super::memory::Address;
use super::notes::Note;
use super::routine::Reached;
use super::state::State;
use super::step::{Arguments, Step};
use super::strings::compared;
use super::systems;
use super::taking::takes;
use super::value::{Kind, Value};
use crate::calls::SIGNALS;
use crate::convention::Convention;
use crate::graph::{Flow, callee};
use crate::names::never_returns;
use crate::program::Target;
use crate::state::bit;
use crate::threads::GETTER;
use iced_x86::{FlowControl, Instruction, OpKind, Register};
use std::rc::Rc;

/// Arguments whose registers hold what a call is given. What later ones hold is mostly left over
/// from before.
const GIVEN: usize = 2;
/// SIGILL, on Linux.
const SIGILL: u64 = 4;

impl Step<'_, '_> {
    /// One instruction, calls too.
    pub(super) fn transfer(&mut self, state: &mut State, instruction: &Instruction) {
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => self.call(state, instruction),
            FlowControl::Next | FlowControl::Interrupt => self.run(state, instruction),
            _ => {}
        }
    }

    /// One instruction of a block, with what is noted of it.
    pub(super) fn go(
        &mut self,
        flow: &Flow,
        block: u32,
        state: &mut State,
        instruction: &Instruction,
    ) {
        let before = state.facts;
        self.end(flow, block, state, instruction);
        self.transfer(state, instruction);
        if state.facts != before
            && let Some(notes) = &mut self.notes
        {
            notes.push(Note::Change(instruction.next_ip(), state.facts));
        }
    }

    /// Notes of which arguments a condition asks bits that facts do not tell apart.
    pub(super) fn note_coarse(&mut self, state: &State, instruction: &Instruction) {
        if let Some(notes) = &mut self.notes {
            let coarse = state.coarse(instruction.condition_code());
            if coarse != 0 {
                notes.push(Note::Coarse(coarse));
            }
        }
    }

    /// Notes what branches and jumps tell.
    fn end(&mut self, flow: &Flow, block: u32, state: &State, instruction: &Instruction) {
        match instruction.flow_control() {
            FlowControl::ConditionalBranch
                if !instruction.is_jcx_short() && !instruction.is_loop() =>
            {
                let decided = state.sides(instruction.condition_code());
                self.note_coarse(state, instruction);
                if let Some(notes) = &mut self.notes {
                    notes.push(Note::branch(instruction.ip(), state, &decided));
                    if state.is_answered() {
                        notes.push(Note::Follow(instruction.ip()));
                    }
                }
                if flow.blocks[block as usize].leaves {
                    if let Some(notes) = &mut self.notes {
                        notes.push(Note::Fall(instruction.ip(), instruction.next_ip()));
                    }
                    self.tail(state, instruction, decided.yes);
                }
            }
            FlowControl::UnconditionalBranch if flow.blocks[block as usize].leaves => {
                self.tail(state, instruction, Facts::NONE);
            }
            FlowControl::IndirectBranch => {
                self.target(state, instruction);
                // By a table it stays in the routine, and what was in registers is left over.
                if !flow.blocks[block as usize].leaves {
                    return;
                }
                // What it is given goes on.
                let registers = self.oracle.program.convention.registers.iter();
                let table = table(instruction, self.oracle.program.convention);
                let arguments = self.arguments(state, true);
                for (number, (register, value)) in registers.zip(&arguments).enumerate() {
                    if Some(*register) != table {
                        self.hands(state, value, instruction.ip(), number < GIVEN);
                    }
                }
            }
            _ => {}
        }
    }

    /// A jump to another routine.
    fn tail(&mut self, state: &State, instruction: &Instruction, taken: Facts) {
        if let Some(notes) = &mut self.notes
            && let Some(carried) = carried(state)
        {
            notes.push(Note::Jump(instruction.ip(), carried));
        }
        let mut after = state.clone();
        after.facts |= taken;
        self.call(&mut after, instruction);
        let is_end = matches!(
            callee(self.oracle.program, instruction),
            Some(Target::Import(name)) if never_returns(name)
        );
        if let Some(notes) = &mut self.notes
            && !is_end
            && after.facts != Facts::ALL
        {
            let result = after.registers[0].clone();
            notes.push(Note::Give(result, after.facts));
        }
    }

    /// Where an indirect call or jump goes.
    fn target(&mut self, state: &State, instruction: &Instruction) {
        let value = self.read(state, instruction, 0);
        if instruction.op0_kind() == OpKind::Memory {
            let address = self.address(state, instruction);
            self.note_index(state, instruction, &address);
        }
        if let Some(notes) = &mut self.notes {
            let known = value
                .alternatives()
                .iter()
                .filter_map(|(kind, facts)| match kind {
                    Kind::Const(to) => Some((*to, *facts | state.facts)),
                    _ => None,
                });
            let targets: Vec<(u64, Facts)> = known.collect();
            if value.is_answered() {
                notes.push(Note::Follow(instruction.ip()));
            }
            if !targets.is_empty() {
                let is_whole = targets.len() == value.alternatives().len();
                let reached = Reached { targets, is_whole };
                notes.push(Note::Reached(instruction.ip(), reached));
            }
        }
        self.escapes(state, &value, instruction.ip());
    }

    /// Whether a call of the file's own routine sets what SIGILL does: in a program that is
    /// linked statically that may have no name, but it is given the number and a handler.
    fn sets_signal(&self, state: &State, to: u64, arguments: &Arguments) -> bool {
        let program = self.oracle.program;
        let is_handler = |at: u64| program.is_code(at);
        let given = given_to(state, arguments);
        arguments[0].constant() == Some(SIGILL)
            && program.routine_at(to).is_some_and(|routine| {
                let names = &program.routines[routine as usize].names;
                names.iter().any(|name| SIGNALS.contains(name)) && !is_none(given)
                    || names.is_empty() && given.is_some_and(is_handler)
            })
    }

    /// From here on others may see what was stored.
    pub(super) fn show(&mut self) {
        if let Some(notes) = &mut self.notes
            && !matches!(notes.last(), None | Some(Note::Show))
        {
            notes.push(Note::Show);
        }
    }

    fn call(&mut self, state: &mut State, instruction: &Instruction) {
        if self.oracle.program.keeps(instruction) {
            return;
        }
        self.show();
        let is_jump = instruction.flow_control() != FlowControl::Call
            && instruction.flow_control() != FlowControl::IndirectCall;
        let arguments = self.arguments(state, is_jump);
        let convention = self.oracle.program.convention;
        let to = callee(self.oracle.program, instruction).or_else(|| {
            // Compilers that do not optimise load an import's address first.
            let at = self.read(state, instruction, 0).constant()?;
            let import = self.oracle.imported_at(at).map(Target::Import);
            let is_known = self.record.is_some() && self.oracle.program.is_code(at);
            import.or_else(|| is_known.then_some(Target::Address(at)))
        });
        // It takes no arguments, and ends the program.
        if to == Some(Target::Import("__stack_chk_fail")) {
            return;
        }
        let mut result = Value::any();
        let mut is_followed = false;
        let mut given = u16::MAX;
        let mut filled = None;
        let mut is_noted = false;
        if self.record.is_some() && callee(self.oracle.program, instruction).is_none() {
            self.target(state, instruction);
        }
        match to {
            Some(Target::Address(to)) => {
                if self.sets_signal(state, to, &arguments)
                    && let Some(notes) = &mut self.notes
                {
                    notes.push(Note::Catches(instruction.ip()));
                }
                is_noted = self.notes.is_some() && arguments.iter().any(|value| !value.is_any());
                if let Some(notes) = &mut self.notes
                    && is_noted
                    && self.objects.is_some()
                {
                    notes.push(Note::Memory(instruction.ip(), state.memory()));
                }
                if let Some(summary) = self.oracle.summary(to, &arguments) {
                    let facts = summary.facts;
                    result = translated(&summary.result, &arguments);
                    // Who is told whether it was stored asks for that, as of `__get_cpuid`.
                    let is_told = is_status(&summary.result);
                    for left in &summary.behind {
                        let value = translated(&left.value, &arguments);
                        let pointer = &arguments[usize::from(left.number)];
                        let address = Address::of(&pointer.plus(left.distance as u64));
                        let (bytes, at) = (left.bytes, instruction.ip());
                        match left.is_perhaps && !is_told {
                            true => self.store_perhaps(state, &address, bytes, &value, at),
                            false => self.store(state, &address, bytes, &value, at),
                        }
                        // The next one may be another way's.
                        self.show();
                    }
                    is_followed = !summary.hands_on;
                    given = summary.given_on;
                    self.scatter_behind(summary.scatters, &arguments);
                    state.facts |= translate(facts, &arguments);
                }
            }
            Some(Target::Import(name)) => {
                if let Some(notes) = &mut self.notes
                    && SIGNALS.contains(&name)
                {
                    let is_set = !is_none(given_to(state, &arguments));
                    match arguments[0].constant() {
                        Some(SIGILL) if is_set => {
                            notes.push(Note::Catches(instruction.ip()));
                        }
                        Some(_) => notes.push(Note::Other(instruction.ip())),
                        None => {}
                    }
                }
                result = self.oracle.imported(name);
                if name == GETTER
                    && let Some(pair) = arguments[0].constant()
                    && let Some(variable) = self.oracle.program.thread_pair(pair)
                {
                    result = Value::number(variable);
                }
                if let Some(order) = compared(self.oracle.program, name, &arguments) {
                    result = order;
                }
                if let Some(given) = self.of_memory(state, name, &arguments, instruction.ip()) {
                    (result, is_followed) = (given, true);
                }
                let told = match systems::is_one(name) {
                    true => systems::answer(self.oracle.program, name, &arguments[0]),
                    false => None,
                };
                if let Some(told) = told {
                    if systems::fills(name) {
                        let place = Address::of(&arguments[usize::from(systems::PLACE)]);
                        // Where it fails nothing is written.
                        let before = self.load(state, &place, systems::ANSWER);
                        let told = match before.is_any() {
                            true => told,
                            false => told.or(&before),
                        };
                        filled = Some((place, told));
                    } else {
                        result = told;
                    }
                }
            }
            None => self.target(state, instruction),
        }
        if !is_followed {
            // What lies on the stack may be this routine's own.
            let table = table(instruction, convention);
            let count = match to {
                Some(Target::Import(name)) => takes(name),
                _ => convention.registers.len(),
            };
            let registers = convention.registers.iter().zip(&arguments);
            for (number, (register, value)) in registers.take(count).enumerate() {
                if Some(*register) == table {
                    continue;
                }
                let is_given = given >> number & 1 == 1 && number < GIVEN;
                self.hands(state, value, instruction.ip(), is_given);
                for (kind, _) in value.alternatives() {
                    if let Kind::Stack(at) = kind {
                        state.forget_handed(*at);
                    }
                }
            }
        }
        state.forget_globals();
        // What a system's function tells, after what it may have changed.
        if let Some((place, told)) = filled {
            self.store(state, &place, systems::ANSWER, &told, instruction.ip());
        }
        let all: &[u8] = match self.oracle.is_go {
            true => &[0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 15],
            false => convention.clobbered,
        };
        if let Some(notes) = &mut self.notes
            && is_noted
        {
            notes.push(Note::Call(instruction.ip(), Rc::new(arguments)));
        }
        let sweep = self.oracle.sweep;
        let changed = sweep.changes.of(self.oracle.program, sweep, instruction);
        // What is kept is there for the caller; an address of the file is mostly left over.
        let is_address = |value: &Value| {
            let mut kinds = value.alternatives().iter();
            kinds.any(|(kind, _)| matches!(kind, Kind::Const(at) if self.oracle.is_pointer(*at)))
        };
        for &register in all {
            let value = &mut state.registers[usize::from(register)];
            if changed >> register & 1 == 1 || is_address(value) {
                *value = Value::any();
            }
        }
        state.forget_vectors();
        state.flags = super::state::Flags::Unknown;
        state.registers[0] = match result.is_any() {
            true => self.named(state, instruction.ip()),
            false => result,
        };
    }

    /// What a call gives that is not followed.
    fn named(&mut self, state: &mut State, at: u64) -> Value {
        let Some(names) = &mut self.names else {
            return Value::any();
        };
        match names.iter().find(|(place, _)| *place == at) {
            Some((_, known)) => {
                // What it gave before is something else.
                let known = known.clone();
                state.refine_copies(&known, &Value::any());
                known
            }
            None => {
                let value = Value::some();
                names.push((at, value.clone()));
                value
            }
        }
    }
}

/// The register with the table that an indirect call takes an element of: what is there is for
/// the call itself, and no argument, though it may be the register of one. In the first two it
/// may be both, as in `object->calls[number](object)`.
fn table(instruction: &Instruction, convention: &Convention) -> Option<u8> {
    let is_indexed = instruction.memory_index() != Register::None;
    let base = is_indexed.then(|| bit(instruction.memory_base())).flatten();
    base.filter(|base| !convention.registers[..2].contains(base))
}

/// A routine's value as its caller sees it, which gave these arguments.
pub(super) fn translated(value: &Value, arguments: &Arguments) -> Value {
    if value.is_any() {
        return Value::any();
    }
    // Most are one number.
    if let [(Kind::Const(number), facts)] = value.alternatives() {
        let facts = translate(*facts, arguments);
        return Value::from_alternative(Kind::Const(*number), facts);
    }
    Value::from_added(|all| {
        for (kind, facts) in value.alternatives() {
            let facts = translate(*facts, arguments);
            match kind {
                Kind::Argument(number, by) => {
                    let value = arguments[usize::from(*number)]
                        .plus(*by as u64)
                        .under(facts);
                    all.extend(value.alternatives().iter().cloned());
                }
                Kind::Word(word) if speaks_of_arguments(word) => {
                    let word = Value::word(|bit| {
                        let (one, zero) = word[usize::from(bit)];
                        (translate(one, arguments), translate(zero, arguments))
                    });
                    let value = word.under(facts);
                    all.extend(value.alternatives().iter().cloned());
                }
                Kind::Stack(_) => all.push((Kind::Any, facts)),
                kind => all.push((kind.clone(), facts)),
            }
        }
    })
}

/// What a signal is set to do, if that is a number: `struct sigaction` begins with it.
fn given_to(state: &State, arguments: &Arguments) -> Option<u64> {
    match arguments[1].alternatives() {
        [(Kind::Stack(at), _)] => state.slot(*at, 8).and_then(|first| first.constant()),
        _ => arguments[1].constant(),
    }
}

/// Whether that is no handler: `SIG_DFL` and `SIG_IGN`, or no `struct sigaction`. An
/// instruction that the CPU lacks ends a program that ignores SIGILL too.
fn is_none(given: Option<u64>) -> bool {
    given.is_some_and(|given| given <= 1)
}

/// Whether a result is one of several numbers.
fn is_status(result: &Value) -> bool {
    let all = result.alternatives();
    let is_number = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(_));
    all.iter().all(is_number) && all.iter().any(|one| one.0 != all[0].0)
}

fn speaks_of_arguments(word: &Word) -> bool {
    let is_one = |facts: Facts| facts != Facts::ALL && !facts.of_arguments().is_none();
    word.iter().any(|bit| is_one(bit.0) || is_one(bit.1))
}

/// What a routine's facts are at a caller, which gave these arguments.
pub fn translate(facts: Facts, arguments: &Arguments) -> Facts {
    if facts == Facts::ALL || facts.of_arguments().is_none() {
        return facts;
    }
    let mut out = facts.features();
    for (number, bit) in facts.arguments() {
        out |= arguments[usize::from(number)]
            .when(bit)
            .unwrap_or(Facts::NONE);
    }
    out
}

/// Whether every argument that facts speak of is known at the call.
#[must_use]
pub fn is_told(facts: Facts, arguments: Option<&Arguments>) -> bool {
    facts.arguments().all(|(number, bit)| {
        // Of a higher bit of an argument it is only kept that it is not zero: of a word whose
        // bits differ that says too little.
        let is_coarse = |value: &Value| {
            let mut told = facts.arguments();
            !told.any(|(other, bit)| other == number && bit.is_some())
                && (value.alternatives().iter()).any(|(kind, _)| matches!(kind, Kind::Word(_)))
        };
        // What holds on the way there is no reason for a value that may be anything.
        let is_any = |value: &Value| {
            let mut kinds = value.alternatives().iter();
            kinds.any(|(kind, _)| matches!(kind, Kind::Any))
        };
        arguments.is_some_and(|values| {
            let value = &values[usize::from(number)];
            value.when(bit).is_some() && !is_any(value) && !is_coarse(value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_numbers_are_a_status() {
        let numbers = |all: &[u64]| {
            let all = all.iter().map(|one| (Kind::Const(*one), Facts::NONE));
            Value::from_alternatives(all.collect())
        };
        assert!(is_status(&numbers(&[0, 1])) && is_status(&numbers(&[0, 1, 7])));
        // One number tells nothing, and what may be anything is not known to tell.
        assert!(!is_status(&numbers(&[1])) && !is_status(&Value::any()));
        let pointer = Value::of(Kind::Argument(0, 0));
        assert!(!is_status(&pointer) && !is_status(&pointer.or(&Value::number(0))));
    }
}
