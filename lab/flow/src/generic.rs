//! What an instruction does that is like most: what it writes comes from what it reads.

use super::access::{Use, reads, stays_in_vectors, uses, writes};
use super::branches::leaves_flag;
use super::state::{FLAGS, Source, State, Value, bit};
use super::walk::Walk;
use iced_x86::{Instruction, Mnemonic, OpKind};

impl Walk<'_> {
    /// Everything else: what is written comes from what is read.
    pub(super) fn generic(&mut self, state: &mut State, instruction: &Instruction) {
        if clears(instruction) {
            if let Some(bit) = bit(instruction.op0_register()) {
                state.set(bit, self.implied(bit));
                if let Some(place) = state.values.get_mut(usize::from(bit)) {
                    *place = Value::Unknown;
                }
            }
            state.set(FLAGS, None);
            return;
        }
        // Most of what kernels do.
        let are_free = !state.has_vectors();
        if are_free && stays_in_vectors(instruction) {
            return;
        }
        let leaves_flag = leaves_flag(instruction);
        let mut source: Option<Source> = None;
        let mut add = |new: Option<Source>| {
            if let Some(new) = new
                && (new != Source::Flag || leaves_flag)
            {
                source = Some(source.map_or(new, |old| old.more(Some(new))));
            }
        };
        if instruction.rflags_read() != 0 {
            add(state.strong(FLAGS));
        }
        // Setting a bit under a gate makes an answer.
        if self.decided
            && instruction.mnemonic() == Mnemonic::Or
            && instruction.try_immediate(1).is_ok()
        {
            add(Some(Source::Cpu));
        }
        let mut written = [0u8; 8];
        let mut count = 0;
        let mut stores = false;
        let mut loads = false;
        uses(&mut self.factory, instruction, are_free, |used| {
            let (register, access) = match used {
                Use::Register(register, access) => (register, access),
                Use::Memory(access) => {
                    loads |= reads(access);
                    stores |= writes(access);
                    return;
                }
            };
            let Some(bit) = bit(register) else { return };
            if reads(access) && bit != 4 {
                // A flag is small, one of a vector's upper bits that is shifted down, or a bit
                // that is asked for: of a pointer nobody does in all of its 64.
                let narrow = register.size() <= 4
                    || instruction.mnemonic() == Mnemonic::Shr
                    || instruction.mnemonic() == Mnemonic::Test
                        && instruction.try_immediate(1).is_ok();
                add(state.source(bit).filter(|s| *s != Source::Flag || narrow));
            }
            if writes(access) && count < written.len() {
                written[count] = bit;
                count += 1;
            }
        });
        if loads {
            add(self.load(state, instruction));
        }
        if loads {
            self.note_load(state, instruction);
        }
        let flags = instruction.rflags_modified() != 0;
        if instruction.rflags_read() != 0
            && let Some(source) = state.strong(FLAGS)
            && let Some(notes) = &mut self.notes
            && instruction.op_count() == 2
        {
            // A conditional move chooses.
            notes.chooses.get_or_insert((instruction.ip(), source));
        }
        for &register in &written[..count] {
            if register == 4 {
                state.values[4] = Value::Unknown;
                continue;
            }
            state.set(register, source);
            if let Some(place) = state.values.get_mut(usize::from(register)) {
                *place = Value::Unknown;
            }
        }
        if flags {
            state.set(FLAGS, source);
        }
        if stores {
            // Setting a bit under a gate.
            let constant = instruction.op_count() == 2 && instruction.try_immediate(1).is_ok();
            self.store(state, instruction, source, constant, false);
        }
    }
}

/// Whether an instruction clears a whole register: both its sources are the same. Of
/// `vpxor` these are the last two operands; what clears a byte leaves an answer above it.
fn clears(instruction: &Instruction) -> bool {
    let is_one = matches!(
        instruction.mnemonic(),
        Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Vpxor
    );
    let count = instruction.op_count();
    if !is_one || count < 2 || instruction.op0_register().size() < 4 {
        return false;
    }
    let is_register = |operand| instruction.op_kind(operand) == OpKind::Register;
    is_register(count - 1)
        && is_register(count - 2)
        && instruction.op_register(count - 1) == instruction.op_register(count - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    #[test]
    fn what_clears_a_register() {
        let is_one = |bytes: &[u8]| clears(&Decoder::new(64, bytes, DecoderOptions::NONE).decode());
        let xor_eax_eax = [0x31, 0xc0];
        let vpxor_xmm0_xmm1_xmm1 = [0xc5, 0xf1, 0xef, 0xc1];
        assert!(is_one(&xor_eax_eax) && is_one(&vpxor_xmm0_xmm1_xmm1));
        let xor_ah_ah = [0x30, 0xe4];
        let vpxor_xmm0_xmm0_xmm1 = [0xc5, 0xf9, 0xef, 0xc1];
        let xor_eax_ebx = [0x31, 0xd8];
        let xor_memory_eax = [0x31, 0x00];
        for bytes in [
            &xor_ah_ah[..],
            &vpxor_xmm0_xmm0_xmm1,
            &xor_eax_ebx,
            &xor_memory_eax,
        ] {
            assert!(!is_one(bytes), "{bytes:x?}");
        }
    }
}
