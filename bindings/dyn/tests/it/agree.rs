//! One-shot, incremental and many; and known answers, so that no name has another's hash.

use karat_dyn::{Algorithm, Hasher, Options, Tree, hash, hash_many};

/// Options that an algorithm takes: without any where it can be, and with all.
fn options(algorithm: Algorithm) -> Vec<Options<'static>> {
    use Algorithm as A;
    let plain = Options::default();
    let key = &[7; 32];
    let keyed = Options { key, ..plain };
    let full = Options {
        salt: b"salt",
        personal: b"person",
        digest_size: Some(20),
        tree: Some(Tree {
            fanout: 2,
            depth: 2,
            leaf_size: 64,
            node_offset: 3,
            node_depth: 1,
            inner_size: 32,
            last_node: true,
        }),
        ..keyed
    };
    let custom = Options {
        customization: b"custom",
        ..plain
    };
    match algorithm {
        A::Blake2b | A::Blake2s => vec![
            plain,
            keyed,
            full,
            Options {
                digest_size: Some(1),
                ..plain
            },
        ],
        A::Blake2bp | A::Blake2sp => vec![plain, keyed],
        A::Blake3 => vec![
            plain,
            keyed,
            Options {
                context: Some("a context"),
                ..plain
            },
        ],
        A::CShake128 | A::CShake256 | A::Kt128 | A::Kt256 => vec![plain, custom],
        A::Kmac128 | A::Kmac256 => vec![
            keyed,
            Options { key, ..custom },
            Options {
                key,
                digest_size: Some(100),
                ..plain
            },
        ],
        _ => vec![plain],
    }
}

/// Lengths of digests to ask for.
fn lengths(algorithm: Algorithm, options: &Options<'_>) -> Vec<usize> {
    match algorithm.is_extendable() {
        true => vec![1, 32, 64, 65, 200],
        false => vec![options.digest_size(algorithm).expect("options that fit")],
    }
}

#[test]
fn all_ways_lead_to_the_same_digest() {
    let long: Vec<u8> = (0..3000_u32).map(|i| (i % 251) as u8).collect();
    let messages: Vec<&[u8]> = (0..300).map(|i| &long[..i * i % 2900]).collect();
    for &algorithm in Algorithm::ALL {
        for options in options(algorithm) {
            for length in lengths(algorithm, &options) {
                let mut many = vec![0; length * messages.len()];
                hash_many(algorithm, &options, &messages, &mut many).expect("many");
                let mut digest = vec![0; length];
                for (message, many) in messages.iter().zip(many.chunks(length)) {
                    hash(algorithm, &options, message, &mut digest).expect("one");
                    assert_eq!(digest, many, "{algorithm} {options:?} {}", message.len());
                }
                let mut hasher = Hasher::new(algorithm, &options).expect("hasher");
                hasher.update(&long[..1000]);
                let mut copy = hasher.clone();
                hasher.update(b"other");
                copy.update(&long[1000..]);
                hash(algorithm, &options, &long, &mut digest).expect("one");
                let mut streamed = vec![0; length];
                copy.digest(&mut streamed).expect("digest");
                assert_eq!(digest, streamed, "{algorithm}");
                hasher.digest(&mut streamed).expect("digest");
                assert_ne!(digest, streamed, "{algorithm}: a copy is one");
            }
        }
    }
}

#[test]
fn extendable_output_is_read_from_any_place() {
    for &algorithm in Algorithm::ALL.iter().filter(|a| a.is_extendable()) {
        let hasher = Hasher::new(algorithm, &Options::default()).expect("hasher");
        let (mut all, mut part) = ([0; 300], [0; 100]);
        hasher.digest(&mut all).expect("digest");
        hasher.output(200, &mut part).expect("output");
        assert_eq!(all[200..], part, "{algorithm}");
        assert!(hasher.output(u64::MAX, &mut part).is_err());
    }
}

