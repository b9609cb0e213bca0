//! Powers of forms.

use crate::{Discriminant, Form, Uint, squaring};
use alloc::vec::Vec;

/// Bits of an exponent that are taken at once.
const WIDTH: usize = 5;

/// A base and its exponent.
#[derive(Clone, Copy)]
pub(crate) struct Power<'a> {
    pub(crate) base: &'a Form,
    pub(crate) exponent: &'a Uint,
}

/// The product of some powers. The squarings are done once for all (Straus), and digits
/// are signed, because inverses cost nothing here (Möller, "Algorithms for
/// multi-exponentiation", SAC 2001).
pub(crate) fn product_of_powers(powers: &[Power<'_>], discriminant: &Discriminant) -> Form {
    let prepare = |power: &Power<'_>| (odd_powers(power.base, discriminant), digits(power));
    let prepared: Vec<(Vec<Form>, Vec<i8>)> = powers.iter().map(prepare).collect();
    let length = prepared.iter().map(|(_, d)| d.len()).max().unwrap_or(0);
    let mut product: Option<Form> = None;
    for place in (0..length).rev() {
        if let Some(product) = &mut product {
            squaring::square(product, discriminant);
        }
        for (table, digits) in &prepared {
            let digit = digits.get(place).copied().unwrap_or(0);
            if digit == 0 {
                continue;
            }
            let power = &table[usize::from(digit.unsigned_abs() / 2)];
            let power = if digit < 0 { power.inverse() } else { *power };
            product = Some(match product {
                Some(product) => product.compose(&power, discriminant),
                None => power,
            });
        }
    }
    product.unwrap_or_else(|| Form::identity(discriminant))
}

/// The first, third, fifth, ... power, as many as digits need.
fn odd_powers(base: &Form, discriminant: &Discriminant) -> Vec<Form> {
    let mut square = *base;
    squaring::square(&mut square, discriminant);
    let next = |power: &Form| Some(power.compose(&square, discriminant));
    let powers = core::iter::successors(Some(*base), next);
    powers.take(1 << (WIDTH - 2)).collect()
}

/// The exponent in signed odd digits with zeros between them (the width-w non-adjacent
/// form), the least significant first.
fn digits(power: &Power<'_>) -> Vec<i8> {
    let mut digits = Vec::with_capacity(power.exponent.bits() + 1);
    let mut rest = *power.exponent;
    while !rest.is_zero() {
        let mut digit = 0;
        if rest.is_odd() {
            let low = (rest.low() % (1 << WIDTH)) as i8;
            if low < 1 << (WIDTH - 1) {
                digit = low;
                rest -= &Uint::from_u64(low as u64);
            } else {
                digit = low - (1 << WIDTH);
                rest += &Uint::from_u64(u64::from(digit.unsigned_abs()));
            }
        }
        digits.push(digit);
        rest = &rest >> 1;
    }
    digits
}
