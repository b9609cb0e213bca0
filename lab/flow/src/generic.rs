//! What an instruction does that is like most: what it writes comes from what it reads.

use super::branches::leaves_flag;
use super::state::{FLAGS, Source, State, Value, bit};
use super::walk::Walk;
use iced_x86::{Instruction, Mnemonic, OpAccess, OpKind};

impl Walk<'_> {
    /// Everything else: what is written comes from what is read.
    pub(super) fn generic(&mut self, state: &mut State, instruction: &Instruction) {
        let clears = matches!(
            instruction.mnemonic(),
            Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Vpxor
        ) && instruction.op_count() >= 2
            && instruction.op0_kind() == OpKind::Register
            && instruction.op1_kind() == OpKind::Register
            && instruction.op0_register() == instruction.op1_register();
        if clears {
            if let Some(bit) = bit(instruction.op0_register()) {
                state.set(bit, self.implied(bit));
                if let Some(place) = state.values.get_mut(usize::from(bit)) {
                    *place = Value::Unknown;
                }
            }
            state.set(FLAGS, None);
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
        let info = self.factory.info(instruction);
        let reads = |access| {
            matches!(
                access,
                OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
            )
        };
        let writes = |access| {
            matches!(
                access,
                OpAccess::Write
                    | OpAccess::CondWrite
                    | OpAccess::ReadWrite
                    | OpAccess::ReadCondWrite
            )
        };
        let mut written = [0u8; 8];
        let mut count = 0;
        for used in info.used_registers() {
            let register = used.register();
            let Some(bit) = bit(register) else { continue };
            if reads(used.access()) && bit != 4 {
                let narrow = register.size() <= 4;
                add(state.source(bit).filter(|s| *s != Source::Flag || narrow));
            }
            if writes(used.access()) && count < written.len() {
                written[count] = bit;
                count += 1;
            }
        }
        let mut stores = false;
        let mut loads = false;
        for used in info.used_memory() {
            loads |= reads(used.access());
            stores |= writes(used.access());
        }
        if loads {
            add(self.load(state, instruction));
        }
        let flags = instruction.rflags_modified() != 0;
        if instruction.rflags_read() != 0
            && let Some(source) = state.strong(FLAGS)
            && let Some(notes) = &mut self.notes
            && instruction.mnemonic() != Mnemonic::INVALID
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
