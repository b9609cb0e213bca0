//! Instructions on vectors of 128 and 256 bits, also those of AVX, whose operands are known: what
//! [`packed`] says. What is not known stays so.

use crate::bits::{Bit, Kind, Word};
use crate::instructions::flags::Flags;
use crate::instructions::operands::vector;
use crate::instructions::packed;
use crate::machine::{End, Machine, Stop};
use crate::state::State;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::HashMap;
use std::sync::LazyLock;

/// 256 bits.
type Wide = [Word; 4];

/// Ones in floating point, of which no instruction makes what is no number.
const ONES: u128 = 0x3f80_0000_3f80_0000_3f80_0000_3f80_0000;
const UNKNOWN: Word = Word::Unknown(64, Kind::Opaque);

/// An instruction's name.
#[derive(Clone, Copy)]
struct Named {
    /// That of SSE that it is like, where it is one of AVX.
    name: Mnemonic,
    is_avx: bool,
    /// It multiplies and adds.
    is_fused: bool,
}

fn named(name: Mnemonic) -> Named {
    static ALL: LazyLock<Vec<Named>> = LazyLock::new(|| {
        let names: HashMap<String, Mnemonic> = Mnemonic::values()
            .map(|one| (format!("{one:?}").to_lowercase(), one))
            .collect();
        let of = |one: Mnemonic| {
            let own = format!("{one:?}").to_lowercase();
            let rest = own.strip_prefix('v').unwrap_or(&own);
            // AVX-512 says how wide the elements are.
            let plain = match rest.trim_end_matches(|c: char| c.is_ascii_digit()) {
                "movdqu" => "movdqu",
                "movdqa" => "movdqa",
                _ => match rest {
                    "pxord" | "pxorq" => "pxor",
                    "pord" | "porq" => "por",
                    "pandd" | "pandq" => "pand",
                    "pandnd" | "pandnq" => "pandn",
                    _ => rest,
                },
            };
            Named {
                name: names.get(plain).copied().unwrap_or(one),
                is_avx: own.starts_with('v'),
                is_fused: own.starts_with("vfm") || own.starts_with("vfnm"),
            }
        };
        Mnemonic::values().map(of).collect()
    });
    ALL[name as usize]
}

/// 128 bits as a number.
fn lane(words: &[Word]) -> Option<u128> {
    match words {
        [Word::Known(low), Word::Known(high)] => Some(u128::from(*low) | u128::from(*high) << 64),
        _ => None,
    }
}

fn words(lane: Option<u128>) -> [Word; 2] {
    match lane {
        Some(lane) => [Word::Known(lane as u64), Word::Known((lane >> 64) as u64)],
        None => [UNKNOWN; 2],
    }
}

fn both(wide: &Wide) -> Option<[u128; 2]> {
    Some([lane(&wide[..2])?, lane(&wide[2..])?])
}

/// 128 bits, and which of them are known.
fn partly(words: &[Word]) -> (u128, u128) {
    let mut out = (0, 0);
    for (at, word) in words.iter().enumerate() {
        let (least, most) = word.bounds();
        out.0 |= u128::from(least) << (at * 64);
        out.1 |= u128::from(!(least ^ most)) << (at * 64);
    }
    out
}

