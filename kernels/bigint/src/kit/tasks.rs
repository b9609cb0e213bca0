//! The functions that are measured.

use super::{LIMBS, Uint, numbers};
use crate::powers::Power;
use crate::{Montgomery, Residue};
use alloc::boxed::Box;
use alloc::vec::Vec;
use karat_kit::{Body, Call, Input, Random, Size, Task, Threads, Unit, Work};

const SIZES: &[u64] = &[512, 1024, 2048];

/// Products in a call. There are so many pairs that a predictor of branches cannot learn
/// them.
const PAIRS: usize = 1024;

/// Numbers of full length; every third is a modulus if numbers come in threes.
fn random_numbers(random: &mut Random, size: Size, each: usize) -> Input {
    let length = size.size as usize / 8;
    let mut bytes = random.bytes(size.items * each * length);
    for number in bytes.chunks_mut(length) {
        number[0] |= 0x80;
        number[length - 1] |= 1;
    }
    Input::of_items(bytes, size.items * each)
}

/// Products or squares of numbers in limbs.
struct Products {
    numbers: Vec<Uint>,
    square: bool,
    results: Vec<Uint>,
}

impl Call for Products {
    fn call(&mut self) {
        let pairs = self.numbers.as_chunks::<2>().0;
        for ([a, b], result) in pairs.iter().zip(&mut self.results) {
            if self.square {
                result.assign_square(a);
            } else {
                result.assign_product(a, b);
            }
        }
    }

    fn result(&self, out: &mut [u8]) {
        write(&self.results, out);
    }
}

/// All numbers, end to end, in equal shares of the bytes.
fn write(numbers: &[Uint], out: &mut [u8]) {
    let share = out.len() / numbers.len();
    for (number, out) in numbers.iter().zip(out.chunks_mut(share)) {
        let fits = number.to_be_bytes(out);
        debug_assert!(fits.is_ok(), "a result fits into its share");
    }
}

fn products(input: &Input, square: bool) -> Box<dyn Call> {
    let numbers = numbers(input);
    let results = alloc::vec![Uint::ZERO; numbers.len() / 2];
    Box::new(Products {
        numbers,
        square,
        results,
    })
}

/// Powers modulo a number.
struct Powers {
    each: Vec<(Montgomery<LIMBS>, Residue<LIMBS>, Uint)>,
    results: Vec<Uint>,
}

impl Call for Powers {
    fn call(&mut self) {
        for ((field, base, exponent), result) in self.each.iter().zip(&mut self.results) {
            *result = field.number(&field.power(base, exponent));
        }
    }

    fn result(&self, out: &mut [u8]) {
        write(&self.results, out);
    }
}

fn powers(input: &Input) -> Box<dyn Call> {
    let numbers = numbers(input);
    let triples = numbers.as_chunks::<3>().0.iter();
    let each = triples.filter_map(|[base, exponent, modulus]| {
        let field = Montgomery::new(modulus)?;
        let base = field.residue(base);
        Some((field, base, *exponent))
    });
    let each: Vec<_> = each.collect();
    let results = alloc::vec![Uint::ZERO; each.len()];
    Box::new(Powers { each, results })
}

/// Powers of numbers that do not depend on each other, in one call.
struct ManyPowers {
    /// Base, exponent and modulus in turns.
    numbers: Vec<Uint>,
    results: Vec<Uint>,
}

impl Call for ManyPowers {
    fn call(&mut self) {
        let triples = self.numbers.as_chunks::<3>().0.iter();
        let jobs =
            triples.filter_map(|[base, exponent, modulus]| Power::new(base, exponent, modulus));
        let jobs: Vec<_> = jobs.collect();
        crate::powers::compute(&jobs, &mut self.results);
    }

    fn result(&self, out: &mut [u8]) {
        write(&self.results, out);
    }
}

fn many_powers(input: &Input) -> Box<dyn Call> {
    let numbers = numbers(input);
    let results = alloc::vec![Uint::ZERO; numbers.len() / 3];
    Box::new(ManyPowers { numbers, results })
}

const fn task(name: &'static str, title: &'static str, body: Body) -> Task {
    Task {
        name,
        title,
        kernel: "bigint-mul",
        peers: name,
        body,
        input: |random, size| random_numbers(random, size, 2),
        result: |size| size.items * size.size as usize / 4,
        work: |size| Work::Operations(size.items as u64),
        item: "products",
        items: &[PAIRS],
        unit: Unit::Bits,
        sizes: SIZES,
        most: 2048,
        threads: Threads::One,
    }
}

/// All tasks.
pub(super) static TASKS: &[Task] = &[
    task(
        "bigint-mul",
        "product",
        Body::Prepared(|input| products(input, false)),
    ),
    task(
        "bigint-square",
        "square",
        Body::Prepared(|input| products(input, true)),
    ),
    Task {
        kernel: "bigint-montgomery",
        input: |random, size| random_numbers(random, size, 3),
        result: |size| size.items * size.size as usize / 8,
        item: "powers",
        items: &[4],
        ..task(
            "bigint-modexp",
            "power modulo a number",
            Body::Prepared(powers),
        )
    },
    Task {
        kernel: "bigint-powers",
        input: |random, size| random_numbers(random, size, 3),
        result: |size| size.items * size.size as usize / 8,
        item: "powers",
        items: &[8],
        ..task(
            "bigint-modexp-many",
            "powers modulo numbers, in one call",
            Body::Prepared(many_powers),
        )
    },
];
