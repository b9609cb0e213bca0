//! Published digests, then digests of fixed inputs, roots and parity: the same with every implementation and on any
//! number of threads.

use std::fmt::Write;

use karat_erasure::{Code, Codec};
use study_support::{Prng, check, hex};

use crate::workloads::{
    blake3_each, blake3_tree, keccak_each, keccak_many, sha256_each, sha256_many,
};
use crate::{codes, trees};

/// Around blocks, chunks and lanes, and large enough for several threads.
const LENGTHS: [usize; 16] = [
    0, 1, 55, 56, 64, 135, 136, 137, 1024, 1025, 4096, 65_537, 100_003, 131_072, 1_048_577,
    3_000_001,
];

/// Checks every hash; one line for each.
///
/// Digests of "abc": BLAKE3's by its reference implementation; the example of FIPS 180-4; for
/// Keccak-256 the tests of go-ethereum (`crypto/crypto_test.go`).
pub fn run() -> Result<String, String> {
    let mut prng = Prng::new(0x7468_726f_7567);
    let inputs = LENGTHS.map(|length| {
        let mut input = vec![0; length];
        prng.fill(&mut input);
        input
    });
    let mut inputs = inputs.each_ref().map(|i| &i[..]).to_vec();
    inputs.insert(0, b"abc");
    let hashes: [(&str, &[crate::workloads::Hash], &str); 3] = [
        (
            "blake3",
            &[blake3_each, blake3_tree],
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
        ),
        (
            "keccak",
            &[keccak_each, keccak_many],
            "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        ),
        (
            "sha256",
            &[sha256_each, sha256_many],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
    ];
    let mut out = String::new();
    for (name, ways, abc) in hashes {
        let mut all = Vec::new();
        for way in ways {
            for at_once in [1, 5, inputs.len()] {
                let mut digests = vec![[0; 32]; inputs.len()];
                way(&inputs, &mut digests, at_once);
                check(name, &digests[0], abc)?;
                all.push(digests);
            }
        }
        if all.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(format!("{name}: one and many messages differ"));
        }
        for (input, digest) in inputs.iter().zip(&all[0]) {
            writeln!(out, "{name} {:8} {}", input.len(), hex(digest))
                .expect("a String takes everything");
        }
    }
    trees_and_codes(&mut out)?;
    Ok(out)
}

/// Roots on one thread and on all are the same; shards that are lost come back.
fn trees_and_codes(out: &mut String) -> Result<(), String> {
    for count in [1, 5, 1000, 10_000] {
        let (leaves, length) = (trees::leaves(count, 32), 61);
        let root = trees::root(&leaves, length, false);
        if root != trees::root(&leaves, length, true) {
            return Err(format!("nmt: threads build another tree of {count} leaves"));
        }
        writeln!(out, "nmt {count:8} {}", hex(&root)).expect("a String takes everything");
    }
    for (code, k, m) in [
        (Code::A, 10, 4),
        (Code::A, 64, 32),
        (Code::B, 64, 32),
        (Code::C, 300, 200),
        (Code::D, 64, 32),
    ] {
        let codec = Codec::new(code, k, m).map_err(|error| error.to_string())?;
        let mut prng = Prng::new(k as u64);
        let mut data = vec![vec![0; 10_002]; k];
        data.iter_mut().for_each(|shard| prng.fill(shard));
        let (before, mut parity) = (data.clone(), vec![vec![0; 10_002]; m]);
        codes::encode(&codec, &data, &mut parity);
        data[..k.min(m)].iter_mut().for_each(|shard| shard.fill(0));
        codes::rebuild(&codec, &mut data, &mut parity);
        if data != before {
            return Err(format!("code {code}: {k}+{m} shards did not come back"));
        }
        let digest = karat_hash::sha256::hash(&parity.concat());
        writeln!(out, "rs {code} {k}+{m} {}", hex(&digest)).expect("a String takes everything");
    }
    Ok(())
}