#[test]
fn who_waits_for_a_far_place_is_asked_whether_to_go_on() {
    let far = 1 << 60;
    for &algorithm in Algorithm::ALL.iter().filter(|a| a.is_extendable()) {
        let hasher = Hasher::new(algorithm, &Options::default()).expect("hasher");
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked < 3
        };
        let done = hasher.output_while(far, &mut [0; 8], &mut stop);
        // BLAKE3 alone has random access.
        assert_eq!(done, Ok(algorithm == Algorithm::Blake3), "{algorithm}");
        let near = algorithm == Algorithm::Blake3;
        assert_eq!(asked, if near { 0 } else { 3 }, "{algorithm}");
        // Long output from the beginning, and what the pieces are made of.
        let mut long = vec![0; 5 << 16];
        asked = 0;
        let mut stop = || {
            asked += 1;
            asked < 3
        };
        assert_eq!(hasher.output_while(0, &mut long, &mut stop), Ok(false));
        let (mut all, mut part) = (vec![0; (1 << 16) + 50], [0; 100]);
        hasher.digest(&mut all).expect("digest");
        hasher.output((1 << 16) - 50, &mut part).expect("output");
        assert_eq!(all[(1 << 16) - 50..], part, "{algorithm}");
        assert!(long.starts_with(&all), "{algorithm}");
    }
    let sha256 = Hasher::new(Algorithm::Sha256, &Options::default()).expect("hasher");
    assert!(sha256.output_while(1, &mut [0; 32], &mut || true).is_err());
}

#[test]
fn every_option_makes_another_digest() {
    for &algorithm in Algorithm::ALL {
        let digest = |options: &Options<'_>| {
            let mut out = vec![
                0;
                lengths(algorithm, options)[0].max(32).min(
                    match algorithm.is_extendable() {
                        true => 32,
                        false => usize::MAX,
                    }
                )
            ];
            let size = options.digest_size(algorithm).expect("size");
            if !algorithm.is_extendable() {
                out = vec![0; size];
            }
            hash(algorithm, options, b"m", &mut out).expect("digest");
            out
        };
        let digests: Vec<_> = options(algorithm).iter().map(digest).collect();
        for (i, digest) in digests.iter().enumerate() {
            assert!(!digests[..i].contains(digest), "{algorithm} {i}");
        }
    }
}

#[test]
fn no_name_has_the_hash_of_another() {
    let options = |a| match a {
        Algorithm::Kmac128 | Algorithm::Kmac256 => Options {
            key: b"key",
            ..Options::default()
        },
        _ => Options::default(),
    };
    let digest = |a: &Algorithm| {
        let length = lengths(*a, &options(*a));
        let mut out = vec![0; if a.is_extendable() { 32 } else { length[0] }];
        hash(*a, &options(*a), b"abc", &mut out).expect("digest");
        out
    };
    let all: Vec<_> = Algorithm::ALL.iter().map(digest).collect();
    for (i, digest) in all.iter().enumerate() {
        let name = Algorithm::ALL[i];
        // cSHAKE without customisation is SHAKE (NIST SP 800-185, section 3.3).
        let twin = matches!(name, Algorithm::CShake128 | Algorithm::CShake256);
        assert_eq!(all[..i].contains(digest), twin, "{name}");
        assert_eq!(name.name().parse(), Ok(name));
    }
    // FIPS 180-4 and 202, RFC 7693, the BLAKE3 paper's test vectors: digests of "abc".
    let begins = |a: Algorithm, bytes: [u8; 4]| assert_eq!(digest(&a)[..4], bytes, "{a}");
    begins(Algorithm::Sha256, [0xba, 0x78, 0x16, 0xbf]);
    begins(Algorithm::Sha512_256, [0x53, 0x04, 0x8e, 0x26]);
    begins(Algorithm::Sha3_256, [0x3a, 0x98, 0x5d, 0xa7]);
    begins(Algorithm::Keccak256, [0x4e, 0x03, 0x65, 0x7a]);
    begins(Algorithm::Blake2b, [0xba, 0x80, 0xa5, 0x3f]);
    begins(Algorithm::Blake2s, [0x50, 0x8c, 0x5e, 0x8c]);
    begins(Algorithm::Blake3, [0x64, 0x37, 0xb3, 0xac]);
}

#[test]
fn names_are_read_as_people_write_them() {
    let is = |text: &str, algorithm| assert_eq!(text.parse(), Ok(algorithm), "{text}");
    is("SHA-256", Algorithm::Sha256);
    is("sha3-256", Algorithm::Sha3_256);
    is("SHA512/256", Algorithm::Sha512_256);
    is("shake128", Algorithm::Shake128);
    is("Keccak256", Algorithm::Keccak256);
    let error = "sha257".parse::<Algorithm>().expect_err("no such hash");
    assert!(
        error.to_string().contains("blake3, sha224, sha256"),
        "{error}"
    );
}
