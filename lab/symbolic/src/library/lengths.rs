//! Lengths from which on the C library goes another way, in programs that it is linked into.
//!
//! glibc's start works them out from CPUID's leaf 4, and is not gone through; the file has
//! zeros for them. With zero a copy of 200 bytes goes the way for megabytes, whose loop then runs
//! as long as anybody lets it.

use crate::machine::Machine;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use karat_flow::graph::callee;
use karat_flow::program::{Program, Target};
use karat_flow::sweep::within;

/// No such length is below this (glibc 2.36, `dl_init_cacheinfo`, the bounds of
/// `x86_non_temporal_threshold`).
const LEAST: u64 = 0x4040;

impl Machine<'_> {
    /// Finds them by what is done with them, and takes each for the least that it may be: what the program's start calls stores a word where the
    /// file has zero, nobody else stores there, and others compare it with a third argument.
    pub fn read_lengths(&mut self) {
        let (program, sweep) = (self.image.program, self.sweep);
        let Some(start) = called_first(program) else {
            return;
        };
        for instruction in program.instructions(start) {
            let Some(at) = stored(&instruction).filter(|at| program.content(*at) == Some(0)) else {
                continue;
            };
            let uses = within(&sweep.data, at, at.saturating_add(1)).iter();
            let others = uses.filter(|(_, place)| program.routine_at(*place) != Some(start));
            let others: Vec<Instruction> = others
                .filter_map(|(_, place)| self.instruction(place))
                .collect();
            let is_read = |it: &Instruction| {
                it.op0_kind() != OpKind::Memory || it.mnemonic() == Mnemonic::Cmp
            };
            if others.iter().all(is_read) && others.iter().any(is_compared) {
                self.image.foreign.insert(at, LEAST);
            }
        }
    }
}

/// What the code calls where a program starts: `__libc_start_main`.
fn called_first(program: &Program<'_>) -> Option<u32> {
    let start = program.routine_at(program.start)?;
    program.instructions(start).find_map(|instruction| {
        match callee(program, &instruction).filter(|_| instruction.is_call_near())? {
            Target::Address(to) => program.routine_at(to),
            Target::Import(_) => None,
        }
    })
}

/// Where eight bytes of a register are stored, by an address that the instruction names.
fn stored(instruction: &Instruction) -> Option<u64> {
    let is_one = instruction.mnemonic() == Mnemonic::Mov
        && instruction.is_ip_rel_memory_operand()
        && instruction.op0_kind() == OpKind::Memory
        && instruction.op1_kind() == OpKind::Register
        && instruction.memory_size().size() == 8;
    is_one.then(|| instruction.ip_rel_memory_address())
}

fn is_compared(instruction: &Instruction) -> bool {
    instruction.mnemonic() == Mnemonic::Cmp
        && [instruction.op0_register(), instruction.op1_register()].contains(&Register::RDX)
}
