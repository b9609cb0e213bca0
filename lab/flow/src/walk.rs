//! What single instructions do to what is known: the transfer function of
//! [`reading`](super::reading).

use super::guard::Gate;
use super::reading::{Known, Store};
use super::state::{Source, State, Value, bit};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, Register};

/// What is found on the way.
#[derive(Default)]
pub struct Notes {
    /// Branches on answers.
    pub gates: Vec<Gate>,
    /// Stores to variables.
    pub stores: Vec<Store>,
    /// See [`Reading`](super::reading::Reading), as of the fields below.
    pub answers: bool,
    /// Its result may be a flag.
    pub may_flag: bool,
    /// It has read memory which may be written, and is not on the stack.
    pub loads: bool,
    /// It writes an answer through a pointer.
    pub fills: bool,
    /// A conditional move or an indirect call goes by an answer.
    pub chooses: Option<(u64, Source)>,
    /// Addresses of variables given to routines that fill.
    pub filled: Vec<u64>,
    /// It gives what answers picked.
    pub picks: bool,
    /// Where it stores what answers picked: number of an argument, and distance.
    pub selects: Vec<(u8, i64)>,
    /// It calls a routine with instructions that not every x86-64 CPU has.
    pub calls_kernel: bool,
}

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
    /// Set in the last pass only.
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
                    notes.answers |= state.strong(0).is_some() || self.is_after && self.is_asker;
                    notes.may_flag |= state.is_weak(0) || notes.loads;
                    notes.picks |= self.is_after || state.chosen(0).is_some();
                }
            }
            FlowControl::UnconditionalBranch => self.tail(state, instruction),
            FlowControl::ConditionalBranch | FlowControl::IndirectBranch => {}
            _ => self.generic(state, instruction),
        }
    }
}
