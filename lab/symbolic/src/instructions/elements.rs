//! Elements of vectors of 128 bits: what is done to each, and which come where.

use iced_x86::Mnemonic as M;

/// Each element of both, so many bits wide.
pub(super) fn each(bits: u32, a: u128, b: u128, by: impl Fn(u64, u64) -> u64) -> u128 {
    let mask = element(bits);
    (0..128).step_by(bits as usize).fold(0, |all, at| {
        let (a, b) = ((a >> at) as u64 & mask, (b >> at) as u64 & mask);
        all | u128::from(by(a, b) & mask) << at
    })
}

/// The bits of one element.
pub(super) fn element(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// With its sign.
pub(super) fn signed(bits: u32, value: u64) -> i64 {
    (value << (64 - bits)) as i64 >> (64 - bits)
}

pub(super) fn each_signed(bits: u32, a: u128, b: u128, by: impl Fn(i64, i64) -> i64) -> u128 {
    each(bits, a, b, |a, b| {
        by(signed(bits, a), signed(bits, b)) as u64
    })
}

/// All bits of an element, or none.
pub(super) fn all_if(is_set: bool) -> u64 {
    if is_set { u64::MAX } else { 0 }
}

/// A number that fits in so many bits.
pub(super) fn within(bits: u32, is_signed: bool, value: i64) -> u64 {
    let most = (element(bits) >> u32::from(is_signed)) as i64;
    let least = if is_signed { -most - 1 } else { 0 };
    value.clamp(least, most) as u64
}

/// One byte of a vector.
pub(super) fn byte(of: u128, at: usize) -> u128 {
    of >> (at * 8) & 0xff
}

/// The bytes that a rule picks.
pub(super) fn bytes(pick: impl Fn(usize) -> u128) -> u128 {
    (0..16).fold(0, |all, at| all | pick(at) << (at * 8))
}

/// Elements of one half of both in turns.
pub(super) fn interleaved(bits: u32, a: u128, b: u128, is_high: bool) -> u128 {
    let size = bits as usize / 8;
    let first = if is_high { 8 } else { 0 };
    bytes(|at| {
        let number = at / size;
        let from = if number.is_multiple_of(2) { a } else { b };
        byte(from, first + number / 2 * size + at % size)
    })
}

/// Elements of twice so many bits, cut to what fits: those of `a`, then those of `b`.
pub(super) fn packed(bits: u32, is_signed: bool, a: u128, b: u128) -> u128 {
    let half = |of: u128| {
        (0..64 / bits).fold(0, |all, at| {
            let wide = (of >> (at * bits * 2)) as u64 & element(bits * 2);
            let value = within(bits, is_signed, signed(bits * 2, wide)) & element(bits);
            all | u128::from(value) << (at * bits)
        })
    };
    half(a) | half(b) << 64
}

pub(super) fn shift(bits: u32, name: M, value: u64, by: u64) -> u64 {
    let is_out = by >= u64::from(bits);
    match name {
        M::Psraw | M::Psrad | M::Vpsravd => {
            (signed(bits, value) >> by.min(u64::from(bits) - 1)) as u64
        }
        _ if is_out => 0,
        M::Psrlw | M::Psrld | M::Psrlq | M::Vpsrlvd | M::Vpsrlvq => value >> by,
        _ => value << by,
    }
}

/// Floating-point numbers; none where one is no number, since which is said is the CPU's.
pub(super) fn floats(bits: u32, a: u128, b: u128, by: impl Fn(f64, f64) -> f64) -> Option<u128> {
    let (mut out, mut is_odd) = (0, false);
    for at in (0..128).step_by(bits as usize) {
        let of = |word: u128| float(bits, (word >> at) as u64 & element(bits));
        let value = by(of(a), of(b));
        is_odd |= value.is_nan();
        out |= u128::from(bits_of(bits, value)) << at;
    }
    (!is_odd).then_some(out)
}

pub(super) fn float(bits: u32, value: u64) -> f64 {
    match bits {
        32 => f64::from(f32::from_bits(value as u32)),
        _ => f64::from_bits(value),
    }
}

/// Rounded to what fits: sums, products, quotients and roots of two that have half as many digits
/// are right after they were rounded twice.
pub(super) fn bits_of(bits: u32, value: f64) -> u64 {
    match bits {
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// Sums of neighbours: those of `a`, then those of `b`.
pub(super) fn added(bits: u32, a: u128, b: u128) -> u128 {
    let half = |of: u128| {
        (0..64 / bits).fold(0, |all, at| {
            let one = |next: u32| (of >> ((at * 2 + next) * bits)) as u64 & element(bits);
            let sum = one(0).wrapping_add(one(1)) & element(bits);
            all | u128::from(sum) << (at * bits)
        })
    };
    half(a) | half(b) << 64
}

pub(super) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

pub(super) fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
