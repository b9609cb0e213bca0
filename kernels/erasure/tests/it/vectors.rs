//! Hashes of parity that several libraries agree on, and definitions.
//!
//! The hashes were made with klauspost/reedsolomon 1.14.2 (MIT); reed-solomon-erasure and
//! Firedancer's fd_reedsol (A), catid/leopard and leopard-codec (B) and reed-solomon-simd (C)
//! gave the same. Shard i is the low bytes of splitmix64 from seed i.

use crate::support::{Rng, parity};
use karat_erasure::{Code, Codec};
use sha2::{Digest, Sha256};

const HASHES: &[(Code, usize, usize, &str)] = &[
    (
        Code::A,
        64,
        32,
        "cc80f64c4a4c9e06fe161225005729833b8588e620843da52823211475da6189",
    ),
    (
        Code::B,
        64,
        32,
        "52bb66001f166862258456209106d27dda9bda0c23b02653e9d2a86f193545a6",
    ),
    (
        Code::C,
        64,
        32,
        "e326eef99d129762416c84d507210d09c7bd827947d018b6bd211ca4e8083d16",
    ),
    (
        Code::A,
        32,
        32,
        "a3a7e8c95bc157924c3fa540d534a030f03e228fe6a1702ed9a60ae7f1f6ffab",
    ),
    (
        Code::B,
        32,
        32,
        "35b00dee7044f901b6ea07226fb35429a206fd2abfc8cfde178b629ebd67eda3",
    ),
    (
        Code::C,
        32,
        32,
        "1a027a4d1feb8c3d766425975437c38a2a26e5d5314b21471349f21abf708c8f",
    ),
];

#[test]
fn parity_has_the_hash_that_libraries_agree_on() {
    for (code, data, count, expected) in HASHES {
        let codec = Codec::new(*code, *data, *count).unwrap();
        let data: Vec<Vec<u8>> = (0..*data as u64).map(|i| Rng(i).bytes(1024)).collect();
        let digest = Sha256::digest(parity(&codec, &data).concat());
        let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hex, *expected, "{code} {data}+{count}", data = data.len());
    }
}

/// A product in the field of ISA-L: polynomials modulo 0x11d.
fn product(a: u8, b: u8) -> u8 {
    let (mut a, mut sum) = (a, 0);
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            sum ^= a;
        }
        a = a << 1 ^ if a >> 7 == 1 { 0x1d } else { 0 };
    }
    sum
}

/// ISA-L's `gf_gen_cauchy1_matrix`: row i from k on has in column j one over i ^ j.
#[test]
fn code_d_is_the_cauchy_matrix_of_isa_l() {
    let inverse = |a: u8| (1..=255).find(|b| product(a, *b) == 1).unwrap();
    for (k, m) in [
        (1, 1),
        (1, 5),
        (5, 3),
        (10, 4),
        (64, 32),
        (200, 56),
        (255, 1),
    ] {
        let codec = Codec::new(Code::D, k, m).unwrap();
        let data = Rng(7).shards(k, 3);
        for (i, found) in (k..).zip(parity(&codec, &data)) {
            let expected: Vec<u8> = (0..3)
                .map(|at| {
                    let terms = (0..k).map(|j| product(inverse((i ^ j) as u8), data[j][at]));
                    terms.fold(0, |sum, term| sum ^ term)
                })
                .collect();
            assert_eq!(found, expected, "{k}+{m}, shard {i}");
        }
    }
}
