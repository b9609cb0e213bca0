//! What kernels for newer CPUs compute: dot products, products of matrices of bytes, SHA-3's logic.
//! Where it is known what they tell, it is known what comes after them.

use super::vectors::{Pair, known, pair, unknown};
use super::{field, lanes};
use crate::machine::Machine;
use crate::state::State;

impl Machine<'_> {
    /// SDOT, UDOT, USDOT, SMMLA, UMMLA, USMMLA, EOR3 and BCAX; unknown where an operand is.
    pub(super) fn products(&self, state: &State, word: u32) -> Option<Pair> {
        let (n, m) = (
            self.v(state, field(word, 5, 5)),
            self.v(state, field(word, 16, 5)),
        );
        let own = self.v(state, field(word, 0, 5));
        let is_whole = field(word, 30, 1) == 1;
        let bytes = if is_whole { 16 } else { 8 };
        let is_unsigned = field(word, 29, 1) == 1;
        let of = |value: u128, is_signed: bool| -> Vec<i64> {
            let all = lanes::split(value, 1, 16).into_iter();
            all.map(|one| match is_signed {
                true => lanes::signed(one, 1),
                false => one as i64,
            })
            .collect()
        };
        let sum = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
        let (a, b, d) = (known(&n), known(&m), known(&own));
        // Four bytes of one by those of the other, or by the same four of one element.
        let is_dot = word & 0x9fe0_fc00 == 0x0e80_9400 || word & 0xbfe0_fc00 == 0x0e80_9c00;
        let is_element = word & 0x9fc0_f400 == 0x0f80_e000;
        if is_dot || is_element {
            let (Some(a), Some(b), Some(d)) = (a, b, d) else {
                return Some(unknown(&[&n, &m, &own]));
            };
            let is_mixed = word & 0xbfe0_fc00 == 0x0e80_9c00;
            let (a, b) = (of(a, !is_unsigned && !is_mixed), of(b, !is_unsigned));
            let index = (field(word, 11, 1) << 1 | field(word, 21, 1)) as usize * 4;
            let old = lanes::split(d, 4, bytes);
            let all = old.iter().enumerate().map(|(at, old)| {
                let from = if is_element { index } else { at * 4 };
                let product = sum(&a[at * 4..at * 4 + 4], &b[from..from + 4]);
                old.wrapping_add(product as u64)
            });
            return Some(pair(lanes::join(&all.collect::<Vec<u64>>(), 4)));
        }
        // Two rows of eight by two columns.
        if word & 0xdfe0_f400 == 0x4e80_a400 {
            let (Some(a), Some(b), Some(d)) = (a, b, d) else {
                return Some(unknown(&[&n, &m, &own]));
            };
            let is_mixed = field(word, 11, 1) == 1;
            let (a, b) = (of(a, !is_unsigned && !is_mixed), of(b, !is_unsigned));
            let old = lanes::split(d, 4, 16);
            let all = old.iter().enumerate().map(|(at, old)| {
                let (row, column) = (at / 2 * 8, at % 2 * 8);
                let product = sum(&a[row..row + 8], &b[column..column + 8]);
                old.wrapping_add(product as u64)
            });
            return Some(pair(lanes::join(&all.collect::<Vec<u64>>(), 4)));
        }
        let is_exclusive = word & 0xffe0_8000 == 0xce00_0000;
        if is_exclusive || word & 0xffe0_8000 == 0xce20_0000 {
            let third = self.v(state, field(word, 10, 5));
            let (Some(a), Some(b), Some(c)) = (a, b, known(&third)) else {
                return Some(unknown(&[&n, &m, &third]));
            };
            return Some(pair(match is_exclusive {
                true => a ^ b ^ c,
                false => a ^ (b & !c),
            }));
        }
        None
    }
}
