//! What an instruction does with a register or with memory, perhaps under a condition.

use super::state::bit;
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// Whether it reads what is there.
#[must_use]
pub fn reads(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

/// Whether it writes there.
#[must_use]
pub fn writes(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

/// Whether an instruction does nothing but to make what a vector register or a mask holds of what
/// others do: it names no memory and no other register, and has nothing to do with the flags.
#[must_use]
pub fn stays_in_vectors(instruction: &Instruction) -> bool {
    let is_one = |operand| match instruction.op_kind(operand) {
        OpKind::Register => {
            let register = instruction.op_register(operand);
            register.is_vector_register() || register.is_k()
        }
        OpKind::Immediate8 => operand > 0,
        _ => false,
    };
    let count = instruction.op_count();
    count > 0
        && (0..count).all(is_one)
        && instruction.rflags_modified() == 0
        && instruction.rflags_read() == 0
}

/// What an instruction does with a register, or with memory.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// A register; what is read to find memory too.
    Register(Register, OpAccess),
    /// Memory.
    Memory(OpAccess),
}

/// Tells what an instruction uses: registers, then memory. Of most that is said by their operands,
/// for which the decoder, which knows of all, is not asked. With `are_free` nothing is asked of
/// what vector registers hold, so that it need not be told when they are read.
pub fn uses(
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    are_free: bool,
    mut tell: impl FnMut(Use),
) {
    let known = plain(instruction);
    let known = known.or_else(|| are_free.then(|| of_vectors(instruction))?);
    let Some(accesses) = known else {
        return decoded(factory, instruction, tell);
    };
    let mut memory = None;
    let accesses = accesses
        .into_iter()
        .chain(std::iter::repeat(OpAccess::Read));
    for (operand, access) in (0..instruction.op_count()).zip(accesses) {
        match instruction.op_kind(operand) {
            OpKind::Register => tell(Use::Register(instruction.op_register(operand), access)),
            OpKind::Memory => {
                for part in [instruction.memory_base(), instruction.memory_index()] {
                    if part != Register::None {
                        tell(Use::Register(part, OpAccess::Read));
                    }
                }
                memory = Some(access);
            }
            _ => {}
        }
    }
    memory
        .into_iter()
        .for_each(|access| tell(Use::Memory(access)));
}

/// Tells what the decoder says that an instruction uses.
fn decoded(
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    mut tell: impl FnMut(Use),
) {
    let info = factory.info(instruction);
    for used in info.used_registers() {
        tell(Use::Register(used.register(), used.access()));
    }
    for used in info.used_memory() {
        tell(Use::Memory(used.access()));
    }
}

/// What an instruction does with its operands, where it uses nothing else; none where it is not
/// known here, and where two of them are one register.
fn plain(instruction: &Instruction) -> Option<[OpAccess; 3]> {
    use Mnemonic as M;
    use OpAccess::{Read, ReadWrite, Write};
    let count = instruction.op_count();
    let accesses = match instruction.mnemonic() {
        M::Add | M::Sub | M::And | M::Or | M::Xor | M::Adc | M::Sbb => [ReadWrite, Read, Read],
        M::Inc | M::Dec | M::Neg | M::Not | M::Shl | M::Shr | M::Sar => [ReadWrite, Read, Read],
        M::Cmp | M::Test => [Read; 3],
        M::Mov | M::Movzx | M::Movsx | M::Movsxd => [Write, Read, Read],
        M::Imul if count == 2 => [ReadWrite, Read, Read],
        M::Imul if count == 3 => [Write, Read, Read],
        _ => return None,
    };
    let mut seen = 0u32;
    let mut add = |register: Register| {
        let place = match register {
            Register::None | Register::RIP => return true,
            _ => bit(register).filter(|at| *at < 16),
        };
        let is_new = place.is_some_and(|at| seen >> at & 1 == 0);
        seen |= place.map_or(0, |at| 1 << at);
        is_new
    };
    let are_apart = (0..count).all(|operand| match instruction.op_kind(operand) {
        OpKind::Register => add(instruction.op_register(operand)),
        OpKind::Memory => add(instruction.memory_base()) && add(instruction.memory_index()),
        _ => true,
    });
    are_apart.then_some(accesses)
}

/// The same of an instruction that has to do with vector registers and masks, and with memory,
/// and nothing else: only what it writes is told of registers.
fn of_vectors(instruction: &Instruction) -> Option<[OpAccess; 3]> {
    use OpAccess::{Read, Write};
    let count = instruction.op_count();
    let (mut has_vector, mut has_memory) = (false, false);
    let are_ones = (0..count).all(|operand| match instruction.op_kind(operand) {
        OpKind::Register => {
            let register = instruction.op_register(operand);
            has_vector = true;
            register.is_vector_register() || register.is_k()
        }
        OpKind::Memory => {
            has_memory = true;
            true
        }
        OpKind::Immediate8 => operand > 0,
        _ => false,
    });
    let is_one = are_ones
        && has_vector
        && has_memory
        && !instruction.is_vsib()
        && instruction.rflags_modified() == 0
        && instruction.rflags_read() == 0;
    is_one.then_some([Write, Read, Read])
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Code, Decoder, DecoderOptions};
    use std::collections::HashSet;

    /// Of every instruction that is told so the decoder says the same.
    #[test]
    fn nothing_else_is_used() {
        let mut factory = InstructionInfoFactory::new();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut seen: HashSet<Code> = HashSet::new();
        for round in 0..3_000_000u32 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut bytes = u128::from(state)
                .wrapping_mul(0x1_0000_0000_0000_0001)
                .to_le_bytes();
            match round % 4 {
                0 => bytes[..2].copy_from_slice(&[0x66, 0x0f]),
                1 => bytes[0] = 0xc5,
                2 => bytes[0] = 0xc4,
                _ => bytes[0] = 0x62,
            }
            let instruction = Decoder::new(64, &bytes, DecoderOptions::NONE).decode();
            if instruction.is_invalid() || !stays_in_vectors(&instruction) {
                continue;
            }
            seen.insert(instruction.code());
            let info = factory.info(&instruction);
            assert!(info.used_memory().is_empty(), "{instruction:?}");
            let mut used = info.used_registers().iter();
            let is_vector = used.all(|used| bit(used.register()).is_some_and(|bit| bit >= 16));
            assert!(is_vector, "{instruction:?}");
        }
        assert!(seen.len() > 500, "{}", seen.len());
    }

    /// Of every instruction whose operands say what it uses the decoder says the same.
    #[test]
    fn operands_say_what_is_used() {
        type Uses = (Vec<(u8, usize)>, Vec<u8>, [Vec<OpAccess>; 1]);
        fn add(uses: &mut Uses, used: Use) {
            match used {
                Use::Register(register, access) => {
                    let Some(at) = bit(register) else { return };
                    if reads(access) {
                        uses.0.push((at, register.size()));
                    }
                    if writes(access) {
                        uses.1.push(at);
                    }
                    assert!(reads(access) || writes(access), "{access:?}");
                }
                Use::Memory(access) => uses.2[0].push(access),
            }
        }
        let mut factory = InstructionInfoFactory::new();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut seen: HashSet<Code> = HashSet::new();
        for round in 0..4_000_000u32 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut bytes = u128::from(state)
                .wrapping_mul(0x1_0000_0000_0000_0001)
                .to_le_bytes();
            match round % 5 {
                0 => bytes[0] = 0x0f,
                1 => bytes[0] = 0x48 | bytes[0] & 7,
                2 => (bytes[0], bytes[1]) = (0x48 | bytes[0] & 7, 0x0f),
                3 => bytes[0] = 0x66,
                _ => {}
            }
            let instruction = Decoder::new(64, &bytes, DecoderOptions::NONE).decode();
            if instruction.is_invalid() || plain(&instruction).is_none() {
                continue;
            }
            seen.insert(instruction.code());
            let (mut told, mut asked) = (Uses::default(), Uses::default());
            uses(&mut factory, &instruction, false, |used| {
                add(&mut told, used);
            });
            decoded(&mut factory, &instruction, |used| add(&mut asked, used));
            assert_eq!(told, asked, "{bytes:x?}, {instruction:?}");
        }
        assert!(seen.len() > 120, "{}", seen.len());
    }

    /// Of what has to do with vectors and memory the decoder says the same, but for which of
    /// vector registers are read.
    #[test]
    fn operands_of_vector_instructions_say_what_is_used() {
        type Uses = (Vec<u8>, Vec<u8>, [bool; 2]);
        fn add(uses: &mut Uses, used: Use) {
            match used {
                Use::Register(register, access) => {
                    let Some(at) = bit(register) else { return };
                    if reads(access) && at < 16 {
                        uses.0.push(at);
                    }
                    if writes(access) {
                        uses.1.push(at);
                    }
                }
                Use::Memory(access) => {
                    uses.2[0] |= reads(access);
                    uses.2[1] |= writes(access);
                }
            }
        }
        let mut factory = InstructionInfoFactory::new();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut seen: HashSet<Code> = HashSet::new();
        for round in 0..6_000_000u32 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut bytes = u128::from(state)
                .wrapping_mul(0x1_0000_0000_0000_0001)
                .to_le_bytes();
            match round % 6 {
                0 => (bytes[0], bytes[1]) = (0x66, 0x0f),
                1 => (bytes[0], bytes[1]) = (0xf3, 0x0f),
                2 => bytes[0] = 0x0f,
                3 => bytes[0] = 0xc5,
                4 => (bytes[0], bytes[1]) = (0xc4, bytes[1] & 0xe3),
                _ => (bytes[0], bytes[1]) = (0x62, bytes[1] & 0xf7),
            }
            let instruction = Decoder::new(64, &bytes, DecoderOptions::NONE).decode();
            if instruction.is_invalid() || of_vectors(&instruction).is_none() {
                continue;
            }
            seen.insert(instruction.code());
            let (mut told, mut asked) = (Uses::default(), Uses::default());
            uses(&mut factory, &instruction, true, |used| {
                add(&mut told, used);
            });
            decoded(&mut factory, &instruction, |used| add(&mut asked, used));
            assert_eq!(told, asked, "{bytes:x?}, {instruction:?}");
        }
        assert!(seen.len() > 500, "{}", seen.len());
    }

    #[test]
    fn what_names_other_registers_does_not_stay() {
        let is_one = |bytes: &[u8]| {
            stays_in_vectors(&Decoder::new(64, bytes, DecoderOptions::NONE).decode())
        };
        // vpaddd xmm0, xmm1, xmm2; pshufd xmm0, xmm1, 5
        assert!(is_one(&[0xc5, 0xf1, 0xfe, 0xc2]) && is_one(&[0x66, 0x0f, 0x70, 0xc1, 5]));
        // movd eax, xmm0; movd xmm0, eax; ptest xmm0, xmm0; movups xmm0, [rax]; vzeroupper; ret
        let others: [&[u8]; 6] = [
            &[0x66, 0x0f, 0x7e, 0xc0],
            &[0x66, 0x0f, 0x6e, 0xc0],
            &[0x66, 0x0f, 0x38, 0x17, 0xc0],
            &[0x0f, 0x10, 0],
            &[0xc5, 0xf8, 0x77],
            &[0xc3],
        ];
        for bytes in others {
            assert!(!is_one(bytes), "{bytes:x?}");
        }
    }
}
