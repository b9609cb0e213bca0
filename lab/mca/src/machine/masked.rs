//! Instructions of AVX-512 with masks: where the results go that lanes give, and comparisons
//! whose results are masks. Those that kernels of long integers have.

use super::Machine;
use super::lanes::number;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

impl Machine<'_> {
    /// Executes an instruction; says whether it was one of these.
    pub(super) fn masked(&mut self, i: &Instruction) -> bool {
        let width = self.width(i);
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            return self.compared(i);
        }
        let Some((bytes, lane)) = self.result(i, width) else {
            return false;
        };
        self.put(i, &bytes, lane);
        true
    }

    /// Bytes that an instruction works on.
    fn width(&self, i: &Instruction) -> usize {
        let sizes = (0..i.op_count())
            .filter(|operand| i.op_kind(*operand) == OpKind::Register)
            .map(|operand| i.op_register(operand))
            .filter(|register| register.is_vector_register());
        sizes.map(Register::size).max().unwrap_or(0)
    }

    /// What all lanes of the first operand would be, and the bytes of a lane.
    fn result(&self, i: &Instruction, width: usize) -> Option<(Vec<u8>, usize)> {
        let last = i.op_count().saturating_sub(1);
        let of = |operand| self.vector_bytes(i, operand, width);
        let each = |a: &[u8], b: &[u8], function: &dyn Fn(u64, u64) -> u64| {
            let lanes = (0..width).step_by(8);
            let lane = |at| function(number(a, at, 8), number(b, at, 8)).to_le_bytes();
            lanes.flat_map(lane).collect::<Vec<u8>>()
        };
        // Masks have a bit for each lane of the size that the name tells, whatever is moved.
        let lane = match i.mnemonic() {
            M::Vbroadcasti32x4 | M::Vinserti32x4 | M::Vextracti32x4 => 4,
            _ => 8,
        };
        let shifted = |value: u64, by: u64, left: bool| match (by, left) {
            (64.., _) => 0,
            (_, true) => value << by,
            (_, false) => value >> by,
        };
        Some(match i.mnemonic() {
            M::Vmovdqu64 | M::Vmovdqa64 if i.op_mask() != Register::None => (of(1), 8),
            M::Vpsrlvq => (each(&of(1), &of(2), &|a, by| shifted(a, by, false)), 8),
            M::Vpsllvq => (each(&of(1), &of(2), &|a, by| shifted(a, by, true)), 8),
            // Both as one number, moved down, and its lower half.
            M::Vpshrdq => {
                let by = self.value(i, last) as u32 % 64;
                let both = |a: u64, b: u64| (u128::from(b) << 64 | u128::from(a)) >> by;
                (each(&of(1), &of(2), &|a, b| both(a, b) as u64), 8)
            }
            M::Vpshldq => {
                let by = self.value(i, last) as u32 % 64;
                let both = |a: u64, b: u64| (u128::from(a) << 64 | u128::from(b)) << by;
                (each(&of(1), &of(2), &|a, b| (both(a, b) >> 64) as u64), 8)
            }
            M::Vpermq if i.op_kind(last) != OpKind::Immediate8 => {
                let (places, from) = (of(1), of(2));
                let lane = |at| number(&from, number(&places, at, 8) as usize % (width / 8) * 8, 8);
                let lanes = (0..width).step_by(8);
                (lanes.flat_map(|at| lane(at).to_le_bytes()).collect(), 8)
            }
            // Lanes end to end go where the mask is set.
            M::Vpexpandd => {
                let (from, mask) = (of(1), self.masks[i.op_mask().number()]);
                let mut next = from.chunks_exact(4);
                let lane = |n: usize| match mask >> n & 1 {
                    1 => next.next().unwrap_or(&[0; 4]),
                    _ => &[0; 4],
                };
                ((0..width / 4).flat_map(lane).copied().collect(), 4)
            }
            M::Vmovdqu32 | M::Vmovdqa32 if i.op_mask() != Register::None => (of(1), 4),
            M::Vbroadcasti32x4 | M::Vbroadcasti64x4 => {
                let part = self.bytes(i, 1);
                (part.repeat(width / part.len().max(1)), lane)
            }
            M::Vinserti32x4 | M::Vinserti64x4 | M::Vinserti64x2 => {
                let part = if i.mnemonic() == M::Vinserti64x4 {
                    32
                } else {
                    16
                };
                let (mut bytes, new) = (of(1), self.bytes(i, 2));
                let place = self.value(i, last) as usize % (width / part) * part;
                bytes[place..place + part].copy_from_slice(&new[..part]);
                (bytes, lane)
            }
            M::Vextracti32x4 | M::Vextracti64x4 | M::Vextracti64x2 => {
                let part = if i.mnemonic() == M::Vextracti64x4 {
                    32
                } else {
                    16
                };
                let from = self.bytes(i, 1);
                let place = self.value(i, last) as usize % (from.len() / part) * part;
                (from[place..place + part].to_vec(), lane)
            }
            M::Vpblendmb => (of(2), 1),
            M::Valignq => {
                let both = [of(2), of(1)].concat();
                let from = self.value(i, last) as usize % (width / 8) * 8;
                (both[from..from + width].to_vec(), 8)
            }
            M::Vpermb => {
                let (places, from) = (of(1), of(2));
                let byte = |place: &u8| from[usize::from(*place) % width];
                (places.iter().map(byte).collect(), 1)
            }
            _ => return self.shuffled(i, width),
        })
    }

    /// Writes the lanes that the mask has; the others stay, or become zero.
    pub(super) fn put(&mut self, i: &Instruction, bytes: &[u8], lane: usize) {
        let mask = match i.op_mask() {
            Register::None => u64::MAX,
            register => self.masks[register.number()],
        };
        let mut out = match i.op0_kind() {
            // Its other lanes are the first source's.
            OpKind::Register if i.mnemonic() == M::Vpblendmb => {
                self.vector_bytes(i, 1, bytes.len())
            }
            OpKind::Register => self.vectors[i.op0_register().number()][..bytes.len()].to_vec(),
            _ => self.memory.bytes(self.address(i), bytes.len() as u64),
        };
        let lanes = out.chunks_exact_mut(lane).zip(bytes.chunks_exact(lane));
        for (n, (out, new)) in lanes.enumerate() {
            if mask >> n & 1 == 1 {
                out.copy_from_slice(new);
            } else if i.zeroing_masking() {
                out.fill(0);
            }
        }
        match i.op0_kind() {
            OpKind::Register => self.set_bytes(i, &out),
            _ => {
                let address = self.address(i);
                self.memory.write(address, &out);
            }
        }
    }

    /// Comparisons of numbers and signs of bytes, to a mask.
    fn compared(&mut self, i: &Instruction) -> bool {
        let width = self.width(i);
        if i.mnemonic() == M::Vpmovb2m {
            let bytes = self.vector_bytes(i, 1, width);
            let signs = bytes.iter().map(|byte| u64::from(byte >> 7)).enumerate();
            let mask = signs.fold(0, |mask, (n, sign)| mask | sign << n);
            self.masks[i.op0_register().number()] = mask;
            return true;
        }
        let Some((kind, bytes)) = comparison(i.mnemonic()) else {
            return false;
        };
        // How, as the immediate of `vpcmpuq` says it; tests are of the bits of both.
        let (how, sign) = match kind {
            Kind::Unsigned => (self.value(i, 3) % 8, 0),
            Kind::Signed => (self.value(i, 3) % 8, 1 << (8 * bytes - 1)),
            Kind::Greater => (6, 1 << (8 * bytes - 1)),
            Kind::Equal | Kind::SomeBits | Kind::NoBits => (0, 0),
        };
        let (a, b) = (
            self.vector_bytes(i, 1, width),
            self.vector_bytes(i, 2, width),
        );
        let holds = |at: usize| {
            let (a, b) = (number(&a, at, bytes), number(&b, at, bytes));
            match kind {
                Kind::SomeBits => return a & b != 0,
                Kind::NoBits => return a & b == 0,
                _ => {}
            }
            // With the other sign, numbers with a sign are in the order of those without.
            let (a, b) = (a ^ sign, b ^ sign);
            let positive = match how % 4 {
                0 => a == b,
                1 => a < b,
                2 => a <= b,
                _ => false,
            };
            positive != (how >= 4)
        };
        let lanes = (0..width).step_by(bytes).enumerate();
        let mask = lanes.fold(0, |mask, (n, at)| mask | u64::from(holds(at)) << n);
        let allowed = match i.op_mask() {
            Register::None => u64::MAX,
            register => self.masks[register.number()],
        };
        self.masks[i.op0_register().number()] = mask & allowed;
        true
    }
}

