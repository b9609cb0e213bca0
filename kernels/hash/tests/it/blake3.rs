//! BLAKE3: official vectors, the crate `blake3` as oracle, and splits.

use crate::support::{Rng, each_implementation, unhex};
use karat_hash::blake3::{self, Hasher};

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
        if SMALL && len > 1100 {
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
        &[1, 2]
    } else {
        &[
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 18, 31, 32, 33, 34, 47, 48, 63, 64, 65, 66,
            96, 97, 128, 129, 200,
        ]
    };
    for chunks in chunks {
        for around in if SMALL {
            [0, 1].as_slice()
        } else {
            &[-65, -1, 0, 1, 64, 513]
        } {
            lengths.push((*chunks as i64 * 1024 + *around).max(0) as usize);
        }
    }
    lengths.extend([0, 1, 63, 64, 65, 127, 128, 129, 961]);
    let bound = if SMALL { 2000 } else { 300_000 };
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

/// Messages of a chunk at most, of all short lengths, anywhere in memory.
fn short() {
    let mut rng = Rng(4);
    let key: [u8; 32] = rng.bytes(32).try_into().unwrap();
    let bytes = rng.bytes(2048);
    let all = 0..if SMALL { 130 } else { 1025 };
    for len in all.step_by(if SMALL { 7 } else { 1 }) {
        let start = rng.below(64);
        alone(&key, &bytes[start..start + len]);
    }
}

fn alone(key: &[u8; 32], message: &[u8]) {
    let len = message.len();
    let expected = ::blake3::hash(message);
    assert_eq!(blake3::hash(message), *expected.as_bytes(), "{len} bytes");
    let expected = ::blake3::keyed_hash(key, message);
    let ours = blake3::keyed_hash(key, message);
    assert_eq!(ours, *expected.as_bytes(), "{len} bytes with a key");
    let ours = blake3::derive_key("karat test", message);
    let expected = ::blake3::derive_key("karat test", message);
    assert_eq!(ours, expected, "{len} bytes of key material");
}

