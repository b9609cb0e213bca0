//! Known answers, by family.

mod answer;
mod blake;
mod keccak;
mod sha2;

pub(super) use answer::Known;
pub(super) use blake::{
    BLAKE2B, BLAKE2BP, BLAKE2S, BLAKE2SP, BLAKE3, BLAKE3_KEYED, BLAKE3_SHORT, LTHASH,
};
pub(super) use keccak::{
    KECCAK256, KECCAK512, KT128, SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE128, SHAKE256,
    TURBOSHAKE128, TURBOSHAKE256,
};
pub(super) use sha2::{SHA224, SHA256, SHA384, SHA512, SHA512_256};
