//! Which registers a routine changes, with what it calls. GCC keeps values in registers that
//! a call may change, over calls of routines of the same file that do not (`-fipa-ra`).

use super::access::writes;
use super::graph::{branch, callee};
use super::names::changes_result_only;
use super::program::{Program, Target};
use super::state::bit;
use super::sweep::Sweep;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
};
use karat_binary::numbers::NumberMap;
use std::cell::RefCell;

/// General registers, by their numbers.
pub type Registers = u16;

/// All of them.
const ALL: Registers = Registers::MAX;
/// The one that a result is given in.
const RESULT: Registers = 1;
/// Larger routines change all: few leave one alone.
const LARGE: u32 = 300;
/// Calls that are followed, one in the other.
const DEEP: u8 = 4;

/// By routine, once asked for.
#[derive(Default)]
pub struct Changes(RefCell<NumberMap<u32, Registers>>);

impl Changes {
    /// The registers that a direct call, or a jump to another routine, may change.
    pub fn of(&self, program: &Program<'_>, sweep: &Sweep, call: &Instruction) -> Registers {
        self.over(program, sweep, call, 0)
    }

    fn over(
        &self,
        program: &Program<'_>,
        sweep: &Sweep,
        call: &Instruction,
        depth: u8,
    ) -> Registers {
        let to = match callee(program, call) {
            Some(Target::Address(to)) => to,
            Some(Target::Import(name)) if changes_result_only(name) => return RESULT,
            _ => return ALL,
        };
        let routine = program.routine_at(to);
        let names = routine.map(|one| &program.routines[one as usize].names);
        if names.is_some_and(|names| names.iter().any(|name| changes_result_only(name))) {
            return RESULT;
        }
        let routine = routine.filter(|one| program.routines[*one as usize].start == to);
        match routine {
            // Through a slot of the linkage table another file may be called instead.
            Some(routine) if branch(call) == Some(to) && depth < DEEP => {
                if let Some(known) = self.0.borrow().get(&routine) {
                    return *known;
                }
                let changed = self.routine(program, sweep, routine, depth);
                // What was cut off at a depth is known better from elsewhere, perhaps.
                if changed != ALL || depth == 0 {
                    self.0.borrow_mut().insert(routine, changed);
                }
                changed
            }
            _ => ALL,
        }
    }

    fn routine(&self, program: &Program<'_>, sweep: &Sweep, routine: u32, depth: u8) -> Registers {
        let facts = &sweep.facts[routine as usize];
        if facts.instructions > LARGE || facts.undecodable {
            return ALL;
        }
        let mut factory = InstructionInfoFactory::new();
        let mut changed: Registers = 0;
        let mut last = FlowControl::Next;
        for &(start, end) in &program.routines[routine as usize].ranges {
            let Some(bytes) = program.bytes(start, end) else {
                return ALL;
            };
            for instruction in Decoder::with_ip(64, bytes, start, DecoderOptions::NONE) {
                if instruction.mnemonic() != Mnemonic::Nop {
                    last = instruction.flow_control();
                }
                for used in factory.info(&instruction).used_registers() {
                    let at = bit(used.register()).filter(|at| *at < 16);
                    if let (Some(at), true) = (at, writes(used.access())) {
                        changed |= 1 << at;
                    }
                }
                let is_own = |to: u64| program.routine_at(to) == Some(routine);
                changed |= match instruction.flow_control() {
                    FlowControl::Next | FlowControl::Return => 0,
                    FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
                        if branch(&instruction).is_some_and(is_own) =>
                    {
                        0
                    }
                    FlowControl::Call
                    | FlowControl::ConditionalBranch
                    | FlowControl::UnconditionalBranch => {
                        self.over(program, sweep, &instruction, depth + 1)
                    }
                    _ => ALL,
                };
                if changed == ALL {
                    return ALL;
                }
            }
            // It runs on into what follows.
            if matches!(last, FlowControl::Next | FlowControl::ConditionalBranch) {
                return ALL;
            }
        }
        changed
    }
}
