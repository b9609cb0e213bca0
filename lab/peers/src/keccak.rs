//! Keccak-256 and SHA3-256.

use crate::{Peer, compiled, each, peer};
use aws_lc_rs::digest;
use p3_symmetric::CryptographicHasher as _;
use sha3::Digest as _;
use tiny_keccak::Hasher as _;

pub(crate) const PEERS: &[Peer] = &[
    compiled("keccak256", "sha3", |input, out| {
        out.copy_from_slice(&sha3::Keccak256::digest(&input.bytes));
    }),
    compiled("keccak256", "tiny-keccak", |input, out| {
        let mut hasher = tiny_keccak::Keccak::v256();
        hasher.update(&input.bytes);
        hasher.finalize(out);
    }),
    // Its build script chooses one of its bodies by the flags.
    compiled("keccak256", "keccak-asm", |input, out| {
        asm(&input.bytes, out)
    }),
    compiled("sha3-256", "sha3", |input, out| {
        out.copy_from_slice(&sha3::Sha3_256::digest(&input.bytes));
    }),
    compiled("sha3-256", "tiny-keccak", |input, out| {
        let mut hasher = tiny_keccak::Sha3::v256();
        hasher.update(&input.bytes);
        hasher.finalize(out);
    }),
    compiled("sha3-256", "keccak-asm", |input, out| {
        out.copy_from_slice(&keccak_asm::Sha3_256::digest(&input.bytes));
    }),
    peer("sha3-256", "aws-lc-rs", |input, out| {
        out.copy_from_slice(digest::digest(&digest::SHA3_256, &input.bytes).as_ref());
    }),
    peer("keccak256-many", "p3-keccak", |input, out| {
        p3_keccak::Keccak256Hash.hash_many(&input.bytes, out.as_chunks_mut().0);
    }),
    peer("keccak256-many", "keccak-asm, one by one", |input, out| {
        each(input, out, asm);
    }),
];

fn asm(input: &[u8], out: &mut [u8]) {
    out.copy_from_slice(&keccak_asm::Keccak256::digest(input));
}
