//! Powers of forms.

use crate::squaring::{self, Chain};
use crate::{Discriminant, Form, Uint};
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
    Product::new(powers, discriminant).alone()
}

/// Several such products, each of its own discriminant, whose squarings go side by side.
pub(crate) fn products_of_powers(mut products: Vec<Product<'_>>) -> Vec<Form> {
    let longest = products.iter().map(Product::length).max().unwrap_or(0);
    let mut chains = Vec::with_capacity(products.len());
    for place in (0..longest).rev() {
        chains.clear();
        chains.extend(products.iter().filter_map(Product::chain));
        squaring::square_all(&mut chains, 1);
        let begun = products.iter_mut().filter_map(|p| p.so_far.as_mut());
        for (form, chain) in begun.zip(&chains) {
            *form = chain.form;
        }
        for product in &mut products {
            product.multiply(place);
        }
    }
    products.iter().map(Product::end).collect()
}

/// A product of powers that is made from the highest digits on.
pub(crate) struct Product<'d> {
    /// Small powers of each base, and the digits of its exponent.
    prepared: Vec<(Vec<Form>, Vec<i8>)>,
    /// Nothing stands for one.
    so_far: Option<Form>,
    discriminant: &'d Discriminant,
}

impl<'d> Product<'d> {
    pub(crate) fn new(powers: &[Power<'_>], discriminant: &'d Discriminant) -> Self {
        let prepare = |power: &Power<'_>| (odd_powers(power.base, discriminant), digits(power));
        Self {
            prepared: powers.iter().map(prepare).collect(),
            so_far: None,
            discriminant,
        }
    }

    /// Digits of the longest exponent.
    fn length(&self) -> usize {
        let lengths = self.prepared.iter().map(|(_, digits)| digits.len());
        lengths.max().unwrap_or(0)
    }

    fn chain(&self) -> Option<Chain<'d>> {
        self.so_far.map(|form| Chain {
            form,
            discriminant: self.discriminant,
        })
    }

    /// Takes in the digits of one place.
    fn multiply(&mut self, place: usize) {
        for (table, digits) in &self.prepared {
            let digit = digits.get(place).copied().unwrap_or(0);
            if digit == 0 {
                continue;
            }
            let power = &table[usize::from(digit.unsigned_abs() / 2)];
            let power = if digit < 0 { power.inverse() } else { *power };
            self.so_far = Some(match &self.so_far {
                Some(product) => product.compose(&power, self.discriminant),
                None => power,
            });
        }
    }

    /// The product, after all squarings.
    pub(crate) fn alone(mut self) -> Form {
        for place in (0..self.length()).rev() {
            if let Some(so_far) = &mut self.so_far {
                squaring::square(so_far, self.discriminant);
            }
            self.multiply(place);
        }
        self.end()
    }

    fn end(&self) -> Form {
        self.so_far
            .unwrap_or_else(|| Form::identity(self.discriminant))
    }
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
