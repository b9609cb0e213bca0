//! The crates `hmac`, `hkdf` and `pbkdf2` on random inputs, and lanes against one by one.

use crate::random::{Rng, few};
use ::hmac::{KeyInit as _, Mac as _};
use karat_mac::{
    Algorithm, Blake2b, Blake2s, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384,
    Sha512, Sha512_256, hkdf, hmac, pbkdf2,
};
use std::num::NonZeroU32;

/// Runs a macro with each hash and the same hash of other crates.
macro_rules! each_hash {
    ($run:ident) => {
        $run!(Sha224, sha2::Sha224, 28);
        $run!(Sha256, sha2::Sha256, 32);
        $run!(Sha384, sha2::Sha384, 48);
        $run!(Sha512, sha2::Sha512, 64);
        $run!(Sha512_256, sha2::Sha512_256, 32);
        $run!(Sha3_224, sha3::Sha3_224, 28);
        $run!(Sha3_256, sha3::Sha3_256, 32);
        $run!(Sha3_384, sha3::Sha3_384, 48);
        $run!(Sha3_512, sha3::Sha3_512, 64);
        $run!(Blake2b, blake2::Blake2b512, 64);
        $run!(Blake2s, blake2::Blake2s256, 32);
    };
}

/// Lengths around words, digests and blocks.
const LENGTHS: [usize; 18] = [
    0, 1, 20, 31, 32, 33, 63, 64, 65, 72, 104, 127, 128, 129, 136, 144, 145, 300,
];

fn in_pieces<A: Algorithm>(key: &hmac::Key<A>, message: &[u8], rng: &mut Rng) -> A::Digest {
    let (mut hasher, mut rest) = (key.to_hasher(), message);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(1 + rng.below(rest.len()));
        hasher.update(now);
        let _ = hasher.finalize();
        rest = later;
    }
    hasher.finalize()
}

macro_rules! mac {
    ($hash:ident, $peer:ty, $length:literal) => {
        let mut rng = Rng(1);
        for key_length in LENGTHS.into_iter().step_by(few(1, 7)) {
            for length in LENGTHS.into_iter().step_by(few(1, 7)) {
                let (secret, message) = (rng.bytes(key_length), rng.bytes(length));
                let mut peer = <::hmac::SimpleHmac<$peer>>::new_from_slice(&secret).unwrap();
                peer.update(&message);
                let expected: [u8; $length] = peer.finalize().into_bytes().into();
                let key = hmac::Key::<$hash>::new(&secret);
                assert_eq!(key.mac(&message), expected, "{key:?} {key_length} {length}");
                assert_eq!(in_pieces(&key, &message, &mut rng), expected);
            }
        }
    };
}

#[test]
fn hmac_is_what_another_crate_says() {
    each_hash!(mac);
}

macro_rules! many {
    ($hash:ident, $peer:ty, $length:literal) => {
        let mut rng = Rng(2);
        for count in [0, 1, 2, 3, 5, 8, 17, 31, 32, 33, 70]
            .into_iter()
            .take(few(11, 3))
        {
            let keys: Vec<_> = (0..count)
                .map(|_| {
                    let length = rng.below(200);
                    hmac::Key::<$hash>::new(&rng.bytes(length))
                })
                .collect();
            let keys: Vec<_> = keys.iter().collect();
            let data = rng.bytes(1000);
            let messages: Vec<&[u8]> = (0..count)
                .map(|i| {
                    let length = if count % 2 == 0 { 100 } else { rng.below(400) };
                    &data[i..][..length]
                })
                .collect();
            let mut out = vec![[0xaa; $length]; count];
            hmac::mac_many(&keys, &messages, &mut out);
            for i in 0..count {
                assert_eq!(out[i], keys[i].mac(messages[i]), "{i} of {count}");
            }
            if let Some(key) = keys.last() {
                key.mac_many(&messages, &mut out);
                for i in 0..count {
                    assert_eq!(out[i], key.mac(messages[i]), "{i} of {count}");
                }
            }
        }
    };
}

#[test]
fn many_macs_are_those_of_each_message() {
    each_hash!(many);
}

macro_rules! derived {
    ($hash:ident, $peer:ty, $length:literal) => {
        let mut rng = Rng(3);
        for length in [
            0,
            1,
            $length - 1,
            $length,
            $length + 1,
            200,
            few(255, 4) * $length,
        ] {
            let lengths = [rng.below(150), rng.below(150), rng.below(150)];
            let [salt, secret, info] = lengths.map(|length| rng.bytes(length));
            let (mut out, mut expected) = (vec![0; length], vec![0; length]);
            let peer = ::hkdf::SimpleHkdf::<$peer>::new(Some(&salt), &secret);
            peer.expand(&info, &mut expected).unwrap();
            hkdf::derive::<$hash>(&salt, &secret, &info, &mut out).unwrap();
            assert_eq!(out, expected, "{length} bytes");
        }
    };
}

#[test]
fn hkdf_is_what_another_crate_says() {
    each_hash!(derived);
}

macro_rules! stretched {
    ($hash:ident, $peer:ty, $length:literal) => {
        let mut rng = Rng(4);
        // One block of output, a few, and more than a group of lanes.
        for length in [0, 5, $length, 3 * $length - 1, few(40, 3) * $length + 3] {
            for rounds in [1, 2, 17] {
                let lengths = [rng.below(150), rng.below(60)];
                let [password, salt] = lengths.map(|length| rng.bytes(length));
                let (mut out, mut expected) = (vec![0; length], vec![0; length]);
                ::pbkdf2::pbkdf2::<::hmac::SimpleHmac<$peer>>(
                    &password,
                    &salt,
                    rounds,
                    &mut expected,
                )
                .unwrap();
                let rounds = NonZeroU32::new(rounds).unwrap();
                pbkdf2::derive::<$hash>(&password, &salt, rounds, &mut out);
                assert_eq!(out, expected, "{length} bytes, {rounds} rounds");
            }
        }
    };
}

#[test]
fn pbkdf2_is_what_another_crate_says() {
    each_hash!(stretched);
}

macro_rules! many_stretched {
    ($hash:ident, $peer:ty, $length:literal) => {
        for count in [0, 1, 2, 9, 32, 33].into_iter().take(few(6, 3)) {
            same::<$hash, 5>(count);
            same::<$hash, { $length }>(count);
            same::<$hash, { 2 * $length + 3 }>(count);
        }
    };
}

fn same<A: Algorithm, const N: usize>(count: usize) {
    let (mut rng, rounds) = (Rng(5), NonZeroU32::new(3).unwrap());
    let mut some = || -> Vec<Vec<u8>> {
        let lengths: Vec<usize> = (0..count).map(|_| rng.below(150)).collect();
        lengths.iter().map(|length| rng.bytes(*length)).collect()
    };
    let (passwords, salts) = (some(), some());
    let passwords: Vec<&[u8]> = passwords.iter().map(Vec::as_slice).collect();
    let salts: Vec<&[u8]> = salts.iter().map(Vec::as_slice).collect();
    let mut out = vec![[0; N]; count];
    pbkdf2::derive_many::<A, N>(&passwords, &salts, rounds, &mut out);
    for i in 0..count {
        let mut expected = [0; N];
        pbkdf2::derive::<A>(passwords[i], salts[i], rounds, &mut expected);
        assert_eq!(out[i], expected, "{i} of {count}");
    }
}

#[test]
fn many_passwords_give_what_each_gives() {
    each_hash!(many_stretched);
}
