//! Vector instructions that compute in lanes. The compiler uses them for counts and
//! places too, in functions that have AVX2.

use super::Machine;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

/// How two operands make a result, lane by lane.
enum Lanes {
    /// Lanes of so many bytes.
    Each(usize, fn(u64, u64) -> u64),
    /// The lower or the upper lanes of both, in turn: bytes of a lane, and whether they
    /// are the upper ones.
    Unpack(usize, bool),
}

fn lanes(mnemonic: M) -> Option<Lanes> {
    use Lanes::{Each, Unpack};
    Some(match mnemonic {
        M::Paddq | M::Vpaddq => Each(8, u64::wrapping_add),
        M::Paddd | M::Vpaddd => Each(4, u64::wrapping_add),
        M::Paddw | M::Vpaddw => Each(2, u64::wrapping_add),
        M::Psubq | M::Vpsubq => Each(8, u64::wrapping_sub),
        M::Psubd | M::Vpsubd => Each(4, u64::wrapping_sub),
        M::Psubw | M::Vpsubw => Each(2, u64::wrapping_sub),
        // Numbers with a point, rounded to the nearest: digits are multiplied by them where there
        // is no IFMA.
        M::Vaddpd => Each(8, |a, b| (f64::from_bits(a) + f64::from_bits(b)).to_bits()),
        M::Vsubpd => Each(8, |a, b| (f64::from_bits(a) - f64::from_bits(b)).to_bits()),
        M::Pmuludq | M::Vpmuludq => Each(8, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
        M::Vpmaxuq => Each(8, u64::max),
        M::Vpminuq => Each(8, u64::min),
        M::Pmaxud | M::Vpmaxud => Each(4, u64::max),
        M::Pminud | M::Vpminud => Each(4, u64::min),
        M::Pand | M::Vpand | M::Vandpd | M::Vpandq => Each(8, |a, b| a & b),
        M::Andps | M::Vandps | M::Vpandd => Each(4, |a, b| a & b),
        M::Por | M::Vpor | M::Orpd | M::Vorpd | M::Vporq => Each(8, |a, b| a | b),
        M::Orps | M::Vorps | M::Vpord => Each(4, |a, b| a | b),
        M::Pxor | M::Vpxor | M::Vxorpd | M::Vpxorq => Each(8, |a, b| a ^ b),
        M::Xorps | M::Vxorps | M::Vpxord => Each(4, |a, b| a ^ b),
        M::Pandn | M::Vpandn | M::Vpandnq => Each(8, |a, b| !a & b),
        M::Andnps | M::Vandnps | M::Vpandnd => Each(4, |a, b| !a & b),
        M::Pcmpeqq | M::Vpcmpeqq => Each(8, |a, b| if a == b { u64::MAX } else { 0 }),
        M::Pcmpeqd | M::Vpcmpeqd => Each(4, |a, b| if a == b { u64::MAX } else { 0 }),
        M::Pcmpeqb | M::Vpcmpeqb => Each(1, |a, b| if a == b { u64::MAX } else { 0 }),
        M::Pcmpgtd | M::Vpcmpgtd => Each(4, |a, b| if a as i32 > b as i32 { u64::MAX } else { 0 }),
        M::Pcmpgtq | M::Vpcmpgtq => Each(8, |a, b| if a as i64 > b as i64 { u64::MAX } else { 0 }),
        M::Punpcklqdq | M::Vpunpcklqdq | M::Movlhps | M::Vmovlhps => Unpack(8, false),
        M::Punpckhqdq | M::Vpunpckhqdq => Unpack(8, true),
        M::Punpcklbw | M::Vpunpcklbw => Unpack(1, false),
        M::Punpckhbw | M::Vpunpckhbw => Unpack(1, true),
        M::Punpcklwd | M::Vpunpcklwd => Unpack(2, false),
        M::Punpckhwd | M::Vpunpckhwd => Unpack(2, true),
        M::Punpckldq | M::Vpunpckldq => Unpack(4, false),
        M::Punpckhdq | M::Vpunpckhdq => Unpack(4, true),
        _ => return None,
    })
}

impl Machine<'_> {
    /// Executes an instruction in lanes; says whether it was one.
    pub(super) fn in_lanes(&mut self, i: &Instruction) -> bool {
        if self.masked(i) {
            return true;
        }
        // Comparisons whose result is a mask have the names of others.
        if i.op0_kind() != OpKind::Register || !i.op0_register().is_vector_register() {
            return false;
        }
        let width = self.size(i, 0);
        let last = i.op_count() - 1;
        if let Some(how) = lanes(i.mnemonic()) {
            let a = self.vector_bytes(i, last - 1, width);
            let b = self.vector_bytes(i, last, width);
            let mut out = vec![0; width];
            let lane = match how {
                Lanes::Each(bytes, function) => {
                    for at in (0..width).step_by(bytes) {
                        let result = function(number(&a, at, bytes), number(&b, at, bytes));
                        out[at..at + bytes].copy_from_slice(&result.to_le_bytes()[..bytes]);
                    }
                    bytes
                }
                Lanes::Unpack(bytes, upper) => {
                    for block in (0..width).step_by(16) {
                        let from = block + if upper { 8 } else { 0 };
                        for n in 0..8 / bytes {
                            let (source, to) = (from + n * bytes, block + 2 * n * bytes);
                            out[to..to + bytes].copy_from_slice(&a[source..source + bytes]);
                            out[to + bytes..to + 2 * bytes]
                                .copy_from_slice(&b[source..source + bytes]);
                        }
                    }
                    bytes
                }
            };
            self.put(i, &out, lane);
            return true;
        }
        if i.op_mask() != Register::None {
            return false;
        }
        self.multiply_add(i, width)
            || self.fused(i, width)
            || self.of_three(i, width)
            || self.by_immediate(i, width)
    }

    /// Functions of bits that the last operand says: of three operands, or of the bits of
    /// each byte, whose matrix of 8 by 8 is the second.
    fn of_three(&mut self, i: &Instruction, width: usize) -> bool {
        let operands = match i.mnemonic() {
            M::Vpternlogd | M::Vpternlogq => [0, 1, 2],
            M::Vgf2p8affineqb => [1, 2, 2],
            _ => return false,
        };
        let [a, b, c] = operands.map(|operand| self.vector_bytes(i, operand, width));
        let how = self.value(i, 3) as u8;
        let out: Vec<u8> = if i.mnemonic() == M::Vgf2p8affineqb {
            let row = |at: usize, bit: usize| b[at / 8 * 8 + 7 - bit];
            let bit = |at, bit| (u32::from(a[at] & row(at, bit)).count_ones() as u8 & 1) << bit;
            (0..width)
                .map(|at| (0..8).fold(how, |byte, n| byte ^ bit(at, n)))
                .collect()
        } else {
            let bit = |at: usize, n: usize| {
                let [a, b, c] = [&a, &b, &c].map(|bytes| bytes[at] >> n & 1);
                (how >> (4 * a + 2 * b + c) & 1) << n
            };
            (0..width)
                .map(|at| (0..8).fold(0, |byte, n| byte | bit(at, n)))
                .collect()
        };
        self.set_bytes(i, &out);
        true
    }

    /// Products of 52 bits, of which a half is added to the first operand.
    fn multiply_add(&mut self, i: &Instruction, width: usize) -> bool {
        let shift = match i.mnemonic() {
            M::Vpmadd52luq => 0,
            M::Vpmadd52huq => 52,
            _ => return false,
        };
        let mask = (1 << 52) - 1;
        let [mut out, a, b] = [0, 1, 2].map(|operand| self.vector_bytes(i, operand, width));
        for at in (0..width).step_by(8) {
            let [a, b] = [&a, &b].map(|bytes| u128::from(number(bytes, at, 8) & mask));
            let half = ((a * b) >> shift) as u64 & mask;
            let sum = number(&out, at, 8).wrapping_add(half);
            out[at..at + 8].copy_from_slice(&sum.to_le_bytes());
        }
        self.set_bytes(i, &out);
        true
    }

    /// Products and sums of numbers with a point, rounded once.
    fn fused(&mut self, i: &Instruction, width: usize) -> bool {
        // The operands that are multiplied, and the one that is added.
        let operands = match i.mnemonic() {
            M::Vfmadd132pd => [0, 2, 1],
            M::Vfmadd213pd => [1, 0, 2],
            M::Vfmadd231pd => [1, 2, 0],
            _ => return false,
        };
        let all = operands.map(|operand| self.vector_bytes(i, operand, width));
        let lanes = (0..width).step_by(8).flat_map(|at| {
            let [a, b, c] = all
                .each_ref()
                .map(|bytes| f64::from_bits(number(bytes, at, 8)));
            a.mul_add(b, c).to_le_bytes()
        });
        self.set_bytes(i, &lanes.collect::<Vec<u8>>());
        true
    }

    /// Shifts and shuffles whose last operand says how.
    fn by_immediate(&mut self, i: &Instruction, width: usize) -> bool {
        let last = i.op_count() - 1;
        // Shifts by a count in a register give all lanes the lowest number there.
        let how = match (i.op_kind(last), i.mnemonic()) {
            (OpKind::Immediate8, _) => self.value(i, last),
            (_, M::Psllq | M::Psrlq | M::Pslld | M::Psrld)
            | (_, M::Vpsllq | M::Vpsrlq | M::Vpslld | M::Vpsrld) => {
                number(&self.vector_bytes(i, last, 16), 0, 8)
            }
            _ => return false,
        };
        let a = self.vector_bytes(i, last - 1, width);
        let mut out = vec![0; width];
        let mut each = |bytes: usize, function: &dyn Fn(u64) -> u64| {
            for at in (0..width).step_by(bytes) {
                let result = function(number(&a, at, bytes));
                out[at..at + bytes].copy_from_slice(&result.to_le_bytes()[..bytes]);
            }
        };
        let by = how.min(63) as u32;
        match i.mnemonic() {
            M::Psllq | M::Vpsllq => each(8, &|v| if how > 63 { 0 } else { v << by }),
            M::Psrlq | M::Vpsrlq => each(8, &|v| if how > 63 { 0 } else { v >> by }),
            M::Pslld | M::Vpslld => each(4, &|v| if how > 31 { 0 } else { v << by }),
            M::Psrld | M::Vpsrld => each(4, &|v| if how > 31 { 0 } else { v >> by }),
            M::Psllw | M::Vpsllw => each(2, &|v| if how > 15 { 0 } else { v << by }),
            M::Psrlw | M::Vpsrlw => each(2, &|v| if how > 15 { 0 } else { v >> by }),
            M::Pshufd | M::Vpshufd => {
                for block in (0..width).step_by(16) {
                    for n in 0..4 {
                        let from = block + (how >> (2 * n) & 3) as usize * 4;
                        out[block + n * 4..block + n * 4 + 4].copy_from_slice(&a[from..from + 4]);
                    }
                }
            }
            M::Shufps | M::Vshufps => {
                let first = self.vector_bytes(i, last.max(2) - 2, width);
                for block in (0..width).step_by(16) {
                    for n in 0..4 {
                        let source = if n < 2 { &first } else { &a };
                        let from = block + (how >> (2 * n) & 3) as usize * 4;
                        out[block + n * 4..block + n * 4 + 4]
                            .copy_from_slice(&source[from..from + 4]);
                    }
                }
            }
            M::Psrldq | M::Vpsrldq => {
                for block in (0..width).step_by(16) {
                    let count = how.min(16) as usize;
                    out[block..block + 16 - count].copy_from_slice(&a[block + count..block + 16]);
                }
            }
            M::Vpermq => {
                for block in (0..width).step_by(32) {
                    for n in 0..4 {
                        let from = block + (how >> (2 * n) & 3) as usize * 8;
                        out[block + n * 8..block + n * 8 + 8].copy_from_slice(&a[from..from + 8]);
                    }
                }
            }
            M::Vperm2i128 | M::Vperm2f128 => {
                let first = self.vector_bytes(i, last - 2, width);
                let both = [first, a.clone()].concat();
                for n in 0..2 {
                    let control = how >> (4 * n) & 0xf;
                    if control & 8 == 0 {
                        let from = (control & 3) as usize * 16;
                        out[n * 16..n * 16 + 16].copy_from_slice(&both[from..from + 16]);
                    }
                }
            }
            M::Vpblendd => {
                let first = self.vector_bytes(i, last - 2, width);
                for n in 0..width / 4 {
                    let from = if how >> n & 1 == 1 { &a } else { &first };
                    out[n * 4..n * 4 + 4].copy_from_slice(&from[n * 4..n * 4 + 4]);
                }
            }
            _ => return false,
        }
        self.set_bytes(i, &out);
        true
    }

    /// Bytes of a vector operand, filled up to `width`. A broadcast is repeated.
    pub(super) fn vector_bytes(&self, i: &Instruction, operand: u32, width: usize) -> Vec<u8> {
        let mut bytes = self.bytes(i, operand);
        if i.is_broadcast() && i.op_kind(operand) == OpKind::Memory {
            bytes = bytes.repeat(width / bytes.len().max(1));
        }
        bytes.resize(width, 0);
        bytes
    }
}

pub(super) fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let mut value = [0; 8];
    value[..size].copy_from_slice(&bytes[at..at + size]);
    u64::from_le_bytes(value)
}
