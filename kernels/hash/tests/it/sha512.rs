//! SHA-512, SHA-384 and SHA-512/256 against NIST's vectors and the crate `sha2`.

use crate::support::{Rng, each_implementation, few, unhex};
use karat_hash::sha512::{self, sha384, sha512_256};

/// Runs `$body` with `$hash` standing for each module in turn, `$N` for the length of its
/// digest and `$oracle` for the same function of the crate `sha2`.
macro_rules! each_hash {
    (|$hash:ident, $oracle:ident, $N:ident| $body:block) => {
        each_hash!(|$hash, $oracle, $N| $body
            sha512 Sha512 64, sha384 Sha384 48, sha512_256 Sha512_256 32);
    };
    (|$hash:ident, $oracle:ident, $N:ident| $body:block
        $first:ident $peer:ident $length:literal $(, $($rest:tt)*)?) => {
        {
            use $first as $hash;
            const $N: usize = $length;
            let $oracle = |message: &[u8]| -> [u8; $N] {
                <sha2::$peer as sha2::Digest>::digest(message).into()
            };
            $body
        }
        $(each_hash!(|$hash, $oracle, $N| $body $($rest)*);)?
    };
}

/// SHAVS, section 6.4: every digest is of the three before it, and 1,000 of them make a
/// checkpoint, which is the seed of the next.
fn nist_chain(most: usize) {
    const TEXT: &str = include_str!("../vectors/sha512.txt");
    let lines: Vec<&str> = TEXT
        .lines()
        .skip_while(|l| !l.starts_with("seed"))
        .collect();
    let value = |line: &str| -> [u8; 32] {
        let (_, hex) = line.split_once(' ').unwrap();
        unhex(hex).try_into().unwrap()
    };
    let (mut seed, mut checkpoint) = (value(lines[0]), 0);
    for line in &lines[1..] {
        let number: usize = line.split_once(' ').unwrap().0.parse().unwrap();
        if number > most {
            break;
        }
        while checkpoint <= number {
            let mut last = [seed; 3];
            for _ in 0..1000 {
                last = [last[1], last[2], sha512_256::hash(last.as_flattened())];
            }
            seed = last[2];
            checkpoint += 1;
        }
        assert_eq!(seed, value(line), "checkpoint {number}");
    }
    assert_eq!(checkpoint, most + 1);
}

fn lengths_and_places() {
    let mut rng = Rng(1);
    let data = rng.bytes(few(5000, 600));
    let check = |message: &[u8]| {
        each_hash!(|hash, oracle, N| {
            let length = message.len();
            let digest: [u8; N] = hash::hash(message);
            assert_eq!(digest, oracle(message), "{length} bytes");
        });
    };
    // Round every edge of a block, from every place in memory.
    for length in (0..=520).step_by(few(1, 61)) {
        let at = rng.below(64);
        check(&data[at..at + length]);
    }
    for _ in 0..few(200, 5) {
        let length = rng.below(data.len());
        let at = rng.below(data.len() - length);
        check(&data[at..at + length]);
    }
}

/// No byte before or behind the message is read.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn fences() {
    let (mut rng, mut fenced) = (Rng(6), crate::fenced::Fenced::new());
    for length in 0..=520 {
        for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
            let message = place(&mut fenced, length);
            message.copy_from_slice(&rng.bytes(length));
            let expected: [u8; 64] = <sha2::Sha512 as sha2::Digest>::digest(&*message).into();
            assert_eq!(sha512::hash(message), expected, "{length} bytes");
        }
    }
}

fn pieces() {
    let mut rng = Rng(2);
    for _ in 0..few(200, 3) {
        let data = rng.bytes(few(1500, 400));
        let split = rng.next();
        each_hash!(|hash, oracle, N| {
            let (mut rng, mut hasher, mut at) = (Rng(split), hash::Hasher::new(), 0);
            while at < data.len() {
                let most = [10, 300][rng.below(2)];
                let piece = rng.below(most) + 1;
                let piece = &data[at..data.len().min(at + piece)];
                hasher.update(piece).update(&[]);
                at += piece.len();
                if rng.below(4) == 0 {
                    // Finalizing takes nothing away, and copies go on on their own.
                    assert_eq!(hasher.clone().finalize(), oracle(&data[..at]));
                }
            }
            assert_eq!(hasher.finalize(), oracle(&data));
            hasher.reset().update(b"abc");
            let digest: [u8; N] = hasher.finalize();
            assert_eq!(digest, oracle(b"abc"));
        });
    }
}

