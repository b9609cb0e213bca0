//! What instructions on vectors make of numbers that are known, 128 bits at a time (Intel SDM,
//! volume 2). None: it is not one of these, or the result is no number.

use crate::instructions::elements::{
    added, all_if, bits_of, byte, bytes, each, each_signed, element, float, floats, interleaved,
    least, most, packed, shift, signed, within,
};
use crate::instructions::vectors::truncated;
use iced_x86::Mnemonic as M;

/// What an instruction makes of 128 bits of each of its operands. `number` is what it says itself.
pub(crate) fn lane(name: M, a: u128, b: u128, number: Option<u8>) -> Option<u128> {
    let by = number.unwrap_or(0);
    let sum = |bits| each(bits, a, b, u64::wrapping_add);
    let less = |bits| each(bits, a, b, u64::wrapping_sub);
    let equal = |bits| each(bits, a, b, |a, b| all_if(a == b));
    let more = |bits| each_signed(bits, a, b, |a, b| all_if(a > b) as i64);
    let fit = |bits, is_signed, by: fn(i64, i64) -> i64| {
        let of = |value| match is_signed {
            true => signed(bits, value),
            false => value as i64,
        };
        each(bits, a, b, |a, b| within(bits, is_signed, by(of(a), of(b))))
    };
    let shifted = |bits| {
        let count = number.map_or(b as u64, u64::from);
        each(bits, a, 0, |a, _| shift(bits, name, a, count))
    };
    Some(match name {
        M::Pxor | M::Xorps | M::Xorpd => a ^ b,
        M::Pand | M::Andps | M::Andpd => a & b,
        M::Por | M::Orps | M::Orpd => a | b,
        M::Pandn | M::Andnps | M::Andnpd => !a & b,
        M::Paddb => sum(8),
        M::Paddw => sum(16),
        M::Paddd => sum(32),
        M::Paddq => sum(64),
        M::Psubb => less(8),
        M::Psubw => less(16),
        M::Psubd => less(32),
        M::Psubq => less(64),
        M::Pcmpeqb => equal(8),
        M::Pcmpeqw => equal(16),
        M::Pcmpeqd => equal(32),
        M::Pcmpeqq => equal(64),
        M::Pcmpgtb => more(8),
        M::Pcmpgtw => more(16),
        M::Pcmpgtd => more(32),
        M::Pcmpgtq => more(64),
        M::Paddusb => fit(8, false, |a, b| a + b),
        M::Paddusw => fit(16, false, |a, b| a + b),
        M::Paddsb => fit(8, true, |a, b| a + b),
        M::Paddsw => fit(16, true, |a, b| a + b),
        M::Psubusb => fit(8, false, |a, b| a - b),
        M::Psubusw => fit(16, false, |a, b| a - b),
        M::Psubsb => fit(8, true, |a, b| a - b),
        M::Psubsw => fit(16, true, |a, b| a - b),
        M::Pavgb => each(8, a, b, |a, b| (a + b + 1) >> 1),
        M::Pavgw => each(16, a, b, |a, b| (a + b + 1) >> 1),
        M::Pminub => each(8, a, b, u64::min),
        M::Pminuw => each(16, a, b, u64::min),
        M::Pminud => each(32, a, b, u64::min),
        M::Pmaxub => each(8, a, b, u64::max),
        M::Pmaxuw => each(16, a, b, u64::max),
        M::Pmaxud => each(32, a, b, u64::max),
        M::Pminsb => each_signed(8, a, b, i64::min),
        M::Pminsw => each_signed(16, a, b, i64::min),
        M::Pminsd => each_signed(32, a, b, i64::min),
        M::Pmaxsb => each_signed(8, a, b, i64::max),
        M::Pmaxsw => each_signed(16, a, b, i64::max),
        M::Pmaxsd => each_signed(32, a, b, i64::max),
        M::Pabsb => each_signed(8, b, 0, |b, _| b.abs()),
        M::Pabsw => each_signed(16, b, 0, |b, _| b.abs()),
        M::Pabsd => each_signed(32, b, 0, |b, _| b.abs()),
        M::Psignb => each_signed(8, a, b, |a, b| a * b.signum()),
        M::Psignw => each_signed(16, a, b, |a, b| a * b.signum()),
        M::Psignd => each_signed(32, a, b, |a, b| a * b.signum()),
        M::Pmullw => each(16, a, b, u64::wrapping_mul),
        M::Pmulld => each(32, a, b, u64::wrapping_mul),
        M::Pmulhuw => each(16, a, b, |a, b| (a * b) >> 16),
        M::Pmulhw => each_signed(16, a, b, |a, b| (a * b) >> 16),
        M::Pmulhrsw => each_signed(16, a, b, |a, b| (((a * b) >> 14) + 1) >> 1),
        M::Pmuludq => each(64, a, b, |a, b| (a & element(32)) * (b & element(32))),
        M::Pmuldq => each(64, a, b, |a, b| {
            (signed(32, a & element(32)) * signed(32, b & element(32))) as u64
        }),
        M::Pmaddwd => each(32, a, b, |a, b| {
            let of = |word: u64, at: u32| signed(16, word >> at & 0xffff);
            (of(a, 0) * of(b, 0) + of(a, 16) * of(b, 16)) as u64
        }),
        M::Pmaddubsw => each(16, a, b, |a, b| {
            let product = |at: u32| (a >> at & 0xff) as i64 * signed(8, b >> at & 0xff);
            within(16, true, product(0) + product(8))
        }),
        M::Psadbw => each(64, a, b, |a, b| {
            let of = |word: u64, at: usize| word >> (at * 8) & 0xff;
            (0..8).map(|at| of(a, at).abs_diff(of(b, at))).sum()
        }),
        M::Psllw | M::Psrlw | M::Psraw => shifted(16),
        M::Pslld | M::Psrld | M::Psrad => shifted(32),
        M::Psllq | M::Psrlq => shifted(64),
        M::Vpsllvd | M::Vpsrlvd | M::Vpsravd => each(32, a, b, |a, b| shift(32, name, a, b)),
        M::Vpsllvq | M::Vpsrlvq => each(64, a, b, |a, b| shift(64, name, a, b)),
        M::Pslldq => a.checked_shl(u32::from(by) * 8).unwrap_or(0),
        M::Psrldq => a.checked_shr(u32::from(by) * 8).unwrap_or(0),
        M::Palignr => bytes(|at| match at + usize::from(by) {
            from @ 0..16 => byte(b, from),
            from @ 16..32 => byte(a, from - 16),
            _ => 0,
        }),
        M::Pshufb => bytes(|at| match byte(b, at) {
            0x80.. => 0,
            from => byte(a, from as usize & 15),
        }),
        M::Pshufd => bytes(|at| byte(b, usize::from(by >> (at / 4 * 2) & 3) * 4 + at % 4)),
        M::Vpermilps => bytes(|at| {
            let from = number.map_or(byte(b, at / 4 * 4) as u8, |by| by >> (at / 4 * 2));
            byte(a, usize::from(from & 3) * 4 + at % 4)
        }),
        M::Vpermilpd => bytes(|at| {
            let from = number.map_or(byte(b, at / 8 * 8) as u8 >> 1, |by| by >> (at / 8));
            byte(a, usize::from(from & 1) * 8 + at % 8)
        }),
        M::Pshuflw | M::Pshufhw => {
            let first = if name == M::Pshuflw { 0 } else { 8 };
            bytes(|at| match at.checked_sub(first) {
                Some(at @ 0..8) => {
                    byte(b, first + usize::from(by >> (at / 2 * 2) & 3) * 2 + at % 2)
                }
                _ => byte(b, at),
            })
        }
        M::Shufps => bytes(|at| {
            let from = if at < 8 { a } else { b };
            byte(from, usize::from(by >> (at / 4 * 2) & 3) * 4 + at % 4)
        }),
        M::Shufpd => bytes(|at| {
            let from = if at < 8 { a } else { b };
            byte(from, usize::from(by >> (at / 8) & 1) * 8 + at % 8)
        }),
        M::Punpcklbw => interleaved(8, a, b, false),
        M::Punpcklwd => interleaved(16, a, b, false),
        M::Punpckldq | M::Unpcklps => interleaved(32, a, b, false),
        M::Punpcklqdq | M::Unpcklpd | M::Movlhps => interleaved(64, a, b, false),
        M::Punpckhbw => interleaved(8, a, b, true),
        M::Punpckhwd => interleaved(16, a, b, true),
        M::Punpckhdq | M::Unpckhps => interleaved(32, a, b, true),
        M::Punpckhqdq | M::Unpckhpd => interleaved(64, a, b, true),
        M::Movhlps => interleaved(64, b, a, true),
        M::Packsswb => packed(8, true, a, b),
        M::Packssdw => packed(16, true, a, b),
        M::Packuswb => packed(8, false, a, b),
        M::Packusdw => packed(16, false, a, b),
        M::Pblendw => bytes(|at| byte(if by >> (at / 2) & 1 == 1 { b } else { a }, at)),
        M::Vpblendd | M::Blendps => {
            bytes(|at| byte(if by >> (at / 4) & 1 == 1 { b } else { a }, at))
        }
        M::Blendpd => bytes(|at| byte(if by >> (at / 8) & 1 == 1 { b } else { a }, at)),
        M::Movddup => interleaved(64, b, b, false),
        M::Movshdup => bytes(|at| byte(b, at | 4)),
        M::Movsldup => bytes(|at| byte(b, at & !4)),
        M::Phaddd => added(32, a, b),
        M::Phaddw => added(16, a, b),
        M::Pclmulqdq => {
            let half = |of: u128, is_high: u8| {
                if is_high & 1 == 1 {
                    of >> 64
                } else {
                    of as u64 as u128
                }
            };
            let (a, b) = (half(a, by), half(b, by >> 4));
            (0..64).fold(0, |all, at| {
                all ^ if b >> at & 1 == 1 { a << at } else { 0 }
            })
        }
        M::Addps => floats(32, a, b, |a, b| a + b)?,
        M::Addpd => floats(64, a, b, |a, b| a + b)?,
        M::Subps => floats(32, a, b, |a, b| a - b)?,
        M::Subpd => floats(64, a, b, |a, b| a - b)?,
        M::Mulps => floats(32, a, b, |a, b| a * b)?,
        M::Mulpd => floats(64, a, b, |a, b| a * b)?,
        M::Divps => floats(32, a, b, |a, b| a / b)?,
        M::Divpd => floats(64, a, b, |a, b| a / b)?,
        M::Minps => floats(32, a, b, least)?,
        M::Minpd => floats(64, a, b, least)?,
        M::Maxps => floats(32, a, b, most)?,
        M::Maxpd => floats(64, a, b, most)?,
        M::Sqrtps => floats(32, b, b, |b, _| b.sqrt())?,
        M::Sqrtpd => floats(64, b, b, |b, _| b.sqrt())?,
        M::Cmpps => compared(32, a, b, by)?,
        M::Cmppd => compared(64, a, b, by)?,
        M::Cvttps2dq => each(32, b, 0, |b, _| {
            truncated(f64::from(f32::from_bits(b as u32)), 4)
        }),
        M::Cvtdq2ps => each_signed(32, b, 0, |b, _| i64::from((b as f32).to_bits())),
        M::Haddps => {
            let even = bytes(|at| byte(if at < 8 { a } else { b }, at % 8 / 4 * 8 + at % 4));
            let odd = bytes(|at| byte(if at < 8 { a } else { b }, at % 8 / 4 * 8 + 4 + at % 4));
            floats(32, even, odd, |a, b| a + b)?
        }
        M::Haddpd => {
            let (even, odd) = (interleaved(64, a, b, false), interleaved(64, a, b, true));
            floats(64, even, odd, |a, b| a + b)?
        }
        _ => return None,
    })
}

