//! The functions that are checked.

use super::{Uint, numbers};
use crate::powers::Power;
use crate::{Digits, Eight, Montgomery, Sums};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use karat_kit::{Answer, Check, Input, Random};

/// Limbs at which something changes: blocks of eight, and calls through the table.
const EDGES: [usize; 12] = [1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32];

/// Numbers of so many limbs; every other input has limbs of ones alone, where carries run
/// far.
fn inputs(random: &mut Random, items: usize) -> Vec<Input> {
    let mut all = Vec::new();
    for limbs in EDGES {
        for kind in 0..4 {
            let mut bytes = random.bytes(8 * limbs * items);
            match kind {
                1 => bytes.fill(0xff),
                2 => bytes
                    .chunks_mut(8)
                    .step_by(2)
                    .for_each(|limb| limb.fill(0xff)),
                _ => (),
            }
            // Moduli are odd.
            let last = bytes.len() - 1;
            bytes[last] |= 1;
            all.push(Input::of_items(bytes, items));
        }
    }
    all
}

fn describe(input: &Input, _: usize) -> String {
    let bits = 8 * input.bytes.len() / input.items;
    format!("{} numbers of {bits} bits", input.items)
}

/// All bytes of a number of the capacity.
fn bytes(number: &Uint) -> Vec<u8> {
    let mut bytes = alloc::vec![0; 8 * super::LIMBS];
    let fits = number.to_be_bytes(&mut bytes);
    debug_assert!(fits.is_ok(), "as many bytes as limbs");
    bytes
}

fn products(input: &Input) -> Vec<Vec<u8>> {
    let numbers: Vec<Uint> = numbers(input);
    let [a, b] = [&numbers[0], &numbers[1]];
    // A shorter factor too.
    let short = b >> (a.bits() / 3);
    [a * b, a.square(), a * &short].iter().map(bytes).collect()
}

fn powers(input: &Input) -> Vec<Vec<u8>> {
    let numbers: Vec<Uint> = numbers(input);
    let Some(field) = Montgomery::new(&numbers[2]) else {
        return Vec::new();
    };
    let exponent = Uint::from_u64(numbers[1].low());
    let (a, b) = (field.residue(&numbers[0]), field.residue(&numbers[1]));
    let product = field.number(&field.mul(&a, &b));
    let square = field.number(&field.square(&a));
    let power = field.pow(&numbers[0], &exponent);
    [product, square, power].iter().map(bytes).collect()
}

/// Powers in one call: more than go side by side, of two and of another base, and a short
/// modulus among long ones.
fn many_powers(input: &Input) -> Vec<Vec<u8>> {
    let numbers: Vec<Uint> = numbers(input);
    let half = &numbers[2] >> (numbers[2].bits() / 2);
    // Odd, and not one.
    let short = &(&half << 2) + &Uint::from_u64(3);
    let moduli: Vec<_> = (0..11)
        .map(|i| if i % 4 == 3 { short } else { numbers[2] })
        .collect();
    let exponents: Vec<_> = (0..11)
        .map(|i| Uint::from_u64(numbers[1].low() >> i))
        .collect();
    let mut results = Vec::new();
    for base in [Uint::from_u64(2), numbers[0]] {
        let each = moduli.iter().zip(&exponents);
        let jobs: Vec<_> = each.filter_map(|(m, e)| Power::new(&base, e, m)).collect();
        let mut powers = alloc::vec![Uint::ZERO; jobs.len()];
        crate::powers::compute(&jobs, &mut powers);
        results.extend(powers.iter().map(bytes));
    }
    results
}

