//! The functions that are measured.

use super::digits::{digits, digits_chain};
use super::{LIMBS, Part, numbers, write};
use crate::powers::Power;
use crate::{Eight, LANES, Montgomery, Residue, Uint};
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

/// A function for the smallest capacity that has room for products of an input's numbers, as a
/// program would choose it: with more, numbers are further apart in memory.
macro_rules! of_size {
    ($function:ident($input:ident $(, $more:expr)?)) => {
        match 8 * $input.bytes.len() / $input.items {
            ..=512 => $function::<16>($input $(, $more)?),
            513..=1024 => $function::<32>($input $(, $more)?),
            _ => $function::<LIMBS>($input $(, $more)?),
        }
    };
}

/// Products or squares of numbers in limbs.
struct Products<const N: usize> {
    numbers: Vec<Uint<N>>,
    square: bool,
    results: Vec<Uint<N>>,
}

impl<const N: usize> Call for Products<N> {
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

fn products<const N: usize>(input: &Input, square: bool) -> Box<dyn Call> {
    let numbers: Vec<Uint<N>> = numbers(input);
    let results = alloc::vec![Uint::ZERO; numbers.len() / 2];
    Box::new(Products {
        numbers,
        square,
        results,
    })
}

/// Sums of numbers in limbs.
struct Sums<const N: usize> {
    numbers: Vec<Uint<N>>,
    results: Vec<Uint<N>>,
}

impl<const N: usize> Call for Sums<N> {
    fn call(&mut self) {
        let pairs = self.numbers.as_chunks::<2>().0;
        for ([a, b], result) in pairs.iter().zip(&mut self.results) {
            result.assign(a);
            *result += b;
        }
    }

    fn result(&self, out: &mut [u8]) {
        write(&self.results, out);
    }
}

fn sums<const N: usize>(input: &Input) -> Box<dyn Call> {
    let numbers: Vec<Uint<N>> = numbers(input);
    let results = alloc::vec![Uint::ZERO; numbers.len() / 2];
    Box::new(Sums { numbers, results })
}

/// Products each of which needs the one before: its lower half is the next factor.
struct Chain<const N: usize> {
    numbers: Vec<Uint<N>>,
    limbs: usize,
    last: Uint<N>,
}

impl<const N: usize> Call for Chain<N> {
    fn call(&mut self) {
        let mut product = Uint::ZERO;
        self.last.assign(&self.numbers[0]);
        for factor in &self.numbers[1..] {
            product.assign_product(&self.last, factor);
            let low = &product.padded(2 * self.limbs)[..self.limbs];
            self.last.buffer()[..self.limbs].copy_from_slice(low);
            self.last.set_len(self.limbs);
        }
    }

