//! Branches that are no question to the CPU, though what they compare is not followed: how full
//! a list is, and whether something was taken before.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Whether the branch that ends these instructions, a block, asks for something else than what
/// the CPU has.
pub(super) fn asks_nothing(block: &[Instruction]) -> bool {
    let Some((_, before)) = block.split_last() else {
        return false;
    };
    let setter = before
        .iter()
        .rposition(|it| it.rflags_modified() != 0)
        .map(|at| before.split_at(at));
    setter.is_some_and(|(before, rest)| is_order(before, &rest[0]) || is_taken(before, &rest[0]))
}

/// Two values of eight bytes, both from memory: pointers or lengths. Words of flags are masked
/// first where they are compared as a whole.
fn is_order(before: &[Instruction], compared: &Instruction) -> bool {
    let is_loaded = |register: Register| {
        let sets = |it: &&Instruction| {
            it.op0_kind() == OpKind::Register && it.op0_register().full_register() == register
        };
        let last = before.iter().rev().find(sets);
        last.is_some_and(|it| it.mnemonic() == Mnemonic::Mov && it.op1_kind() == OpKind::Memory)
    };
    let is_value = |operand| match compared.op_kind(operand) {
        OpKind::Register => {
            let register = compared.op_register(operand);
            register.is_gpr64() && is_loaded(register)
        }
        OpKind::Memory => compared.memory_size().size() == 8,
        _ => false,
    };
    compared.mnemonic() == Mnemonic::Cmp && is_value(0) && is_value(1)
}

/// Rust's `Option::take` of a pointer: it is read, zero is put in its place, and then it is
/// asked whether it was there.
fn is_taken(before: &[Instruction], tested: &Instruction) -> bool {
    let register = tested.op0_register();
    let is_test = tested.mnemonic() == Mnemonic::Test
        && tested.op0_kind() == OpKind::Register
        && tested.op1_kind() == OpKind::Register
        && register == tested.op1_register()
        && register.is_gpr64();
    let [.., read, emptied] = before else {
        return false;
    };
    let place = |it: &Instruction| {
        (
            it.memory_base(),
            it.memory_index(),
            it.memory_displacement64(),
            it.memory_segment(),
        )
    };
    is_test
        && read.mnemonic() == Mnemonic::Mov
        && read.op0_kind() == OpKind::Register
        && read.op1_kind() == OpKind::Memory
        && read.op0_register() == register
        && read.memory_index() == Register::None
        && read.memory_base() != register
        && emptied.mnemonic() == Mnemonic::Mov
        && emptied.op0_kind() == OpKind::Memory
        && emptied.memory_size().size() == 8
        && emptied.try_immediate(1).is_ok_and(|number| number == 0)
        && place(read) == place(emptied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    fn of(bytes: &[u8]) -> bool {
        let decoder = Decoder::new(64, bytes, DecoderOptions::NONE);
        asks_nothing(&decoder.into_iter().collect::<Vec<_>>())
    }

    #[test]
    fn pointers_are_compared_and_words_are_masked() {
        // mov rsi, [rax]; cmp rsi, [rax + 8]; movq xmm0, rax; je
        let full = [
            0x48, 0x8b, 0x30, 0x48, 0x3b, 0x70, 8, 0x66, 0x48, 0x0f, 0x6e, 0xc0, 0x74, 2,
        ];
        assert!(of(&full));
        // cmp rsi, [rax + 8]; je: it may be a mask.
        assert!(!of(&[0x48, 0x3b, 0x70, 8, 0x74, 2]));
        // mov esi, [rax]; cmp esi, [rax + 8]; je: as much as a flag.
        assert!(!of(&[0x8b, 0x30, 0x3b, 0x70, 8, 0x74, 2]));
        // mov rsi, [rax]; cmp rsi, 3; je
        assert!(!of(&[0x48, 0x8b, 0x30, 0x48, 0x83, 0xfe, 3, 0x74, 2]));
        // mov rsi, [rax]; and rsi, rcx; cmp rsi, [rax + 8]; je
        let masked = [
            0x48, 0x8b, 0x30, 0x48, 0x21, 0xce, 0x48, 0x3b, 0x70, 8, 0x74, 2,
        ];
        assert!(!of(&masked));
    }

    #[test]
    fn what_is_taken_is_emptied() {
        // mov rbx, [rax]; mov qword [rax], 0; test rbx, rbx; je
        let taken = [
            0x48, 0x8b, 0x18, 0x48, 0xc7, 0x00, 0, 0, 0, 0, 0x48, 0x85, 0xdb, 0x74, 2,
        ];
        assert!(of(&taken));
        // Another place is emptied; one is put there; nothing is.
        for (at, byte) in [(5, 0x01), (6, 1)] {
            let mut other = taken;
            other[at] = byte;
            assert!(!of(&other), "{at}");
        }
        assert!(!of(&[0x48, 0x8b, 0x18, 0x48, 0x85, 0xdb, 0x74, 2]));
    }
}
