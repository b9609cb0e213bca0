//! Vector instructions that move whole values, through which the compiler may copy
//! addresses and lengths. All others change nothing.

use super::Machine;
use super::lanes::number;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

impl Machine<'_> {
    pub(super) fn vector(&mut self, i: &Instruction) {
        if i.op_count() == 0 || self.in_lanes(i) {
            return;
        }
        match i.mnemonic() {
            M::Movups
            | M::Movaps
            | M::Movdqu
            | M::Movdqa
            | M::Movupd
            | M::Movapd
            | M::Lddqu
            | M::Vmovups
            | M::Vmovaps
            | M::Vmovdqu
            | M::Vmovdqa
            | M::Vmovupd
            | M::Vmovapd
            | M::Vmovdqu8
            | M::Vmovdqu16
            | M::Vmovdqu32
            | M::Vmovdqu64
            | M::Vmovdqa32
            | M::Vmovdqa64
            | M::Movntdq
            | M::Vmovntdq
                if i.op_mask() == Register::None =>
            {
                let bytes = self.bytes(i, 1);
                self.set_bytes(i, &bytes);
            }
            M::Movq
            | M::Vmovq
            | M::Movd
            | M::Vmovd
            | M::Movsd
            | M::Vmovsd
            | M::Movss
            | M::Vmovss
            | M::Kmovq
            | M::Kmovd
            | M::Kmovw
            | M::Kmovb => self.low(i),
            M::Movhps
            | M::Movhpd
            | M::Vmovhps
            | M::Vmovhpd
            | M::Movlps
            | M::Movlpd
            | M::Vmovlps
            | M::Vmovlpd => self.half(i),
            M::Pinsrq | M::Vpinsrq => {
                let last = i.op_count() - 1;
                let mut bytes = self.bytes(i, last - 2.min(last));
                if i.op_count() == 3 {
                    bytes = self.bytes(i, 0);
                }
                let place = (self.value(i, last) & 1) as usize * 8;
                bytes.resize(16, 0);
                let value = self.value(i, last - 1);
                bytes[place..place + 8].copy_from_slice(&value.to_le_bytes());
                self.set_bytes(i, &bytes);
            }
            M::Pextrb | M::Vpextrb => self.extract(i, 1),
            M::Pextrw | M::Vpextrw => self.extract(i, 2),
            M::Pextrd | M::Vpextrd => self.extract(i, 4),
            M::Pextrq | M::Vpextrq => self.extract(i, 8),
            M::Vpbroadcastq if i.op_mask() == Register::None => {
                let value = self.value(i, 1).to_le_bytes();
                let all = value.repeat(8);
                self.set_bytes(i, &all[..self.size(i, 0)]);
            }
            M::Vinserti128 | M::Vinsertf128 => {
                let mut bytes = self.bytes(i, 1);
                bytes.resize(32, 0);
                let place = (self.value(i, 3) & 1) as usize * 16;
                let part = self.bytes(i, 2);
                bytes[place..place + 16].copy_from_slice(&part[..16]);
                self.set_bytes(i, &bytes);
            }
            M::Vextracti128 | M::Vextractf128 => {
                let bytes = self.bytes(i, 1);
                let place = (self.value(i, 2) & 1) as usize * 16;
                let part = bytes[place..place + 16].to_vec();
                self.set_bytes(i, &part);
            }
            M::Kunpckbw | M::Kunpckwd | M::Kunpckdq => {
                let bits = match i.mnemonic() {
                    M::Kunpckbw => 8,
                    M::Kunpckwd => 16,
                    _ => 32,
                };
                let low = (1 << bits) - 1;
                let value = (self.value(i, 1) & low) << bits | self.value(i, 2) & low;
                self.set(i, value);
            }
            M::Pmovmskb
            | M::Vpmovmskb
            | M::Movmskps
            | M::Vmovmskps
            | M::Movmskpd
            | M::Vmovmskpd => {
                let lane = match i.mnemonic() {
                    M::Movmskps | M::Vmovmskps => 4,
                    M::Movmskpd | M::Vmovmskpd => 8,
                    _ => 1,
                };
                let bytes = self.bytes(i, 1);
                let signs = bytes
                    .chunks_exact(lane)
                    .map(|lane| u64::from(lane[lane.len() - 1] >> 7));
                let mask = signs
                    .enumerate()
                    .fold(0, |mask, (n, sign)| mask | sign << n);
                self.set(i, mask);
            }
            _ => {
                self.unknown.insert(i.mnemonic());
                // A number that comes from a vector is nobody's count.
                if i.op0_kind() == OpKind::Register && i.op0_register().is_gpr() {
                    self.set(i, 0);
                }
            }
        }
    }

    /// A number of `size` bytes out of a register, to a general register or memory.
    fn extract(&mut self, i: &Instruction, size: usize) {
        let bytes = self.bytes(i, 1);
        let place = self.value(i, 2) as usize % (16 / size) * size;
        self.set(i, number(&bytes, place, size));
    }

    /// All bytes of a vector operand.
    pub(super) fn bytes(&self, i: &Instruction, operand: u32) -> Vec<u8> {
        let size = self.size(i, operand);
        match i.op_kind(operand) {
            OpKind::Register if i.op_register(operand).is_vector_register() => {
                self.vectors[i.op_register(operand).number()][..size].to_vec()
            }
            OpKind::Memory => self.memory.bytes(self.address(i), size as u64),
            _ => {
                let mut bytes = self.value(i, operand).to_le_bytes().to_vec();
                bytes.resize(16, 0);
                bytes
            }
        }
    }

    /// Writes the first operand, and zeros above it in a register.
    pub(super) fn set_bytes(&mut self, i: &Instruction, bytes: &[u8]) {
        match i.op0_kind() {
            OpKind::Register if i.op0_register().is_vector_register() => {
                let vector = &mut self.vectors[i.op0_register().number()];
                *vector = [0; 64];
                let count = bytes.len().min(64);
                vector[..count].copy_from_slice(&bytes[..count]);
            }
            OpKind::Register => {
                self.unknown.insert(i.mnemonic());
            }
            _ => {
                let (address, size) = (self.address(i), self.size(i, 0));
                let count = bytes.len().min(size);
                self.memory.write(address, &bytes[..count]);
            }
        }
    }

    /// The lowest number of a register, to or from a general register or memory.
    fn low(&mut self, i: &Instruction) {
        let mut value = self.value(i, i.op_count() - 1);
        value &= match i.mnemonic() {
            M::Kmovb => 0xff,
            M::Kmovw => 0xffff,
            M::Kmovd => 0xffff_ffff,
            _ => u64::MAX,
        };
        if i.op0_kind() == OpKind::Register && i.op0_register().is_vector_register() {
            let size = match i.mnemonic() {
                M::Movd | M::Vmovd | M::Movss | M::Vmovss => 4,
                _ => 8,
            };
            let value = value.to_le_bytes();
            // Between registers movss and movsd change the lowest number alone.
            let mut bytes = match i.mnemonic() {
                M::Movss | M::Vmovss | M::Movsd | M::Vmovsd
                    if i.op_kind(i.op_count() - 1) == OpKind::Register =>
                {
                    self.bytes(i, i.op_count() - 2)
                }
                _ => vec![0; 16],
            };
            bytes[..size].copy_from_slice(&value[..size]);
            self.set_bytes(i, &bytes);
        } else {
            self.set(i, value);
        }
    }

    /// One half of a register, to or from memory.
    fn half(&mut self, i: &Instruction) {
        let high = matches!(
            i.mnemonic(),
            M::Movhps | M::Movhpd | M::Vmovhps | M::Vmovhpd
        );
        let place = if high { 8 } else { 0 };
        if i.op0_kind() == OpKind::Memory {
            let bytes = self.vectors[i.op1_register().number()];
            let value = u64::from_le_bytes(bytes[place..place + 8].try_into().expect("8 bytes"));
            self.set(i, value);
            return;
        }
        let last = i.op_count() - 1;
        let value = self.value(i, last).to_le_bytes();
        let mut bytes = self.bytes(i, last - 1);
        bytes.resize(16, 0);
        bytes[place..place + 8].copy_from_slice(&value);
        self.set_bytes(i, &bytes);
    }
}
