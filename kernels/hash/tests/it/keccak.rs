//! Keccak: official vectors, the sha3 crate as oracle, every implementation.

use crate::support::{Rng, each_implementation, few, unhex};
use karat_hash::keccak::{
    keccak256, keccak512, sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256,
};

/// Runs `$body` with `$hash` standing for each module in turn, `$N` for its
/// digest's length and `$oracle` for the same function of the sha3 crate.
macro_rules! each_hash {
    (|$hash:ident, $oracle:ident, $N:ident| $body:block) => {
        each_hash!(@ $hash $oracle $N $body:
            keccak256 Keccak256 32, keccak512 Keccak512 64, sha3_224 Sha3_224 28,
            sha3_256 Sha3_256 32, sha3_384 Sha3_384 48, sha3_512 Sha3_512 64);
    };
    (@ $hash:ident $oracle:ident $N:ident $body:block:
        $a:ident $b:ident $n:literal $(, $($rest:tt)*)?) => {
        {
            use $a as $hash;
            const $N: usize = $n;
            let $oracle =
                |message: &[u8]| -> [u8; $N] { <sha3::$b as sha3::Digest>::digest(message).into() };
            $body
        }
        $(each_hash!(@ $hash $oracle $N $body: $($rest)*);)?
    };
    (@ $hash:ident $oracle:ident $N:ident $body:block:) => {};
}

/// Lengths round every edge of words and blocks, and some in between.
fn lengths(rng: &mut Rng) -> Vec<usize> {
    let mut all = vec![0, 1, 7, 8, 9, 20, 32, 63, 64, 65, 127, 128, 129];
    for rate in [72, 104, 136, 144, 168] {
        all.extend([rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 3 * rate]);
    }
    all.extend((0..few(60, 0)).map(|_| rng.below(2000)));
    if cfg!(miri) {
        all.retain(|l| [0, 8, 65, 137].contains(l));
    }
    all
}

#[test]
fn one_message_in_every_implementation() {
    each_implementation("keccak", |name| {
        vectors(name);
        crate::keccak_derived::of_one(name);
        let mut rng = Rng(1);
        for length in lengths(&mut rng) {
            // Any alignment of the input.
            let start = rng.below(64);
            let bytes = rng.bytes(start + length);
            let message = &bytes[start..];
            each_hash!(|hash, oracle, N| {
                let expected = oracle(message);
                assert_eq!(hash::hash(message), expected, "{name} {length}");
                let mut hasher = hash::Hasher::new();
                let mut rest = message;
                while !rest.is_empty() {
                    let (now, later) = rest.split_at(1 + rng.below(rest.len().min(300)));
                    hasher.update(now);
                    // To ask is not to change.
                    let _ = hasher.finalize();
                    rest = later;
                }
                assert_eq!(hasher.finalize(), expected, "{name} {length} in pieces");
            });
        }
    });
}

#[test]
fn many_messages_in_every_implementation() {
    each_implementation("keccak-many", |name| {
        crate::keccak_derived::of_many(name);
        let mut rng = Rng(2);
        for round in 0..few(120, 2) {
            let count = [0, 1, 2, 3, 7, 8, 9, 16, 17, 40][rng.below(few(10, 4))];
            // Equal lengths, equal numbers of blocks, anything, mostly tiny, none above 64 bytes,
            // 65 to 127 bytes and seldom one beside.
            let length = rng.below(600);
            let bytes = rng.bytes(4000);
            let messages: Vec<&[u8]> = (0..count)
                .map(|_| {
                    let length = match round % 6 {
                        0 => length,
                        1 => length / 136 * 136 + rng.below(136),
                        2 => rng.below(800),
                        3 => [0, 20, 32, 64, 1500][rng.below(5)],
                        4 => [64, 64, rng.below(65)][rng.below(3)],
                        _ if rng.below(40) > 0 => 65 + rng.below(63),
                        _ => [64, 128][rng.below(2)],
                    };
                    &bytes[rng.below(1000)..][..length]
                })
                .collect();
            each_hash!(|hash, oracle, N| {
                let mut out = vec![[0xaa; N]; count];
                hash::hash_many(&messages, &mut out);
                for (i, message) in messages.iter().enumerate() {
                    let expected = oracle(message);
                    assert_eq!(out[i], expected, "{name}, {i} of {count}");
                }
            });
            shaken(&messages, name);
        }
    });
}

