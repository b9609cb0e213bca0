//! What a routine does with a table that has a kernel's address: does it call an
//! element, and by what did it choose that?
//!
//! From the instruction that names the table, its address and what is loaded
//! through it are followed in registers and on the stack, with the number of loads.
//! An indirect call of what so many loads give as there are words from the table to
//! the kernel is taken for a call of an element. A pointer that is given to another
//! routine, returned, or stored elsewhere is lost from sight.

use super::tables::Named;
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register};
use karat_flow::access::{Use as Used, reads, uses};
use karat_flow::graph::Flow;
use karat_flow::operands::Place;
use karat_flow::reading::Known;
use karat_flow::state::{Source, State, Value, bit};
use karat_flow::walk::Walk;
use std::collections::VecDeque;

/// Registers that are followed: general ones and vectors.
const REGISTERS: usize = 48;
/// Stack slots that are followed at most.
const SLOTS: usize = 64;

/// What one routine does with a table that it names.
#[derive(Clone, Default)]
pub(super) struct Use {
    /// Indirect calls of an element, with what they go by.
    pub calls: Vec<(u64, Option<Source>)>,
    /// Whether it hands the table on, so that others may call elements.
    pub passes: bool,
}

/// Numbers of loads as a set of bits, by register and stack slot.
#[derive(Clone, PartialEq)]
struct Loads {
    registers: [u8; REGISTERS],
    slots: Vec<(i64, u8)>,
}

impl Loads {
    fn of(&self, register: Register) -> u8 {
        let place = bit(register).and_then(|bit| self.registers.get(usize::from(bit)));
        place.copied().unwrap_or_default()
    }

    fn slot(&self, at: i64) -> u8 {
        let found = self.slots.iter().find(|(slot, _)| *slot == at & !7);
        found.map_or(0, |(_, loads)| *loads)
    }

    fn set_slot(&mut self, at: i64, loads: u8) {
        self.slots.retain(|(slot, _)| *slot != at & !7);
        if loads != 0 && self.slots.len() < SLOTS {
            self.slots.push((at & !7, loads));
            self.slots.sort_unstable();
        }
    }

    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            *mine |= theirs;
        }
        for &(at, loads) in &other.slots {
            self.set_slot(at, self.slot(at) | loads);
        }
        *self != before
    }
}

impl Use {
    /// A call of an element and what chose it, when all calls are of chosen ones.
    pub fn chosen(&self) -> Option<(u64, Source)> {
        let &(at, source) = self.calls.first()?;
        let all = self.calls.iter().all(|(_, source)| source.is_some());
        source.filter(|_| all).map(|source| (at, source))
    }

    /// Follows a table from where a routine has it; none if the routine cannot be
    /// looked into, or more instructions would have to be followed than are `left`.
    pub fn of(known: Known<'_>, routine: u32, place: Named, left: &mut u64) -> Option<Self> {
        let Named { at, is_given, .. } = place;
        // To find a routine's blocks costs as much as to go through it once.
        let size = known.sweep.facts[routine as usize].instructions;
        *left = left.checked_sub(size.into())?;
        let flow = Flow::of(known.program, known.sweep, routine)?;
        let first = flow.block_at(at)?;
        let mut follow = Follow {
            walk: Walk {
                known,
                factory: InstructionInfoFactory::new(),
                decided: false,
                is_after: false,
                is_accessor: false,
                is_asker: false,
                notes: None,
            },
            factory: InstructionInfoFactory::new(),
            at: (!is_given).then_some(at),
            words: place.depth + 1,
            out: None,
        };
        let convention = known.program.convention;
        let mut start = Loads {
            registers: [0; REGISTERS],
            slots: Vec::new(),
        };
        start.registers[usize::from(convention.registers[0])] = u8::from(is_given);
        let mut states: Vec<Option<(State, Loads)>> = vec![None; flow.blocks.len()];
        let mut queue = VecDeque::from([0u32]);
        let mut queued = vec![false; flow.blocks.len()];
        states[0] = Some((State::entry(convention), start.clone()));
        if !flow.reach(&[0], |_| false, &[]).has(first) {
            let mut state = State::entry(convention);
            state.values = [Value::Unknown; 16];
            states[first as usize] = Some((state, start));
            queue.push_back(first);
        }
        let mut budget = flow.blocks.len() * 30 + 1000;
        while let Some(block) = queue.pop_front() {
            budget = budget.checked_sub(1)?;
            queued[block as usize] = false;
            let Some((mut state, mut loads)) = states[block as usize].clone() else {
                continue;
            };
            let instructions = flow.of_block(block);
            *left = left.checked_sub(instructions.len() as u64)?;
            for instruction in &*instructions {
                follow.step(&mut state, &mut loads, instruction);
            }
            for &next in &flow.blocks[block as usize].next {
                let is_new = match &mut states[next as usize] {
                    Some((known, seen)) => known.join(&state) | seen.join(&loads),
                    slot => {
                        *slot = Some((state.clone(), loads.clone()));
                        true
                    }
                };
                if is_new && !std::mem::replace(&mut queued[next as usize], true) {
                    queue.push_back(next);
                }
            }
        }
        follow.out = Some(Self::default());
        for (block, state) in states.into_iter().enumerate() {
            let Some((mut state, mut loads)) = state else {
                continue;
            };
            for instruction in flow.of_block(block as u32).iter() {
                follow.step(&mut state, &mut loads, instruction);
            }
        }
        follow.out
    }
}

struct Follow<'k> {
    walk: Walk<'k>,
    factory: InstructionInfoFactory,
    /// Where the table is named.
    at: Option<u64>,
    /// Words that are loaded from there to the kernel's address.
    words: u8,
    /// Set in the last pass only.
    out: Option<Use>,
}

