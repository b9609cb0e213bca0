//! What single instructions do to what is known: the transfer function of
//! [`reading`](super::reading).

use super::notes::Notes;
use super::reading::Known;
use super::state::{Source, State, Value, bit};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, Register};

/// The transfer function over instructions.
pub struct Walk<'k> {
    /// What is known of the whole program.
    pub known: Known<'k>,
    /// Tells which registers an instruction uses.
    pub factory: InstructionInfoFactory,
    /// A gate decides whether this block runs.
    pub decided: bool,
    /// This block comes after a gate, in a routine that may be there to choose.
    pub is_after: bool,
    /// Small enough to be there for the answer alone.
    pub is_accessor: bool,
    /// It executes `cpuid`: what it returns after a branch on that is an answer, as
    /// a set that a loop over a table of features collects.
    pub is_asker: bool,
    /// What was found in this block.
    pub notes: Option<Notes>,
}

impl Walk<'_> {
    /// What one instruction does to the state.
    pub fn step(&mut self, state: &mut State, instruction: &Instruction) {
        match instruction.mnemonic() {
            Mnemonic::Cpuid => {
                for register in 0..4 {
                    state.set(register, Some(Source::Cpu));
                    state.values[usize::from(register)] = Value::Unknown;
                }
                return;
            }
            Mnemonic::Xgetbv => {
                for register in [0, 2] {
                    state.set(register, Some(Source::Cpu));
                    state.values[usize::from(register)] = Value::Unknown;
                }
                return;
            }
            // Unchanged where shadow stacks are not known: how libgcc and libc ask.
            Mnemonic::Rdsspd | Mnemonic::Rdsspq => {
                if let Some(bit) = bit(instruction.op0_register()) {
                    state.set(bit, Some(Source::Cpu));
                }
                return;
            }
            Mnemonic::Mov if self.moved(state, instruction) => return,
            Mnemonic::Lea => {
                self.lea(state, instruction);
                return;
            }
            Mnemonic::Push | Mnemonic::Pop if self.stacked(state, instruction) => return,
            Mnemonic::Add | Mnemonic::Sub | Mnemonic::And
                if instruction.op0_register() == Register::RSP =>
            {
                if let (Value::Stack(at), Ok(by)) = (state.values[4], instruction.try_immediate(1))
                {
                    let by = by as i64;
                    state.values[4] = Value::Stack(match instruction.mnemonic() {
                        Mnemonic::Add => at.wrapping_add(by),
                        Mnemonic::Sub => at.wrapping_sub(by),
                        _ => at,
                    });
                } else {
                    state.values[4] = Value::Unknown;
                }
                return;
            }
            Mnemonic::Leave => {
                state.values[4] = match state.values[5] {
                    Value::Stack(at) => Value::Stack(at.wrapping_add(8)),
                    _ => Value::Unknown,
                };
                state.values[5] = Value::Unknown;
                return;
            }
            _ => {}
        }
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => self.call(state, instruction),
            FlowControl::Return => {
                if let Some(notes) = &mut self.notes {
                    notes.returns = true;
                    notes.answers |= state.strong(0).is_some() || self.is_after && self.is_asker;
                    notes.may_flag |= state.is_weak(0);
                    notes.picks |= self.is_after || state.chosen(0).is_some();
                }
            }
            FlowControl::UnconditionalBranch => self.tail(state, instruction),
            FlowControl::ConditionalBranch | FlowControl::IndirectBranch => {}
            _ => self.generic(state, instruction),
        }
    }
}
