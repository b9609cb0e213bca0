//! Registers, addresses, and operands of instructions as numbers.

use super::{Machine, THREAD};
use iced_x86::{Instruction, OpKind, Register};

impl Machine<'_> {
    /// A general register, or a part of one.
    pub(super) fn register(&self, register: Register) -> u64 {
        if register == Register::RIP || register == Register::None {
            return 0;
        }
        let whole = self.general[register.full_register().number()];
        match register.size() {
            8 => whole,
            4 => whole & 0xffff_ffff,
            2 => whole & 0xffff,
            _ if high(register) => whole >> 8 & 0xff,
            _ => whole & 0xff,
        }
    }

    /// Writes a general register, or a part of one.
    pub(super) fn set_register(&mut self, register: Register, value: u64) {
        let whole = &mut self.general[register.full_register().number()];
        *whole = match register.size() {
            8 => value,
            4 => value & 0xffff_ffff,
            2 => *whole & !0xffff | value & 0xffff,
            _ if high(register) => *whole & !0xff00 | (value & 0xff) << 8,
            _ => *whole & !0xff | value & 0xff,
        };
    }

    /// The address of a memory operand.
    pub(super) fn address(&self, instruction: &Instruction) -> u64 {
        if instruction.is_ip_rel_memory_operand() {
            return instruction.ip_rel_memory_address();
        }
        let index = match instruction.memory_index() {
            r if r.is_gpr() => self.register(r),
            // A vector of indices: the addresses do not matter.
            _ => 0,
        };
        let thread = match instruction.segment_prefix() {
            Register::FS | Register::GS => THREAD,
            _ => 0,
        };
        self.register(instruction.memory_base())
            .wrapping_add(index.wrapping_mul(instruction.memory_index_scale().into()))
            .wrapping_add(instruction.memory_displacement64())
            .wrapping_add(thread)
    }

    /// Bytes of an operand.
    pub(super) fn size(&self, instruction: &Instruction, operand: u32) -> usize {
        match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).size(),
            OpKind::Memory => instruction.memory_size().size(),
            _ => 8,
        }
    }

    /// An operand as a number of at most 8 bytes.
    pub(super) fn value(&self, instruction: &Instruction, operand: u32) -> u64 {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let register = instruction.op_register(operand);
                if register.is_gpr() {
                    self.register(register)
                } else if register.is_k() {
                    self.masks[register.number()]
                } else if register.is_vector_register() {
                    let vector = &self.vectors[register.number()];
                    u64::from_le_bytes(vector[..8].try_into().expect("8 bytes"))
                } else {
                    0
                }
            }
            OpKind::Memory => {
                let size = instruction.memory_size().size().min(8);
                self.memory.number(self.address(instruction), size)
            }
            _ => instruction.immediate(operand),
        }
    }

    /// Writes the first operand.
    pub(super) fn set(&mut self, instruction: &Instruction, value: u64) {
        match instruction.op0_kind() {
            OpKind::Register => {
                let register = instruction.op0_register();
                if register.is_gpr() {
                    self.set_register(register, value);
                } else if register.is_k() {
                    self.masks[register.number()] = value;
                } else {
                    self.unknown.insert(instruction.mnemonic());
                }
            }
            _ => {
                let address = self.address(instruction);
                let size = instruction.memory_size().size().min(8);
                self.memory.put(address, size, value);
            }
        }
    }
}

fn high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}
