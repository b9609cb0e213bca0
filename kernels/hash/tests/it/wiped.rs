//! What holds a secret is zero after it is dropped (feature `zeroize`).

use crate::support::few;
use karat_hash::{blake2b, blake2s, blake3, keccak, mac, sha256, sha512};
use std::mem::ManuallyDrop;

/// All bytes of a value are zero once it is dropped, and were not before.
fn wiped<T>(name: &str, value: T) {
    let mut value = ManuallyDrop::new(value);
    let at = (&raw const value).cast::<u8>();
    // SAFETY: the value is dropped once, and its memory stays. The drop writes every byte,
    // so all of them are initialised.
    let left = unsafe {
        ManuallyDrop::drop(&mut value);
        std::slice::from_raw_parts(at, size_of::<T>()).to_vec()
    };
    assert!(left.iter().all(|byte| *byte == 0), "{name}: {left:?}");
}

#[test]
fn states_and_keys_are_wiped() {
    let secret = vec![7; few(5000, 1100)];
    macro_rules! hashers {
        ($($module:path;)*) => {$({
            use $module as module;
            let mut hasher = module::Hasher::new();
            hasher.update(&secret);
            wiped(stringify!($module), hasher);
        })*};
    }
    hashers! {
        sha256; sha256::sha224; sha512; sha512::sha384; sha512::sha512_256; keccak::keccak256;
        keccak::sha3_512; keccak::shake128; keccak::turboshake256; blake3;
    }
    let mut blake2b = blake2b::Params::<64>::new().key(&secret[..32]).to_hasher();
    wiped("BLAKE2b", blake2b.update(&secret).clone());
    let mut blake2sp = blake2s::parallel::Hasher::<32>::new_keyed(&secret[..32]);
    wiped("BLAKE2sp", blake2sp.update(&secret).clone());
    let mut blake3 = blake3::Hasher::new_keyed(&[7; 32]);
    wiped("BLAKE3's output", blake3.update(&secret).finalize_xof());
    let mut shake = keccak::shake256::Hasher::new();
    wiped("SHAKE's output", shake.update(&secret).finalize_xof());
    wiped("a prefix", sha512::Prefix::new(&secret[..1024]));
    let key = mac::hmac::Key::<mac::Sha256>::new(&secret);
    wiped("HMAC's hasher", key.to_hasher().update(&secret).clone());
    wiped("HMAC's key", key);
    wiped("HMAC's key", mac::hmac::Key::<mac::Sha3_256>::new(&secret));
}