/// What a comparison to a mask compares.
#[derive(Clone, Copy)]
enum Kind {
    /// By an immediate, numbers without a sign.
    Unsigned,
    /// By an immediate, numbers with a sign.
    Signed,
    /// Whether the first is greater, with signs.
    Greater,
    Equal,
    /// Whether both have a bit in common.
    SomeBits,
    NoBits,
}

/// The kind of a comparison to a mask, and the bytes of a lane.
fn comparison(mnemonic: M) -> Option<(Kind, usize)> {
    Some(match mnemonic {
        M::Vpcmpub => (Kind::Unsigned, 1),
        M::Vpcmpuw => (Kind::Unsigned, 2),
        M::Vpcmpud => (Kind::Unsigned, 4),
        M::Vpcmpuq => (Kind::Unsigned, 8),
        M::Vpcmpb => (Kind::Signed, 1),
        M::Vpcmpw => (Kind::Signed, 2),
        M::Vpcmpd => (Kind::Signed, 4),
        M::Vpcmpq => (Kind::Signed, 8),
        M::Vpcmpgtb => (Kind::Greater, 1),
        M::Vpcmpgtw => (Kind::Greater, 2),
        M::Vpcmpgtd => (Kind::Greater, 4),
        M::Vpcmpgtq => (Kind::Greater, 8),
        M::Vpcmpeqb => (Kind::Equal, 1),
        M::Vpcmpeqw => (Kind::Equal, 2),
        M::Vpcmpeqd => (Kind::Equal, 4),
        M::Vpcmpeqq => (Kind::Equal, 8),
        M::Vptestmb => (Kind::SomeBits, 1),
        M::Vptestmw => (Kind::SomeBits, 2),
        M::Vptestmd => (Kind::SomeBits, 4),
        M::Vptestmq => (Kind::SomeBits, 8),
        M::Vptestnmb => (Kind::NoBits, 1),
        M::Vptestnmw => (Kind::NoBits, 2),
        M::Vptestnmd => (Kind::NoBits, 4),
        M::Vptestnmq => (Kind::NoBits, 8),
        _ => return None,
    })
}