/// All bits of an element where two floating-point numbers compare as it says.
pub(crate) fn compared(bits: u32, a: u128, b: u128, by: u8) -> Option<u128> {
    let is = move |a: f64, b: f64| match by & 3 {
        0 => a == b,
        1 => a < b,
        2 => a <= b,
        _ => a.is_nan() || b.is_nan(),
    };
    let one = move |a, b| all_if(is(float(bits, a), float(bits, b)) != (by & 4 != 0));
    (by < 8).then(|| each(bits, a, b, one))
}

/// Factors first: `a * b + c` rounded once.
pub(crate) fn fused(name: M, (old, one, other): (u128, u128, u128)) -> Option<u128> {
    let all = format!("{name:?}");
    let rest = all.strip_prefix("Vf")?;
    let (is_opposite, rest) = match rest.strip_prefix('n') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (is_less, rest) = match (rest.strip_prefix("madd"), rest.strip_prefix("msub")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let (order, kind) = rest.split_at_checked(3)?;
    let (a, b, c) = match order {
        "132" => (old, other, one),
        "213" => (one, old, other),
        "231" => (one, other, old),
        _ => return None,
    };
    let bits = if kind.ends_with('s') { 32 } else { 64 };
    let count = if kind.starts_with('s') { 1 } else { 128 / bits };
    let mut out = old;
    for at in (0..count).map(|at| at * bits) {
        let of = |word: u128| (word >> at) as u64 & element(bits);
        let sign = |value: f64, is_set: bool| if is_set { -value } else { value };
        let [a, b, c] = [of(a), of(b), of(c)];
        let value = match bits {
            32 => {
                let one = |word: u64| f32::from_bits(word as u32);
                let a = sign(f64::from(one(a)), is_opposite) as f32;
                let c = sign(f64::from(one(c)), is_less) as f32;
                f64::from(a.mul_add(one(b), c))
            }
            _ => {
                let a = sign(float(64, a), is_opposite);
                a.mul_add(float(64, b), sign(float(64, c), is_less))
            }
        };
        if value.is_nan() {
            return None;
        }
        let mask = u128::from(element(bits)) << at;
        out = out & !mask | u128::from(bits_of(bits, value)) << at;
    }
    Some(out)
}

/// What the number that an instruction says is for the 128 bits of a lane: some have a bit for
/// each element of all lanes.
pub(crate) fn number_of(name: M, number: u8, lane: usize) -> u8 {
    match name {
        M::Vpblendd | M::Blendps => number >> (lane * 4),
        M::Blendpd | M::Shufpd | M::Vpermilpd => number >> (lane * 2),
        _ => number,
    }
}

/// How wide the elements are of an instruction that makes each of its own two only.
pub(crate) fn alone(name: M) -> Option<u32> {
    Some(match name {
        M::Paddb | M::Psubb | M::Pcmpeqb | M::Pcmpgtb | M::Pminub | M::Pmaxub | M::Psubusb => 8,
        M::Paddw | M::Psubw | M::Pcmpeqw | M::Pcmpgtw | M::Pminuw | M::Pmaxuw => 16,
        M::Paddd | M::Psubd | M::Pcmpeqd | M::Pcmpgtd | M::Pminud | M::Pmaxud => 32,
        M::Paddq | M::Psubq | M::Pcmpeqq | M::Pcmpgtq => 64,
        _ => return None,
    })
}

/// Of `of`, whose bits in `known` are known: those of elements that are known whole.
pub(crate) fn whole(bits: u32, known: u128) -> u128 {
    each(bits, known, 0, |known, _| all_if(known == element(bits)))
}

/// From narrower elements to wider ones: how wide both are, and whether their signs are kept.
pub(crate) fn widened(name: M) -> Option<(u32, u32, bool)> {
    Some(match name {
        M::Pmovsxbw => (8, 16, true),
        M::Pmovsxbd => (8, 32, true),
        M::Pmovsxbq => (8, 64, true),
        M::Pmovsxwd => (16, 32, true),
        M::Pmovsxwq => (16, 64, true),
        M::Pmovsxdq => (32, 64, true),
        M::Pmovzxbw => (8, 16, false),
        M::Pmovzxbd => (8, 32, false),
        M::Pmovzxbq => (8, 64, false),
        M::Pmovzxwd => (16, 32, false),
        M::Pmovzxwq => (16, 64, false),
        M::Pmovzxdq => (32, 64, false),
        _ => return None,
    })
}

/// The 128 bits that wider elements make of those from a bit on.
pub(crate) fn wider((from, to, keeps_sign): (u32, u32, bool), of: u128, lane: u32) -> u128 {
    let count = 128 / to;
    (0..count).fold(0, |all, at| {
        let value = (of >> ((lane * count + at) * from)) as u64 & element(from);
        let value = match keeps_sign {
            true => signed(from, value) as u64 & element(to),
            false => value,
        };
        all | u128::from(value) << (at * to)
    })
}

/// The same from numbers of 32 bits to floating-point ones of 64; none if it is not such.
pub(crate) fn doubled(name: M, of: u128, lane: u32) -> Option<u128> {
    let one = |at: u32| {
        let value = (of >> ((lane * 2 + at) * 32)) as u32;
        let value = match name {
            M::Cvtdq2pd => f64::from(value as i32),
            M::Cvtps2pd => f64::from(f32::from_bits(value)),
            _ => return None,
        };
        (!value.is_nan()).then(|| u128::from(value.to_bits()))
    };
    Some(one(0)? | one(1)? << 64)
}

/// Both halves of 256 bits by an instruction that moves elements between them.
pub(crate) fn across(name: M, a: [u128; 2], b: [u128; 2], by: u8) -> Option<[u128; 2]> {
    let part = |of: [u128; 2], bits: u32, number: u64| {
        let at = number as u32 * bits;
        (of[(at / 128 % 2) as usize] >> (at % 128)) as u64 & element(bits)
    };
    let picked = |bits: u32, pick: &dyn Fn(u32) -> u64| {
        let count = 128 / bits;
        [0, 1].map(|half| {
            (0..count).fold(0, |all, at| {
                all | u128::from(pick(half * count + at)) << (at * bits)
            })
        })
    };
    Some(match name {
        M::Vpermq | M::Vpermpd => picked(64, &|at| part(b, 64, u64::from(by >> (at * 2) & 3))),
        M::Vpermd | M::Vpermps => picked(32, &|at| part(b, 32, part(a, 32, u64::from(at)) & 7)),
        M::Vperm2i128 | M::Vperm2f128 => [by, by >> 4].map(|by| match by & 0xb {
            0 => a[0],
            1 => a[1],
            2 => b[0],
            3 => b[1],
            _ => 0,
        }),
        M::Vinserti128 | M::Vinsertf128 if by & 1 == 0 => [b[0], a[1]],
        M::Vinserti128 | M::Vinsertf128 => [a[0], b[0]],
        M::Vextracti128 | M::Vextractf128 => [b[usize::from(by & 1)], 0],
        M::Vbroadcasti128 | M::Vbroadcastf128 => [b[0]; 2],
        M::Vpbroadcastb => picked(8, &|_| part(b, 8, 0)),
        M::Vpbroadcastw => picked(16, &|_| part(b, 16, 0)),
        M::Vpbroadcastd | M::Vbroadcastss => picked(32, &|_| part(b, 32, 0)),
        M::Vpbroadcastq | M::Vbroadcastsd => picked(64, &|_| part(b, 64, 0)),
        _ => return None,
    })
}

/// Elements of `b` where the highest bit of the mask's is set, else those of `a`.
pub(crate) fn blended(bits: u32, a: u128, b: u128, mask: u128) -> u128 {
    let is_set = each_signed(bits, mask, 0, |mask, _| all_if(mask < 0) as i64);
    a & !is_set | b & is_set
}
