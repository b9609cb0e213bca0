//! Published vectors, then digests of fixed inputs that must be equal in every build.

use std::fmt::Write;

use blake2b_simd::many::{HashManyJob, hash_many};
use sha2::{Digest, Sha256};
use tiny_keccak::{Hasher, Keccak};

use crate::prng::Prng;
use crate::vectors;
use crate::workloads::sr25519_verify::{Signed, keypair, verify};

/// Lengths after 0..=300: around blocks, chunks and pages, up to many of each.
const LONG: [usize; 13] = [
    511, 512, 532, 1023, 1024, 1025, 4096, 4097, 8192, 8193, 65535, 65536, 100_003,
];
const INPUT_SEED: u64 = 0x7365_6c66_7465_7374;

/// Runs everything; the lines for stdout, or what failed first.
pub fn run() -> Result<String, String> {
    let inputs = inputs();
    let mut out = String::new();
    let mut line = |name: &str, digest: &[u8]| {
        writeln!(out, "{name:<13} {}", hex(digest)).expect("a String takes everything");
    };

    blake2b_vectors()?;
    line("blake2b-256", &digest_of_digests(&inputs, blake2b));
    line("blake2b-many", &blake2b_many(&inputs)?);

    blake2s_vectors()?;
    let blake2s = |message: &[u8]| *blake2s_simd::blake2s(message).as_array();
    line("blake2s-256", &digest_of_digests(&inputs, blake2s));

    for (length, expected) in vectors::BLAKE3 {
        check("BLAKE3", length, &blake3(&counting(length, 251)), expected)?;
    }
    line("blake3", &digest_of_digests(&inputs, blake3));

    for (message, expected) in vectors::SHA256 {
        check("SHA-256", message.len(), &sha256(message), expected)?;
    }
    line("sha256", &digest_of_digests(&inputs, sha256));

    for (message, expected) in vectors::KECCAK256 {
        check("Keccak-256", message.len(), &keccak256(message), expected)?;
    }
    line("keccak-256", &digest_of_digests(&inputs, keccak256));

    sr25519_vectors()?;
    line("sr25519", &sr25519()?);
    line("memchr", &memchr_positions()?);
    Ok(out)
}

fn inputs() -> Vec<Vec<u8>> {
    let mut prng = Prng::new(INPUT_SEED);
    (0..=300)
        .chain(LONG)
        .map(|length| {
            let mut input = vec![0; length];
            prng.fill(&mut input);
            input
        })
        .collect()
}

/// Hashes all inputs and then the sequence of their digests, always with the same function.
fn digest_of_digests(inputs: &[Vec<u8>], hash: impl Fn(&[u8]) -> [u8; 32]) -> [u8; 32] {
    let digests: Vec<u8> = inputs.iter().flat_map(|input| hash(input)).collect();
    hash(&digests)
}

fn blake2b(message: &[u8]) -> [u8; 32] {
    let hash = blake2b_simd::Params::new().hash_length(32).hash(message);
    let mut digest = [0; 32];
    digest.copy_from_slice(hash.as_bytes());
    digest
}

fn blake3(message: &[u8]) -> [u8; 32] {
    *blake3::hash(message).as_bytes()
}

fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

fn keccak256(message: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    let mut keccak = Keccak::v256();
    keccak.update(message);
    keccak.finalize(&mut digest);
    digest
}

fn blake2b_vectors() -> Result<(), String> {
    let hash = |message: &[u8]| *blake2b_simd::blake2b(message).as_array();
    check("BLAKE2b abc", 3, &hash(b"abc"), vectors::BLAKE2B_ABC)?;
    for (length, expected) in vectors::BLAKE2B_KAT {
        check("BLAKE2b", length, &hash(&counting(length, 256)), expected)?;
    }
    let mut grand = blake2b_simd::Params::new().hash_length(32).to_state();
    for digest in [20, 32, 48, 64] {
        for length in [0, 3, 128, 129, 255, 1024] {
            let message = rfc7693_sequence(length);
            let mut params = blake2b_simd::Params::new();
            params.hash_length(digest);
            grand.update(params.hash(&message).as_bytes());
            params.key(&rfc7693_sequence(digest));
            grand.update(params.hash(&message).as_bytes());
        }
    }
    let grand = grand.finalize();
    check(
        "BLAKE2b RFC 7693 E",
        0,
        grand.as_bytes(),
        vectors::BLAKE2B_GRAND,
    )
}

fn blake2s_vectors() -> Result<(), String> {
    let hash = |message: &[u8]| *blake2s_simd::blake2s(message).as_array();
    check("BLAKE2s abc", 3, &hash(b"abc"), vectors::BLAKE2S_ABC)?;
    for (length, expected) in vectors::BLAKE2S_KAT {
        check("BLAKE2s", length, &hash(&counting(length, 256)), expected)?;
    }
    let mut grand = blake2s_simd::State::new();
    for digest in [16, 20, 28, 32] {
        for length in [0, 3, 64, 65, 255, 1024] {
            let message = rfc7693_sequence(length);
            let mut params = blake2s_simd::Params::new();
            params.hash_length(digest);
            grand.update(params.hash(&message).as_bytes());
            params.key(&rfc7693_sequence(digest));
            grand.update(params.hash(&message).as_bytes());
        }
    }
    let grand = grand.finalize();
    check(
        "BLAKE2s RFC 7693 E",
        0,
        grand.as_bytes(),
        vectors::BLAKE2S_GRAND,
    )
}