/// Nothing outside of a message is read: pages that nobody may read lie before and
/// behind. Also of up to ten chunks, whole and not, and of as many as trees in lanes take.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn fenced() {
    let mut rng = Rng(7);
    let key: [u8; 32] = rng.bytes(32).try_into().unwrap();
    let mut memory = crate::fenced::Fenced::new();
    let chunks = (1..11).flat_map(|n| [1024 * n, 1024 * n + 1, 1024 * n + 963]);
    let chunks = chunks.chain([12, 16, 17, 32, 64].map(|n| 1024 * n));
    for len in (0..=300).chain([960, 961, 975, 1023]).chain(chunks) {
        for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
            let message = place(&mut memory, len);
            message.copy_from_slice(&rng.bytes(len));
            alone(&key, message);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
fn fenced() {}

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

/// Every number of blocks round the groups that implementations make, anywhere in memory. Low
/// words of counters overflow in front of the output, behind it, and at every block of it.
fn extended_by_blocks() {
    let mut rng = Rng(8);
    let input = rng.bytes(100);
    let mut ours = Hasher::new();
    let mut ours = ours.update(&input).finalize_xof();
    let mut theirs = ::blake3::Hasher::new().update(&input).finalize_xof();
    let most = if SMALL { 3 } else { 70 };
    for blocks in 1..=most {
        let len = 64 * blocks;
        let overflow = 1u64 << 38;
        let inside = overflow - 64 * rng.below(blocks + 1) as u64;
        let far = 3 * overflow + rng.next() % overflow / 64 * 64;
        let before = overflow - 64 * (blocks as u64 + 40);
        for place in [0, before, overflow - len as u64, inside, far] {
            let start = rng.below(65);
            let mut a = vec![0xaa; start + len + 64];
            let mut b = a.clone();
            ours.set_position(place);
            theirs.set_position(place);
            ours.fill(&mut a[start..start + len]);
            theirs.fill(&mut b[start..start + len]);
            assert!(a == b, "{blocks} blocks at {place}, {start} bytes in");
        }
    }
}

fn many() {
    let mut rng = Rng(3);
    let counts: &[usize] = if SMALL {
        &[0, 1, 3]
    } else {
        &[
            0, 1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 48, 70, 100, 333,
        ]
    };
    let key: [u8; 32] = rng.bytes(32).try_into().unwrap();
    for &count in counts {
        // Equal, short, round the edge of a chunk, and mixed lengths.
        for kind in 0..12 {
            if kind > 6 && (SMALL || count > 70) {
                continue;
            }
            // Of several blocks and a part of one, all the same.
            let ragged = [65, 127, 129, 191, 1000, 1023][rng.below(6)];
            let up_to_a_chunk = rng.below(1025);
            let one = rng.below(if SMALL { 70 } else { 64 });
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let len = match kind {
                        0 => 0,
                        1 => 64,
                        2 => rng.below(200),
                        3 => 1024,
                        4 => rng.below(if SMALL { 300 } else { 1100 }),
                        6 => one,
                        // Many chunks: any, whole, and more than are shared.
                        7 => rng.below(20 * 1024 + 1),
                        8 => 1024 * rng.below(21),
                        9 => [0, 1024, 2048, 65_535, 65_536, 65_537, 70_000][rng.below(7)],
                        10 => ragged,
                        11 => up_to_a_chunk,
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
    each_implementation("blake3-block", |_| {
        each_implementation("blake3", |name| {
            eprintln!("{name}");
            vectors();
            short();
            fenced();
            against_oracle();
            extended();
            extended_by_blocks();
            many();
            raw();
        });
    });
}

/// What is done by raw pointers, in a test of its own that Miri ends in minutes: parents
/// in place, with an odd one behind them and over both groups of lanes, the parents of
/// two subtrees, and many inputs at once.
#[test]
fn raw_pointers() {
    for len in [2049, 5 * 1024, 17 * 1024, 31 * 1024 + 1, 33 * 1024] {
        let input = pattern(len);
        let expected = *::blake3::hash(&input).as_bytes();
        assert_eq!(blake3::hash(&input), expected, "{len} bytes");
    }
    raw();
}

#[test]
#[should_panic(expected = "2 messages but room for 1 digest")]
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

/// Inputs with their own lengths, counters and flags, one block and one chunk
/// at a time, against the plain compression.
fn raw() {
    use blake3::raw::{self, Flags, Input};
    let mut rng = Rng(5);
    let key: [u32; 8] = core::array::from_fn(|_| rng.next() as u32);
    let one = |input: &Input| {
        let body = input.bytes.len().saturating_sub(1) / 64;
        let mut cv = key;
        for i in 0..=body {
            let bytes = &input.bytes[64 * i..input.bytes.len().min(64 * i + 64)];
            let mut block = [0; 64];
            block[..bytes.len()].copy_from_slice(bytes);
            let first = if i == 0 { input.flags.first } else { 0 };
            let last = if i == body { input.flags.last } else { 0 };
            let flags = input.flags.every | first | last;
            let wide =
                raw::compress_extended(&cv, &block, input.counter, bytes.len() as u32, flags);
            cv = raw::compress(&cv, &block, input.counter, bytes.len() as u32, flags);
            assert_eq!(wide[..8], cv);
        }
        let mut out = [0; 32];
        for (to, word) in out.chunks_mut(4).zip(cv) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        out
    };
    let counts: &[usize] = if SMALL {
        &[0, 2, 17]
    } else {
        &[0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 32, 40]
    };
    for &count in counts {
        let bytes = rng.bytes(count * 1024);
        let inputs: Vec<Input> = bytes
            .chunks(1024)
            .map(|chunk| Input {
                bytes: &chunk[..rng.below(if SMALL { 130 } else { 1025 })],
                counter: rng.next(),
                flags: Flags {
                    every: rng.next() as u32 & 0xF0,
                    first: 1 << rng.below(3),
                    last: 1 << rng.below(4),
                },
            })
            .collect();
        let mut out = vec![[0; 32]; count];
        raw::compress_many(&key, &inputs, &mut out);
        for (input, out) in inputs.iter().zip(&out) {
            assert_eq!(*out, one(input), "{input:?}");
        }
        let len = 64 * (1 + rng.below(if SMALL { 2 } else { 16 }));
        let (first, step) = (rng.next() | 0xFFFF_FFF0, rng.next() % 2);
        let flags = Flags {
            every: 16,
            first: 1,
            last: 10,
        };
        let slices: Vec<&[u8]> = bytes.chunks(1024).map(|c| &c[..len]).collect();
        raw::compress_many_fast(&key, &slices, first, step == 1, flags, &mut out);
        for (i, (bytes, out)) in slices.iter().zip(&out).enumerate() {
            let counter = first.wrapping_add(i as u64 * step);
            let input = Input {
                bytes,
                counter,
                flags,
            };
            assert_eq!(*out, one(&input), "{i} of {count}, {len} bytes");
        }
    }
}

#[test]
#[should_panic(expected = "1025 bytes; 1024 is the most")]
fn raw_inputs_are_a_chunk_at_most() {
    let input = blake3::raw::Input {
        bytes: &[0; 1025],
        counter: 0,
        flags: blake3::raw::Flags::default(),
    };
    blake3::raw::compress_many(&[0; 8], &[input], &mut [[0; 32]]);
}

#[test]
fn readers_and_writers_give_what_update_gives() {
    use std::io::{Read, Seek, SeekFrom, Write};
    let input = Rng(6).bytes(if SMALL { 3000 } else { 200_001 });
    let expected = blake3::hash(&input);
    let mut hasher = Hasher::new();
    // A reader that hands out few bytes at a time.
    let (a, b) = input.split_at(777);
    hasher.update_reader(a.chain(b)).unwrap();
    assert_eq!(hasher.finalize(), expected);
    hasher.reset();
    hasher.write_all(&input).unwrap();
    hasher.flush().unwrap();
    assert_eq!(hasher.finalize(), expected);
    let mut output = hasher.finalize_xof();
    let mut bytes = [0; 32];
    output.read_exact(&mut bytes).unwrap();
    assert_eq!(bytes, expected);
    output.seek(SeekFrom::Current(-32)).unwrap();
    output.read_exact(&mut bytes).unwrap();
    assert_eq!(bytes, expected);
    assert!(output.seek(SeekFrom::End(0)).is_err());
    assert!(output.seek(SeekFrom::Current(-33)).is_err());
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let input = Rng(7).bytes(1_500_001);
    for len in [0, 1024, 131_072, 131_073, 1 << 20, 1_500_001] {
        let mut hasher = Hasher::new();
        hasher.update_rayon(&input[..len / 3]);
        hasher.update_rayon(&input[len / 3..len]);
        assert_eq!(hasher.finalize(), blake3::hash(&input[..len]), "{len}");
    }
}

#[cfg(feature = "mmap")]
#[test]
fn mapped_files_are_files() {
    let folder = std::env::temp_dir().join(format!("karat-hash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for len in [0, 100, 100_000] {
        let path = folder.join(len.to_string());
        let input = Rng(8).bytes(len);
        std::fs::write(&path, &input).unwrap();
        let mut hasher = Hasher::new();
        hasher.update_mmap(&path).unwrap();
        assert_eq!(hasher.finalize(), blake3::hash(&input));
        #[cfg(feature = "rayon")]
        {
            hasher.reset().update_mmap_rayon(&path).unwrap();
            assert_eq!(hasher.finalize(), blake3::hash(&input));
        }
    }
    assert!(Hasher::new().update_mmap(folder.join("none")).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(feature = "digest")]
#[test]
fn traits_give_the_same() {
    use digest::{Digest, ExtendableOutput, Update, XofReader, common::KeyInit};
    let expected = blake3::hash(b"abc");
    assert_eq!(<Hasher as Digest>::digest(b"abc")[..], expected);
    let key = [3; 32];
    let mut keyed = <Hasher as KeyInit>::new(&key.into());
    Update::update(&mut keyed, b"abc");
    assert_eq!(
        digest::FixedOutput::finalize_fixed(keyed)[..],
        blake3::keyed_hash(&key, b"abc")
    );
    let mut out = [0; 32];
    let hasher = Hasher::new().update(b"abc").clone();
    ExtendableOutput::finalize_xof(hasher).read(&mut out);
    assert_eq!(out, expected);
}
