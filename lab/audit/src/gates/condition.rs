//! The branch that decides whether a place is reached, and what it asks.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};
use karat_flow::convention::SYSTEM_V;
use karat_flow::graph::Flow;
use karat_flow::program::{Program, Word};
use karat_flow::sweep::{Sweep, to, within};
use karat_model::gates::Guard;

/// Branches of one function that are looked at, nearest first.
const BRANCHES: usize = 400;

/// The nearest conditional branch that decides whether `site` is reached or, where
/// it is a conditional jump to the gate itself, taken.
pub(super) fn guard(
    program: &Program<'_>,
    sweep: &Sweep,
    flow: &Flow,
    site: u64,
    is_inlined: bool,
) -> Option<Guard> {
    let target = flow.block_at(site)?;
    let last = *flow.of_block(target).last()?;
    let jumps = last.ip() == site && last.flow_control() == FlowControl::ConditionalBranch;
    let block = match jumps && !is_inlined {
        true => target,
        false => nearest(flow, target)?,
    };
    let instructions = flow.of_block(block);
    let (branch, before) = instructions.split_last()?;
    let setter = before.iter().rposition(|i| i.rflags_modified() != 0);
    let asked = setter.map(|at| (&before[at], variable(program, &before[..at], &before[at])));
    let address = asked.as_ref().and_then(|(_, address)| *address);
    let mnemonic = format!("{:?}", branch.mnemonic()).to_ascii_lowercase();
    Some(Guard {
        address: branch.ip(),
        condition: match &asked {
            Some((setter, _)) => format!("{}; {mnemonic}", text(program, setter)),
            None => mnemonic,
        },
        variable: address.map(|at| program.variable_or_address(at)),
        location: None,
        constant: address.and_then(|at| constant(program, sweep, at)),
        hits: None,
    })
}

/// The block whose conditional branch decides whether another is reached.
fn nearest(flow: &Flow, target: u32) -> Option<u32> {
    let mut branches: Vec<u32> = (0..flow.blocks.len() as u32)
        .filter(|&block| {
            let last = flow.blocks[block as usize].last;
            block != target && last == FlowControl::ConditionalBranch
        })
        .collect();
    branches.sort_by_key(|block| block.abs_diff(target));
    branches.truncate(BRANCHES);
    let mut nearest: Option<(usize, u32)> = None;
    for block in branches {
        let sides = &flow.blocks[block as usize].next;
        let reached: Vec<_> = sides
            .iter()
            .map(|next| (*next, flow.reach(&[*next], |b| b == block, &[])))
            .collect();
        let leading: Vec<_> = reached.iter().filter(|(_, set)| set.has(target)).collect();
        let [(next, set)] = leading[..] else {
            continue;
        };
        if flow.reach(&[0], |_| false, &[(block, *next)]).has(target) {
            continue;
        }
        // Of branches that all decide, the inner one leads to less.
        let size = (0..flow.blocks.len() as u32)
            .filter(|b| set.has(*b))
            .count();
        if nearest.is_none_or(|(least, _)| size < least) {
            nearest = Some((size, block));
        }
    }
    nearest.map(|(_, block)| block)
}

/// The variable that an instruction compares, loaded by it or before it into a
/// register that has kept it.
fn variable(program: &Program<'_>, before: &[Instruction], setter: &Instruction) -> Option<u64> {
    if let Some(address) = named(program, setter) {
        return Some(address);
    }
    let register = setter.op0_register().full_register();
    if !register.is_gpr() {
        return None;
    }
    let mut factory = InstructionInfoFactory::new();
    let last = before
        .iter()
        .rev()
        .find(|i| changes(&mut factory, i, register))?;
    let is_load = matches!(
        last.mnemonic(),
        Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Movsx | Mnemonic::Movsxd
    );
    named(program, last).filter(|_| is_load)
}

