//! Project Wycheproof's vectors; tests/vectors/mac.txt says which.

use karat_mac::{
    Algorithm, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
    hkdf, hmac, pbkdf2,
};

fn unhex(text: &str) -> Vec<u8> {
    let text = text.trim_matches('-');
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

/// Runs the vectors of a kind, field by field, and says how many there were.
fn vectors(kind: &str, mut run: impl FnMut(&str, bool, &[&str])) -> usize {
    let mut count = 0;
    for line in include_str!("../vectors/mac.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        if fields[0] == kind && (!cfg!(miri) || count < 3) {
            run(fields[1], fields[2] == "valid", &fields[3..]);
            count += 1;
        }
    }
    count
}

/// Calls a function with the type of a hash's name.
macro_rules! by_name {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            "sha224" => $function::<Sha224>($($argument),*),
            "sha256" => $function::<Sha256>($($argument),*),
            "sha384" => $function::<Sha384>($($argument),*),
            "sha512" => $function::<Sha512>($($argument),*),
            "sha512_256" => $function::<Sha512_256>($($argument),*),
            "sha3_224" => $function::<Sha3_224>($($argument),*),
            "sha3_256" => $function::<Sha3_256>($($argument),*),
            "sha3_384" => $function::<Sha3_384>($($argument),*),
            "sha3_512" => $function::<Sha3_512>($($argument),*),
            other => panic!("{other} is no hash"),
        }
    };
}

fn mac<A: Algorithm>(valid: bool, fields: &[&str]) {
    let [key, message, mac] = [0, 1, 2].map(|i| unhex(fields[i]));
    let key = hmac::Key::<A>::new(&key);
    assert_eq!(key.verify(&message, &mac), valid, "{fields:?}");
    assert_eq!(
        key.to_hasher().update(&message).verify(&mac),
        valid,
        "{fields:?}"
    );
    assert_eq!(key.mac(&message).as_ref() == mac, valid, "{fields:?}");
}

#[test]
fn hmac_is_what_the_vectors_say() {
    let count = vectors("hmac", |hash, valid, fields| {
        by_name!(hash, mac(valid, fields));
    });
    assert!(count == 171 || cfg!(miri), "{count}");
}

fn derived<A: Algorithm>(valid: bool, fields: &[&str]) {
    let [secret, salt, info] = [0, 1, 2].map(|i| unhex(fields[i]));
    let mut out = vec![0; fields[3].parse().unwrap()];
    let result = hkdf::derive::<A>(&salt, &secret, &info, &mut out);
    assert_eq!(result.is_ok(), valid, "{fields:?}");
    if valid {
        assert_eq!(out, unhex(fields[4]));
    }
}

#[test]
fn hkdf_is_what_the_vectors_say() {
    let count = vectors("hkdf", |hash, valid, fields| {
        by_name!(hash, derived(valid, fields));
    });
    assert!(count == 47 || cfg!(miri), "{count}");
}

fn stretched<A: Algorithm>(fields: &[&str]) {
    let [password, salt] = [0, 1].map(|i| unhex(fields[i]));
    let expected = unhex(fields[3]);
    let mut out = vec![0; expected.len()];
    let rounds = fields[2].parse().unwrap();
    pbkdf2::derive::<A>(&password, &salt, rounds, &mut out);
    assert_eq!(out, expected, "{fields:?}");
}

#[test]
#[cfg_attr(miri, ignore = "thousands of rounds")]
fn pbkdf2_is_what_the_vectors_say() {
    let count = vectors("pbkdf2", |hash, _, fields| {
        by_name!(hash, stretched(fields));
    });
    assert_eq!(count, 17);
}
