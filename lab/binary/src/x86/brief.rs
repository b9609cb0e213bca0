//! What is known of one x86-64 instruction, in brief.

use iced_x86::{Instruction, OpKind, Register};

/// The number of no base register, of RIP, and of one that has 32 bits.
pub(crate) const NO_BASE: u8 = 16;
pub(crate) const RIP: u8 = 17;
const SHORT_BASE: u8 = 18;
/// Of the stack pointer, and of the frame's.
const RSP: u8 = 4;
const RBP: u8 = 5;

/// What is known of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// The number of its [`Code`](iced_x86::Code).
    pub code: u16,
    /// Bytes.
    pub length: u8,
    /// It names memory in an operand of its own.
    pub has_memory: bool,
    /// That is the first operand.
    pub is_first: bool,
    /// Its only operand is where it goes, by a distance.
    pub is_branch: bool,
    /// A write mask is set.
    pub has_mask: bool,
    /// It has a displacement of four bytes, or a number of that or more, which is no branch's.
    pub has_word: bool,
    pub(crate) base: u8,
    pub(crate) has_index: bool,
    /// Memory behind FS or GS.
    pub(crate) has_segment: bool,
    /// Bytes of the displacement; eight for four, as the decoder has it.
    pub(crate) displacement_size: u8,
    /// The displacement; of RIP the address that is named.
    pub(crate) displacement: u64,
    /// The last immediate with its sign, where it has four or eight bytes; of a branch where it
    /// goes.
    pub immediate: u64,
}

impl Brief {
    /// What is asked of it, of an instruction that was decoded in full.
    #[must_use]
    pub fn of(instruction: &Instruction) -> Self {
        let is_memory = |operand| instruction.op_kind(operand) == OpKind::Memory;
        let count = instruction.op_count();
        let is_branch = count > 0 && instruction.op0_kind() == OpKind::NearBranch64;
        let base = match instruction.memory_base() {
            Register::None => NO_BASE,
            Register::RIP | Register::EIP => RIP,
            register if register.is_gpr64() => register.number() as u8,
            _ => SHORT_BASE,
        };
        let segment = instruction.memory_segment();
        let has_number = !is_branch && immediate(instruction) != 0;
        Self {
            code: instruction.code() as u16,
            length: instruction.len() as u8,
            has_memory: (0..count).any(is_memory),
            is_first: count > 0 && is_memory(0),
            is_branch,
            has_mask: instruction.has_op_mask(),
            has_word: instruction.memory_displ_size() >= 4 || has_number,
            base,
            has_index: instruction.memory_index() != Register::None,
            has_segment: matches!(segment, Register::FS | Register::GS),
            displacement_size: instruction.memory_displ_size() as u8,
            displacement: instruction.memory_displacement64(),
            immediate: match is_branch {
                true => instruction.near_branch_target(),
                false => immediate(instruction),
            },
        }
    }

    /// The last immediate; 0 of branches.
    #[must_use]
    pub fn number(&self) -> u64 {
        if self.is_branch { 0 } else { self.immediate }
    }

    /// The address that it names by its distance from the next instruction.
    #[must_use]
    pub fn named(&self) -> Option<u64> {
        (self.base == RIP).then_some(self.displacement)
    }

    /// The displacement, where it may be an address: it has four bytes or more.
    #[must_use]
    pub fn absolute(&self) -> Option<u64> {
        (self.displacement_size >= 4 && !self.has_segment).then_some(self.displacement)
    }

    /// The displacement where a segment's base is added to it and nothing else: on Linux the
    /// place of a variable of the thread.
    #[must_use]
    pub fn of_thread(&self) -> Option<u64> {
        let is_one = self.has_segment && self.displacement_size >= 4 && self.base == NO_BASE;
        (is_one && !self.has_index).then_some(self.displacement)
    }

    /// The distance from a pointer, where the memory is named by a base and no index, and is
    /// no slot of the stack.
    #[must_use]
    pub fn distance(&self) -> Option<u64> {
        let at = self.displacement as i64;
        let is_plain = self.base < NO_BASE && !self.has_index && !self.has_segment;
        let is_frame = self.base == RSP || self.base == RBP && at < 0;
        (is_plain && !is_frame && at >= 0).then_some(at as u64)
    }
}

/// The last immediate.
pub(crate) fn immediate(instruction: &Instruction) -> u64 {
    let last = (instruction.op_count().checked_sub(1)).map(|last| instruction.op_kind(last));
    match last {
        Some(OpKind::Immediate32) => instruction.immediate32() as i32 as u64,
        Some(OpKind::Immediate64) => instruction.immediate64(),
        Some(OpKind::Immediate32to64) => instruction.immediate32to64() as u64,
        _ => 0,
    }
}
