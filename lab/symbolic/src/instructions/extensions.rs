//! What instructions on general registers do that came after SSE2: BMI1, BMI2, ADX, CRC32 and
//! MOVBE. All operands are known, or the results are not.

use crate::bits::{Bit, Kind, ONE, Word, ZERO, mask};
use crate::instructions::flags::Flags;
use crate::machine::{Machine, Stop};
use crate::state::State;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// CRC-32C, from its lowest bit on.
const POLYNOMIAL: u64 = 0x82f6_3b78;

impl Machine<'_> {
    /// One of them; false if it is none.
    pub fn extension(
        &mut self,
        state: &mut State,
        it: &Instruction,
        size: usize,
    ) -> Result<bool, Stop> {
        use Mnemonic as M;
        let bits = size * 8;
        let name = it.mnemonic();
        if name == M::Mulx {
            let a = self.operand(state, it, 2)?;
            let own = if size == 8 {
                Register::RDX
            } else {
                Register::EDX
            };
            let b = self.register(state, own);
            let all = a.known().zip(b.known());
            let all = all.map(|(a, b)| u128::from(a) * u128::from(b));
            let of = |value: Option<u128>| match value {
                Some(value) => Word::Known(value as u64).low(size),
                None => Word::unknown(size, Kind::Opaque),
            };
            // Where both go to one register it has the high half.
            self.set_operand(state, it, 1, &of(all))?;
            self.set_operand(state, it, 0, &of(all.map(|all| all >> bits)))?;
            return Ok(true);
        }
        let carry = |state: &State| match state.flags.carry() {
            Ok(bit @ (ZERO | ONE)) => Some(u64::from(bit)),
            _ => None,
        };
        let (first, second) = match it.op_count() {
            2 if matches!(name, M::Crc32 | M::Adcx) => (0, 1),
            2 => (1, 1),
            _ => (1, 2),
        };
        let a = self
            .operand(state, it, first)?
            .low(Self::size(it, first))
            .known();
        let by = match it.op_kind(second) {
            OpKind::Register | OpKind::Memory => {
                self.operand(state, it, second)?.low(Self::size(it, second))
            }
            _ => self.operand(state, it, second)?,
        };
        let known = a.zip(by.known());
        let width = Self::size(it, second);
        let value = known.and_then(|(a, b)| {
            Some(match name {
                M::Andn => !a & b,
                M::Blsr => a & a.wrapping_sub(1),
                M::Blsi => a & a.wrapping_neg(),
                M::Blsmsk => a ^ a.wrapping_sub(1),
                M::Bzhi => match b & 0xff {
                    from if from >= bits as u64 => a,
                    from => a & ((1 << from) - 1),
                },
                M::Bextr => {
                    let (start, count) = (b & 0xff, b >> 8 & 0xff);
                    let from = a.checked_shr(start as u32).unwrap_or(0);
                    match count {
                        64.. => from,
                        count => from & ((1 << count) - 1),
                    }
                }
                M::Pdep => (0..64)
                    .filter(|at| b >> at & 1 == 1)
                    .zip(0..)
                    .fold(0, |all, (to, from)| all | (a >> from & 1) << to),
                M::Pext => (0..64)
                    .filter(|at| b >> at & 1 == 1)
                    .zip(0..)
                    .fold(0, |all, (from, to)| all | (a >> from & 1) << to),
                M::Rorx if size == 8 => a.rotate_right(b as u32 & 63),
                M::Rorx => u64::from((a as u32).rotate_right(b as u32 & 31)),
                M::Shlx => a << (b & (bits as u64 - 1)),
                M::Shrx => a >> (b & (bits as u64 - 1)),
                M::Sarx => {
                    ((a << (64 - bits)) as i64 >> (64 - bits) >> (b & (bits as u64 - 1))) as u64
                }
                M::Crc32 => (0..width * 8).fold((a ^ b) & mask(4), |all, at| {
                    // Bits of a word wider than the sum are taken in as they come.
                    let next = if at + 1 == 32 { b >> 32 } else { 0 };
                    let all = (all >> 1) ^ if all & 1 == 1 { POLYNOMIAL } else { 0 };
                    (all ^ next) & mask(4)
                }),
                M::Movbe => b.swap_bytes() >> (64 - bits),
                M::Adcx => {
                    let sum = u128::from(a) + u128::from(b) + u128::from(carry(state)?);
                    state.flags = Flags::Carry((sum >> bits & 1) as Bit);
                    sum as u64
                }
                _ => return None,
            })
        });
        let value = match value {
            Some(value) => Word::Known(value).low(size),
            None => Word::unknown(size, Kind::Opaque),
        };
        let opaque = Kind::Opaque.bit();
        match name {
            M::Andn => state.flags = Flags::Logic(value.clone(), size),
            M::Blsr | M::Blsi | M::Blsmsk => {
                let carry = a.map_or(opaque, |a| Bit::from((a == 0) != (name == M::Blsi)));
                state.flags = Flags::Result(value.clone(), size, carry, ZERO);
            }
            M::Bzhi => {
                let carry = by.known();
                let carry = carry.map_or(opaque, |by| Bit::from(by & 0xff >= bits as u64));
                state.flags = Flags::Result(value.clone(), size, carry, ZERO);
            }
            M::Bextr => {
                state.flags = Flags::Compared(
                    value.known().map_or(opaque, |value| Bit::from(value == 0)),
                    ZERO,
                    opaque,
                )
            }
            M::Adcx if value.known().is_none() => state.flags = Flags::unknown(Kind::Opaque),
            _ => {}
        }
        self.set_operand(state, it, 0, &value)?;
        Ok(true)
    }
}
