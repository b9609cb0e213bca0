//! The functions that are checked.

use crate::{Chain, Discriminant, Form, square_all, square_many};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use karat_kit::{Answer, Check, Input, Random};

/// An input: the discriminant, and the number of squarings of the generator.
fn input(discriminant: &[u8], squarings: u64) -> Input {
    Input {
        numbers: vec![squarings],
        ..Input::of(discriminant.to_vec())
    }
}

/// Numbers congruent to 7 modulo 8 of many sizes. They need not be prime, and small ones
/// have forms with common divisors.
fn inputs(random: &mut Random) -> Vec<Input> {
    let mut inputs = Vec::new();
    for bytes in (8..=256).step_by(5) {
        let mut magnitude = random.bytes(bytes);
        magnitude[0] |= 0x80;
        magnitude[bytes - 1] |= 7;
        inputs.push(input(&magnitude, 20 + random.below(40) as u64));
    }
    inputs
}

/// Of sizes that are for lanes as well.
fn chain_inputs(random: &mut Random) -> Vec<Input> {
    let mut inputs = inputs(random);
    for (bytes, squarings) in [(64, 300), (125, 600), (128, 1000), (256, 1200)] {
        let mut magnitude = random.bytes(bytes);
        magnitude[0] |= 0x80;
        magnitude[bytes - 1] |= 7;
        inputs.push(input(&magnitude, squarings));
    }
    inputs
}

fn squarings(input: &Input) -> Vec<Vec<u8>> {
    let Ok(discriminant) = Discriminant::from_be_bytes(&input.bytes) else {
        return Vec::new();
    };
    let y = square_many(
        &Form::generator(&discriminant),
        input.numbers[0],
        &discriminant,
    );
    vec![y.to_bytes(&discriminant)]
}

/// As many forms at once as eight and some more, each one squaring further than the one
/// before: the first result is that of the generator.
fn chains(input: &Input) -> Vec<Vec<u8>> {
    let Ok(discriminant) = Discriminant::from_be_bytes(&input.bytes) else {
        return Vec::new();
    };
    let mut chain = Chain {
        form: Form::generator(&discriminant),
        discriminant: &discriminant,
    };
    let next = |_| {
        let this = chain;
        chain.form = square_many(&chain.form, 1, &discriminant);
        this
    };
    let mut chains: Vec<_> = (0..11).map(next).collect();
    square_all(&mut chains, input.numbers[0]);
    let bytes = chains.iter().map(|c| c.form.to_bytes(&discriminant));
    bytes.collect()
}

fn describe(input: &Input, _: usize) -> String {
    let bits = 8 * input.bytes.len();
    format!("{} squarings, {bits} bits", input.numbers[0])
}

/// What chiavdf 1.2.0 comes to after 1000 squarings of the generator: the first 100 bytes
/// of its `prove` for the seed `karat` and 512 bits.
fn known() -> Vec<Answer> {
    vec![Answer {
        input: input(&DISCRIMINANT, 1000),
        results: vec![RESULT.to_vec()],
    }]
}

/// The same at once: the eleventh form comes to what the generator does ten squarings later.
fn known_chains() -> Vec<Answer> {
    let Ok(discriminant) = Discriminant::from_be_bytes(&DISCRIMINANT) else {
        unreachable!("the constant is a discriminant");
    };
    let result = Form::from_bytes(&RESULT, &discriminant);
    let Ok(mut form) = result else {
        unreachable!("the constant is a form");
    };
    let next = |_| {
        let bytes = form.to_bytes(&discriminant);
        form = square_many(&form, 1, &discriminant);
        bytes
    };
    vec![Answer {
        input: input(&DISCRIMINANT, 1000),
        results: (0..11).map(next).collect(),
    }]
}

#[rustfmt::skip]
const DISCRIMINANT: [u8; 64] = [
    0xfe, 0xaf, 0x55, 0xa8, 0xc1, 0xd2, 0x66, 0x71, 0x73, 0xda, 0x62, 0x68,
    0xab, 0x5a, 0x82, 0x63, 0xd4, 0x3d, 0x2f, 0xf2, 0x3f, 0xbd, 0x65, 0x84,
    0x6d, 0xb1, 0x08, 0x0e, 0x55, 0x5e, 0xa8, 0x36, 0x90, 0xa9, 0x4b, 0xd8,
    0xfa, 0x55, 0x4d, 0xac, 0x2b, 0x3c, 0x24, 0x6a, 0x32, 0xc5, 0x8c, 0xbf,
    0x30, 0x1a, 0x2e, 0x1a, 0xbf, 0x73, 0xef, 0xd6, 0x23, 0x33, 0x1b, 0xc8,
    0xa8, 0xd8, 0x9a, 0x5f,
];

#[rustfmt::skip]
const RESULT: [u8; 100] = [
    0x00, 0x00, 0x86, 0x98, 0xb7, 0x25, 0x0a, 0x33, 0xcd, 0x4c, 0x9e, 0xa9,
    0x94, 0xc4, 0x67, 0x1d, 0xa4, 0x60, 0xb0, 0x07, 0xdd, 0x0c, 0x72, 0x05,
    0x9a, 0x37, 0x04, 0xa9, 0x8f, 0x07, 0x98, 0xd4, 0x0c, 0x58, 0xe7, 0x37,
    0x8e, 0x18, 0xba, 0x34, 0x43, 0xb6, 0x1e, 0xec, 0xf5, 0xe5, 0x55, 0x31,
    0xa3, 0x41, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00,
];

pub(super) static CHECKS: &[Check] = &[
    Check {
        kernel: "vdf-square",
        name: "squarings of the generator",
        inputs,
        run: squarings,
        describe,
        known,
    },
    Check {
        kernel: "vdf-square-all",
        name: "squarings of forms side by side",
        inputs: chain_inputs,
        run: chains,
        describe,
        known: known_chains,
    },
];
