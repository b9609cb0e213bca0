//! SHA-512.

use crate::{Peer, each, peer};
use sha2::Digest as _;

pub(crate) const PEERS: &[Peer] = &[
    peer("sha512", "sha2", |input, out| {
        out.copy_from_slice(&sha2::Sha512::digest(&input.bytes));
    }),
    peer("sha512", "ring", |input, out| {
        out.copy_from_slice(ring::digest::digest(&ring::digest::SHA512, &input.bytes).as_ref());
    }),
    peer("sha512", "aws-lc-rs", |input, out| aws(&input.bytes, out)),
    peer("sha512-many", "sha2, one by one", |input, out| {
        each(input, out, |input, out| {
            out.copy_from_slice(&sha2::Sha512::digest(input));
        });
    }),
    peer("sha512-many", "aws-lc-rs, one by one", |input, out| {
        each(input, out, aws);
    }),
];

fn aws(input: &[u8], out: &mut [u8]) {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, input);
    out.copy_from_slice(digest.as_ref());
}