/// Nothing outside of messages is read: pages that nobody may read lie before and behind.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn many_messages_between_pages() {
    each_implementation("keccak-many", |name| {
        let (mut rng, mut memory) = (Rng(3), crate::fenced::Fenced::new());
        for length in 0..=300 {
            for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
                let message = place(&mut memory, length);
                message.copy_from_slice(&rng.bytes(length));
                let messages = [&*message; 8];
                each_hash!(|hash, oracle, N| {
                    let mut out = [[0xaa; N]; 8];
                    hash::hash_many(&messages, &mut out);
                    assert_eq!(out, [oracle(message); 8], "{name} {length}");
                });
            }
        }
    });
}

/// SHAKE for many messages against SHAKE for one, shorter and longer than a
/// block.
fn shaken(messages: &[&[u8]], name: &str) {
    let mut a = vec![[0; 168]; messages.len()];
    let mut b = vec![[0; 200]; messages.len()];
    let mut c = vec![[0; 5]; messages.len()];
    shake128::hash_many(messages, &mut a);
    shake256::hash_many(messages, &mut b);
    shake256::hash_many(messages, &mut c);
    for (i, message) in messages.iter().enumerate() {
        assert_eq!(a[i], shake128::hash(message), "{name}");
        assert_eq!(b[i], shake256::hash(message), "{name}");
        assert_eq!(c[i], b[i][..5], "{name}");
    }
}

fn vectors(name: &str) {
    let text = include_str!("../vectors/keccak.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    for (number, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split(' ').collect();
        let (hash, kind, input) = (fields[0], fields[1], unhex(fields[2].trim_matches('-')));
        let expected = unhex(fields[3]);
        if cfg!(miri) && (number % 100 != 0 || kind == "monte" || input.len() > 1000) {
            continue;
        }
        match kind {
            "message" => assert_eq!(
                by_name(hash, &input, expected.len()),
                expected,
                "{name}, {line}"
            ),
            // A minute in debug builds.
            "monte" if cfg!(debug_assertions) && name == "portable" => {}
            "monte" => monte(hash, input, &expected, &unhex(fields[4])),
            other => panic!("{other} is no kind of vector"),
        }
    }
}

/// The Secure Hash Algorithm-3 Validation System (NIST, 2016), section 6.2.3.
fn monte(hash: &str, seed: Vec<u8>, first: &[u8], last: &[u8]) {
    let mut digest = seed;
    for count in 0..100 {
        for _ in 0..1000 {
            digest = by_name(hash, &digest, digest.len());
        }
        if count == 0 {
            assert_eq!(digest, first, "{hash}");
        }
    }
    assert_eq!(digest, last, "{hash}");
}

fn by_name(hash: &str, input: &[u8], length: usize) -> Vec<u8> {
    let mut out = vec![0; length];
    match hash {
        "keccak-256" => out.copy_from_slice(&keccak256::hash(input)),
        "keccak-512" => out.copy_from_slice(&keccak512::hash(input)),
        "sha3-224" => out.copy_from_slice(&sha3_224::hash(input)),
        "sha3-256" => out.copy_from_slice(&sha3_256::hash(input)),
        "sha3-384" => out.copy_from_slice(&sha3_384::hash(input)),
        "sha3-512" => out.copy_from_slice(&sha3_512::hash(input)),
        "shake128" => shake128::Hasher::new()
            .update(input)
            .finalize_xof()
            .fill(&mut out),
        "shake256" => shake256::Hasher::new()
            .update(input)
            .finalize_xof()
            .fill(&mut out),
        other => panic!("{other} is no hash"),
    }
    out
}

