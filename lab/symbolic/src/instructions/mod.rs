//! One instruction: what it does, and where execution goes from it.

pub(crate) mod arithmetic;
mod elements;
mod extensions;
pub(crate) mod flags;
pub(crate) mod operands;
mod packed;
pub(crate) mod step;
pub(crate) mod uppers;
pub(crate) mod vectors;
mod wide;

use crate::bits::{Kind, Word};
use crate::facts::Facts;
use crate::instructions::flags::Flags;
use crate::instructions::operands::vector;
use crate::instructions::vectors::is_vector;
use crate::library::stubs;
use crate::machine::{End, Machine, Stop};
use crate::memory::STUBS;
use crate::state::State;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};
use karat_flow::access::writes;
use karat_flow::classes::CodeClass;
use karat_flow::graph::Flow;

impl Machine<'_> {
    /// The instruction at an address.
    pub fn instruction(&mut self, at: u64) -> Option<Instruction> {
        if let Some(known) = self.instructions.get(&at) {
            return Some(*known);
        }
        let bytes = match (STUBS..STUBS + stubs::SIZE).contains(&at) {
            true => stubs::bytes(at - STUBS),
            false => {
                let most = (1..=15).rev();
                let mut all =
                    most.filter_map(|size| self.image.program.bytes(at, at.saturating_add(size)));
                all.next()?
            }
        };
        let mut decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
        let instruction = decoder.decode();
        if instruction.is_invalid() {
            return None;
        }
        self.instructions.insert(at, instruction);
        Some(instruction)
    }

    /// One instruction; true if it was a jump or a call.
    pub fn step(&mut self, state: &mut State) -> Result<bool, Stop> {
        if self.is_arm() {
            return self.step_arm(state);
        }
        let at = state.at;
        let it = self.instruction(at).ok_or(Stop::End(End::Lost))?;
        let class = self.classes.of(it.code());
        if class.above != 0 {
            let lives = self.above(state, class);
            if !lives && self.sold.is_some() {
                self.illegal(state)?;
                return Ok(true);
            }
        }
        match it.flow_control() {
            // A system call comes back behind itself.
            FlowControl::Call if it.mnemonic() == Mnemonic::Syscall => {
                let is_wait = self.is_wait(state);
                self.system_call(state)?;
                if is_wait {
                    self.pauses(state, it.next_ip())?;
                }
                state.at = it.next_ip();
                Ok(false)
            }
            FlowControl::Next if it.mnemonic() == Mnemonic::Pause => {
                self.pauses(state, it.next_ip())?;
                state.at = it.next_ip();
                Ok(false)
            }
            FlowControl::Next => {
                let is_known = self.general_or_sse(state, &it)?;
                if !is_known {
                    self.unknown(state, &it)?;
                }
                state.at = it.next_ip();
                Ok(false)
            }
            FlowControl::ConditionalBranch => {
                if it.is_jcc_short_or_near() {
                    let is_taken = match self.goes_on(state, &it)? {
                        Some(is_taken) => is_taken,
                        None => self.decides(state, &it)?,
                    };
                    let to = it.near_branch_target();
                    if is_taken && to <= at {
                        // A loop that runs long is made general.
                        let rounds = self.rounds();
                        let (one, _) = self
                            .widened(std::mem::replace(state, State::nowhere()), rounds)
                            .ok_or(Stop::End(End::Left))?;
                        *state = one;
                    }
                    state.at = if is_taken { to } else { it.next_ip() };
                    return Ok(true);
                }
                let ways = vec![it.near_branch_target(), it.next_ip()];
                Err(Stop::Ways(ways))
            }
            FlowControl::UnconditionalBranch => {
                self.jump(state, it.near_branch_target(), false)?;
                Ok(true)
            }
            FlowControl::IndirectBranch => {
                let to = self.operand(state, &it, 0)?;
                match to.number()? {
                    Some(to) => {
                        if self.go.is_none() {
                            self.leaves(state);
                        }
                        self.jump(state, to, true)?;
                        Ok(true)
                    }
                    None => Err(self.ways(at)),
                }
            }
            FlowControl::Call => {
                self.call(state, (at, it.next_ip()), it.near_branch_target(), false)?;
                Ok(true)
            }
            FlowControl::IndirectCall => {
                let to = self.operand(state, &it, 0)?;
                match to.number()? {
                    Some(to) => {
                        self.call(state, (at, it.next_ip()), to, true)?;
                    }
                    None => {
                        if let Some(any) = self.tabled(state, &it)? {
                            return Err(any);
                        }
                        self.lost(at, state);
                        state.is_unsure = true;
                        self.after_call(state, None);
                        state.at = it.next_ip();
                    }
                }
                Ok(true)
            }
            FlowControl::Return => {
                self.back(state)?;
                Ok(true)
            }
            FlowControl::XbeginXabortXend => {
                state.at = it.next_ip();
                Ok(false)
            }
            FlowControl::Interrupt | FlowControl::Exception => Err(Stop::End(End::Left)),
        }
    }

    fn general_or_sse(&mut self, state: &mut State, it: &Instruction) -> Result<bool, Stop> {
        let operands = 0..it.op_count();
        let is_vector = operands
            .clone()
            .any(|at| it.op_kind(at) == OpKind::Register && is_vector(it.op_register(at)));
        // From memory to a general register.
        let is_number = matches!(
            it.mnemonic(),
            Mnemonic::Cvttss2si
                | Mnemonic::Cvttsd2si
                | Mnemonic::Vcvttss2si
                | Mnemonic::Vcvttsd2si
                | Mnemonic::Vzeroupper
                | Mnemonic::Vzeroall
        );
        match is_vector || is_number {
            true => self.sse(state, it),
            false => self.general(state, it),
        }
    }

    /// Calls that are left by a jump, as by the C library's `longjmp` that a program has itself:
    /// the stack's top is above where they return.
    pub(crate) fn leaves(&self, state: &mut State) {
        let Some(top) = state.registers[4].known() else {
            return;
        };
        while state.frames.last().is_some_and(|frame| frame.stack < top) {
            state.frames.pop();
        }
    }

    /// Where a jump through a table may go.
    pub(crate) fn ways(&self, at: u64) -> Stop {
        let program = self.image.program;
        let flow = program
            .routine_at(at)
            .and_then(|routine| Flow::of(program, self.sweep, routine));
        let targets = flow.and_then(|flow| {
            let number = flow.blocks.partition_point(|block| block.end() <= at);
            let block = flow.blocks.get(number)?;
            let next = block
                .next
                .iter()
                .map(|next| flow.blocks[*next as usize].start);
            Some(next.collect::<Vec<u64>>())
        });
        match targets {
            Some(ways) if !ways.is_empty() && ways.len() <= 64 => Stop::Ways(ways),
            _ => Stop::End(End::Lost),
        }
    }

    /// What an instruction writes that is not carried out is not known.
    fn unknown(&mut self, state: &mut State, it: &Instruction) -> Result<(), Stop> {
        let info = self.factory.info(it);
        let registers: Vec<_> = (info.used_registers().iter())
            .filter(|used| writes(used.access()))
            .map(iced_x86::UsedRegister::register)
            .collect();
        let is_stored = (info.used_memory().iter()).any(|used| writes(used.access()));
        for register in registers {
            if let Some(number) = vector(register) {
                state.vectors[number] = [const { Word::Unknown(64, Kind::Opaque) }; 2];
                state.uppers.set(number, None);
            } else if register.is_gpr() && register.full_register().number() != 4 {
                let value = Word::unknown(register.size(), Kind::Opaque);
                self.set_register(state, register, &value);
            }
        }
        if is_stored {
            let size = it.memory_size().size().max(8) as u64;
            match self.address(state, it)? {
                Ok(at) => state.memory.forget(at, size, Kind::Opaque),
                Err(_) => state.is_unsure = true,
            }
        }
        if it.rflags_modified() != 0 {
            state.flags = Flags::unknown(Kind::Opaque);
        }
        Ok(())
    }

    /// Notes that something above the baseline is come to; false if a CPU lacks it.
    fn above(&mut self, state: &State, class: &CodeClass) -> bool {
        let Some(routine) = self.image.program.routine_at(state.at) else {
            return true;
        };
        let missing = self.classes.missing(class.above);
        let need = Facts::of(missing.iter().map(String::as_str));
        let is_said = self.is_said(state);
        self.found.above(
            (routine, class.is_cpuid),
            state,
            need,
            &self.symbols,
            is_said,
        )
    }
}
