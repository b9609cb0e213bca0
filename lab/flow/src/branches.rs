//! Which branches and indirect calls go by an answer, or by what may be a flag.

use super::graph::callee;
use super::program::Target;
use super::state::{FLAGS, Source, State, bit};
use super::walk::Walk;
use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, OpKind};

impl Walk<'_> {
    /// What an instruction that ends a block goes by.
    pub(crate) fn gate(
        &self,
        state: &State,
        before: &[Instruction],
        instruction: &Instruction,
    ) -> Option<Source> {
        match instruction.flow_control() {
            FlowControl::ConditionalBranch => {
                if instruction.is_jcx_short() || instruction.is_loop() {
                    return state.strong(1);
                }
                let source = state.source(FLAGS)?;
                if source.is_strong() {
                    return (!is_in_bounds(before, instruction)).then_some(source);
                }
                // An index that was picked may be asked for, which shows nothing.
                let may_be = match source {
                    Source::Picked(at) => !self.known.program.is_code(at),
                    _ => true,
                };
                (may_be && asks_for_a_flag(before, instruction)).then_some(Source::Flag)
            }
            FlowControl::IndirectBranch | FlowControl::IndirectCall => {
                let program = self.known.program;
                let source = match instruction.op0_kind() {
                    // What tells is called, not chosen.
                    OpKind::Register if self.called(state, instruction).is_some() => None,
                    OpKind::Memory
                        if matches!(callee(program, instruction), Some(Target::Import(_))) =>
                    {
                        None
                    }
                    OpKind::Register => state.strong(bit(instruction.op0_register())?),
                    OpKind::Memory => {
                        // A table indexed by an answer.
                        let index = bit(instruction.memory_index());
                        let source = index.and_then(|bit| state.strong(bit));
                        let source = source.or_else(|| self.load(state, instruction));
                        source.filter(|source| source.is_strong())
                    }
                    _ => None,
                };
                // What a jump table is chosen by may be what once was chosen by an answer:
                // the tag of a value that holds one of several implementations.
                let is_jump = instruction.flow_control() == FlowControl::IndirectBranch;
                source.or_else(|| is_jump.then_some(Source::Flag))
            }
            _ => None,
        }
    }
}

impl Walk<'_> {
    /// What an indirect call or jump goes by: an answer, or what answers picked.
    pub fn goes_by(&self, state: &State, instruction: &Instruction) -> Option<Source> {
        let chosen = |register| bit(register).and_then(|bit| state.chosen(bit));
        match instruction.op0_kind() {
            OpKind::Register => chosen(instruction.op0_register()),
            OpKind::Memory => chosen(instruction.memory_index())
                .or_else(|| chosen(instruction.memory_base()))
                .or_else(|| self.load(state, instruction)),
            _ => None,
        }
        .filter(|source| *source != Source::Flag)
    }
}

/// Instructions through which a flag is still a flag.
pub(crate) fn leaves_flag(instruction: &Instruction) -> bool {
    match instruction.mnemonic() {
        Mnemonic::Movzx
        | Mnemonic::Movsx
        | Mnemonic::Movsxd
        | Mnemonic::And
        | Mnemonic::Shr
        | Mnemonic::Bt => true,
        Mnemonic::Test => {
            instruction.op1_kind() != OpKind::Register
                || instruction.op0_kind() == OpKind::Register
                    && instruction.op0_register() == instruction.op1_register()
        }
        Mnemonic::Cmp => {
            instruction.op1_kind() != OpKind::Register && instruction.op1_kind() != OpKind::Memory
        }
        _ => false,
    }
}

/// Whether a branch on a weak value is how a flag is asked for: against zero, or
/// for equality. "More than one" is how numbers are.
fn asks_for_a_flag(before: &[Instruction], branch: &Instruction) -> bool {
    let setter = before.iter().rev().find(|i| i.rflags_modified() != 0);
    let equal = matches!(
        branch.condition_code(),
        ConditionCode::e | ConditionCode::ne
    );
    match setter {
        Some(setter) if setter.mnemonic() == Mnemonic::Cmp => {
            equal || setter.try_immediate(1).is_ok_and(|value| value == 0)
        }
        Some(setter) if setter.mnemonic() == Mnemonic::Bt => true,
        Some(_) => equal,
        None => false,
    }
}

/// Whether a branch is how an index is compared with a length: the answer is then
/// what chose the index, and any answer goes on.
fn is_in_bounds(before: &[Instruction], branch: &Instruction) -> bool {
    let is_order = matches!(
        branch.condition_code(),
        ConditionCode::b | ConditionCode::ae | ConditionCode::be | ConditionCode::a
    );
    let setter = before.iter().rev().find(|i| i.rflags_modified() != 0);
    is_order
        && setter.is_some_and(|setter| {
            setter.mnemonic() == Mnemonic::Cmp && setter.try_immediate(1).is_err()
        })
}
