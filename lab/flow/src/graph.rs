//! The control-flow graph of one routine.
//!
//! Leaders and edges as in Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition,
//! section 8.4. Jump tables are recognised in the two forms that GCC, LLVM and Go
//! emit: 32-bit distances from the table, and addresses. A jump that stays
//! unresolved may go to every block that nothing else leads to.

use super::names::never_returns;
use super::nexts::Nexts;
use super::program::{Entry, Program, Target, Word};
pub use super::sets::Bits;
use super::sets::Starts;
use super::sweep::{Sweep, within};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
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
    /// Behind its last byte.
    pub end: u64,
    /// Its instructions, as a range of [`Flow::instructions`].
    pub first: u32,
    /// Behind its last instruction.
    pub last: u32,
    /// Blocks that may follow.
    pub next: Nexts,
    /// It leaves the routine, or calls what never returns.
    pub leaves: bool,
}

/// The graph. A copy costs nothing.
#[derive(Clone)]
pub struct Flow {
    /// Sorted by address.
    pub blocks: Rc<Vec<Block>>,
    /// In address order; emptied once they were read.
    pub instructions: Rc<Vec<Instruction>>,
}

impl Flow {
    /// Decodes a routine; none if it is too large or does not decode.
    pub fn of(program: &Program<'_>, sweep: &Sweep, routine: u32) -> Option<Self> {
        let make = || Self::make(program, sweep, routine);
        sweep.recent.get(routine, make)
    }

    fn make(program: &Program<'_>, sweep: &Sweep, routine: u32) -> Option<Self> {
        let facts = sweep.facts.get(routine as usize)?;
        if facts.undecodable || facts.instructions as usize > LARGEST {
            return None;
        }
        let mut instructions = Vec::with_capacity(facts.instructions as usize);
        let ranges = &program.routines[routine as usize].ranges;
        let size: u64 = ranges.iter().map(|(start, end)| end - start).sum();
        // Of the bytes of the ranges, one after the other.
        let mut starts = Starts::new(usize::try_from(size).ok()?);
        let mut before = 0;
        for &(start, end) in ranges {
            let bytes = program.bytes(start, end)?;
            let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
            while decoder.can_decode() {
                let place = before + decoder.position();
                let instruction = decoder.decode();
                if instruction.is_invalid() {
                    break;
                }
                starts.add(place);
                instructions.push(instruction);
            }
            before += bytes.len();
        }
        if instructions.is_empty() {
            return None;
        }
        starts.count();
        let at = |address: u64| {
            let mut before = 0;
            for (start, end) in ranges {
                if (*start..*end).contains(&address) {
                    return starts.number((before + (address - start)) as usize);
                }
                before += end - start;
            }
            None
        };
        let mut leaders = vec![false; instructions.len() + 1];
        leaders[0] = true;
        // (instruction, targets) of resolved jump tables.
        let mut tables: Vec<(usize, Vec<usize>)> = Vec::new();
        // Calls that do not come back.
        let mut last_calls: Vec<usize> = Vec::new();
        for (index, instruction) in instructions.iter().enumerate() {
            match instruction.flow_control() {
                FlowControl::Next => continue,
                FlowControl::IndirectBranch => {
                    let targets: Vec<usize> = table(program, &instructions[..=index])
                        .into_iter()
                        .filter_map(at)
                        .collect();
                    targets.iter().for_each(|target| leaders[*target] = true);
                    tables.push((index, targets));
                }
                FlowControl::Call | FlowControl::IndirectCall => {
                    if !ends(program, sweep, instruction) {
                        continue;
                    }
                    last_calls.push(index);
                    if let Some(target) = branch(instruction).and_then(at) {
                        leaders[target] = true;
                    }
                }
                _ => {
                    if let Some(target) = branch(instruction).and_then(at) {
                        leaders[target] = true;
                    }
                }
            }
            leaders[index + 1] = true;
        }
        // Others may jump into the middle.
        for &(start, end) in &program.routines[routine as usize].ranges {
            for target in within(&sweep.edges, start, end)
                .iter()
                .filter_map(|r| at(r.0))
            {
                leaders[target] = true;
            }
        }
        // A gap between the ranges of a routine is a leader too.
        for index in 1..instructions.len() {
            if instructions[index - 1].next_ip() != instructions[index].ip() {
                leaders[index] = true;
            }
        }
        let firsts: Vec<usize> = (0..instructions.len()).filter(|i| leaders[*i]).collect();
        // By instruction: its block.
        let mut numbers = vec![0u32; instructions.len()];
        for (number, &first) in firsts.iter().enumerate() {
            numbers[first] = number as u32;
        }
        // Asked for where blocks begin only.
        let block_of = |index: usize| numbers[index];
        let mut blocks = Vec::with_capacity(firsts.len());
        let mut open_jumps = Vec::new();
        let mut next: Vec<u32> = Vec::new();
        for (number, &first) in firsts.iter().enumerate() {
            let last = firsts
                .get(number + 1)
                .map_or(instructions.len(), |next| *next);
            let end = &instructions[last - 1];
            let falls = || {
                (last < instructions.len() && instructions[last].ip() == end.next_ip())
                    .then(|| block_of(last))
            };
            next.clear();
            let mut leaves = false;
            match end.flow_control() {
                FlowControl::UnconditionalBranch => match branch(end).and_then(at) {
                    Some(target) => next.push(block_of(target)),
                    None => leaves = true,
                },
                FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => {
                    match branch(end).and_then(at) {
                        Some(target) => next.push(block_of(target)),
                        None => leaves = branch(end).is_some(),
                    }
                    // Behind its last instruction a routine runs on into another.
                    let fallen = falls();
                    leaves |= fallen.is_none();
                    next.extend(fallen);
                }
                FlowControl::IndirectBranch => {
                    let known = tables.binary_search_by_key(&(last - 1), |(index, _)| *index);
                    let known = known.map_or(&[][..], |known| &tables[known].1);
                    next.extend(known.iter().map(|target| block_of(*target)));
                    leaves = next.is_empty();
                    if leaves {
                        open_jumps.push(number);
                    }
                }
                FlowControl::Return | FlowControl::Exception => leaves = true,
                FlowControl::Call | FlowControl::IndirectCall
                    if last_calls.binary_search(&(last - 1)).is_ok() =>
                {
                    leaves = true;
                }
                _ => {
                    next.extend(falls());
                    leaves = next.is_empty();
                }
            }
            next.sort_unstable();
            next.dedup();
            blocks.push(Block {
                start: instructions[first].ip(),
                end: end.next_ip(),
                first: first as u32,
                last: last as u32,
                next: Nexts::from(&next[..]),
                leaves,
            });
        }
        adopt(&mut blocks, &open_jumps);
        Some(Self {
            blocks: Rc::new(blocks),
            instructions: Rc::new(instructions),
        })
    }

