//! Arithmetic on general registers, with the flags it sets (Intel SDM, volume 2).

use crate::bits::{Bit, Kind, ONE, Word, ZERO, mask, not};
use crate::instructions::flags::Flags;
use crate::machine::{End, Machine, Stop};
use crate::state::State;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

impl Machine<'_> {
    pub fn logic(&mut self, state: &mut State, it: &Instruction, size: usize) -> Result<(), Stop> {
        let is_same = it.op0_kind() == OpKind::Register
            && it.op1_kind() == OpKind::Register
            && it.op0_register() == it.op1_register();
        let (a, b) = (self.operand(state, it, 0)?, self.operand(state, it, 1)?);
        let value = match it.mnemonic() {
            Mnemonic::Xor if is_same => Word::ZERO,
            Mnemonic::And | Mnemonic::Test => a.and(&b)?,
            Mnemonic::Or => a.or(&b)?,
            _ => a.xor(&b)?,
        };
        let value = value.low(size);
        if it.mnemonic() != Mnemonic::Test {
            self.set_operand(state, it, 0, &value)?;
        }
        state.flags = Flags::Logic(value, size);
        Ok(())
    }

    pub fn sum(&mut self, state: &mut State, it: &Instruction, size: usize) -> Result<(), Stop> {
        use Mnemonic as M;
        let name = it.mnemonic();
        let a = self.operand(state, it, 0)?;
        let b = match name {
            M::Inc | M::Dec => Word::Known(1),
            M::Neg => a.clone(),
            _ => self.operand(state, it, 1)?.low(size),
        };
        let a = if name == M::Neg { Word::ZERO } else { a };
        if name == M::Cmp {
            state.flags = Flags::Less(a, b, size);
            return Ok(());
        }
        let carry = match name {
            M::Adc | M::Sbb => {
                let flags = state.flags.plain(|word| state.plain(&self.symbols, word));
                let bit = flags.carry()?;
                state.truth(&self.symbols, bit).unwrap_or(bit)
            }
            _ => ZERO,
        };
        let is_register = |at| it.op_kind(at) == OpKind::Register;
        if name == M::Sbb
            && is_register(0)
            && is_register(1)
            && it.op0_register() == it.op1_register()
        {
            let value = Word::from_bits([carry; 64]).low(size);
            self.set_operand(state, it, 0, &value)?;
            state.flags = Flags::Result(value, size, carry, ZERO);
            return Ok(());
        }
        if carry > ONE && crate::bits::symbol_of(carry).is_some() {
            self.is_set(state, carry)?;
        }
        let is_less = matches!(name, M::Sub | M::Dec | M::Neg | M::Sbb);
        let kind = [a.kind(), b.kind(), Kind::of(carry)]
            .into_iter()
            .flatten()
            .min();
        // Bits that are nowhere both set add up as they are.
        let is_apart =
            !is_less && carry == ZERO && (0..64).all(|at| a.bit(at) == ZERO || b.bit(at) == ZERO);
        let value = if is_apart {
            a.or(&b)?
        } else if let Some(kind) = kind {
            Word::unknown(size, kind)
        } else {
            match (a.number()?, b.number()?) {
                (Some(a), Some(b)) => Word::Known(match is_less {
                    true => a.wrapping_sub(b).wrapping_sub(u64::from(carry)),
                    false => a.wrapping_add(b).wrapping_add(u64::from(carry)),
                }),
                _ => Word::unknown(size, Kind::Opaque),
            }
        }
        .low(size);
        state.flags = match (name, a.known(), b.known()) {
            (M::Sub | M::Neg, ..) => Flags::Less(a.clone(), b.clone(), size),
            (M::Dec, ..) => {
                let before = state
                    .flags
                    .plain(|word| state.plain(&self.symbols, word))
                    .carry();
                let least = 1u64 << (size * 8 - 1);
                let overflow = a
                    .known()
                    .map_or(Kind::Opaque.bit(), |a| Bit::from(a == least));
                Flags::Result(
                    value.clone(),
                    size,
                    before.unwrap_or(Kind::Opaque.bit()),
                    overflow,
                )
            }
            (_, Some(a), Some(b)) if carry <= ONE => {
                let m = u128::from(mask(size));
                let (wide, sign) = (u128::from(a) & m, 1u64 << (size * 8 - 1));
                let known = value.known().unwrap_or(0);
                let carried = match is_less {
                    true => (u128::from(b) & m) + u128::from(carry) > wide,
                    false => wide + (u128::from(b) & m) + u128::from(carry) > m,
                };
                let differs = if is_less {
                    (a ^ b) & (a ^ known)
                } else {
                    (a ^ known) & (b ^ known)
                };
                let carried = match name {
                    M::Inc => state
                        .flags
                        .plain(|word| state.plain(&self.symbols, word))
                        .carry()
                        .unwrap_or(Kind::Opaque.bit()),
                    _ => Bit::from(carried),
                };
                Flags::Result(value.clone(), size, carried, Bit::from(differs & sign != 0))
            }
            _ => {
                let bit = kind.unwrap_or(Kind::Opaque).bit();
                Flags::Result(value.clone(), size, if is_apart { ZERO } else { bit }, bit)
            }
        };
        if name == M::Xadd {
            self.set_operand(state, it, 1, &a)?;
        }
        self.set_operand(state, it, 0, &value)
    }

    pub fn shift(&mut self, state: &mut State, it: &Instruction, size: usize) -> Result<(), Stop> {
        use Mnemonic as M;
        let a = self.operand(state, it, 0)?;
        let last = it.op_count() - 1;
        let count = match it.op_count() {
            1 => Word::Known(1),
            _ => self.operand(state, it, last)?.low(1),
        };
        let by = count.number()?;
        let bits = size * 8;
        let Some(by) = by.map(|by| (by & if size == 8 { 63 } else { 31 }) as usize) else {
            let kinds = [a.kind(), count.kind()].into_iter().flatten().min();
            let kind = kinds.unwrap_or(Kind::Opaque);
            state.flags = Flags::unknown(kind);
            return self.set_operand(state, it, 0, &Word::unknown(size, kind));
        };
        if by == 0 {
            return self.set_operand(state, it, 0, &a);
        }
        let turned = by % bits;
        let (value, out) = match it.mnemonic() {
            M::Shl | M::Sal => (a.left(by), if by <= bits { a.bit(bits - by) } else { ZERO }),
            M::Shr => (a.right(by), a.bit(by - 1)),
            M::Sar => {
                let wide = a.signed(size);
                let sign = wide.bit(63);
                let value = Word::from_bits(std::array::from_fn(|at| match at + by < 64 {
                    true => wide.bit(at + by),
                    false => sign,
                }));
                (value, wide.bit((by - 1).min(63)))
            }
            M::Rol => {
                let value = Word::from_bits(std::array::from_fn(|at| match at < bits {
                    true => a.bit((at + bits - turned) % bits),
                    false => ZERO,
                }));
                let out = value.bit(0);
                (value, out)
            }
            M::Ror => {
                let value = Word::from_bits(std::array::from_fn(|at| match at < bits {
                    true => a.bit((at + turned) % bits),
                    false => ZERO,
                }));
                let out = value.bit(bits - 1);
                (value, out)
            }
            name => {
                let other = self.operand(state, it, 1)?;
                let value = Word::from_bits(std::array::from_fn(|at| match name {
                    _ if at >= bits => ZERO,
                    M::Shrd if at + by < bits => a.bit(at + by),
                    M::Shrd => other.bit((at + by - bits).min(63)),
                    _ if at >= by => a.bit(at - by),
                    _ => other.bit((bits + at - by).min(63)),
                }));
                (value, Kind::Opaque.bit())
            }
        };
        let value = value.low(size);
        if !matches!(it.mnemonic(), M::Rol | M::Ror) {
            state.flags = Flags::Result(value.clone(), size, out, Kind::Opaque.bit());
        } else {
            state.flags = Flags::Carry(out);
        }
        self.set_operand(state, it, 0, &value)
    }

    pub fn product(&mut self, state: &mut State, it: &Instruction) -> Result<(), Stop> {
        use Mnemonic as M;
        let size = Self::size(it, 0);
        if it.mnemonic() == M::Imul && it.op_count() > 1 {
            let first = if it.op_count() == 3 { 1 } else { 0 };
            let (a, b) = (
                self.operand(state, it, first)?,
                self.operand(state, it, first + 1)?,
            );
            let kind = [a.kind(), b.kind()].into_iter().flatten().min();
            let value = match (kind, a.number(), b.number()) {
                (Some(kind), ..) => Word::unknown(size, kind),
                (None, a, b) => match (a?, b?) {
                    (Some(a), Some(b)) => Word::Known(a.wrapping_mul(b)).low(size),
                    _ => Word::unknown(size, Kind::Opaque),
                },
            };
            let signed = |word: &Word| Some(i128::from(word.signed(size).known()? as i64));
            let all = signed(&a).zip(signed(&b)).map(|(a, b)| a * b);
            state.flags = match all.zip(signed(&value)) {
                Some((all, kept)) => {
                    let is_cut = Bit::from(all != kept);
                    Flags::Product(is_cut)
                }
                None => Flags::unknown(kind.unwrap_or(Kind::Opaque)),
            };
            return self.set_operand(state, it, 0, &value);
        }
        state.flags = Flags::unknown(Kind::Opaque);
        let of = self.operand(state, it, 0)?.low(size);
        let (low, high) = match size {
            8 => (Register::RAX, Register::RDX),
            4 => (Register::EAX, Register::EDX),
            2 => (Register::AX, Register::DX),
            _ => (Register::AL, Register::AH),
        };
        let (a, d) = (self.register(state, low), self.register(state, high));
        let kinds = [
            of.kind(),
            a.kind(),
            d.kind()
                .filter(|_| !matches!(it.mnemonic(), M::Mul | M::Imul)),
        ];
        let kind = kinds.into_iter().flatten().min();
        let mut both = (
            Word::unknown(size, kind.unwrap_or(Kind::Opaque)),
            Word::unknown(size, kind.unwrap_or(Kind::Opaque)),
        );
        if kind.is_none()
            && let (Some(of), Some(a)) = (of.number()?, a.number()?)
        {
            let bits = size * 8;
            let signed = |value: u64| i128::from(((value << (64 - bits)) as i64) >> (64 - bits));
            let wide = |d: u64| u128::from(d) << bits | u128::from(a);
            let known = match it.mnemonic() {
                M::Mul => Some({
                    let all = u128::from(a) * u128::from(of);
                    (all as u64, (all >> bits) as u64)
                }),
                M::Imul => Some({
                    let all = signed(a) * signed(of);
                    (all as u64, (all >> bits) as u64)
                }),
                _ if of == 0 => return Err(Stop::End(End::Died)),
                M::Div => d.number()?.map(|d| {
                    (
                        (wide(d) / u128::from(of)) as u64,
                        (wide(d) % u128::from(of)) as u64,
                    )
                }),
                _ => d.number()?.map(|d| {
                    let all = match size {
                        8 => wide(d) as i128,
                        _ => ((wide(d) << (128 - 2 * bits)) as i128) >> (128 - 2 * bits),
                    };
                    (
                        all.wrapping_div(signed(of)) as u64,
                        all.wrapping_rem(signed(of)) as u64,
                    )
                }),
            };
            if let Some((one, other)) = known {
                both = (Word::Known(one).low(size), Word::Known(other).low(size));
                let high = |least: u64| both.1.known() != Some(least & mask(size));
                let sign = Word::Known(one).signed(size).known().unwrap_or(0) as i64 >> 63;
                match it.mnemonic() {
                    M::Mul => state.flags = Flags::Product(Bit::from(high(0))),
                    M::Imul => state.flags = Flags::Product(Bit::from(high(sign as u64))),
                    _ => {}
                }
            }
        }
        self.set_register(state, low, &both.0);
        self.set_register(state, high, &both.1);
        Ok(())
    }

    pub fn count(&mut self, state: &mut State, it: &Instruction, size: usize) -> Result<(), Stop> {
        use Mnemonic as M;
        if it.mnemonic() == M::Bswap {
            let a = self.operand(state, it, 0)?;
            let value = Word::from_bits(std::array::from_fn(|at| match at < size * 8 {
                true => a.bit((size - 1 - at / 8) * 8 + at % 8),
                false => ZERO,
            }));
            return self.set_operand(state, it, 0, &value);
        }
        let mut a = self.operand(state, it, 1)?.low(size);
        // What lies above the lowest bit that is set does not count.
        let is_from_low = matches!(it.mnemonic(), M::Bsf | M::Tzcnt);
        let lowest = (0..size * 8).find(|at| a.bit(*at) != ZERO);
        if let Some(lowest) = lowest.filter(|at| is_from_low && a.bit(*at) == ONE) {
            a = Word::Known(1 << lowest);
        }
        let kind = a.kind();
        let known = match kind {
            Some(_) => None,
            None => a.number()?,
        };
        let bits = (size * 8) as u64;
        let value = match known {
            None => Word::unknown(size, kind.unwrap_or(Kind::Opaque)),
            Some(0) if matches!(it.mnemonic(), M::Bsf | M::Bsr) => self.operand(state, it, 0)?,
            Some(value) => Word::Known(match it.mnemonic() {
                M::Popcnt => u64::from(value.count_ones()),
                M::Bsr => 63 - u64::from(value.leading_zeros()),
                M::Lzcnt => u64::from(value.leading_zeros()) - (64 - bits),
                _ => u64::from(value.trailing_zeros()).min(bits),
            }),
        };
        let is_none = known.map_or(kind.unwrap_or(Kind::Opaque).bit(), |value| {
            Bit::from(value == 0)
        });
        state.flags = match it.mnemonic() {
            M::Popcnt => Flags::Compared(is_none, ZERO, ZERO),
            M::Tzcnt | M::Lzcnt => {
                let opaque = kind.unwrap_or(Kind::Opaque).bit();
                let zero = value.known().map_or(opaque, |value| Bit::from(value == 0));
                Flags::Compared(zero, is_none, Kind::Opaque.bit())
            }
            _ => Flags::Compared(is_none, Kind::Opaque.bit(), Kind::Opaque.bit()),
        };
        self.set_operand(state, it, 0, &value)
    }

    pub fn bit(&mut self, state: &mut State, it: &Instruction, size: usize) -> Result<(), Stop> {
        let by = self.operand(state, it, 1)?;
        if it.op0_kind() == OpKind::Memory && it.op1_kind() == OpKind::Register {
            // The number of a bit goes beyond the word.
            let at = self.address(state, it)?;
            let by = by.signed(Self::size(it, 1)).number()?;
            let bit = match (at, by) {
                (Ok(at), Some(by)) => {
                    let at = at.wrapping_add_signed((by as i64) >> 3);
                    self.load(state, Ok(at), 1).bit((by & 7) as usize)
                }
                _ => Kind::Opaque.bit(),
            };
            state.flags = Flags::Carry(bit);
            if it.mnemonic() != Mnemonic::Bt {
                state.is_unsure = true;
            }
            return Ok(());
        }
        let a = self.operand(state, it, 0)?;
        let Some(by) = by.number()? else {
            state.flags = Flags::Carry(a.kind().unwrap_or(Kind::Opaque).bit());
            if it.mnemonic() != Mnemonic::Bt {
                self.set_operand(state, it, 0, &Word::unknown(size, Kind::Opaque))?;
            }
            return Ok(());
        };
        let by = by as usize % (size * 8);
        let bit = a.bit(by);
        state.flags = Flags::Carry(bit);
        let mut bits = a.each();
        bits[by] = match it.mnemonic() {
            Mnemonic::Bt => return Ok(()),
            Mnemonic::Bts => ONE,
            Mnemonic::Btr => ZERO,
            _ => not(bit),
        };
        self.set_operand(state, it, 0, &Word::from_bits(bits))
    }
}
