//! The control-flow graph of one routine.
//!
//! A jump that stays unresolved may go to every block that nothing else leads to.

use super::blocks::{Decoded, Turn};
use super::code::{Code, DECODED, decode_into};
use super::jumps::{self, BACK, Table};
use super::names::never_returns;
use super::nexts::Nexts;
use super::program::{Entry, Program, Target, Word};
pub use super::sets::Bits;
use super::sweep::Sweep;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};
use std::borrow::Cow;
use std::rc::Rc;

/// Routines with more instructions are not looked into.
const LARGEST: usize = 100_000;

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
        let mut found = Decoded::new(ranges, u32::try_from(size).ok()?);
        let mut tables = Vec::new();
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
                    tables.push((place as u32, Table::of(program, &instructions)));
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
        found.tables = jumps::apart(tables, program.image_base != 0);
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
    callee(program, call).is_some_and(|target| ends_in(program, sweep, target))
}

/// Whether what is called does not come back.
pub(crate) fn ends_in(program: &Program<'_>, sweep: &Sweep, called: Target<'_>) -> bool {
    match called {
        Target::Import(name) => never_returns(name),
        Target::Address(to) => program.routine_at(to).is_some_and(|routine| {
            let facts = &sweep.facts[routine as usize];
            let known = &program.routines[routine as usize];
            let named = known
                .names
                .iter()
                .any(|name| never_returns(name) || name.starts_with("runtime.panic"));
            known.start == to && (named || !facts.returns && !known.is_guess && !facts.undecodable)
        }),
    }
}