impl Follow<'_> {
    fn step(&mut self, state: &mut State, loads: &mut Loads, instruction: &Instruction) {
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => {
                self.transfer(state, loads, instruction);
                for &register in self.walk.known.program.convention.clobbered {
                    loads.registers[usize::from(register)] = 0;
                }
                loads.registers[16..].fill(0);
            }
            FlowControl::IndirectBranch | FlowControl::UnconditionalBranch => {
                self.transfer(state, loads, instruction);
            }
            FlowControl::Return => {
                let is_given = loads.of(Register::RAX) | loads.of(Register::RDX) != 0;
                self.pass_on(is_given);
            }
            _ => self.other(state, loads, instruction),
        }
        self.walk.step(state, instruction);
    }

    fn pass_on(&mut self, does: bool) {
        if let Some(out) = &mut self.out {
            out.passes |= does;
        }
    }

    /// What a load from the memory operand gives.
    fn loaded(&self, state: &State, loads: &Loads, instruction: &Instruction) -> u8 {
        let parts = [instruction.memory_base(), instruction.memory_index()];
        let through = parts.into_iter().fold(0, |all, part| all | loads.of(part)) << 1;
        let kept = match self.walk.place(state, instruction) {
            Place::Stack(at) => loads.slot(at),
            _ => 0,
        };
        // The instruction that names the table loads a word of it, or its address
        // from the global offset table.
        let named = match Some(instruction.ip()) == self.at {
            true if self.is_address(instruction) => 1,
            true => 2,
            false => 0,
        };
        through | kept | named
    }

    /// Whether the instruction has the table's address, not a word of it.
    fn is_address(&self, instruction: &Instruction) -> bool {
        if !instruction.is_ip_rel_memory_operand() {
            // As an immediate.
            return instruction.op_count() > 0
                && instruction
                    .try_immediate(instruction.op_count() - 1)
                    .is_ok();
        }
        let program = self.walk.known.program;
        program.is_got(instruction.ip_rel_memory_address())
    }

    /// Calls and jumps: is it an element, and what is handed on?
    fn transfer(&mut self, state: &State, loads: &Loads, instruction: &Instruction) {
        let is_indirect = matches!(
            instruction.flow_control(),
            FlowControl::IndirectCall | FlowControl::IndirectBranch
        );
        let target = match instruction.op0_kind() {
            iced_x86::OpKind::Register => loads.of(instruction.op0_register()),
            iced_x86::OpKind::Memory => self.loaded(state, loads, instruction),
            _ => 0,
        };
        let goes_by = self.walk.goes_by(state, instruction);
        let own = self.walk.known.program.routine_at(instruction.ip());
        let stays = instruction.flow_control() == FlowControl::UnconditionalBranch
            && instruction.op0_kind() == iced_x86::OpKind::NearBranch64
            && own == (self.walk.known.program).routine_at(instruction.near_branch_target());
        let Some(out) = &mut self.out else {
            return;
        };
        if is_indirect && target >> self.words & 1 == 1 {
            out.calls.push((instruction.ip(), goes_by));
        }
        for &register in self.walk.known.program.convention.registers {
            let register = usize::from(register);
            let is_frame = matches!(state.values[register], Value::Stack(_));
            out.passes |=
                !stays && (loads.registers[register] != 0 || is_frame && !loads.slots.is_empty());
        }
    }

    /// Everything else: what is written comes from what is read.
    fn other(&mut self, state: &State, loads: &mut Loads, instruction: &Instruction) {
        let is_lea = instruction.mnemonic() == Mnemonic::Lea;
        let parts = [instruction.memory_base(), instruction.memory_index()];
        let by = i64::from(instruction.stack_pointer_increment());
        let (mut read, mut stores) = (0u8, false);
        // By the place of a register, one bit each.
        let mut written = 0u64;
        let mut has_load = false;
        uses(&mut self.factory, instruction, false, |used| match used {
            Used::Register(register, access) => {
                if reads(access) && (is_lea || !parts.contains(&register)) {
                    read |= loads.of(register);
                }
                if !matches!(access, OpAccess::Read | OpAccess::CondRead) {
                    written |= bit(register).map_or(0, |place| 1 << place);
                }
            }
            Used::Memory(access) => {
                has_load |= !matches!(access, OpAccess::Write | OpAccess::CondWrite);
                stores |= !matches!(access, OpAccess::Read | OpAccess::CondRead);
            }
        });
        let is_frame = |by: i64| match state.values[4] {
            Value::Stack(at) => Some(at.wrapping_add(by)),
            _ => None,
        };
        match instruction.mnemonic() {
            Mnemonic::Push => {
                if let Some(at) = is_frame(by) {
                    loads.set_slot(at, read);
                }
                return;
            }
            Mnemonic::Pop => {
                read = is_frame(0).map_or(0, |at| loads.slot(at));
            }
            Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps
                if instruction.op0_register() == instruction.op1_register() =>
            {
                read = 0;
            }
            _ if is_lea => read |= u8::from(Some(instruction.ip()) == self.at),
            _ if has_load => read |= self.loaded(state, loads, instruction),
            _ if Some(instruction.ip()) == self.at && self.is_address(instruction) => read |= 1,
            _ => {}
        }
        for (register, loads) in loads.registers.iter_mut().enumerate() {
            if register != 4 && written >> register & 1 == 1 {
                *loads = read;
            }
        }
        if stores {
            match self.walk.place(state, instruction) {
                Place::Stack(at) => {
                    let size = instruction.memory_size().size().max(8) as i64;
                    for slot in (0..size).step_by(8) {
                        loads.set_slot(at.wrapping_add(slot), read);
                    }
                }
                _ => self.pass_on(read != 0),
            }
        }
    }
}