/// Eight products at once: of the numbers, and of shorter ones beside them.
fn eight_products(input: &Input) -> Vec<Vec<u8>> {
    let numbers: Vec<Uint> = numbers(input);
    let [a, b] = [0, 1].map(|first| {
        core::array::from_fn(|lane| {
            let number = &numbers[(first + lane) % 2];
            number >> (lane * number.bits() / 9)
        })
    });
    let eight = |numbers: &[Uint; 8]| Eight::<DIGITS>::new(numbers).unwrap_or(Eight::ZERO);
    let (mut a, mut b) = (eight(&a), eight(&b));
    let len = a.len().max(b.len());
    a.extend(len);
    b.extend(len);
    let mut product = Eight::<{ 2 * DIGITS }>::ZERO;
    product.assign_product(&a, &b);
    let mut out = [Uint::ZERO; 8];
    let fits = product.write(&mut out);
    debug_assert!(fits.is_ok(), "products fit into the capacity");
    out.iter().map(bytes).collect()
}

/// A product in digits, its square, one by a shorter number, each carried in two steps and in
/// one, and what is carried of it twice:
/// the lower half is a factor of the last.
fn products_in_digits(input: &Input) -> Vec<Vec<u8>> {
    let numbers: Vec<Uint> = numbers(input);
    let [a, b] = [&numbers[0], &numbers[1]];
    let short = b >> (a.bits() / 3);
    let digits = |number: &Uint| Digits::<FACTOR>::new(number).unwrap_or(Digits::ZERO);
    let (x, y, short) = (digits(a), digits(b), digits(&short));
    let mut sums = Sums::<PRODUCT>::ZERO;
    let mut whole = Digits::<PRODUCT>::ZERO;
    let mut results = Vec::new();
    for [x, y] in [[&x, &y], [&x, &x], [&x, &short]] {
        sums.assign_product(x, y);
        whole.assign_sums(&sums);
        results.push(whole);
        whole.assign_product(x, y);
        results.push(whole);
    }
    let mut low = Digits::<FACTOR>::ZERO;
    low.assign_low(&whole, a.bits());
    sums.assign_product(&low, &y);
    whole.assign_sums(&sums);
    results.push(whole);
    let number = |digits: &Digits<PRODUCT>| {
        let mut number = Uint::ZERO;
        let fits = digits.write(&mut number);
        debug_assert!(fits.is_ok(), "products fit into the capacity");
        bytes(&number)
    };
    results.iter().map(number).collect()
}

/// `(2^512 - 1) 2^511`, the square, a product by `2^341`, and the lower half of that,
/// `2^512 - 2^341`, times `2^511`.
fn known_products_in_digits() -> Vec<Answer> {
    let power = |bits: usize| &Uint::ONE << bits;
    let ones = &power(512) - &Uint::ONE;
    let item = |number: &Uint| bytes(number)[8 * super::LIMBS - 64..].to_vec();
    let products = [
        &power(1023) - &power(511),
        &(&power(1024) - &power(513)) + &Uint::ONE,
        &power(853) - &power(341),
    ];
    // Carried in two steps and in one.
    let mut results: Vec<Uint> = products.iter().flat_map(|p| [*p, *p]).collect();
    results.push(&power(1023) - &power(852));
    // A shift by a third of 512 bits leaves 2^341 of 2^511.
    alloc::vec![Answer {
        input: Input::of_items([item(&ones), item(&power(511))].concat(), 2),
        results: results.iter().map(bytes).collect(),
    }]
}

/// Vectors of digits of 2048 bits, and of products.
const FACTOR: usize = 5;
const PRODUCT: usize = 10;

/// Digits of 2048 bits.
const DIGITS: usize = 41;

/// `2^512 - 1` times `2^512`, and what shifts leave of both in the other lanes.
fn known_eight_products() -> Vec<Answer> {
    let (ones, power) = (&(&Uint::ONE << 512) - &Uint::ONE, &Uint::ONE << 512);
    let item = |number: &Uint| bytes(number)[8 * super::LIMBS - 72..].to_vec();
    let results = (0..8).map(|lane| {
        // The lane's numbers are 2^p - 1 and 2^q, one way round or the other.
        let (p, q) = (512 - lane * 512 / 9, 512 - lane * 513 / 9);
        bytes(&(&(&Uint::ONE << (p + q)) - &(&Uint::ONE << q)))
    });
    alloc::vec![Answer {
        input: Input::of_items([item(&ones), item(&power)].concat(), 2),
        results: results.collect(),
    }]
}

