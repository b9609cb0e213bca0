//! Whether a routine only reads a variable, told without following what values it has: a
//! kernel's caller in a library loads the address of a table from the global offset table,
//! and then what is there, and libraries have thousands of such routines.

use super::features::Facts;
use super::oracle::Oracle;
use super::taking::takes;
use super::value::{Kind, Value};
use crate::graph::{branch, callee};
use crate::program::{Entry, Target, Word};
use crate::state::bit;
use crate::sweep::to;
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};
use std::collections::HashSet;
use std::ops::Range;

/// Instructions behind a load of an address that are looked at, at most.
const BEHIND: usize = 2048;
/// Calls that are followed inwards to see that a register is left over, at most.
const CALLS: u8 = 3;
/// The register of a result.
const RESULT: u8 = 0;

/// What an instruction does with a register that has the variable's address.
#[derive(Debug, PartialEq, Eq)]
enum Use {
    /// Nothing, or it reads what is there.
    Reads,
    /// It puts something else there.
    Ends,
    /// Anything else.
    Other,
}

impl Oracle<'_> {
    /// Whether the instruction at a place only reads from a range, for those who ask once.
    #[must_use]
    pub fn reads_only(&self, at: u64, variable: Range<u64>) -> bool {
        self.only_reads(at, variable, &mut InstructionInfoFactory::new())
    }

    /// Whether an instruction that names a variable only reads it: it stores nothing there,
    /// and its address goes nowhere.
    pub(super) fn only_reads(
        &self,
        at: u64,
        variable: Range<u64>,
        factory: &mut InstructionInfoFactory,
    ) -> bool {
        let Some(instruction) = self.instruction(at) else {
            return false;
        };
        if let Some(register) = self.loads_address(&instruction, &variable) {
            return self.only_reads_behind(&instruction, register, factory);
        }
        let named = match instruction.is_ip_rel_memory_operand() {
            true => instruction.ip_rel_memory_address(),
            false => instruction.memory_displacement64(),
        };
        let memory = factory.info(&instruction).used_memory();
        !memory.is_empty()
            && memory.iter().all(|used| is_read(used.access()))
            && variable.contains(&named)
    }

    /// Whether an instruction that names a pointer only reads what is there: it stores nothing,
    /// there or behind it, and what the pointer holds goes nowhere.
    pub(super) fn only_reads_behind_pointer(
        &self,
        at: u64,
        pointer: u64,
        factory: &mut InstructionInfoFactory,
    ) -> bool {
        let Some(instruction) = self.instruction(at) else {
            return false;
        };
        let is_named = instruction.is_ip_rel_memory_operand()
            && instruction.ip_rel_memory_address() == pointer;
        let register = instruction.op0_register();
        match instruction.mnemonic() {
            Mnemonic::Cmp | Mnemonic::Test => is_named,
            Mnemonic::Mov if is_named && register.is_gpr64() => bit(register)
                .is_some_and(|register| self.only_reads_behind(&instruction, register, factory)),
            _ => false,
        }
    }

    /// Whether the address of a variable that a routine leaves in the register of results
    /// goes nowhere: nobody is given it who does more with it than read. Routines without a
    /// result leave there what they worked with last.
    pub(super) fn drops_result(&self, routine: u32, result: &Value) -> bool {
        self.is_dropped(routine, result, false)
    }

    /// The same in the file alone, of objects behind pointers: others may call the routine.
    pub(super) fn drops_result_here(&self, routine: u32, result: &Value) -> bool {
        let is_object = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if self.object_start(*at).is_some());
        result.alternatives().iter().all(is_object) && self.is_dropped(routine, result, true)
    }

    fn is_dropped(&self, routine: u32, result: &Value, is_here: bool) -> bool {
        let program = self.program;
        let is_variable =
            |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if program.is_written(*at));
        if !result.alternatives().iter().all(is_variable) {
            return false;
        }
        let start = program.routines[routine as usize].start;
        let calls = to(&self.sweep.edges, start);
        let is_start = match program.entries.get(&start) {
            Some(Entry::Start) => true,
            Some(_) if !is_here => return false,
            Some(_) => true,
            None => false,
        };
        let is_taken = !to(&self.sweep.taken, start).is_empty()
            || !to(&program.pointers, start).is_empty()
            || calls.is_empty() && !is_start;
        let mut factory = InstructionInfoFactory::new();
        let mut is_dropped = |at: u64| {
            let call = self.instruction(at);
            let call = call.filter(|call| call.flow_control() == FlowControl::Call);
            call.is_some_and(|call| self.only_reads_behind(&call, RESULT, &mut factory))
        };
        !is_taken && calls.iter().all(|(_, at)| is_dropped(at))
    }

    /// The register that an instruction loads the variable's address into.
    fn loads_address(&self, instruction: &Instruction, variable: &Range<u64>) -> Option<u8> {
        if !instruction.is_ip_rel_memory_operand() || instruction.op0_kind() != OpKind::Register {
            return None;
        }
        let address = instruction.ip_rel_memory_address();
        let is_one = match instruction.mnemonic() {
            Mnemonic::Lea => variable.contains(&address),
            Mnemonic::Mov if self.program.is_got(address) => {
                let word = self.program.words.get(address);
                matches!(word, Some(Word::Address(to)) if variable.contains(&to))
            }
            _ => false,
        };
        let register = instruction.op0_register();
        (is_one && register.is_gpr64())
            .then(|| bit(register))
            .flatten()
    }

    /// Whether an address in a register is only read from, wherever its routine goes on.
    fn only_reads_behind(
        &self,
        load: &Instruction,
        register: u8,
        factory: &mut InstructionInfoFactory,
    ) -> bool {
        let how = |instruction: &Instruction| used(instruction, register, factory);
        self.is_only(load.next_ip(), register, 0, how)
    }

    /// Whether an instruction takes an address for nothing but to compare it: that is no use of
    /// what lies there.
    #[must_use]
    pub fn only_compares(&self, at: u64) -> bool {
        let Some(instruction) = self.instruction(at) else {
            return false;
        };
        let register = instruction.op0_register();
        match instruction.mnemonic() {
            // As an immediate.
            Mnemonic::Cmp => true,
            Mnemonic::Lea | Mnemonic::Mov if register.is_gpr() => {
                let mut factory = InstructionInfoFactory::new();
                bit(register).is_some_and(|register| {
                    let how = |it: &Instruction| compared(it, register, &mut factory);
                    self.is_only(instruction.next_ip(), register, CALLS, how)
                })
            }
            _ => false,
        }
    }

    /// Whether a routine does nothing with what is in a register where it is called: that is left
    /// over, and no argument.
    pub(super) fn leaves_alone(&self, to: u64, register: u8) -> bool {
        self.is_left_alone(to, register, CALLS)
    }

    fn is_left_alone(&self, to: u64, register: u8, calls: u8) -> bool {
        let mut factory = InstructionInfoFactory::new();
        let how = |it: &Instruction| alone(it, register, &mut factory);
        self.is_only(to, register, calls, how)
    }

    /// Whether what a call or jump goes to does nothing with the register of an argument.
    fn is_left_behind(&self, call: &Instruction, register: u8, calls: u8) -> bool {
        let registers = self.program.convention.registers;
        let number = registers.iter().position(|one| *one == register);
        match (callee(self.program, call), calls.checked_sub(1)) {
            (Some(Target::Import(name)), Some(_)) => number.is_some_and(|it| it >= takes(name)),
            (Some(Target::Address(to)), Some(calls)) => self.is_left_alone(to, register, calls),
            _ => false,
        }
    }

    /// Whether an instruction neither reads a register nor changes it.
    pub(super) fn leaves_register(&self, instruction: &Instruction, register: u8) -> bool {
        let mut factory = InstructionInfoFactory::new();
        alone(instruction, register, &mut factory) == Use::Reads
    }

    /// Whether what is done with a register from a place on is only that, wherever its routine
    /// goes on.
    fn is_only(
        &self,
        start: u64,
        register: u8,
        calls: u8,
        mut how: impl FnMut(&Instruction) -> Use,
    ) -> bool {
        let routine = self.program.routine_at(start);
        let convention = self.program.convention;
        let is_argument = convention.registers.contains(&register);
        let is_kept = !convention.clobbered.contains(&register);
        let mut seen = HashSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            // Where a routine is left, what the next one may be given is not followed.
            if self.program.routine_at(at) != routine {
                match register == RESULT || is_argument {
                    true => return false,
                    false => continue,
                }
            }
            let Some(instruction) = self.instruction(at).filter(|_| seen.len() <= BEHIND) else {
                return false;
            };
            match how(&instruction) {
                Use::Reads => {}
                Use::Ends => continue,
                Use::Other => return false,
            }
            match instruction.flow_control() {
                FlowControl::Next => open.push(instruction.next_ip()),
                FlowControl::ConditionalBranch => {
                    let Some(to) = branch(&instruction) else {
                        return false;
                    };
                    open.extend([to, instruction.next_ip()]);
                }
                FlowControl::UnconditionalBranch => match branch(&instruction) {
                    Some(to) if self.program.routine_at(to) != routine && register != RESULT => {
                        if is_argument && !self.is_left_behind(&instruction, register, calls) {
                            return false;
                        }
                    }
                    Some(to) => open.push(to),
                    None => return false,
                },
                FlowControl::Call | FlowControl::IndirectCall => match register {
                    _ if is_kept || self.program.keeps(&instruction) => {
                        open.push(instruction.next_ip());
                    }
                    _ if is_argument && !self.is_left_behind(&instruction, register, calls) => {
                        return false;
                    }
                    // A routine of the file's own may leave it as it is.
                    _ => {
                        let sweep = self.sweep;
                        let changed = sweep.changes.of(self.program, sweep, &instruction);
                        if changed >> register & 1 == 0 {
                            open.push(instruction.next_ip());
                        }
                    }
                },
                FlowControl::Return if register != RESULT => {}
                _ => return false,
            }
        }
        true
    }
}

