//! Routines that are there to tell something: small ones, or such as ask the CPU, that are given
//! nothing. What everybody calls is there for something else, mostly: it is given something.

use super::access::{reads, writes};
use super::graph::branch;
use super::program::Program;
use super::state::bit;
use super::sweep::Sweep;
use iced_x86::{FlowControl, InstructionInfoFactory, Mnemonic, OpAccess};

/// Instructions of a small one at most.
const SMALL: u32 = 64;

/// Whether a routine is one, as far as is seen in the order of its code: it reads no register of an
/// argument before it writes it, and ends by coming back.
pub(crate) fn is_teller(program: &Program<'_>, sweep: &Sweep, routine: u32) -> bool {
    let facts = &sweep.facts[routine as usize];
    if facts.undecodable || !facts.asks && facts.instructions > SMALL {
        return false;
    }
    let arguments = program.convention.registers;
    let mut written = Vec::with_capacity(arguments.len());
    let mut factory = InstructionInfoFactory::new();
    for instruction in program.instructions(routine) {
        let is_own = |to: u64| program.routine_at(to) == Some(routine);
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => written = arguments.to_vec(),
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch
                if !branch(&instruction).is_some_and(is_own) =>
            {
                return false;
            }
            FlowControl::IndirectBranch => return false,
            _ => {}
        }
        let used = factory.info(&instruction).used_registers();
        let of_arguments = |is_one: fn(OpAccess) -> bool| {
            let used = used.iter().filter(move |used| is_one(used.access()));
            let bits = used.filter_map(|used| bit(used.register()));
            bits.filter(|bit| arguments.contains(bit))
        };
        // Not every leaf has a second part.
        let is_question = instruction.mnemonic() == Mnemonic::Cpuid;
        if !is_question && of_arguments(reads).any(|bit| !written.contains(&bit)) {
            return false;
        }
        let more: Vec<u8> = of_arguments(writes).collect();
        written.extend(more);
    }
    true
}
