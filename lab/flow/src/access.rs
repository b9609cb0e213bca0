//! What an instruction does with a register or with memory, perhaps under a condition.

use iced_x86::{Instruction, OpAccess, OpKind};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::bit;
    use iced_x86::{Code, Decoder, DecoderOptions, InstructionInfoFactory};
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