fn is_read(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead)
}

/// What an instruction does with an address in a register.
fn used(instruction: &Instruction, register: u8, factory: &mut InstructionInfoFactory) -> Use {
    let info = factory.info(instruction);
    let mut is_used = false;
    let mut ends = false;
    for used in info.used_registers() {
        if bit(used.register()) != Some(register) {
            continue;
        }
        match used.access() {
            OpAccess::NoMemAccess | OpAccess::None => {}
            OpAccess::Write if used.register().size() >= 4 => ends = true,
            OpAccess::Read | OpAccess::CondRead => is_used = true,
            _ => return Use::Other,
        }
    }
    if is_used {
        // Only as the place of what is read.
        let is_operand = |operand: u32| {
            instruction.op_kind(operand) == OpKind::Register
                && bit(instruction.op_register(operand)) == Some(register)
                && !matches!(info.op_access(operand), OpAccess::Write)
        };
        let is_place = [instruction.memory_base(), instruction.memory_index()]
            .into_iter()
            .any(|place| bit(place) == Some(register));
        let memory = info.used_memory();
        let only_reads = !memory.is_empty() && memory.iter().all(|used| is_read(used.access()));
        if !is_place || !only_reads || (0..instruction.op_count()).any(is_operand) {
            return Use::Other;
        }
    }
    match ends {
        true => Use::Ends,
        false => Use::Reads,
    }
}