#[test]
fn one_message() {
    each_implementation("sha512", |_| {
        if !cfg!(miri) {
            nist_chain(1);
        }
        lengths_and_places();
        #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
        fences();
        pieces();
    });
}

/// The whole chain, with whatever implementation there is.
#[test]
#[cfg_attr(miri, ignore = "100,000 hashes")]
fn nist_chains() {
    nist_chain(99);
}

fn check_many(messages: &[&[u8]]) {
    each_hash!(|hash, oracle, N| {
        let mut out = vec![[0xaa; N]; messages.len()];
        hash::hash_many(messages, &mut out);
        for (i, (message, digest)) in messages.iter().zip(&out).enumerate() {
            let (all, length) = (messages.len(), message.len());
            assert_eq!(
                *digest,
                oracle(message),
                "message {i} of {all}, {length} bytes"
            );
        }
    });
}

/// Every implementation of the kernel for many messages.
#[test]
fn many_messages() {
    let mut rng = Rng(3);
    let data = rng.bytes(few(20_000, 1500));
    each_implementation("sha512-many", |_| {
        // Equal lengths: every number of lanes, every shape of padding.
        for count in 0..few(20, 3) {
            for length in [
                0, 1, 63, 64, 65, 111, 112, 127, 128, 129, 239, 240, 256, 400,
            ] {
                let messages: Vec<&[u8]> =
                    (0..count).map(|i| &data[i * 401 + 7..][..length]).collect();
                check_many(&messages);
            }
        }
        // Mixed lengths, some of them empty, one far longer than the others.
        for count in 0..few(40, 3) {
            let mut messages: Vec<&[u8]> = (0..count)
                .map(|_| {
                    let most = [1, 128, 260, few(1500, 300)][rng.below(4)];
                    let length = rng.below(most + 1);
                    &data[rng.below(data.len() - length)..][..length]
                })
                .collect();
            check_many(&messages);
            if count > 0 {
                messages[rng.below(count)] = &data[..few(9000, 200)];
                check_many(&messages);
            }
        }
        crate::prefix::sha512();
    });
}

#[test]
#[should_panic(expected = "a prefix of 100 bytes is not of whole blocks")]
fn prefixes_are_whole_blocks() {
    let _ = sha512::Prefix::new(&[0; 100]);
}

#[test]
#[should_panic(expected = "prefixes of 0 and 128 bytes: give prefixes of one length")]
fn prefixes_have_one_length() {
    let (none, one) = (sha512::Prefix::new(&[]), sha512::Prefix::new(&[0; 128]));
    sha512::Prefix::hash_many(&[&none, &one], &[b"a", b"b"], &mut [[0; 64]; 2]);
}

#[test]
#[should_panic(expected = "2 messages but room for 3 digests")]
fn room_must_fit() {
    sha512::hash_many(&[b"a", b"b"], &mut [[0; 64]; 3]);
}

#[test]
fn readers_and_writers() {
    use std::io::Write as _;
    let data = Rng(4).bytes(few(200_000, 500));
    let mut hasher = sha384::Hasher::new();
    hasher.update_reader(&data[..]).unwrap();
    assert_eq!(hasher.finalize(), sha384::hash(&data));
    hasher.reset();
    hasher.write_all(&data).unwrap();
    assert_eq!(hasher.finalize(), sha384::hash(&data));
}

#[test]
fn debug_shows_no_content() {
    let mut hasher = sha512::Hasher::new();
    hasher.update(b"secret");
    assert_eq!(format!("{hasher:?}"), "Hasher { bytes: 6, .. }");
    let prefix = sha512::Prefix::new(&[1; 128]);
    assert_eq!(format!("{prefix:?}"), "Prefix { bytes: 128, .. }");
}

#[cfg(feature = "digest")]
#[test]
fn traits_of_rust_crypto() {
    fn with<D: digest::Digest>(data: &[u8]) -> Vec<u8> {
        D::digest(data).to_vec()
    }
    let data = Rng(5).bytes(300);
    assert_eq!(with::<sha512::Hasher>(&data), sha512::hash(&data));
    assert_eq!(with::<sha384::Hasher>(&data), sha384::hash(&data));
    assert_eq!(with::<sha512_256::Hasher>(&data), sha512_256::hash(&data));
}
