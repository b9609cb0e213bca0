//! Instructions that kernels of hashes have: rotations, shuffles of bytes, words and blocks,
//! and SHA-256's own.

use super::Machine;
use super::lanes::number;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

/// Whether numbers are rotated to the right, and their bytes.
fn rotation(mnemonic: M) -> Option<(bool, usize)> {
    Some(match mnemonic {
        M::Vprord | M::Vprorvd => (true, 4),
        M::Vprorq | M::Vprorvq => (true, 8),
        M::Vprold | M::Vprolvd => (false, 4),
        M::Vprolq | M::Vprolvq => (false, 8),
        _ => return None,
    })
}

impl Machine<'_> {
    /// What all lanes of the first operand would be, and the bytes of a lane.
    pub(super) fn shuffled(&self, i: &Instruction, width: usize) -> Option<(Vec<u8>, usize)> {
        let last = i.op_count().checked_sub(1)?;
        if i.op0_kind() == OpKind::Register && !i.op0_register().is_vector_register() {
            return None;
        }
        if let Some((right, lane)) = rotation(i.mnemonic()) {
            return Some((self.rotated(i, width, right, lane), lane));
        }
        let of = |operand| self.vector_bytes(i, operand, width);
        // The sources, where an immediate number is the last operand and where it is not.
        let (two, how) = if i.op_kind(last) == OpKind::Immediate8 {
            ([last.max(2) - 2, last - 1], self.value(i, last) as usize)
        } else {
            ([last.max(1) - 1, last], 0)
        };
        let blocks = (0..width).step_by(16);
        Some(match i.mnemonic() {
            M::Vmovdqu8 if i.op_mask() != Register::None => (of(1), 1),
            M::Vpshufd if i.op_mask() != Register::None => {
                let from = of(1);
                let place = |n: usize| n / 4 * 16 + (how >> (2 * (n % 4)) & 3) * 4;
                let lanes = (0..width / 4).map(place);
                (lanes.flat_map(|at| from[at..at + 4].to_vec()).collect(), 4)
            }
            M::Pshuflw | M::Vpshuflw | M::Pshufhw | M::Vpshufhw => {
                let is_high = matches!(i.mnemonic(), M::Pshufhw | M::Vpshufhw);
                let mut out = of(last - 1);
                let from = out.clone();
                let halves = blocks.map(|block| block + if is_high { 8 } else { 0 });
                for (half, n) in halves.flat_map(|half| (0..4).map(move |n| (half, n))) {
                    let at = half + (how >> (2 * n) & 3) * 2;
                    out[half + 2 * n..half + 2 * n + 2].copy_from_slice(&from[at..at + 2]);
                }
                (out, 2)
            }
            M::Pshufb | M::Vpshufb => {
                let [from, places] = two.map(of);
                let byte = |at: usize| match places[at] {
                    0x80.. => 0,
                    place => from[at / 16 * 16 + usize::from(place % 16)],
                };
                ((0..width).map(byte).collect(), 1)
            }
            // Both as one number, the second below, from a byte on.
            M::Palignr | M::Vpalignr => {
                let [a, b] = two.map(of);
                let block = |at: usize| {
                    let both = [&b[at..at + 16], &a[at..at + 16], &[0; 32]].concat();
                    both[how.min(32)..how.min(32) + 16].to_vec()
                };
                (blocks.flat_map(block).collect(), 1)
            }
            M::Pslldq | M::Vpslldq => {
                let (from, by) = (of(last - 1), how.min(16));
                let block = |at: usize| [&vec![0; by][..], &from[at..at + 16 - by]].concat();
                (blocks.flat_map(block).collect(), 1)
            }
            // Lanes of the first and the last operand, by the places in the second.
            M::Vpermt2q => {
                let [first, places, second] = [0, 1, 2].map(of);
                let both = [first, second].concat();
                let place = |at: usize| number(&places, at, 8) as usize % (width / 4) * 8;
                let lanes = (0..width).step_by(8).map(place);
                (lanes.flat_map(|at| both[at..at + 8].to_vec()).collect(), 8)
            }
            M::Packssdw | M::Vpackssdw => {
                let [a, b] = two.map(of);
                let block = |at: usize| {
                    let words = [&a[at..at + 16], &b[at..at + 16]].concat();
                    let word = |n: usize| (number(&words, 4 * n, 4) as i32).clamp(-0x8000, 0x7fff);
                    (0..8)
                        .flat_map(|n| (word(n) as i16).to_le_bytes())
                        .collect::<Vec<u8>>()
                };
                (blocks.flat_map(block).collect(), 2)
            }
            // Words to bytes: those of the first, then of the second, as near as they fit.
            M::Packsswb | M::Vpacksswb => {
                let [a, b] = two.map(of);
                let block = |at: usize| {
                    let words = [&a[at..at + 16], &b[at..at + 16]].concat();
                    let byte = |n: usize| (number(&words, 2 * n, 2) as i16).clamp(-128, 127) as u8;
                    (0..16).map(byte).collect::<Vec<u8>>()
                };
                (blocks.flat_map(block).collect(), 1)
            }
            M::Pblendw | M::Vpblendw => {
                let [a, b] = two.map(of);
                let byte = |at: usize| {
                    if how >> (at / 2 % 8) & 1 == 1 {
                        b[at]
                    } else {
                        a[at]
                    }
                };
                ((0..width).map(byte).collect(), 2)
            }
            M::Shufpd | M::Vshufpd => {
                let [a, b] = two.map(of);
                let lane = |n: usize| {
                    let from = if n.is_multiple_of(2) { &a } else { &b };
                    let at = n / 2 * 16 + (how >> n & 1) * 8;
                    from[at..at + 8].to_vec()
                };
                ((0..width / 8).flat_map(lane).collect(), 8)
            }
            // Blocks of the first, then of the second.
            M::Vshufi32x4 | M::Vshufi64x2 => {
                let [a, b] = two.map(of);
                let count = width / 16;
                let block = |n: usize| {
                    let from = if n < count / 2 { &a } else { &b };
                    let at = how / count.pow(n as u32) % count * 16;
                    from[at..at + 16].to_vec()
                };
                let lane = if i.mnemonic() == M::Vshufi32x4 { 4 } else { 8 };
                ((0..count).flat_map(block).collect(), lane)
            }
            M::Vpermd => {
                let (places, from) = (of(1), of(2));
                let place = |at: usize| number(&places, at, 4) as usize % (width / 4) * 4;
                let lanes = (0..width).step_by(4).map(place);
                (lanes.flat_map(|at| from[at..at + 4].to_vec()).collect(), 4)
            }
            M::Vpbroadcastq
            | M::Vbroadcastsd
            | M::Vpbroadcastd
            | M::Vbroadcastss
            | M::Vpbroadcastb => {
                let lane = match i.mnemonic() {
                    M::Vpbroadcastq | M::Vbroadcastsd => 8,
                    M::Vpbroadcastd | M::Vbroadcastss => 4,
                    _ => 1,
                };
                let from = self.bytes(i, 1)[..lane].to_vec();
                (from.repeat(width / lane), lane)
            }
            M::Vbroadcasti128 | M::Vbroadcastf128 => (self.bytes(i, 1).repeat(width / 16), 8),
            M::Pinsrb | M::Vpinsrb | M::Pinsrd | M::Vpinsrd => {
                let mut out = of(last.max(3) - 2 - u32::from(last == 2));
                let lane = match i.mnemonic() {
                    M::Pinsrb | M::Vpinsrb => 1,
                    _ => 4,
                };
                let place = how % (16 / lane) * lane;
                let new = self.value(i, last - 1).to_le_bytes();
                out[place..place + lane].copy_from_slice(&new[..lane]);
                (out, lane)
            }
            M::Sha256rnds2 | M::Sha256msg1 | M::Sha256msg2 => (self.sha256(i), 4),
            _ => return None,
        })
    }

    fn rotated(&self, i: &Instruction, width: usize, right: bool, lane: usize) -> Vec<u8> {
        let values = self.vector_bytes(i, 1, width);
        let counts = match i.op_kind(2) {
            OpKind::Immediate8 => None,
            _ => Some(self.vector_bytes(i, 2, width)),
        };
        let bits = 8 * lane as u32;
        let all = (0..width).step_by(lane).flat_map(|at| {
            let by = match &counts {
                Some(counts) => number(counts, at, lane),
                None => self.value(i, 2),
            };
            let by = by as u32 % bits;
            let left = if right { (bits - by) % bits } else { by };
            let value = number(&values, at, lane);
            let out = if lane == 4 {
                u64::from((value as u32).rotate_left(left))
            } else {
                value.rotate_left(left)
            };
            out.to_le_bytes()[..lane].to_vec()
        });
        all.collect()
    }

    /// SHA-256's instructions (Intel's manual, volume 2B).
    fn sha256(&self, i: &Instruction) -> Vec<u8> {
        let words =
            |bytes: &[u8]| -> [u32; 4] { std::array::from_fn(|n| number(bytes, 4 * n, 4) as u32) };
        let a = words(&self.vector_bytes(i, 0, 16));
        let b = words(&self.vector_bytes(i, 1, 16));
        let out = match i.mnemonic() {
            M::Sha256rnds2 => {
                let sums = words(&self.vectors[0][..16]);
                // a to h: c d g h in the first operand, a b e f in the second, highest first.
                let mut s = [b[3], b[2], a[3], a[2], b[1], b[0], a[1], a[0]];
                for sum in &sums[..2] {
                    let [a, b, c, d, e, f, g, h] = s;
                    let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
                    let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
                    let t = h
                        .wrapping_add(sum1)
                        .wrapping_add(e & f ^ !e & g)
                        .wrapping_add(*sum);
                    let u = sum0.wrapping_add(a & b ^ a & c ^ b & c);
                    s = [t.wrapping_add(u), a, b, c, d.wrapping_add(t), e, f, g];
                }
                [s[5], s[4], s[1], s[0]]
            }
            M::Sha256msg1 => std::array::from_fn(|n| {
                let w = if n < 3 { a[n + 1] } else { b[0] };
                let small = w.rotate_right(7) ^ w.rotate_right(18) ^ w >> 3;
                a[n].wrapping_add(small)
            }),
            _ => {
                let small = |w: u32| w.rotate_right(17) ^ w.rotate_right(19) ^ w >> 10;
                let first = a[0].wrapping_add(small(b[2]));
                let second = a[1].wrapping_add(small(b[3]));
                let third = a[2].wrapping_add(small(first));
                [first, second, third, a[3].wrapping_add(small(second))]
            }
        };
        out.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
