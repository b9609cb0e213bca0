//! Keccak: official vectors, the sha3 crate as oracle, every implementation.

use crate::support::{Rng, each_implementation};
use karat_hash::keccak::{self, Hasher, keccak256, keccak512, sha3_224, sha3_256, sha3_384, sha3_512};
use sha3::Digest;

#[test]
fn smoke() {
    each_implementation(&keccak::KERNEL, |name| {
        let mut rng = Rng(7);
        for len in 0..600 {
            let m = rng.bytes(len);
            assert_eq!(keccak256::hash(&m), <[u8;32]>::from(sha3::Keccak256::digest(&m)), "{name} {len}");
            assert_eq!(sha3_256::hash(&m), <[u8;32]>::from(sha3::Sha3_256::digest(&m)), "{name} {len}");
            assert_eq!(sha3_224::hash(&m), <[u8;28]>::from(sha3::Sha3_224::digest(&m)), "{name} {len}");
            assert_eq!(sha3_384::hash(&m), <[u8;48]>::from(sha3::Sha3_384::digest(&m)), "{name} {len}");
            assert_eq!(sha3_512::hash(&m), <[u8;64]>::from(sha3::Sha3_512::digest(&m)), "{name} {len}");
        }
    });
    each_implementation(&keccak::MANY, |name| {
        let mut rng = Rng(7);
        for round in 0..200 {
            let n = rng.below(40);
            let same = rng.below(2)==0; let l0 = rng.below(500);
            let ms: Vec<Vec<u8>> = (0..n).map(|_| {let l=if same {l0} else {rng.below(600)}; rng.bytes(l)}).collect();
            let r: Vec<&[u8]> = ms.iter().map(Vec::as_slice).collect();
            let mut out = vec![[0;32]; n];
            keccak256::hash_many(&r, &mut out);
            for i in 0..n { assert_eq!(out[i], <[u8;32]>::from(sha3::Keccak256::digest(&ms[i])), "{name} {round} {i}"); }
            let mut out = vec![[0;28]; n];
            sha3_224::hash_many(&r, &mut out);
            for i in 0..n { assert_eq!(out[i], <[u8;28]>::from(sha3::Sha3_224::digest(&ms[i])), "{name} {round} {i}"); }
            let mut out = vec![[0;64]; n];
            sha3_512::hash_many(&r, &mut out);
            for i in 0..n { assert_eq!(out[i], <[u8;64]>::from(sha3::Sha3_512::digest(&ms[i])), "{name} {round} {i}"); }
            let mut out = vec![[0;48]; n];
            sha3_384::hash_many(&r, &mut out);
            for i in 0..n { assert_eq!(out[i], <[u8;48]>::from(sha3::Sha3_384::digest(&ms[i])), "{name} {round} {i}"); }
        }
    });
}
