//! What instructions of SSE do that move words, or count with one number, which symbols may be in (Intel SDM, volume 2).

use crate::bits::{Kind, ONE, Word, ZERO};
use crate::instructions::flags::Flags;
use crate::instructions::operands::vector;
use crate::machine::{End, Machine, Stop};
use crate::state::State;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

type Pair = [Word; 2];

fn unknown() -> Pair {
    [const { Word::Unknown(64, Kind::Opaque) }; 2]
}

impl Machine<'_> {
    fn pair(&self, state: &State, it: &Instruction, operand: u32) -> Result<Pair, Stop> {
        Ok(match it.op_kind(operand) {
            OpKind::Register => match vector(it.op_register(operand)) {
                Some(number) => state.vectors[number]
                    .clone()
                    .map(|w| state.plain(&self.symbols, w)),
                None => [self.operand(state, it, operand)?, Word::ZERO],
            },
            OpKind::Memory => {
                let at = self.address(state, it)?;
                if self.image.is_nowhere(at) {
                    return Err(Stop::End(End::Died));
                }
                let size = it.memory_size().size();
                let low = self.load(state, at, size.min(8));
                let high = match size > 8 {
                    true => self.load(state, at.map(|at| at.wrapping_add(8)), 8),
                    false => Word::ZERO,
                };
                [low, high]
            }
            _ => unknown(),
        })
    }

    fn set_pair(&self, state: &mut State, it: &Instruction, value: Pair) -> Result<(), Stop> {
        match it.op0_kind() {
            OpKind::Register => match vector(it.op0_register()) {
                Some(number) => state.vectors[number] = value,
                None => self.set_operand(state, it, 0, &value[0].low(Self::size(it, 0)))?,
            },
            OpKind::Memory => {
                let at = self.address(state, it)?;
                if self.image.is_nowhere(at) {
                    return Err(Stop::End(End::Died));
                }
                let size = it.memory_size().size();
                self.store(state, at, &value[0], size.min(8));
                if size > 8 {
                    self.store(state, at.map(|at| at.wrapping_add(8)), &value[1], 8);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// One instruction of SSE; false if it is none of those known.
    pub fn sse(&mut self, state: &mut State, it: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        let is_same = it.op0_kind() == OpKind::Register
            && it.op1_kind() == OpKind::Register
            && it.op0_register() == it.op1_register();
        let value = match it.mnemonic() {
            M::Movaps
            | M::Movups
            | M::Movapd
            | M::Movupd
            | M::Movdqa
            | M::Movdqu
            | M::Lddqu
            | M::Movntdq
            | M::Movntps => self.pair(state, it, 1)?,
            M::Movd => [self.pair(state, it, 1)?[0].low(4), Word::ZERO],
            M::Movq => [self.pair(state, it, 1)?[0].clone(), Word::ZERO],
            M::Movss | M::Movsd => {
                let size = if it.mnemonic() == M::Movss { 4 } else { 8 };
                let from = self.pair(state, it, 1)?;
                match (it.op0_kind(), it.op1_kind()) {
                    (OpKind::Register, OpKind::Register) => {
                        let old = self.pair(state, it, 0)?;
                        [old[0].with(&from[0], 0, size), old[1].clone()]
                    }
                    _ => [from[0].low(size), Word::ZERO],
                }
            }
            M::Movlps | M::Movlpd if it.op0_kind() == OpKind::Register => [
                self.pair(state, it, 1)?[0].clone(),
                self.pair(state, it, 0)?[1].clone(),
            ],
            M::Movlps | M::Movlpd => self.pair(state, it, 1)?,
            M::Movhps | M::Movhpd if it.op0_kind() == OpKind::Register => [
                self.pair(state, it, 0)?[0].clone(),
                self.pair(state, it, 1)?[0].clone(),
            ],
            M::Movhps | M::Movhpd => {
                let [_, high] = self.pair(state, it, 1)?;
                [high, Word::ZERO]
            }
            M::Punpcklqdq | M::Unpcklpd | M::Movlhps => [
                self.pair(state, it, 0)?[0].clone(),
                self.pair(state, it, 1)?[0].clone(),
            ],
            M::Punpckhqdq | M::Unpckhpd => [
                self.pair(state, it, 0)?[1].clone(),
                self.pair(state, it, 1)?[1].clone(),
            ],
            M::Movddup => {
                let [low, _] = self.pair(state, it, 1)?;
                [low.clone(), low]
            }
            M::Punpckldq | M::Unpcklps => {
                let (a, b) = (self.pair(state, it, 0)?, self.pair(state, it, 1)?);
                [
                    a[0].low(4).with(&b[0], 32, 4),
                    a[0].right(32).with(&b[0].right(32), 32, 4),
                ]
            }
            M::Pshufd => {
                let from = self.pair(state, it, 1)?;
                let by = it.immediate8();
                let part = |at: u8| {
                    let number = by >> (at * 2) & 3;
                    from[usize::from(number / 2)]
                        .right(usize::from(number % 2) * 32)
                        .low(4)
                };
                [part(0).with(&part(1), 32, 4), part(2).with(&part(3), 32, 4)]
            }
            M::Pxor | M::Xorps | M::Xorpd if is_same => [Word::ZERO, Word::ZERO],
            M::Pxor
            | M::Xorps
            | M::Xorpd
            | M::Pand
            | M::Andps
            | M::Andpd
            | M::Por
            | M::Orps
            | M::Orpd
            | M::Pandn
            | M::Andnps
            | M::Andnpd => {
                let (a, b) = (self.pair(state, it, 0)?, self.pair(state, it, 1)?);
                let one = |a: &Word, b: &Word| match it.mnemonic() {
                    M::Pxor | M::Xorps | M::Xorpd => a.xor(b),
                    M::Pand | M::Andps | M::Andpd => a.and(b),
                    M::Por | M::Orps | M::Orpd => a.or(b),
                    _ => a.not().and(b),
                };
                [one(&a[0], &b[0])?, one(&a[1], &b[1])?]
            }
            M::Pslldq | M::Psrldq => {
                let from = self.pair(state, it, 0)?;
                let by = usize::from(it.immediate8()) * 8;
                match it.mnemonic() {
                    _ if by >= 128 => [Word::ZERO, Word::ZERO],
                    M::Psrldq if by >= 64 => [from[1].right(by - 64), Word::ZERO],
                    M::Psrldq => [
                        from[0].right(by).or(&from[1].left(64 - by))?,
                        from[1].right(by),
                    ],
                    _ if by >= 64 => [Word::ZERO, from[0].left(by - 64)],
                    _ => [
                        from[0].left(by),
                        from[1].left(by).or(&from[0].right(64 - by))?,
                    ],
                }
            }
            _ => return self.vectors(state, it),
        };
        self.set_pair(state, it, value)?;
        Ok(true)
    }

    /// One on a floating-point number, by its name without the `v` of AVX's.
    pub fn floats(
        &mut self,
        state: &mut State,
        it: &Instruction,
        name: Mnemonic,
    ) -> Result<bool, Stop> {
        use Mnemonic as M;
        let (first, last) = match it.op_count() {
            0 | 1 => return Ok(false),
            2 => (0, 1),
            _ => (1, 2),
        };
        let is_short = matches!(
            name,
            M::Addss
                | M::Subss
                | M::Mulss
                | M::Divss
                | M::Minss
                | M::Maxss
                | M::Sqrtss
                | M::Cvtsi2ss
                | M::Comiss
                | M::Ucomiss
                | M::Cvttss2si
                | M::Cvtss2sd
        );
        let wide = |word: &Word, is_short: bool| -> Result<Option<f64>, Stop> {
            let word = if is_short { word.low(4) } else { word.clone() };
            Ok((word.number()?).map(|value| match is_short {
                true => f64::from(f32::from_bits(value as u32)),
                false => f64::from_bits(value),
            }))
        };
        let narrow = |value: f64, is_short: bool| match is_short {
            true => u64::from((value as f32).to_bits()),
            false => value.to_bits(),
        };
        let (value, size) = match name {
            M::Addss
            | M::Addsd
            | M::Subss
            | M::Subsd
            | M::Mulss
            | M::Mulsd
            | M::Divss
            | M::Divsd
            | M::Minss
            | M::Minsd
            | M::Maxss
            | M::Maxsd => {
                let a = wide(&self.pair(state, it, first)?[0], is_short)?;
                let b = wide(&self.pair(state, it, last)?[0], is_short)?;
                let value = a.zip(b).map(|(a, b)| match name {
                    M::Addss | M::Addsd => a + b,
                    M::Subss | M::Subsd => a - b,
                    M::Mulss | M::Mulsd => a * b,
                    M::Divss | M::Divsd => a / b,
                    M::Minss | M::Minsd if a < b => a,
                    M::Maxss | M::Maxsd if a > b => a,
                    _ => b,
                });
                (
                    value.map(|value| narrow(value, is_short)),
                    if is_short { 4 } else { 8 },
                )
            }
            M::Sqrtss | M::Sqrtsd => {
                let of = wide(&self.pair(state, it, last)?[0], is_short)?;
                let value = of.map(|value| narrow(value.sqrt(), is_short));
                (value, if is_short { 4 } else { 8 })
            }
            M::Cvtsi2ss | M::Cvtsi2sd => {
                let bytes = Self::size(it, last);
                let from = self.operand(state, it, last)?.signed(bytes).number()?;
                // Rounded once: not by way of a double.
                let value = from.map(|value| match is_short {
                    true => u64::from((value as i64 as f32).to_bits()),
                    false => (value as i64 as f64).to_bits(),
                });
                (value, if is_short { 4 } else { 8 })
            }
            M::Cvtss2sd | M::Cvtsd2ss => {
                let from = wide(&self.pair(state, it, last)?[0], is_short)?;
                (
                    from.map(|value| narrow(value, !is_short)),
                    if is_short { 8 } else { 4 },
                )
            }
            M::Cvttss2si | M::Cvttsd2si => {
                let from = wide(&self.pair(state, it, last)?[0], is_short)?;
                let size = Self::size(it, 0);
                let value = match from {
                    Some(value) => Word::Known(truncated(value, size)).low(size),
                    None => Word::unknown(size, Kind::Opaque),
                };
                self.set_operand(state, it, 0, &value)?;
                return Ok(true);
            }
            M::Comiss | M::Comisd | M::Ucomiss | M::Ucomisd => {
                let a = wide(&self.pair(state, it, first)?[0], is_short)?;
                let b = wide(&self.pair(state, it, last)?[0], is_short)?;
                state.flags = match a.zip(b) {
                    Some((a, b)) => {
                        let is_odd = a.is_nan() || b.is_nan();
                        let bit = |is_set: bool| if is_set { ONE } else { ZERO };
                        Flags::Compared(bit(is_odd || a == b), bit(is_odd || a < b), bit(is_odd))
                    }
                    None => Flags::Compared(Kind::Opaque.bit(), Kind::Opaque.bit(), ZERO),
                };
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let Some(number) = vector(it.op0_register()) else {
            return Ok(false);
        };
        let from = match value {
            Some(value) => Word::Known(value),
            None => Word::unknown(size, Kind::Opaque),
        };
        let [low, high] = self.pair(state, it, first)?;
        state.vectors[number] = [low.with(&from, 0, size), high];
        Ok(true)
    }
}

/// A number without its fraction; what does not fit is the least there is.
pub(crate) fn truncated(value: f64, size: usize) -> u64 {
    let (number, least) = match size {
        8 => (value as i64, i64::MIN),
        _ => (value as i64, i64::from(i32::MIN)),
    };
    let is_within = value.trunc() >= least as f64 && value.trunc() < -(least as f64);
    (if is_within { number } else { least }) as u64
}

/// Whether a register is one that vectors are in.
pub(crate) fn is_vector(register: Register) -> bool {
    register.is_xmm() || register.is_ymm() || register.is_zmm()
}
