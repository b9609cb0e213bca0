//! The control-flow graph of one routine.
//!
//! Jump tables are recognised in the two forms that GCC, LLVM and Go
//! emit: 32-bit distances from the table, and addresses. A jump that stays
//! unresolved may go to every block that nothing else leads to.

use super::blocks::{Decoded, Turn};
use super::code::{Code, DECODED, decode_into};
use super::names::never_returns;
use super::nexts::Nexts;
use super::program::{Entry, Program, Target, Word};
pub use super::sets::Bits;
use super::sets::Starts;
use super::sweep::Sweep;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::borrow::Cow;
use std::rc::Rc;

/// Routines with more instructions are not looked into.
const LARGEST: usize = 100_000;
/// Entries of one jump table at most.
const TABLE: u64 = 4096;
/// Instructions before an indirect jump among which its table is named.
const BACK: usize = 24;

/// A basic block.
pub struct Block {
    /// Address of its first byte.
    pub start: u64,
    /// Bytes.
    pub size: u32,
    /// The number of its first instruction in the routine.
    pub first: u32,
    /// Its instructions.
    pub count: u32,
    /// Blocks that may follow.
    pub next: Nexts,
    /// It leaves the routine, or calls what never returns.
    pub leaves: bool,
    /// Where its last instruction goes.
    pub last: FlowControl,
}

impl Block {
    /// Behind its last byte.
    pub fn end(&self) -> u64 {
        self.start + u64::from(self.size)
    }

    /// Whether it ends with a call.
    pub fn calls(&self) -> bool {
        matches!(self.last, FlowControl::Call | FlowControl::IndirectCall)
    }
}

/// The graph. A copy costs nothing.
#[derive(Clone)]
pub struct Flow {
    /// Sorted by address.
    pub blocks: Rc<Vec<Block>>,
    pub(crate) code: Code,
}

impl Flow {
    /// Decodes a routine; none if it is too large or does not decode.
    pub fn of(program: &Program<'_>, sweep: &Sweep, routine: u32) -> Option<Self> {
        let make = || Self::make(program, sweep, routine);
        sweep.recent.get(routine, make)
    }

    fn make(program: &Program<'_>, sweep: &Sweep, routine: u32) -> Option<Self> {
        if program.is_arm {
            return crate::a64::flow(program, sweep, routine);
        }
        let facts = sweep.facts.get(routine as usize)?;
        if facts.undecodable || facts.instructions as usize > LARGEST {
            return None;
        }
        let is_kept = facts.instructions as usize <= DECODED;
        let window = 4 * BACK;
        let mut instructions = Vec::with_capacity(match is_kept {
            true => facts.instructions as usize,
            false => window,
        });
        let ranges = &program.routines[routine as usize].ranges;
        let size: u64 = ranges.iter().map(|(start, end)| end - start).sum();
        let mut found = Decoded {
            ranges,
            starts: Starts::new(u32::try_from(size).ok()? as usize),
            count: 0,
            turns: Vec::new(),
            tables: Vec::new(),
            places: Vec::with_capacity(ranges.len()),
        };
        let mut before = 0;
        for &(start, end) in ranges {
            let bytes = program.bytes(start, end)?;
            let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
            let mut decoded = before;
            while decoder.can_decode() {
                if !is_kept && instructions.len() == window {
                    // A jump's table is named shortly before it.
                    instructions.drain(..window - BACK);
                }
                let instruction = decode_into(&mut decoder, &mut instructions);
                if instruction.is_invalid() {
                    instructions.pop();
                    break;
                }
                let place = std::mem::replace(&mut decoded, before + decoder.position());
                found.starts.add(place);
                found.count += 1;
                let flow = instruction.flow_control();
                if flow == FlowControl::Next {
                    continue;
                }
                let instruction = *instruction;
                let is_call = matches!(flow, FlowControl::Call | FlowControl::IndirectCall);
                if flow == FlowControl::IndirectBranch {
                    let targets = table(program, &instructions);
                    found.tables.push((place as u32, targets));
                }
                found.turns.push(Turn {
                    place: place as u32,
                    behind: decoded as u32,
                    flow,
                    comes_back: is_call && !ends(program, sweep, &instruction),
                    target: branch(&instruction),
                });
            }
            found.places.push((before as u32, decoded as u32));
            before += bytes.len();
        }
        if found.count == 0 {
            return None;
        }
        found.starts.count();
        let blocks = Rc::new(found.blocks(sweep));
        let code = match is_kept {
            true => Code::Decoded(Rc::new(instructions)),
            false => Code::bytes(program, ranges)?,
        };
        Some(Self { blocks, code })
    }

    /// How many instructions it has.
    pub fn count(&self) -> usize {
        self.blocks
            .last()
            .map_or(0, |last| (last.first + last.count) as usize)
    }

    /// Bytes that it takes, but for long lists of what may follow a block.
    pub(crate) fn size(&self) -> usize {
        self.blocks.len() * size_of::<Block>() + self.code.size()
    }

