//! BLAKE3: official vectors, the crate `blake3` as oracle, and splits.

use crate::support::{Rng, each_implementation, unhex};
use karat_hash::blake3::{self, Hasher, KERNEL};

const VECTORS: &str = include_str!("../vectors/blake3.json");
/// Under Miri everything is a thousand times slower.
const SMALL: bool = cfg!(miri);

/// The input of the official vectors: 0, 1, ... 250, 0, ...
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn vectors() {
    let json: serde_json::Value = serde_json::from_str(VECTORS).unwrap();
    let key: &[u8; 32] = json["key"].as_str().unwrap().as_bytes().try_into().unwrap();
    let context = json["context_string"].as_str().unwrap();
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 35);
    for case in cases {
        let len = case["input_len"].as_u64().unwrap() as usize;
        if SMALL && len > 4096 {
            continue;
        }
        let input = pattern(len);
        let modes = [
            ("hash", blake3::hash(&input), Hasher::new()),
            (
                "keyed_hash",
                blake3::keyed_hash(key, &input),
                Hasher::new_keyed(key),
            ),
            (
                "derive_key",
                blake3::derive_key(context, &input),
                Hasher::new_derive_key(context),
            ),
        ];
        for (name, hash, mut hasher) in modes {
            let expected = unhex(case[name].as_str().unwrap());
            assert_eq!(hash[..], expected[..32], "{name} of {len} bytes");
            hasher.update(&input);
            assert_eq!(hasher.finalize(), hash, "{name} of {len} bytes in pieces");
            let mut out = vec![0; expected.len()];
            hasher.finalize_xof().fill(&mut out);
            assert_eq!(out, expected, "{name} of {len} bytes, extended");
        }
    }
}

/// Lengths round every edge of blocks, chunks, groups of lanes and subtrees.
fn lengths(rng: &mut Rng) -> Vec<usize> {
    let mut lengths = Vec::new();
    let chunks: &[usize] = if SMALL {
        &[1, 2, 3]
    } else {
        &[
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 34, 47, 48, 63, 64, 65, 66, 96, 97,
            128, 129, 200,
        ]
    };
    for chunks in chunks {
        for around in [-65, -1, 0, 1, 64, 513] {
            lengths.push((*chunks as i64 * 1024 + around).max(0) as usize);
        }
    }
    lengths.extend([0, 1, 3, 63, 64, 65, 127, 128, 129, 960, 961]);
    let bound = if SMALL { 3000 } else { 300_000 };
    lengths.extend((0..if SMALL { 3 } else { 30 }).map(|_| rng.below(bound)));
    lengths
}

fn against_oracle() {
    let mut rng = Rng(1);
    let longest = if SMALL { 5000 } else { 400_000 };
    let buffer = rng.bytes(longest + 64);
    for len in lengths(&mut rng) {
        let start = rng.below(64);
        let input = &buffer[start..start + len];
        assert_eq!(
            blake3::hash(input),
            *::blake3::hash(input).as_bytes(),
            "{len} bytes"
        );
        let key = rng.bytes(32).try_into().unwrap();
        let expected = ::blake3::keyed_hash(&key, input);
        assert_eq!(blake3::keyed_hash(&key, input), *expected.as_bytes());
        // In pieces of any size, and small ones first.
        let mut hasher = Hasher::new_keyed(&key);
        let mut rest = input;
        while !rest.is_empty() {
            let bound = [1, 64, 65, 1024, 1025, 5000, 70_000][rng.below(7)];
            let (piece, after) = rest.split_at(rng.below(bound + 1).min(rest.len()));
            hasher.update(piece);
            rest = after;
        }
        assert_eq!(hasher.count(), len as u64);
        assert_eq!(hasher.finalize(), *expected.as_bytes(), "{len} in pieces");
        hasher.reset().update(input);
        assert_eq!(hasher.finalize(), *expected.as_bytes(), "{len} after reset");
    }
}

fn extended() {
    let mut rng = Rng(2);
    let count = if SMALL { 4 } else { 60 };
    for _ in 0..count {
        let input = {
            let len = rng.below(if SMALL { 100 } else { 5000 });
            rng.bytes(len)
        };
        let mut ours = Hasher::new();
        let mut ours = ours.update(&input).finalize_xof();
        let mut theirs = ::blake3::Hasher::new().update(&input).finalize_xof();
        // Also where the counter's low word overflows inside of a group.
        let places = [0, 1, 63, 64, 2047, (1 << 38) - 64 * 7, (1 << 38) - 1];
        for _ in 0..4 {
            let place = places[rng.below(places.len())] + rng.next() % 3 * 64;
            ours.set_position(place);
            theirs.set_position(place);
            for _ in 0..3 {
                let bound = [10, 70, 300, 2100, 5000][rng.below(if SMALL { 3 } else { 5 })];
                let len = rng.below(bound);
                let (mut a, mut b) = (vec![0; len], vec![0; len]);
                ours.fill(&mut a);
                theirs.fill(&mut b);
                assert_eq!(a, b, "{len} bytes at {place}");
                assert_eq!(ours.position(), theirs.position());
            }
        }
    }
}

fn many() {
    let mut rng = Rng(3);
    let counts: &[usize] = if SMALL {
        &[0, 1, 3]
    } else {
        &[0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 48, 100, 333]
    };
    let key: [u8; 32] = rng.bytes(32).try_into().unwrap();
    for &count in counts {
        // Equal, short, round the edge of a chunk, and mixed lengths.
        for kind in 0..6 {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let len = match kind {
                        0 => 0,
                        1 => 64,
                        2 => rng.below(200),
                        3 => 1024,
                        4 => rng.below(if SMALL { 300 } else { 1100 }),
                        _ => [0, 5, 64, 1000, 1024, 1025, 3000, 20_000]
                            [rng.below(if SMALL { 5 } else { 8 })],
                    };
                    rng.bytes(len)
                })
                .collect();
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut out = vec![[0; 32]; count];
            blake3::hash_many(&slices, &mut out);
            for (message, out) in slices.iter().zip(&out) {
                let expected = ::blake3::hash(message);
                assert_eq!(
                    out,
                    expected.as_bytes(),
                    "{} bytes, kind {kind}",
                    message.len()
                );
            }
            blake3::keyed_hash_many(&key, &slices, &mut out);
            for (message, out) in slices.iter().zip(&out) {
                assert_eq!(out, ::blake3::keyed_hash(&key, message).as_bytes());
            }
        }
    }
}

#[test]
fn every_implementation_agrees_with_vectors_and_oracle() {
    each_implementation(&blake3::BLOCK, |_| {
        each_implementation(&KERNEL, |name| {
            eprintln!("{name}");
            vectors();
            against_oracle();
            extended();
            many();
        });
    });
}

#[test]
#[should_panic(expected = "2 messages but room for 1 hash")]
fn hash_many_wants_room_for_every_hash() {
    blake3::hash_many(&[b"a", b"b"], &mut [[0; 32]]);
}

#[test]
fn equality_looks_at_every_byte() {
    let a = blake3::hash(b"a");
    for i in 0..32 {
        let mut b = a;
        b[i] ^= 1;
        assert!(!blake3::equal(&a, &b));
    }
    assert!(blake3::equal(&a, &a));
}

#[test]
fn debug_output_tells_no_secrets() {
    let key = [0xAB; 32];
    let hasher = Hasher::new_keyed(&key);
    let text = format!("{hasher:?} {:?}", hasher.finalize_xof());
    assert!(text.contains("count: 0") && !text.contains("171"), "{text}");
}