impl Machine<'_> {
    fn wide(&self, state: &State, it: &Instruction, operand: u32) -> Result<Wide, Stop> {
        Ok(match it.op_kind(operand) {
            OpKind::Register => {
                let register = it.op_register(operand);
                let Some(number) = vector(register) else {
                    return Ok([
                        self.operand(state, it, operand)?,
                        Word::ZERO,
                        Word::ZERO,
                        Word::ZERO,
                    ]);
                };
                let [low, high] = state.vectors[number]
                    .clone()
                    .map(|w| state.plain(&self.symbols, w));
                let [third, fourth] = match register.is_xmm() {
                    true => [Word::ZERO; 2],
                    false => words(state.uppers.get(number)),
                };
                [low, high, third, fourth]
            }
            OpKind::Memory => {
                let at = self.address(state, it)?;
                if self.image.is_nowhere(at) {
                    return Err(Stop::End(End::Died));
                }
                let size = it.memory_size().size();
                std::array::from_fn(|word| match size.saturating_sub(word * 8) {
                    0 => Word::ZERO,
                    left => {
                        let at = at.map(|at| at.wrapping_add(word as u64 * 8));
                        self.load(state, at, left.min(8))
                    }
                })
            }
            _ => [UNKNOWN; 4],
        })
    }

    fn set_wide(&self, state: &mut State, it: &Instruction, value: Wide) -> Result<(), Stop> {
        match it.op0_kind() {
            OpKind::Register => {
                let register = it.op0_register();
                let Some(number) = vector(register) else {
                    return self.set_operand(state, it, 0, &value[0].low(Self::size(it, 0)));
                };
                let [low, high, third, fourth] = value;
                state.vectors[number] = [low, high];
                if register.is_ymm() {
                    state.uppers.set(number, lane(&[third, fourth]));
                }
            }
            OpKind::Memory => {
                let at = self.address(state, it)?;
                if self.image.is_nowhere(at) {
                    return Err(Stop::End(End::Died));
                }
                let size = it.memory_size().size();
                for (word, value) in value.iter().enumerate() {
                    if let left @ 1.. = size.saturating_sub(word * 8) {
                        let at = at.map(|at| at.wrapping_add(word as u64 * 8));
                        self.store(state, at, value, left.min(8));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// One instruction on vectors; false if it is none of those known.
    pub fn vectors(&mut self, state: &mut State, it: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        match it.mnemonic() {
            M::Vzeroupper => state.uppers.zero(),
            M::Vzeroall => {
                state.uppers.zero();
                state.vectors = std::array::from_fn(|_| [Word::ZERO, Word::ZERO]);
            }
            _ => return self.on_vectors(state, it),
        }
        Ok(true)
    }

    fn on_vectors(&mut self, state: &mut State, it: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        let is_odd = |register: Register| {
            let is_vector = register.is_xmm() || register.is_ymm() || register.is_zmm();
            register.is_k() || is_vector && (register.is_zmm() || register.number() >= 16)
        };
        let registers = (0..it.op_count()).filter(|at| it.op_kind(*at) == OpKind::Register);
        if it.has_op_mask()
            || it.is_broadcast()
            || registers.map(|at| it.op_register(at)).any(is_odd)
        {
            return Ok(false);
        }
        let Named {
            name,
            is_avx,
            is_fused,
        } = named(it.mnemonic());
        let number = (it.op_count() > 0)
            .then(|| it.op_count() - 1)
            .filter(|last| it.op_kind(*last) == OpKind::Immediate8)
            .map(|_| it.immediate8());
        let first = u32::from(is_avx);
        let last = it.op_count() - u32::from(number.is_some());
        if self.tells(state, it, name, number)? {
            return Ok(true);
        }
        let is_load = it.op0_kind() == OpKind::Register;
        let mut sources = Vec::new();
        let from = if is_load { first } else { 1 };
        for operand in from..last {
            sources.push(self.wide(state, it, operand)?);
        }
        let (Some(a), Some(b)) = (sources.first(), sources.get(1).or(sources.last())) else {
            return Ok(false);
        };
        let size = Self::size(it, 0).max(16) / 16;
        let is_same = is_load
            && last == first + 2
            && it.op_kind(first) == OpKind::Register
            && it.op_kind(first + 1) == OpKind::Register
            && it.op_register(first) == it.op_register(first + 1);
        let by = number.unwrap_or(0);
        let value = match name {
            M::Movaps
            | M::Movups
            | M::Movapd
            | M::Movupd
            | M::Movdqa
            | M::Movdqu
            | M::Lddqu
            | M::Movntdq
            | M::Movntps
            | M::Movntpd
            | M::Movntdqa => b.clone(),
            M::Movd => [b[0].low(4), Word::ZERO, Word::ZERO, Word::ZERO],
            M::Movq => [b[0].clone(), Word::ZERO, Word::ZERO, Word::ZERO],
            M::Movss | M::Movsd if sources.len() == 1 => {
                let size = if name == M::Movss { 4 } else { 8 };
                [b[0].low(size), Word::ZERO, Word::ZERO, Word::ZERO]
            }
            M::Movlps | M::Movlpd if is_load => {
                [b[0].clone(), a[1].clone(), Word::ZERO, Word::ZERO]
            }
            M::Movhps | M::Movhpd if is_load => {
                [a[0].clone(), b[0].clone(), Word::ZERO, Word::ZERO]
            }
            M::Movlps | M::Movlpd => b.clone(),
            M::Movhps | M::Movhpd => [b[1].clone(), Word::ZERO, Word::ZERO, Word::ZERO],
            M::Pinsrb | M::Pinsrw | M::Pinsrd | M::Pinsrq => {
                let size = match name {
                    M::Pinsrb => 1,
                    M::Pinsrw => 2,
                    M::Pinsrd => 4,
                    _ => 8,
                };
                let mut all = a.clone();
                let bit = usize::from(by) * size * 8 % 128;
                all[bit / 64] = all[bit / 64].with(&b[0], bit % 64, size);
                all
            }
            M::Pxor | M::Xorps | M::Xorpd | M::Psubb | M::Psubw | M::Psubd | M::Psubq
                if is_same =>
            {
                [Word::ZERO; 4]
            }
            M::Pcmpeqb | M::Pcmpeqw | M::Pcmpeqd | M::Pcmpeqq if is_same => {
                [const { Word::Known(u64::MAX) }; 4]
            }
            M::Pxor | M::Xorps | M::Xorpd => each(a, b, Word::xor)?,
            M::Pand | M::Andps | M::Andpd => each(a, b, Word::and)?,
            M::Por | M::Orps | M::Orpd => each(a, b, Word::or)?,
            M::Pandn | M::Andnps | M::Andnpd => each(a, b, |a, b| a.not().and(b))?,
            M::Pblendvb | M::Blendvps | M::Blendvpd => {
                let mask = match sources.get(2) {
                    Some(mask) => mask.clone(),
                    None => {
                        let [low, high] = state.vectors[0].clone();
                        [low, high, Word::ZERO, Word::ZERO]
                    }
                };
                let bits = match name {
                    M::Pblendvb => 8,
                    M::Blendvps => 32,
                    _ => 64,
                };
                lanes(size, |at| {
                    let [a, b, mask] = [a, b, &mask].map(|words| lane(&words[at..at + 2]));
                    Some(packed::blended(bits, a?, b?, mask?))
                })
            }
            _ if let Some(wider) = packed::widened(name) => {
                let of = both(b);
                // 32 bytes are made of 16 at most.
                lanes(size, |at| Some(packed::wider(wider, of?[0], at as u32 / 2)))
            }
            M::Movss | M::Movsd => {
                let size = if name == M::Movss { 4 } else { 8 };
                [
                    a[0].with(&b[0], 0, size),
                    a[1].clone(),
                    Word::ZERO,
                    Word::ZERO,
                ]
            }
            M::Cmpss | M::Cmpsd if number.is_some() => {
                let bits = if name == M::Cmpss { 32 } else { 64 };
                let known = a[0].low(bits / 8).known().zip(b[0].low(bits / 8).known());
                let value = known.and_then(|(a, b)| {
                    packed::compared(bits as u32, u128::from(a), u128::from(b), by)
                });
                let value = value.map_or(UNKNOWN, |value| Word::Known(value as u64));
                let low = a[0].with(&value, 0, bits / 8);
                [low, a[1].clone(), Word::ZERO, Word::ZERO]
            }
            M::Cvtdq2pd | M::Cvtps2pd => {
                let of = lane(&b[..2]);
                lanes(size, |at| packed::doubled(name, of?, at as u32 / 2))
            }
            _ if self.floats(state, it, name)? => {
                if is_avx {
                    self.cut(state, it);
                }
                return Ok(true);
            }
            _ if is_fused => {
                let old = self.wide(state, it, 0)?;
                lanes(size, |at| {
                    let [old, a, b] = [&old, a, b].map(|words| lane(&words[at..at + 2]));
                    packed::fused(name, (old?, a?, b?))
                })
            }
            _ if is_across(name) => {
                let known = both(a).zip(both(b));
                let value = known.and_then(|(a, b)| packed::across(name, a, b, by));
                let [low, high] = value.map_or([None; 2], |value| value.map(Some));
                let ([a, b], [c, d]) = (words(low), words(high));
                [a, b, c, d]
            }
            _ if packed::lane(name, ONES, ONES, Some(1)).is_some() => {
                by_lanes(name, (a, b), number, size)
            }
            _ => return Ok(false),
        };
        self.set_wide(state, it, value)?;
        if is_avx {
            self.cut(state, it);
        }
        Ok(true)
    }

    /// What writes 128 bits by AVX sets the others to zero.
    fn cut(&self, state: &mut State, it: &Instruction) {
        let register = it.op0_register();
        let is_xmm = it.op0_kind() == OpKind::Register && register.is_xmm();
        if let Some(number) = vector(register).filter(|_| is_xmm) {
            state.uppers.set(number, Some(0));
        }
    }

    /// What tells of a vector in a general register, or in flags.
    fn tells(
        &mut self,
        state: &mut State,
        it: &Instruction,
        name: Mnemonic,
        number: Option<u8>,
    ) -> Result<bool, Stop> {
        use Mnemonic as M;
        let value = match name {
            M::Ptest => {
                let (a, b) = (self.wide(state, it, 0)?, self.wide(state, it, 1)?);
                let bits = match both(&a).zip(both(&b)) {
                    Some((a, b)) => [a[0] & b[0] | a[1] & b[1], !a[0] & b[0] | !a[1] & b[1]]
                        .map(|all| Bit::from(all == 0)),
                    None => [Kind::Opaque.bit(); 2],
                };
                state.flags = Flags::Compared(bits[0], bits[1], 0);
                return Ok(true);
            }
            M::Pmovmskb | M::Movmskps | M::Movmskpd => {
                let size = Self::size(it, 1).max(16) / 16;
                let bits = match name {
                    M::Pmovmskb => 8,
                    M::Movmskps => 32,
                    _ => 64,
                };
                let of = self.wide(state, it, 1)?;
                let mut all = [0; 64];
                let each = 128 / bits;
                for (at, bit) in all.iter_mut().enumerate().take(each * size) {
                    let place = at * bits + bits - 1;
                    *bit = of[place / 64].bit(place % 64);
                }
                Word::from_bits(all)
            }
            M::Pextrb | M::Pextrw | M::Pextrd | M::Pextrq | M::Extractps => {
                let size = match name {
                    M::Pextrb => 1,
                    M::Pextrw => 2,
                    M::Pextrq => 8,
                    _ => 4,
                };
                let from = self.wide(state, it, 1)?;
                let bit = usize::from(number.unwrap_or(0)) * size * 8 % 128;
                from[bit / 64].right(bit % 64).low(size)
            }
            _ => return Ok(false),
        };
        self.set_operand(state, it, 0, &value)?;
        Ok(true)
    }
}

/// Whether an instruction moves elements from one half of 256 bits to the other.
fn is_across(name: Mnemonic) -> bool {
    packed::across(name, [0; 2], [0; 2], 0).is_some()
}

/// Whether all elements are shifted by one number of a register.
fn is_shift(name: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        name,
        M::Psllw | M::Pslld | M::Psllq | M::Psrlw | M::Psrld | M::Psrlq | M::Psraw | M::Psrad
    )
}

/// What each 128 bits of two make; elements of which something is not known are not known.
fn by_lanes(name: Mnemonic, (a, b): (&Wide, &Wide), number: Option<u8>, size: usize) -> Wide {
    let mut out = [UNKNOWN; 4];
    let is_shift = is_shift(name) && number.is_none();
    for at in (0..size * 2).step_by(2) {
        let from = if is_shift { 0 } else { at };
        let (mine, theirs) = (&a[at..at + 2], &b[from..from + 2]);
        let number = number.map(|number| packed::number_of(name, number, at / 2));
        let known = lane(mine).zip(lane(theirs));
        let value = match (known, packed::alone(name)) {
            (Some((a, b)), _) => words(packed::lane(name, a, b, number)),
            (None, Some(bits)) => {
                let ((a, known), (b, other)) = (partly(mine), partly(theirs));
                let whole = packed::whole(bits, known & other);
                let value = packed::lane(name, a, b, number).unwrap_or(0);
                [0, 64].map(|first| {
                    let bit = |at: usize| match whole >> (first + at) & 1 {
                        1 => (value >> (first + at) & 1) as Bit,
                        _ => Kind::Opaque.bit(),
                    };
                    Word::from_bits(std::array::from_fn(bit))
                })
            }
            _ => [UNKNOWN; 2],
        };
        out[at..at + 2].clone_from_slice(&value);
    }
    out
}

/// Each word of both.
fn each<E>(a: &Wide, b: &Wide, by: impl Fn(&Word, &Word) -> Result<Word, E>) -> Result<Wide, E> {
    let [a0, a1, a2, a3] = a;
    let [b0, b1, b2, b3] = b;
    Ok([by(a0, b0)?, by(a1, b1)?, by(a2, b2)?, by(a3, b3)?])
}

/// So many lanes of 128 bits, by the number of their first word.
fn lanes(count: usize, by: impl Fn(usize) -> Option<u128>) -> Wide {
    let of = |at: usize| words((at < count * 2).then(|| by(at)).flatten());
    let ([a, b], [c, d]) = (of(0), of(2));
    [a, b, c, d]
}