/// Hashes the inputs in groups of 1 to 19, so that all numbers of lanes and unequal lengths occur.
fn blake2b_many(inputs: &[Vec<u8>]) -> Result<[u8; 32], String> {
    let mut params = blake2b_simd::Params::new();
    params.hash_length(32);
    let mut digests = Vec::new();
    let mut rest = inputs;
    for size in (1..=19).cycle() {
        if rest.is_empty() {
            break;
        }
        let (group, others) = rest.split_at(size.min(rest.len()));
        rest = others;
        let mut jobs: Vec<HashManyJob> = group
            .iter()
            .map(|input| HashManyJob::new(&params, input))
            .collect();
        hash_many(&mut jobs);
        for (job, input) in jobs.iter().zip(group) {
            let hash = job.to_hash();
            check(
                "BLAKE2b hash_many",
                input.len(),
                hash.as_bytes(),
                &hex(&blake2b(input)),
            )?;
            digests.extend_from_slice(hash.as_bytes());
        }
    }
    Ok(blake2b(&digests))
}

fn sr25519_vectors() -> Result<(), String> {
    let (seed, public) = vectors::SR25519_SEED;
    let derived = keypair(&unhex(seed)).public.to_bytes();
    check("sr25519 public key", 32, &derived, public)?;
    for (message, public, signature) in vectors::SR25519 {
        let (public, mut signature) = (unhex(public), unhex(signature));
        if !verify(&public, message, &signature) {
            return Err("a published sr25519 signature was rejected".into());
        }
        signature[5] ^= 1;
        if verify(&public, message, &signature) {
            return Err("an altered sr25519 signature was accepted".into());
        }
    }
    Ok(())
}

/// Signs and verifies with fixed seeds, alters each part once, and digests what was signed.
fn sr25519() -> Result<[u8; 32], String> {
    let mut prng = Prng::new(INPUT_SEED);
    let mut made = Vec::new();
    for _ in 0..16 {
        let mut signed = Signed::new(&mut prng);
        made.extend_from_slice(&signed.public);
        made.extend_from_slice(&signed.signature);
        if !signed.verify() {
            return Err("an own sr25519 signature was rejected".into());
        }
        let alterations: [fn(&mut Signed); 4] = [
            |signed| signed.message[31] ^= 0x80,
            |signed| signed.public[1] ^= 0x10,
            |signed| signed.signature[0] ^= 0x02,
            |signed| signed.signature[32] ^= 0x01,
        ];
        for alter in alterations {
            alter(&mut signed);
            if signed.verify() {
                return Err("an altered own sr25519 signature was accepted".into());
            }
            alter(&mut signed);
        }
    }
    Ok(sha256(&made))
}

/// Places one byte everywhere in short buffers and in some places of a long one.
fn memchr_positions() -> Result<[u8; 32], String> {
    let mut found = Vec::new();
    let lengths = (1..=130).chain([4096, 16_384]);
    for length in lengths {
        let mut buffer = vec![b'.'; length];
        if memchr::memchr(b'x', &buffer).is_some() {
            return Err(format!("memchr found what is not there in {length} bytes"));
        }
        for at in (0..length).step_by(length / 130 + 1) {
            buffer[at] = b'x';
            if memchr::memchr(b'x', &buffer) != Some(at) {
                return Err(format!("memchr missed byte {at} of {length}"));
            }
            buffer[at] = b'.';
            found.extend_from_slice(&(at as u64).to_le_bytes());
        }
    }
    Ok(sha256(&found))
}

fn check(what: &str, length: usize, got: &[u8], expected: &str) -> Result<(), String> {
    let got = hex(got);
    if got == expected {
        Ok(())
    } else {
        Err(format!(
            "{what}, {length} bytes: got {got}, expected {expected}"
        ))
    }
}

/// The bytes 0, 1, 2, ... up to `period` and again.
fn counting(length: usize, period: usize) -> Vec<u8> {
    (0..length).map(|i| (i % period) as u8).collect()
}

/// The input sequence of RFC 7693, appendix E; the seed is the length there too.
fn rfc7693_sequence(length: usize) -> Vec<u8> {
    let mut a = 0xdead_4bad_u32.wrapping_mul(length as u32);
    let mut b = 1_u32;
    (0..length)
        .map(|_| {
            (a, b) = (b, a.wrapping_add(b));
            (b >> 24) as u8
        })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex<const N: usize>(text: &str) -> [u8; N] {
    assert_eq!(text.len(), 2 * N, "a vector has the wrong length");
    std::array::from_fn(|i| {
        u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("vectors are hexadecimal")
    })
}
