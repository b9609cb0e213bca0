//! Products of one number by another in digits, as they are measured.

use super::{LIMBS, Part, numbers, write};
use crate::{Digits, Sums, Uint};
use alloc::boxed::Box;
use alloc::vec::Vec;
use karat_kit::{Call, Input};

/// Products of pairs of numbers, whose digits fill `V` vectors each.
struct InDigits<const N: usize, const V: usize, const W: usize> {
    part: Part,
    numbers: Vec<[Uint<N>; 2]>,
    factors: Vec<[Digits<V>; 2]>,
    sums: Vec<Sums<W>>,
    products: Vec<Digits<W>>,
    results: Vec<Uint<N>>,
}

impl<const N: usize, const V: usize, const W: usize> Call for InDigits<N, V, W> {
    fn call(&mut self) {
        let part = self.part;
        for (i, numbers) in self.numbers.iter().enumerate() {
            let (factors, sums) = (&mut self.factors[i], &mut self.sums[i]);
            let product = &mut self.products[i];
            if part.has(Part::ToDigits) {
                for (factor, number) in factors.iter_mut().zip(numbers) {
                    let fits = factor.assign(number);
                    debug_assert!(fits.is_ok(), "there are vectors for it");
                }
            }
            if part == Part::Sums {
                sums.assign_product(&factors[0], &factors[1]);
            }
            if part.has(Part::Product) {
                product.assign_product(&factors[0], &factors[1]);
            }
            if part.has(Part::FromDigits) {
                let fits = product.write(&mut self.results[i]);
                debug_assert!(fits.is_ok(), "there is room for 4096 bits");
            }
        }
    }

    fn result(&self, out: &mut [u8]) {
        // Whatever was timed, the products are the result.
        let mut whole = Self {
            part: Part::Whole,
            numbers: self.numbers.clone(),
            factors: self.factors.clone(),
            sums: self.sums.clone(),
            products: self.products.clone(),
            results: self.results.clone(),
        };
        if self.part != Part::Whole {
            whole.call();
        }
        write(&whole.results, out);
    }
}

fn of_vectors<const N: usize, const V: usize, const W: usize>(
    input: &Input,
    part: Part,
) -> Box<dyn Call> {
    let numbers: Vec<Uint<N>> = numbers(input);
    let numbers = numbers.as_chunks().0.to_vec();
    let count = numbers.len();
    let mut all = InDigits {
        part: Part::Whole,
        numbers,
        factors: alloc::vec![[Digits::<V>::ZERO; 2]; count],
        sums: alloc::vec![Sums::<W>::ZERO; count],
        products: alloc::vec![Digits::<W>::ZERO; count],
        results: alloc::vec![Uint::ZERO; count],
    };
    // What a part begins with is there.
    all.call();
    all.part = part;
    Box::new(all)
}

/// A part of products.
pub(super) fn digits(input: &Input, part: Part) -> Box<dyn Call> {
    match bits(input) {
        ..=512 => of_vectors::<16, 2, 3>(input, part),
        513..=1024 => of_vectors::<32, 3, 5>(input, part),
        _ => of_vectors::<LIMBS, 5, 10>(input, part),
    }
}

/// Bits of a number.
fn bits(input: &Input) -> usize {
    8 * input.bytes.len() / input.items
}

/// Products each of which needs the one before: its lower half is the next factor.
struct Chain<const V: usize, const W: usize> {
    factors: Vec<Digits<V>>,
    bits: usize,
    last: Digits<V>,
}

impl<const V: usize, const W: usize> Call for Chain<V, W> {
    fn call(&mut self) {
        let mut product = Digits::<W>::ZERO;
        self.last = self.factors[0];
        for factor in &self.factors[1..] {
            product.assign_product(&self.last, factor);
            self.last.assign_low(&product, self.bits);
        }
    }

    fn result(&self, out: &mut [u8]) {
        let mut last = Uint::<LIMBS>::ZERO;
        let fits = self.last.write(&mut last);
        debug_assert!(fits.is_ok(), "there is room for 2048 bits");
        write(&[last], out);
    }
}

fn chain_of<const V: usize, const W: usize>(input: &Input) -> Box<dyn Call> {
    let factor = |number: &Uint<LIMBS>| Digits::new(number).unwrap_or(Digits::ZERO);
    Box::new(Chain::<V, W> {
        factors: numbers(input).iter().map(factor).collect(),
        bits: bits(input),
        last: Digits::ZERO,
    })
}

/// A chain of products.
pub(super) fn digits_chain(input: &Input) -> Box<dyn Call> {
    match bits(input) {
        ..=512 => chain_of::<2, 3>(input),
        513..=1024 => chain_of::<3, 5>(input),
        _ => chain_of::<5, 10>(input),
    }
}