    /// The block that has an address.
    pub fn block_at(&self, address: u64) -> Option<u32> {
        let at = self.blocks.partition_point(|block| block.end <= address);
        (self.blocks.get(at)?.start <= address).then_some(at as u32)
    }

    /// The instructions of a block.
    pub fn of_block(&self, block: u32) -> &[Instruction] {
        let block = &self.blocks[block as usize];
        self.instructions
            .get(block.first as usize..block.last as usize)
            .unwrap_or_default()
    }

    /// Whether a place is come to whenever the routine is entered at `entry`, whatever its
    /// branches decide. A loop that never ends is not seen.
    #[must_use]
    pub fn always(&self, entry: u64, at: u64) -> bool {
        let (Some(first), Some(block)) = (self.block_at(entry), self.block_at(at)) else {
            return false;
        };
        let before = self.reach(&[first], |it| it == block, &[]);
        let ends = |number: u32| {
            let known = &self.blocks[number as usize];
            let last = self.of_block(number).last().map(Instruction::flow_control);
            let is_call = matches!(last, Some(FlowControl::Call | FlowControl::IndirectCall));
            known.next.is_empty() || known.leaves && !is_call
        };
        let mut others = (0..self.blocks.len() as u32).filter(|it| *it != block && before.has(*it));
        before.has(block) && !others.any(ends)
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

/// Gives blocks without predecessor to jumps that were not understood.
fn adopt(blocks: &mut [Block], jumps: &[usize]) {
    if jumps.is_empty() {
        return;
    }
    let mut has_one = vec![false; blocks.len()];
    for block in blocks.iter() {
        block
            .next
            .iter()
            .for_each(|next| has_one[*next as usize] = true);
    }
    let orphans: Vec<u32> = (1..blocks.len() as u32)
        .filter(|block| !has_one[*block as usize])
        .collect();
    // Many jumps and many orphans would be a large product for nothing.
    for jump in jumps.iter().take(16) {
        blocks[*jump].next = Nexts::from(&orphans[..]);
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
