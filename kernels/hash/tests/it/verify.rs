//! Keyed hashes are checked in full: by `verify`, and against other crates.

use crate::support::few;
use karat_hash::{blake2b, blake2s, blake3, ct};

/// `verify` takes `mac` and nothing that is nearly the same.
fn only(mac: &[u8], verify: impl Fn(&[u8]) -> bool) {
    assert!(verify(mac));
    for bit in (0..8 * mac.len()).step_by(few(1, 37)) {
        let mut wrong = mac.to_vec();
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(!verify(&wrong), "bit {bit}");
    }
    for length in 0..mac.len() {
        assert!(!verify(&mac[..length]), "{length} bytes");
    }
    assert!(!verify(&[mac, &[0]].concat()), "a byte more");
}

macro_rules! blake2 {
    ($module:ident, $peer:ident, $peer_parallel:ident, $longest:literal) => {{
        let (key, message) = ([7; 20], [1; 300]);
        let mac = $peer::Params::new()
            .hash_length($longest)
            .key(&key)
            .hash(&message);
        let params = $module::Params::<$longest>::new().key(&key);
        let mut hasher = params.to_hasher();
        hasher.update(&message);
        only(mac.as_bytes(), |mac| hasher.verify(mac));
        only(mac.as_bytes(), |mac| ct::eq(mac, &params.hash(&message)));
        assert!(!hasher.update(b"more").verify(mac.as_bytes()));

        let mac = $peer::Params::new()
            .hash_length(16)
            .key(&key)
            .hash(&message);
        let params = $module::Params::<16>::new().key(&key);
        let mut hasher = params.to_hasher();
        hasher.update(&message);
        only(mac.as_bytes(), |mac| hasher.verify(mac));

        let mac = $peer::$peer_parallel::Params::new()
            .hash_length($longest)
            .key(&key)
            .hash(&message);
        let mut hasher = $module::parallel::Hasher::<$longest>::new_keyed(&key);
        hasher.update(&message);
        only(mac.as_bytes(), |mac| hasher.verify(mac));
    }};
}

#[test]
fn blake2_takes_only_the_mac() {
    blake2!(blake2b, blake2b_simd, blake2bp, 64);
    blake2!(blake2s, blake2s_simd, blake2sp, 32);
}

#[test]
fn blake3_takes_only_the_mac() {
    let (key, message) = ([7; 32], [1; 300]);
    let mac = *::blake3::keyed_hash(&key, &message).as_bytes();
    let mut hasher = blake3::Hasher::new_keyed(&key);
    hasher.update(&message);
    only(&mac, |mac| hasher.verify(mac));
    only(&mac, |mac| ct::eq(mac, &blake3::keyed_hash(&key, &message)));
    assert!(!hasher.update(b"more").verify(&mac));
}
