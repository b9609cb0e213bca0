//! The functions that are checked, by kernel.

use super::calls::codec;
use super::known::PARITY;
use crate::Code;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use karat_kit::{Answer, Check, Input, Random};

macro_rules! check {
    ($kernel:literal $name:literal $code:ident, $most:literal) => {
        Check {
            kernel: $kernel,
            name: $name,
            inputs: |random| inputs(random, Code::$code, $most),
            run: |input| run(Code::$code, input),
            describe,
            known: || known(Code::$code),
        }
    };
}

pub(super) static CHECKS: &[Check] = &[
    check!("rs-gf8" "Reed-Solomon, code A" A, 6),
    check!("rs-gf8" "Reed-Solomon, code B" B, 6),
    check!("rs-gf8" "Reed-Solomon, code D" D, 6),
    check!("rs-gf16" "Reed-Solomon, code C" C, 8),
];

/// Lost shards are spread over all of them: every so manieth one.
const STEP: usize = 3;

/// Numbers are parity shards and how many shards are lost. Lengths are round blocks of 64
/// bytes.
fn inputs(random: &mut Random, code: Code, most: usize) -> Vec<Input> {
    let mut inputs = Vec::new();
    while inputs.len() < 60 {
        let bound = 2 << random.below(most);
        let (data, parity) = (1 + random.below(bound), 1 + random.below(bound));
        if code.fits(data, parity) {
            let length = 64 * random.below(6) + 1 + random.below(66);
            let length = length.next_multiple_of(code.symbol());
            let mut input = Input::of_items(random.bytes(data * length), data);
            input.numbers = vec![parity as u64, random.below(parity + 1) as u64];
            inputs.push(input);
        }
    }
    inputs
}

/// Parity, then the lost shards, made again.
fn run(code: Code, input: &Input) -> Vec<Vec<u8>> {
    let mut shards: Vec<Vec<u8>> = input.each_item().map(<[u8]>::to_vec).collect();
    let (data, parity) = (shards.len(), input.numbers[0] as usize);
    let codec = codec(code, data, parity);
    shards.resize(data + parity, vec![0; shards[0].len()]);
    let (given, made) = shards.split_at_mut(data);
    let encoded = codec.encode(given, made);
    assert!(encoded.is_ok(), "{encoded:?}");
    let mut results = shards[data..].to_vec();
    let mut present = vec![true; shards.len()];
    let mut index = 0;
    for _ in 0..input.numbers[1] {
        while !present[index] {
            index = (index + 1) % shards.len();
        }
        present[index] = false;
        shards[index].fill(0);
        index = (index + STEP) % shards.len();
    }
    let done = codec.reconstruct(&mut shards, &present);
    assert!(done.is_ok(), "{done:?}");
    let lost = shards
        .into_iter()
        .zip(present)
        .filter(|(_, present)| !present);
    results.extend(lost.map(|(shard, _)| shard));
    results
}

fn describe(input: &Input, result: usize) -> String {
    let (data, parity) = (input.items, input.numbers[0]);
    format!(
        "{data}+{parity} shards of {} bytes, {} lost, result {result}",
        input.bytes.len() / data,
        input.numbers[1]
    )
}

fn known(code: Code) -> Vec<Answer> {
    let of_code = PARITY.iter().filter(|(known, _)| *known == code);
    let answer = |(_, hex): &(Code, &str)| {
        let data = (0..5).flat_map(|seed| Random::new(seed).bytes(64));
        let mut input = Input::of_items(data.collect(), 5);
        input.numbers = vec![3, 0];
        let parity: Vec<u8> = unhex(hex);
        Answer {
            input,
            results: parity.chunks(64).map(<[u8]>::to_vec).collect(),
        }
    };
    of_code.map(answer).collect()
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[a, b]| digit(*a) << 4 | digit(*b));
    bytes.collect()
}
