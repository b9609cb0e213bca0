//! SHA-256.

use crate::{Peer, each, peer};
use p3_symmetric::CryptographicHasher as _;
use sha2::Digest as _;

pub(crate) const PEERS: &[Peer] = &[
    peer("sha256", "sha2", |input, out| {
        out.copy_from_slice(&sha2::Sha256::digest(&input.bytes));
    }),
    peer("sha256", "ring", |input, out| {
        out.copy_from_slice(ring::digest::digest(&ring::digest::SHA256, &input.bytes).as_ref());
    }),
    peer("sha256", "aws-lc-rs", |input, out| aws(&input.bytes, out)),
    peer("sha256-many", "p3-sha256", |input, out| {
        p3_sha256::Sha256.hash_many(&input.bytes, out.as_chunks_mut().0);
    }),
    peer("sha256-many", "aws-lc-rs, one by one", |input, out| {
        each(input, out, aws);
    }),
];

fn aws(input: &[u8], out: &mut [u8]) {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, input);
    out.copy_from_slice(digest.as_ref());
}
