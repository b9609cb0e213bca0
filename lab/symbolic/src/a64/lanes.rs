//! Elements of vector registers, of which something is computed where all is known.

/// Elements of so many bytes, of one register of 8 or 16.
pub(super) fn split(value: u128, each: usize, bytes: usize) -> Vec<u64> {
    let mask = u64::MAX >> (64 - each * 8);
    (0..bytes / each)
        .map(|at| (value >> (at * each * 8)) as u64 & mask)
        .collect()
}

/// The same put together.
pub(super) fn join(elements: &[u64], each: usize) -> u128 {
    let mask = u64::MAX >> (64 - each * 8);
    elements.iter().enumerate().fold(0, |all, (at, element)| {
        all | u128::from(element & mask) << (at * each * 8)
    })
}

/// An element with its sign.
pub(super) fn signed(element: u64, each: usize) -> i64 {
    let by = 64 - each * 8;
    (element << by) as i64 >> by
}

/// All ones where something holds.
fn all(is: bool) -> u64 {
    if is { u64::MAX } else { 0 }
}

/// *Advanced SIMD three same*: one element of two, and what was there before; none for what is
/// not known.
pub(super) fn three_same(
    (is_unsigned, opcode): (bool, u32),
    each: usize,
    (a, b, old): (u64, u64, u64),
) -> Option<u64> {
    let (sa, sb) = (signed(a, each), signed(b, each));
    Some(match (is_unsigned, opcode) {
        (false, 0b10000) => a.wrapping_add(b),
        (true, 0b10000) => a.wrapping_sub(b),
        (false, 0b10001) => all(a & b != 0),
        (true, 0b10001) => all(a == b),
        (false, 0b00110) => all(sa > sb),
        (true, 0b00110) => all(a > b),
        (false, 0b00111) => all(sa >= sb),
        (true, 0b00111) => all(a >= b),
        (false, 0b01100) => sa.max(sb) as u64,
        (true, 0b01100) => a.max(b),
        (false, 0b01101) => sa.min(sb) as u64,
        (true, 0b01101) => a.min(b),
        (false, 0b01110) => sa.abs_diff(sb),
        (true, 0b01110) => a.abs_diff(b),
        (false, 0b10011) => a.wrapping_mul(b),
        (false, 0b10010) => old.wrapping_add(a.wrapping_mul(b)),
        (true, 0b10010) => old.wrapping_sub(a.wrapping_mul(b)),
        (is_unsigned, 0b01000) => {
            let by = i64::from(b as i8);
            let bits = each as i64 * 8;
            match by {
                _ if by >= bits => 0,
                0.. => a << by,
                _ if is_unsigned && -by >= bits => 0,
                _ if is_unsigned => a >> -by,
                _ => (sa >> (-by).min(63)) as u64,
            }
        }
        _ => return None,
    })
}

/// *Advanced SIMD two-register miscellaneous*, of elements that stay as wide.
pub(super) fn miscellaneous((is_other, opcode): (bool, u32), each: usize, a: u64) -> Option<u64> {
    let sa = signed(a, each);
    let bits = each as u32 * 8;
    Some(match (is_other, opcode) {
        (false, 0b00101) if each == 1 => u64::from(a.count_ones()),
        (false, 0b01000) => all(sa > 0),
        (true, 0b01000) => all(sa >= 0),
        (false, 0b01001) => all(sa == 0),
        (true, 0b01001) => all(sa <= 0),
        (false, 0b01010) => all(sa < 0),
        (false, 0b01011) => sa.unsigned_abs(),
        (true, 0b01011) => a.wrapping_neg(),
        (true, 0b00100) => u64::from(a.leading_zeros()) - u64::from(64 - bits),
        (true, 0b00101) if each == 1 => !a,
        (true, 0b00101) if each == 2 => u64::from((a as u8).reverse_bits()),
        _ => return None,
    })
}
