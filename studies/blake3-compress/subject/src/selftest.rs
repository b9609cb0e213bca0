//! The report's correctness tests, against the crate `blake3`. What is printed is the same in both
//! forms and with every implementation.

use std::fmt::Write;

use karat_hash::blake3::{Hasher, derive_key, hash, keyed_hash};
use karat_hash::lthash::{LtHash, LtHasher};
use study_support::{Prng, counting, hex};

use crate::form::{Form, OUTPUT, general};

const INPUT_SEED: u64 = 0x626c_616b_6533;

/// A test; gives all results, which must be the same everywhere, or what failed first.
type Test<'a> = &'a dyn Fn() -> Result<Vec<u8>, String>;

/// Runs all tests; a line `OK: name digest` for each.
pub fn run() -> Result<String, String> {
    let mut out = String::new();
    each(Form::of_environment()?, |name, results| {
        writeln!(out, "OK: {name:16} {}", hex(&hash(&results))).expect("a String takes everything");
    })?;
    Ok(out)
}

/// Runs all tests; each gives its name and all its results.
pub fn each(form: Form, mut passed: impl FnMut(&str, Vec<u8>)) -> Result<(), String> {
    let tests: [(&str, Test); 8] = [
        ("constructor", &constructor),
        ("small_fixtures", &fixtures),
        ("rand_fixtures", &random),
        ("reduced", &|| compress(form)),
        ("unequal", &unequal),
        ("reduced_xof2048", &|| output(form)),
        ("streaming_lthash", &streaming),
        ("lthash_adder", &|| adder(form)),
    ];
    for (name, test) in tests {
        passed(name, test().map_err(|what| format!("{name}: {what}"))?);
    }
    Ok(())
}

fn same(what: &str, length: usize, got: &[u8], expected: &[u8]) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    let (got, expected) = (hex(got), hex(expected));
    Err(format!(
        "{what}, {length} bytes: got {got}, expected {expected}"
    ))
}

fn oracle(input: &[u8]) -> [u8; OUTPUT] {
    let mut out = [0; OUTPUT];
    blake3::Hasher::new()
        .update(input)
        .finalize_xof()
        .fill(&mut out);
    out
}

/// The three modes, and a hasher that is used again.
fn constructor() -> Result<Vec<u8>, String> {
    let key: [u8; 32] = std::array::from_fn(|i| i as u8);
    let input = counting(3000, 251);
    let theirs = *blake3::keyed_hash(&key, &input).as_bytes();
    same("keyed", 3000, &keyed_hash(&key, &input), &theirs)?;
    let context = "karat 2026 study blake3-compress";
    same(
        "derived",
        3000,
        &derive_key(context, &input),
        &blake3::derive_key(context, &input),
    )?;
    let mut hasher = Hasher::new();
    hasher.update(&input).reset().update(b"abc");
    same(
        "reset",
        3,
        &hasher.finalize(),
        blake3::hash(b"abc").as_bytes(),
    )?;
    Ok(theirs.to_vec())
}

/// The lengths of BLAKE3's published vectors, with their input.
fn fixtures() -> Result<Vec<u8>, String> {
    let lengths = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072,
        3073, 4096, 4097, 5120, 5121, 6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 102_400,
    ];
    let mut all = Vec::new();
    for length in lengths {
        let input = counting(length, 251);
        let got = hash(&input);
        same("hash", length, &got, blake3::hash(&input).as_bytes())?;
        all.extend(got);
    }
    Ok(all)
}

/// Random inputs in pieces of random lengths.
fn random() -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for _ in 0..300 {
        let mut input = vec![0; prng.next_u64() as usize % 20_000];
        prng.fill(&mut input);
        let mut hasher = Hasher::new();
        let mut rest = &input[..];
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(1 + prng.next_u64() as usize % rest.len());
            hasher.update(piece);
            rest = others;
        }
        let got = hasher.finalize();
        same("pieces", input.len(), &got, blake3::hash(&input).as_bytes())?;
        all.extend(got);
    }
    Ok(all)
}

fn inputs(prng: &mut Prng, lengths: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
    let fill = |length| {
        let mut input = vec![0; length];
        prng.fill(&mut input);
        input
    };
    lengths.map(fill).collect()
}

/// 0 to 40 inputs of 1 to 16 blocks, in the form under test.
fn compress(form: Form) -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for count in 0..=40 {
        for blocks in [1, 2, 7, 16] {
            let inputs = inputs(&mut prng, std::iter::repeat_n(64 * blocks, count));
            let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
            let mut out = vec![[0; 32]; count];
            form.compress(&inputs, &mut out);
            for (input, got) in inputs.iter().zip(&out) {
                same("compress", input.len(), got, blake3::hash(input).as_bytes())?;
            }
            all.extend(out.as_flattened());
        }
    }
    Ok(all)
}

/// Lanes of unequal lengths, which only the general form takes; at odd addresses.
fn unequal() -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for count in 0..=40 {
        let lengths: Vec<usize> = (0..count)
            .map(|_| prng.next_u64() as usize % 1025)
            .collect();
        let inputs = inputs(&mut prng, lengths.iter().map(|length| length + 1));
        let inputs: Vec<&[u8]> = inputs.iter().map(|input| &input[1..]).collect();
        let mut out = vec![[0; 32]; count];
        general(&inputs, &mut out);
        for (input, got) in inputs.iter().zip(&out) {
            same("compress", input.len(), got, blake3::hash(input).as_bytes())?;
        }
        all.extend(out.as_flattened());
    }
    Ok(all)
}

fn output(form: Form) -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for input in inputs(&mut prng, (1..=130).chain([511, 512, 1000, 1023, 1024])) {
        let got = form.output(&input);
        same("output", input.len(), &got, &oracle(&input))?;
        all.extend(got);
    }
    Ok(all)
}

fn streaming() -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for input in inputs(&mut prng, [0, 1, 63, 64, 65, 1024, 1025, 5000].into_iter()) {
        let (a, b) = input.split_at(input.len() / 3);
        let got = LtHasher::new().update(a).update(b).finalize();
        same("lthash", input.len(), &got.to_bytes(), &oracle(&input))?;
        all.extend(got.to_bytes());
    }
    Ok(all)
}

/// Sets of 0 to 70 elements in the form under test; taken out again, nothing is left.
fn adder(form: Form) -> Result<Vec<u8>, String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut all = Vec::new();
    for count in 0..=70 {
        let lengths: Vec<usize> = (0..count)
            .map(|_| prng.next_u64() as usize % 1500)
            .collect();
        let elements = inputs(&mut prng, lengths.into_iter());
        let elements: Vec<&[u8]> = elements.iter().map(Vec::as_slice).collect();
        let mut set = form.lattice(&elements);
        all.extend(set.checksum());
        for element in &elements {
            set.sub(&LtHash::from_bytes(&oracle(element)));
        }
        if !set.is_zero() {
            return Err(format!(
                "{count} elements do not add up to BLAKE3's outputs"
            ));
        }
    }
    Ok(all)
}