#[test]
fn output_can_be_read_from_anywhere() {
    let mut rng = Rng(3);
    let mut whole = [0; 1000];
    let mut reader = shake256::Hasher::new().update(b"anywhere").finalize_xof();
    reader.fill(&mut whole);
    assert_eq!(reader.position(), 1000);
    for _ in 0..few(200, 5) {
        let from = rng.below(1000);
        let mut part = vec![0; rng.below(1001 - from)];
        reader.set_position(from as u64);
        reader.fill(&mut part);
        assert_eq!(part, whole[from..from + part.len()]);
        assert_eq!(reader.position(), (from + part.len()) as u64);
    }
}

#[test]
fn output_is_sought_like_a_file() {
    use std::io::{Read, Seek, SeekFrom};
    let mut output = shake128::Hasher::new().update(b"file").finalize_xof();
    let mut whole = [0; 600];
    output.read_exact(&mut whole).unwrap();
    let mut part = [0; 100];
    assert_eq!(output.seek(SeekFrom::Start(300)).unwrap(), 300);
    assert_eq!(output.seek(SeekFrom::Current(-130)).unwrap(), 170);
    output.read_exact(&mut part).unwrap();
    assert_eq!(part, whole[170..270]);
    assert_eq!(output.stream_position().unwrap(), 270);
    assert!(output.seek(SeekFrom::End(0)).is_err());
    assert!(output.seek(SeekFrom::Current(-271)).is_err());
    assert_eq!(output.position(), 270);
}

#[test]
fn a_reset_hasher_is_a_new_one() {
    let mut hasher = sha3_384::Hasher::new();
    hasher.update(&[1; 500]).reset().update(b"abc");
    assert_eq!(hasher.finalize(), sha3_384::hash(b"abc"));
    let mut hasher = shake128::Hasher::new();
    hasher.update(&[1; 500]).reset().update(b"abc");
    assert_eq!(hasher.finalize::<7>(), shake128::hash::<7>(b"abc"));
}

#[test]
fn readers_and_writers_are_hashed_whole() {
    let bytes = Rng(4).bytes(few(40_000, 1000));
    let mut read = keccak256::Hasher::new();
    read.update_reader(&bytes[..]).unwrap();
    let mut written = keccak256::Hasher::new();
    std::io::copy(&mut &bytes[..], &mut written).unwrap();
    assert_eq!(read.finalize(), keccak256::hash(&bytes));
    assert_eq!(written.finalize(), keccak256::hash(&bytes));
}

#[test]
#[should_panic(expected = "2 messages but room for 3 digests")]
fn slices_of_different_lengths_are_refused() {
    keccak256::hash_many(&[b"a", b"b"], &mut [[0; 32]; 3]);
}

#[test]
fn nothing_secret_is_shown() {
    let mut hasher = keccak256::Hasher::new();
    hasher.update(b"secret");
    assert_eq!(format!("{hasher:?}"), "keccak::Hasher { digest: 32, .. }");
    let mut hasher = shake128::Hasher::new();
    let reader = hasher.update(b"secret").finalize_xof();
    assert_eq!(format!("{hasher:?}"), "keccak::Shake { rate: 168, .. }");
    assert_eq!(
        format!("{reader:?}"),
        "keccak::OutputReader { position: 0, .. }"
    );
}

#[cfg(feature = "digest")]
#[test]
fn rustcrypto_traits_give_the_same() {
    use digest::{ExtendableOutput, Update, XofReader};
    each_hash!(|hash, oracle, N| {
        let expected = oracle(b"abc");
        assert_eq!(
            <hash::Hasher as digest::Digest>::digest(b"abc")[..],
            expected
        );
    });
    let mut out = [0; 300];
    let mut shake = shake128::Hasher::default();
    Update::update(&mut shake, b"abc");
    ExtendableOutput::finalize_xof(shake).read(&mut out);
    assert_eq!(out, shake128::hash::<300>(b"abc"));
}