    /// Keeps no instructions: only what leads where is asked from now on.
    pub(crate) fn forget(&mut self) {
        self.code = Code::Gone;
    }

    /// The block that has an address.
    pub fn block_at(&self, address: u64) -> Option<u32> {
        let at = self.blocks.partition_point(|block| block.end() <= address);
        (self.blocks.get(at)?.start <= address).then_some(at as u32)
    }

    /// The instructions of a block.
    pub fn of_block(&self, block: u32) -> Cow<'_, [Instruction]> {
        self.code.of(&self.blocks[block as usize])
    }

    /// The same; where they have to be decoded, instead of what was in `room`.
    pub(crate) fn of_block_in<'l>(
        &'l self,
        block: u32,
        room: &'l mut Vec<Instruction>,
    ) -> &'l [Instruction] {
        self.code.of_in(&self.blocks[block as usize], room)
    }

    /// The instructions of all blocks, one block after the other.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction> + '_ {
        let blocks = 0..self.blocks.len() as u32;
        blocks.flat_map(|block| self.of_block(block).into_owned())
    }

    /// Whether the routine is left behind a block, and not by a call that does not come back.
    pub(crate) fn is_way_out(&self, block: u32) -> bool {
        let block = &self.blocks[block as usize];
        block.leaves && !block.calls()
    }

    /// Whether a place is come to whenever the routine is entered at `entry`, whatever its
    /// branches decide. A loop that never ends is not seen.
    #[must_use]
    pub fn always(&self, entry: u64, at: u64) -> bool {
        let (Some(first), Some(block)) = (self.block_at(entry), self.block_at(at)) else {
            return false;
        };
        let before = self.reach(&[first], |it| it == block, &[]);
        let ends =
            |number: u32| self.blocks[number as usize].next.is_empty() || self.is_way_out(number);
        let mut others = (0..self.blocks.len() as u32).filter(|it| *it != block && before.has(*it));
        before.has(block) && !others.any(ends)
    }

    /// The same of several places, each the last instruction of its block: whether one of them is
    /// come to.
    #[must_use]
    pub fn always_one(&self, entry: u64, places: &[u64]) -> bool {
        let Some(first) = self.block_at(entry) else {
            return false;
        };
        let blocks: Vec<u32> = (places.iter())
            .filter_map(|at| self.block_at(*at))
            .collect();
        // Behind a jump that is not taken it goes on.
        let is_jump = |it: u32| self.blocks[it as usize].last == FlowControl::ConditionalBranch;
        let before = self.reach(&[first], |it| blocks.contains(&it) && !is_jump(it), &[]);
        let ends =
            |number: u32| self.blocks[number as usize].next.is_empty() || self.is_way_out(number);
        let all = 0..self.blocks.len() as u32;
        let mut others = all.filter(|it| before.has(*it) && !blocks.contains(it));
        blocks.len() == places.len() && !others.any(ends)
    }

    /// Blocks that can be reached from `starts` without entering `wall` and
    /// without the edges of `cut`.
    pub fn reach(&self, starts: &[u32], wall: impl Fn(u32) -> bool, cut: &[(u32, u32)]) -> Bits {
        let mut seen = Bits::new(self.blocks.len());
        let mut cut = cut.to_vec();
        cut.sort_unstable();
        let mut has_cut = Bits::new(if cut.is_empty() { 0 } else { self.blocks.len() });
        for (block, _) in &cut {
            has_cut.insert(*block);
        }
        let mut open: Vec<u32> = Vec::new();
        for &start in starts {
            if seen.insert(start) && !wall(start) {
                open.push(start);
            }
        }
        while let Some(block) = open.pop() {
            for &next in &self.blocks[block as usize].next {
                let is_cut = !cut.is_empty()
                    && has_cut.has(block)
                    && cut.binary_search(&(block, next)).is_ok();
                if !is_cut && seen.insert(next) && !wall(next) {
                    open.push(next);
                }
            }
        }
        seen
    }
}

/// Where a direct branch goes.
pub fn branch(instruction: &Instruction) -> Option<u64> {
    (instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64)
        .then(|| instruction.near_branch_target())
}

/// What a call calls, where that is fixed: directly, through a linkage stub, or
/// through a slot of the global offset table.
pub fn callee<'a>(program: &Program<'a>, instruction: &Instruction) -> Option<Target<'a>> {
    if let Some(to) = branch(instruction) {
        let target = program.follow(to);
        return Some(match target {
            Target::Address(at) if at != to => picked(program, at),
            target => target,
        });
    }
    if !instruction.is_ip_rel_memory_operand() {
        return None;
    }
    match program.slot(instruction.ip_rel_memory_address())? {
        Word::Address(to) => Some(picked(program, to)),
        Word::Import(name) => Some(Target::Import(name)),
    }
}

