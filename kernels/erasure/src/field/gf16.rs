//! GF(2^16) in Leopard's Cantor basis, and as a tower.
//!
//! Logarithms are needed once for a set of shards. Their tables have 256 KiB and are made
//! at the first use of code C.
//!
//! Vector code multiplies in a tower: an element is x0 + x1 * v8 with x0 and x1 in the
//! [subfield](super::SUBFIELD), and v8^2 = v8 + v7. In this basis v(8+j) = vj * v8 + bj
//! with bj in the subfield. So x1 is the high byte, and x0 is the low byte plus a linear
//! function of the high one, [`HIGH`]. A product by an element of the subfield is then one
//! product for each byte, a product by any other is four in all.

use super::gf8::product;
use super::{Logs, SUBFIELD};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

const POLYNOMIAL: u32 = 0x1002d;

/// `LeopardFF16.cpp`, `kCantorBasis`.
const BASIS: [u16; 16] = [
    0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012, 0x6c98, 0x10d8, 0x6a72, 0xb900,
    0xfdb8, 0xfb34, 0xff38, 0x991e,
];

/// What bit j of the high byte adds to the low one between Leopard's coordinates and the
/// tower's: bj. It is its own inverse.
const LINEAR: [u8; 8] = [0x00, 0xcf, 0xab, 0x21, 0x8a, 0x9d, 0x27, 0x1f];

/// v7: the square of v8 is v8 + v7.
const NU: u8 = 0x80;

/// [`LINEAR`] in the forms of [`Tables`](super::Tables).
pub(crate) static HIGH: Linear = linear();

/// A linear function of a byte.
#[derive(Debug)]
#[repr(C, align(32))]
pub(crate) struct Linear {
    pub(crate) nibbles: [u8; 32],
    pub(crate) affine: u64,
}

const fn linear() -> Linear {
    let (mut nibbles, mut affine) = ([0; 32], 0);
    let mut bit = 0;
    while bit < 8 {
        let table = if bit < 4 { 0 } else { 16 };
        let mut n = 0;
        while n < 16 {
            if n >> (bit & 3) & 1 == 1 {
                nibbles[table + n] ^= LINEAR[bit];
            }
            n += 1;
        }
        let mut row = 0;
        while row < 8 {
            affine |= ((LINEAR[bit] >> row & 1) as u64) << (8 * (7 - row) + bit);
            row += 1;
        }
        bit += 1;
    }
    Linear { nibbles, affine }
}

/// The four elements of the subfield by which the bytes of a symbol are multiplied, from the
/// lowest byte on: low to low, high to low, low to high, high to high.
pub(crate) fn tower(c: u16) -> u32 {
    let high = usize::from(c >> 8);
    let low = c as u8 ^ HIGH.nibbles[high & 15] ^ HIGH.nibbles[16 + (high >> 4)];
    let table = &SUBFIELD.nibbles[usize::from(NU)];
    let nu = table[high & 15] ^ table[16 + (high >> 4)];
    let high = high as u8;
    u32::from_le_bytes([low, nu, high, low ^ high])
}

/// Both tables.
struct Made {
    log: Vec<u16>,
    exp: Vec<u16>,
}

/// Null until somebody made them.
static MADE: AtomicPtr<Made> = AtomicPtr::new(ptr::null_mut());

/// The logarithms. The first call makes the tables.
pub(crate) fn logs() -> Logs {
    let mut at = MADE.load(Ordering::Acquire);
    if at.is_null() {
        let made = Box::into_raw(Box::new(make()));
        // Several threads may make them at once. The first one's stay.
        match MADE.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => at = made,
            Err(first) => {
                at = first;
                // SAFETY: it came from a box above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
            }
        }
    }
    // SAFETY: whoever stored the pointer had it from a box, and nobody ever frees it.
    let made: &'static Made = unsafe { &*at };
    Logs {
        log: &made.log,
        exp: &made.exp,
    }
}

fn make() -> Made {
    // Coordinates by polynomial: the inverse of the basis.
    let mut coordinates = vec![0_u16; 1 << 16];
    let mut element = 0;
    for gray in 1..1_usize << 16 {
        element ^= BASIS[gray.trailing_zeros() as usize];
        coordinates[usize::from(element)] = (gray ^ gray >> 1) as u16;
    }
    let (mut log, mut exp) = (vec![0; 1 << 16], vec![0; (1 << 16) - 1]);
    let mut power = 1;
    for (i, place) in exp.iter_mut().enumerate() {
        *place = coordinates[power as usize];
        log[usize::from(*place)] = i as u16;
        power = product(power, 2, 16, POLYNOMIAL);
    }
    Made { log, exp }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn the_tower_multiplies_as_logarithms_do() {
        let logs = logs();
        let sub = |a: u16, b: u16| {
            let table = &SUBFIELD.nibbles[usize::from(a)];
            u16::from(table[usize::from(b & 15)] ^ table[usize::from(16 + (b >> 4))])
        };
        let enter = |x: u16| {
            let high = usize::from(x >> 8);
            x ^ u16::from(HIGH.nibbles[high & 15] ^ HIGH.nibbles[16 + (high >> 4)])
        };
        let mut x: u16 = 0x1234;
        for _ in 0..20_000 {
            let c = x.wrapping_mul(25173).wrapping_add(13849);
            x = c.wrapping_mul(25173).wrapping_add(13849);
            let [a, b, d, e] = tower(c).to_le_bytes().map(u16::from);
            let t = enter(x);
            let (low, high) = (t & 255, t >> 8);
            let product = (sub(a, low) ^ sub(b, high)) | (sub(d, low) ^ sub(e, high)) << 8;
            assert_eq!(enter(product), logs.mul(c, x), "{c} {x}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn every_element_has_one_logarithm() {
        let logs = logs();
        let all: BTreeSet<u16> = (0..logs.modulus()).map(|l| logs.exp(l)).collect();
        assert_eq!(all.len(), 65535);
        assert!(!all.contains(&0));
        for x in [1, 2, 0x100, 0xffff] {
            assert_eq!(logs.exp(logs.log(x)), x as u16);
            assert_eq!(logs.mul(x as u16, logs.inverse(x as u16)), 1);
        }
        for i in 1..16 {
            let v = 1_u16 << i;
            assert_eq!(logs.mul(v, v), v ^ v >> 1, "Cantor's property");
        }
    }
}
