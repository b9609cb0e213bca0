//! What is refused, and what is not shown.

use crate::random::few;
use karat_mac::{Sha3_256, Sha256, hkdf, hmac, pbkdf2};
use std::num::NonZeroU32;

#[test]
fn only_the_mac_is_taken() {
    let key = hmac::Key::<Sha256>::new(b"key");
    let mac = key.mac(b"message");
    for bit in (0..256).step_by(few(1, 37)) {
        let mut wrong = mac;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(!key.verify(b"message", &wrong), "bit {bit}");
    }
    for length in 0..32 {
        assert!(!key.verify(b"message", &mac[..length]), "{length} bytes");
    }
    assert!(!key.verify(b"message", &[&mac[..], &[0]].concat()));
    assert!(!key.verify(b"massage", &mac));
    assert!(!hmac::Key::<Sha256>::new(b"kez").verify(b"message", &mac));
}

#[test]
fn hkdf_says_how_much_there_is() {
    let mut out = vec![7; 255 * 32 + 1];
    let error = hkdf::derive::<Sha256>(b"", b"secret", b"", &mut out).unwrap_err();
    assert_eq!((error.asked, error.most), (8161, 8160));
    assert!(out.iter().all(|byte| *byte == 7));
    assert!(
        error
            .to_string()
            .starts_with("HKDF was asked for 8161 bytes, but has at most 8160")
    );
}

#[test]
#[should_panic(expected = "1 keys for 2 messages: give each message its key")]
fn each_message_has_a_key() {
    let key = hmac::Key::<Sha256>::new(b"");
    hmac::mac_many(&[&key], &[b"a", b"b"], &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "1 salts for 2 passwords: give each password its salt")]
fn each_password_has_a_salt() {
    let rounds = NonZeroU32::MIN;
    pbkdf2::derive_many::<Sha256, 32>(&[b"a", b"b"], &[b"s"], rounds, &mut [[0; 32]; 2]);
}

#[test]
fn nothing_secret_is_shown() {
    let key = hmac::Key::<Sha256>::new(b"secret");
    assert_eq!(format!("{key:?}"), "hmac::Key { hash: \"SHA-256\", .. }");
    let key = hmac::Key::<Sha3_256>::new(b"secret");
    let hasher = key.to_hasher();
    assert_eq!(
        format!("{hasher:?}"),
        "hmac::Hasher { hash: \"SHA3-256\", .. }"
    );
}

#[test]
fn readers_and_writers_are_taken_whole() {
    use std::io::Write as _;
    let (key, data) = (hmac::Key::<Sha256>::new(b"key"), vec![3; few(70_000, 300)]);
    let (mut read, mut written) = (key.to_hasher(), key.to_hasher());
    read.update_reader(&data[..]).unwrap();
    written.write_all(&data).unwrap();
    assert!(read.verify(&key.mac(&data)) && written.verify(&key.mac(&data)));
}