/// What is called through a word of the linkage table: where that names a resolver, what it picked,
/// which tells something else than the resolver does.
fn picked<'a>(program: &Program<'a>, to: u64) -> Target<'a> {
    match program.entries.get(&to) {
        Some(Entry::Resolver) => Target::Import(""),
        _ => Target::Address(to),
    }
}

/// Whether a call does not come back.
fn ends(program: &Program<'_>, sweep: &Sweep, call: &Instruction) -> bool {
    match callee(program, call) {
        Some(Target::Import(name)) => never_returns(name),
        Some(Target::Address(to)) => program.routine_at(to).is_some_and(|routine| {
            let facts = &sweep.facts[routine as usize];
            let known = &program.routines[routine as usize];
            let named = known
                .names
                .iter()
                .any(|name| never_returns(name) || name.starts_with("runtime.panic"));
            known.start == to && (named || !facts.returns && !known.is_guess && !facts.undecodable)
        }),
        None => false,
    }
}

/// The targets of an indirect jump, the last of `instructions`.
fn table(program: &Program<'_>, instructions: &[Instruction]) -> Vec<u64> {
    let Some((jump, before)) = instructions.split_last() else {
        return Vec::new();
    };
    let back = &before[before.len().saturating_sub(BACK)..];
    if jump.op0_kind() == OpKind::Memory
        && !jump.is_ip_rel_memory_operand()
        && jump.memory_index() != Register::None
        && jump.memory_base() == Register::None
    {
        return addresses(program, jump.memory_displacement64(), jump.ip());
    }
    for (at, instruction) in back.iter().enumerate().rev() {
        // Microsoft's compiler: 32-bit distances from where the file begins.
        if program.image_base != 0
            && instruction.mnemonic() == Mnemonic::Mov
            && instruction.memory_index_scale() == 4
            && instruction.memory_size().size() == 4
            && names_base(program, &back[..at], instruction.memory_base())
        {
            let table = instruction.memory_displacement64();
            return from_base(program, program.image_base.wrapping_add(table), jump.ip());
        }
        if instruction.mnemonic() == Mnemonic::Mov
            && instruction.op_count() == 2
            && instruction.op1_kind() == OpKind::Memory
            && instruction.memory_index_scale() == 8
            && instruction.memory_base() == Register::None
        {
            return addresses(program, instruction.memory_displacement64(), jump.ip());
        }
        if instruction.mnemonic() == Mnemonic::Lea && instruction.is_ip_rel_memory_operand() {
            let base = instruction.ip_rel_memory_address();
            if !program.is_data(base) {
                continue;
            }
            let near = distances(program, base, jump.ip());
            return if near.is_empty() {
                addresses(program, base, jump.ip())
            } else {
                near
            };
        }
    }
    Vec::new()
}

/// A table of 32-bit distances from itself to the routine of `jump`.
fn distances(program: &Program<'_>, base: u64, jump: u64) -> Vec<u64> {
    let routine = program.routine_at(jump);
    let entry = |index: u64| {
        let distance = program.content32(base.checked_add(index * 4)?)?;
        let to = base.wrapping_add(i64::from(distance) as u64);
        (program.routine_at(to) == routine).then_some(to)
    };
    (0..TABLE).map_while(entry).collect()
}

/// Whether a register was last set to where the file begins.
fn names_base(program: &Program<'_>, before: &[Instruction], register: Register) -> bool {
    let mut sets = before.iter().rev();
    let last = sets.find(|set| {
        set.op_count() > 0
            && set.op0_kind() == OpKind::Register
            && set.op0_register().full_register() == register.full_register()
    });
    last.is_some_and(|set| {
        set.mnemonic() == Mnemonic::Lea
            && set.is_ip_rel_memory_operand()
            && set.ip_rel_memory_address() == program.image_base
    })
}

/// A table of 32-bit distances from the file's start to the routine of `jump`; it may lie
/// between functions.
fn from_base(program: &Program<'_>, table: u64, jump: u64) -> Vec<u64> {
    let routine = program.routine_at(jump);
    let entry = |index: u64| {
        let at = table.checked_add(index * 4)?;
        let bytes = program.bytes(at, at.checked_add(4)?);
        let distance = match bytes.and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => u32::from_le_bytes(bytes),
            None => program.content(at)? as u32,
        };
        let to = program.image_base.wrapping_add(u64::from(distance));
        (program.routine_at(to) == routine).then_some(to)
    };
    (0..TABLE).map_while(entry).collect()
}

/// A table of addresses in the routine of `jump`: tables of methods are no jump tables.
fn addresses(program: &Program<'_>, base: u64, jump: u64) -> Vec<u64> {
    let routine = program.routine_at(jump);
    let entry = |index: u64| match program.words.get(base.checked_add(index * 8)?)? {
        Word::Address(to) if program.routine_at(to) == routine => Some(to),
        _ => None,
    };
    (0..TABLE).map_while(entry).collect()
}