    fn result(&self, out: &mut [u8]) {
        write(core::slice::from_ref(&self.last), out);
    }
}

fn chain<const N: usize>(input: &Input) -> Box<dyn Call> {
    let numbers: Vec<Uint<N>> = numbers(input);
    let limbs = numbers[0].limbs().len();
    Box::new(Chain {
        numbers,
        limbs,
        last: Uint::ZERO,
    })
}

/// Products of numbers of `D` digits, eight at a time.
struct InLanes<const N: usize, const D: usize, const E: usize> {
    part: Part,
    /// The first factors of eight pairs, then the second ones.
    numbers: Vec<[[Uint<N>; LANES]; 2]>,
    factors: Vec<[Eight<D>; 2]>,
    products: Vec<Eight<E>>,
    results: Vec<[Uint<N>; LANES]>,
}

impl<const N: usize, const D: usize, const E: usize> Call for InLanes<N, D, E> {
    fn call(&mut self) {
        let (to, product, from) = (
            self.part.has(Part::ToDigits),
            self.part.has(Part::Product),
            self.part.has(Part::FromDigits),
        );
        for (i, numbers) in self.numbers.iter().enumerate() {
            if to {
                for (factor, numbers) in self.factors[i].iter_mut().zip(numbers) {
                    let fits = factor.assign(numbers);
                    debug_assert!(fits.is_ok(), "there is room for 2048 bits");
                }
            }
            if product {
                let [a, b] = &self.factors[i];
                self.products[i].assign_product(a, b);
            }
            if from {
                let fits = self.products[i].write(&mut self.results[i]);
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
            products: self.products.clone(),
            results: self.results.clone(),
        };
        if self.part != Part::Whole {
            whole.call();
        }
        write(whole.results.as_flattened(), out);
    }
}

/// With digits of 50 bits.
fn in_lanes(input: &Input, part: Part) -> Box<dyn Call> {
    match 8 * input.bytes.len() / input.items {
        ..=512 => in_lanes_of::<16, 11, 22>(input, part),
        513..=1024 => in_lanes_of::<32, 21, 42>(input, part),
        _ => in_lanes_of::<LIMBS, 41, 82>(input, part),
    }
}

fn in_lanes_of<const N: usize, const D: usize, const E: usize>(
    input: &Input,
    part: Part,
) -> Box<dyn Call> {
    let numbers: Vec<Uint<N>> = numbers(input);
    let groups = numbers.as_chunks::<{ 2 * LANES }>().0.iter();
    let group = |pairs: &[Uint<N>; 2 * LANES]| {
        [0, 1].map(|which| core::array::from_fn(|lane| pairs[2 * lane + which]))
    };
    let numbers: Vec<[[Uint<N>; LANES]; 2]> = groups.map(group).collect();
    let count = numbers.len();
    let mut all = InLanes {
        part: Part::Whole,
        numbers,
        factors: alloc::vec![[Eight::<D>::ZERO; 2]; count],
        products: alloc::vec![Eight::<E>::ZERO; count],
        results: alloc::vec![[Uint::ZERO; LANES]; count],
    };
    // What a part begins with is there.
    all.call();
    all.part = part;
    Box::new(all)
}

/// Powers modulo a number.
struct Powers {
    each: Vec<(Montgomery<LIMBS>, Residue<LIMBS>, Uint<LIMBS>)>,
    results: Vec<Uint<LIMBS>>,
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
    let numbers: Vec<Uint<LIMBS>> = numbers(input);
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
    numbers: Vec<Uint<LIMBS>>,
    results: Vec<Uint<LIMBS>>,
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
    let numbers: Vec<Uint<LIMBS>> = numbers(input);
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

const fn in_lanes_task(
    name: &'static str,
    title: &'static str,
    peers: &'static str,
    body: Body,
) -> Task {
    Task {
        kernel: "bigint-eight",
        peers,
        ..task(name, title, body)
    }
}

const fn digits_task(
    name: &'static str,
    title: &'static str,
    peers: &'static str,
    body: Body,
) -> Task {
    Task {
        kernel: "bigint-one",
        peers,
        ..task(name, title, body)
    }
}

/// All tasks.
pub(super) static TASKS: &[Task] = &[
    task(
        "bigint-mul",
        "product",
        Body::Prepared(|input| of_size!(products(input, false))),
    ),
    task(
        "bigint-square",
        "square",
        Body::Prepared(|input| of_size!(products(input, true))),
    ),
    Task {
        result: |size| size.items * (size.size as usize / 8 + 8),
        item: "sums",
        ..task(
            "bigint-add",
            "sum",
            Body::Prepared(|input| of_size!(sums(input))),
        )
    },
    Task {
        result: |size| size.size as usize / 8,
        work: |size| Work::Operations(2 * size.items as u64 - 1),
        ..task(
            "bigint-mul-chain",
            "product, each of the one before",
            Body::Prepared(|input| of_size!(chain(input))),
        )
    },
    in_lanes_task(
        "bigint-eight-mul",
        "product, eight side by side in digits",
        "bigint-mul",
        Body::Prepared(|input| in_lanes(input, Part::Product)),
    ),
    in_lanes_task(
        "bigint-eight-to-digits",
        "two numbers from limbs to digits",
        "",
        Body::Prepared(|input| in_lanes(input, Part::ToDigits)),
    ),
    in_lanes_task(
        "bigint-eight-from-digits",
        "a product from digits to limbs",
        "",
        Body::Prepared(|input| in_lanes(input, Part::FromDigits)),
    ),
    in_lanes_task(
        "bigint-eight-whole",
        "product, eight side by side, from limbs to limbs",
        "bigint-mul",
        Body::Prepared(|input| in_lanes(input, Part::Whole)),
    ),
    digits_task(
        "bigint-digits-mul",
        "product of digits, carried",
        "bigint-mul",
        Body::Prepared(|input| digits(input, Part::Product)),
    ),
    digits_task(
        "bigint-digits-sums",
        "product of digits, not carried",
        "bigint-mul",
        Body::Prepared(|input| digits(input, Part::Sums)),
    ),
    digits_task(
        "bigint-digits-to",
        "two numbers from limbs to digits",
        "",
        Body::Prepared(|input| digits(input, Part::ToDigits)),
    ),
    digits_task(
        "bigint-digits-from",
        "a product from digits to limbs",
        "",
        Body::Prepared(|input| digits(input, Part::FromDigits)),
    ),
    digits_task(
        "bigint-digits-whole",
        "product by digits, from limbs to limbs",
        "bigint-mul",
        Body::Prepared(|input| digits(input, Part::Whole)),
    ),
    Task {
        result: |size| size.size as usize / 8,
        work: |size| Work::Operations(2 * size.items as u64 - 1),
        ..digits_task(
            "bigint-digits-chain",
            "product of digits, each of the one before",
            "bigint-mul-chain",
            Body::Prepared(digits_chain),
        )
    },
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
    // The same by each body of products, between which are reductions.
    Task {
        input: |random, size| random_numbers(random, size, 3),
        result: |size| size.items * size.size as usize / 8,
        item: "powers",
        items: &[4],
        peers: "",
        ..task(
            "bigint-modexp-by-products",
            "power modulo a number, by what multiplies",
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