/// Whether an instruction, or what it calls, may change a general register.
fn changes(
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    register: Register,
) -> bool {
    let calls = matches!(
        instruction.flow_control(),
        FlowControl::Call | FlowControl::IndirectCall
    );
    calls
        && SYSTEM_V
            .clobbered
            .iter()
            .any(|n| usize::from(*n) == register.number())
        || factory
            .info(instruction)
            .used_registers()
            .iter()
            .any(|used| {
                used.register().full_register() == register
                    && !matches!(used.access(), OpAccess::Read | OpAccess::CondRead)
            })
}

/// The address of the variable that a memory operand names.
fn named(program: &Program<'_>, instruction: &Instruction) -> Option<u64> {
    if instruction.is_ip_rel_memory_operand() {
        return Some(instruction.ip_rel_memory_address());
    }
    let absolute = (0..instruction.op_count()).any(|op| instruction.op_kind(op) == OpKind::Memory)
        && instruction.memory_base() == Register::None
        && program.is_data(instruction.memory_displacement64());
    absolute.then(|| instruction.memory_displacement64())
}

/// Why a variable has one value for ever, if nothing in the file writes it.
fn constant(program: &Program<'_>, sweep: &Sweep, address: u64) -> Option<String> {
    let name = program.variable_or_address(address);
    if !program.is_data(address) {
        return None;
    }
    if !program.is_written(address) {
        return Some(format!("{name} is read-only"));
    }
    let start = program.variable_start(address);
    let mut factory = InstructionInfoFactory::new();
    let references = within(&sweep.data, start, address.saturating_add(8));
    let written = references.iter().any(|(_, at)| {
        let Some(routine) = program.routine_at(at) else {
            return true;
        };
        let ranges = &program.routines[routine as usize].ranges;
        let range = ranges
            .iter()
            .find(|(from, until)| (*from..*until).contains(&at));
        let bytes = range.and_then(|range| program.bytes(at, range.1));
        let instruction =
            Decoder::with_ip(64, bytes.unwrap_or_default(), at, DecoderOptions::NONE).decode();
        // An address that is formed may be written through; so may one that is
        // loaded from the global offset table.
        instruction.is_invalid()
            || instruction.mnemonic() == Mnemonic::Lea
            || named(program, &instruction) != Some(address)
            || factory
                .info(&instruction)
                .used_memory()
                .iter()
                .any(|memory| memory.access() != OpAccess::Read)
    });
    let pointed = !to(&program.pointers, start).is_empty()
        || program
            .words
            .values()
            .any(|word| word == Word::Address(start));
    if written || pointed {
        return None;
    }
    let value = program.content32(address)?;
    Some(format!(
        "nothing in the file writes {name}, which is {value}"
    ))
}

/// An instruction as text: mnemonic and operands, variables by name.
fn text(program: &Program<'_>, instruction: &Instruction) -> String {
    let mut out = format!("{:?}", instruction.mnemonic()).to_ascii_lowercase();
    for operand in 0..instruction.op_count() {
        out.push_str(if operand == 0 { " " } else { ", " });
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let register = format!("{:?}", instruction.op_register(operand));
                out.push_str(&register.to_ascii_lowercase());
            }
            OpKind::Memory => match named(program, instruction) {
                Some(address) => {
                    let name = program.variable_or_address(address);
                    out.push_str(&format!("[{}]", name.trim_matches(['[', ']'])));
                }
                None => out.push_str(&pointer(instruction)),
            },
            _ => match instruction.try_immediate(operand) {
                Ok(value) => out.push_str(&format!("{:#x}", value)),
                Err(_) => out.push('?'),
            },
        }
    }
    out
}

/// A memory operand with registers.
fn pointer(instruction: &Instruction) -> String {
    let mut parts = Vec::new();
    for register in [instruction.memory_base(), instruction.memory_index()] {
        if register != Register::None {
            parts.push(format!("{register:?}").to_ascii_lowercase());
        }
    }
    let displacement = instruction.memory_displacement64();
    if displacement != 0 {
        parts.push(format!("{displacement:#x}"));
    }
    format!("[{}]", parts.join("+"))
}