/// `(2^512 - 1)^2`, and `2^512 - 1` times `2^342 - 1`, what a shift leaves of it.
fn known_products() -> Vec<Answer> {
    let ones = |bits: usize| &(&Uint::ONE << bits) - &Uint::ONE;
    let of = |first: usize, second: usize| {
        // (2^a - 1)(2^b - 1) by shifts and sums alone.
        let sum = &(&Uint::ONE << (first + second)) + &Uint::ONE;
        let less = &(&Uint::ONE << first) + &(&Uint::ONE << second);
        bytes(&(&sum - &less))
    };
    let mut input = alloc::vec![0; 128];
    input[..64].copy_from_slice(&bytes(&ones(512))[8 * super::LIMBS - 64..]);
    input[64..].fill(0xff);
    alloc::vec![Answer {
        input: Input::of_items(input, 2),
        results: alloc::vec![of(512, 512), of(512, 512), of(512, 342)],
    }]
}

/// `5 * 7`, `5 * 5` and `5^7` modulo `2^61 - 1`, and what is one modulo `2^512 - 1`:
/// `2^512`, so that `(2^256)^2` is one, and `2^256 2^255 = 2^511`.
fn known_powers() -> Vec<Answer> {
    let numbers = [5u64, 7, (1 << 61) - 1];
    let input = numbers.iter().flat_map(|n| n.to_be_bytes()).collect();
    let results = [35, 25, 78125].map(|n| bytes(&Uint::from_u64(n)));
    let power = |bits: usize| &Uint::ONE << bits;
    let long = [power(256), power(255), &power(512) - &Uint::ONE];
    let short = |number: &Uint| bytes(number)[8 * super::LIMBS - 64..].to_vec();
    let long: Vec<u8> = long.iter().flat_map(short).collect();
    alloc::vec![
        Answer {
            input: Input::of_items(input, 3),
            results: results.to_vec(),
        },
        Answer {
            input: Input::of_items(long, 3),
            // The exponent is the lowest limb of the second number, which is zero.
            results: [power(511), Uint::ONE, Uint::ONE]
                .iter()
                .map(bytes)
                .collect(),
        },
    ]
}

/// Powers of 2 and of 16 with exponents 100, 50, 25 … modulo `2^64 - 1`, where `2^64` is
/// one; every fourth modulus is `2^34 - 1`.
fn known_many_powers() -> Vec<Answer> {
    let input = [16u64, 100, u64::MAX].iter().flat_map(|n| n.to_be_bytes());
    let mut results = Vec::new();
    for shift in [1, 4] {
        for i in 0..11 {
            let order = if i % 4 == 3 { 34 } else { 64 };
            results.push(bytes(&Uint::from_u64(1 << (shift * (100 >> i) % order))));
        }
    }
    alloc::vec![Answer {
        input: Input::of_items(input.collect(), 3),
        results,
    }]
}

pub(super) static CHECKS: &[Check] = &[
    Check {
        kernel: "bigint-mul",
        name: "products and squares",
        inputs: |random| inputs(random, 2),
        run: products,
        describe,
        known: known_products,
    },
    Check {
        kernel: "bigint-montgomery",
        name: "products, squares and powers modulo a number",
        inputs: |random| inputs(random, 3),
        run: powers,
        describe,
        known: known_powers,
    },
    Check {
        kernel: "bigint-powers",
        name: "many powers in one call",
        inputs: |random| inputs(random, 3),
        run: many_powers,
        describe,
        known: known_many_powers,
    },
    Check {
        kernel: "bigint-eight",
        name: "eight products at once",
        inputs: |random| inputs(random, 2),
        run: eight_products,
        describe,
        known: known_eight_products,
    },
    Check {
        kernel: "bigint-one",
        name: "products in digits",
        inputs: |random| inputs(random, 2),
        run: products_in_digits,
        describe,
        known: known_products_in_digits,
    },
];