/// What an instruction does with a register that may be no argument.
fn alone(instruction: &Instruction, register: u8, factory: &mut InstructionInfoFactory) -> Use {
    let mut ends = false;
    for used in factory.info(instruction).used_registers() {
        match used.access() {
            _ if bit(used.register()) != Some(register) => {}
            OpAccess::NoMemAccess | OpAccess::None => {}
            OpAccess::Write if used.register().size() >= 4 => ends = true,
            _ => return Use::Other,
        }
    }
    match ends {
        true => Use::Ends,
        false => Use::Reads,
    }
}

/// What an instruction does with an address that is there to be compared.
fn compared(instruction: &Instruction, register: u8, factory: &mut InstructionInfoFactory) -> Use {
    let is_part = |part: Register| bit(part) == Some(register);
    let is_place = is_part(instruction.memory_base()) || is_part(instruction.memory_index());
    let mut ends = false;
    for used in factory.info(instruction).used_registers() {
        match used.access() {
            _ if !is_part(used.register()) => {}
            OpAccess::NoMemAccess | OpAccess::None => {}
            OpAccess::Write if used.register().size() >= 4 => ends = true,
            OpAccess::Read if instruction.mnemonic() == Mnemonic::Cmp && !is_place => {}
            _ => return Use::Other,
        }
    }
    match ends {
        true => Use::Ends,
        false => Use::Reads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    /// What an instruction does with an address in rax.
    fn of(bytes: &[u8]) -> Use {
        let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
        used(&instruction, 0, &mut InstructionInfoFactory::new())
    }

    #[test]
    fn an_address_is_read_from_or_goes_somewhere() {
        // mov rax, [rax]; mov eax, [rax]; mov eax, 1
        assert_eq!(of(&[0x48, 0x8b, 0x00]), Use::Ends);
        assert_eq!(of(&[0x8b, 0x00]), Use::Ends);
        assert_eq!(of(&[0xb8, 1, 0, 0, 0]), Use::Ends);
        // mov rbx, [rax + 8]; mov rbx, [rcx + rax]; mov rbx, rcx
        assert_eq!(of(&[0x48, 0x8b, 0x58, 8]), Use::Reads);
        assert_eq!(of(&[0x48, 0x8b, 0x1c, 0x01]), Use::Reads);
        assert_eq!(of(&[0x48, 0x89, 0xcb]), Use::Reads);
        // mov [rax], rbx; add qword [rax], 1
        assert_eq!(of(&[0x48, 0x89, 0x18]), Use::Other);
        assert_eq!(of(&[0x48, 0x83, 0x00, 1]), Use::Other);
        // mov rbx, rax; mov [rbx], rax; lea rbx, [rax + 8]; push rax; add rax, 8; mov al, 1
        assert_eq!(of(&[0x48, 0x89, 0xc3]), Use::Other);
        assert_eq!(of(&[0x48, 0x89, 0x03]), Use::Other);
        assert_eq!(of(&[0x48, 0x8d, 0x58, 8]), Use::Other);
        assert_eq!(of(&[0x50]), Use::Other);
        assert_eq!(of(&[0x48, 0x83, 0xc0, 8]), Use::Other);
        assert_eq!(of(&[0xb0, 1]), Use::Other);
    }
    #[test]
    fn an_address_is_only_compared() {
        let of = |bytes: &[u8]| {
            let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
            compared(&instruction, 0, &mut InstructionInfoFactory::new())
        };
        // cmp [rdi + 8], rax; cmp rax, rdx; cmp rdx, [rdi]; mov eax, 1
        assert_eq!(of(&[0x48, 0x39, 0x47, 8]), Use::Reads);
        assert_eq!(of(&[0x48, 0x39, 0xd0]), Use::Reads);
        assert_eq!(of(&[0x48, 0x3b, 0x17]), Use::Reads);
        assert_eq!(of(&[0xb8, 1, 0, 0, 0]), Use::Ends);
        // mov [rdi + 8], rax; cmp [rax], rdx; call rax; cmove rdx, rax; test rax, rax; push rax
        assert_eq!(of(&[0x48, 0x89, 0x47, 8]), Use::Other);
        assert_eq!(of(&[0x48, 0x39, 0x10]), Use::Other);
        assert_eq!(of(&[0xff, 0xd0]), Use::Other);
        assert_eq!(of(&[0x48, 0x0f, 0x44, 0xd0]), Use::Other);
        assert_eq!(of(&[0x48, 0x85, 0xc0]), Use::Other);
        assert_eq!(of(&[0x50]), Use::Other);
    }
}
