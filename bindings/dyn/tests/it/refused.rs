//! What an algorithm does not take is an error and never ignored.

use karat_dyn::{Algorithm, Error, Hasher, MacAlgorithm, Options, Tree, hash_many, hkdf};

fn refused(algorithm: Algorithm, options: Options<'_>) -> String {
    Hasher::new(algorithm, &options)
        .expect_err("refused")
        .to_string()
}

#[test]
fn options_of_others_are_refused() {
    let plain = Options::default();
    let key = Options { key: b"k", ..plain };
    assert_eq!(
        refused(Algorithm::Sha256, key),
        "sha256 takes no key: leave it out"
    );
    let salt = Options {
        salt: b"s",
        ..plain
    };
    assert_eq!(
        refused(Algorithm::Blake3, salt),
        "blake3 takes no salt: leave it out"
    );
    let size = Options {
        digest_size: Some(20),
        ..plain
    };
    assert_eq!(
        refused(Algorithm::Sha256, size),
        "sha256 takes no digest_size: leave it out"
    );
    assert_eq!(
        refused(Algorithm::Kmac128, plain),
        "kmac_128 has no key of its own: give one"
    );
}

#[test]
fn ranges_are_kept() {
    let plain = Options::default();
    assert_eq!(
        refused(
            Algorithm::Blake2s,
            Options {
                key: &[0; 33],
                ..plain
            }
        ),
        "the key's length is 33, but blake2s takes 0 to 32"
    );
    assert_eq!(
        refused(
            Algorithm::Blake3,
            Options {
                key: &[0; 31],
                ..plain
            }
        ),
        "the key's length is 31, but blake3 takes 32 to 32"
    );
    for size in [0, 65] {
        let options = Options {
            digest_size: Some(size),
            ..plain
        };
        assert!(refused(Algorithm::Blake2b, options).ends_with("but blake2b takes 1 to 64"));
    }
    let both = Options {
        key: &[0; 32],
        context: Some("c"),
        ..plain
    };
    assert_eq!(
        Hasher::new(Algorithm::Blake3, &both).err(),
        Some(Error::KeyAndContext)
    );
    let trees = [
        Tree {
            depth: 0,
            ..Tree::default()
        },
        Tree {
            inner_size: 33,
            ..Tree::default()
        },
        Tree {
            node_offset: 1 << 48,
            ..Tree::default()
        },
    ];
    for tree in trees {
        refused(
            Algorithm::Blake2s,
            Options {
                tree: Some(tree),
                ..plain
            },
        );
    }
}

#[test]
fn room_must_fit() {
    let plain = Options::default();
    let hasher = Hasher::new(Algorithm::Sha256, &plain).expect("hasher");
    assert!(hasher.digest(&mut [0; 31]).is_err());
    assert!(hasher.output(1, &mut [0; 31]).is_err());
    let many = |messages: &[&[u8]], room: usize| {
        hash_many(Algorithm::Sha256, &plain, messages, &mut vec![0; room])
    };
    assert!(many(&[b"a"], 33).is_err() && many(&[], 1).is_err() && many(&[], 0).is_ok());
    let shake = |room: usize| {
        hash_many(
            Algorithm::Shake128,
            &plain,
            &[b"a", b"b"],
            &mut vec![0; room],
        )
    };
    assert!(shake(7).is_err() && shake(8).is_ok() && shake(0).is_ok());
}

#[test]
fn hkdf_ends() {
    let sha256: MacAlgorithm = "sha256".parse().expect("name");
    let derive = |length| hkdf(sha256, b"secret", b"", b"", &mut vec![0; length]);
    assert!(derive(255 * 32).is_ok() && derive(255 * 32 + 1).is_err());
    assert!("blake3".parse::<MacAlgorithm>().is_err());
}
