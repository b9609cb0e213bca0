//! SHA-256.

use crate::{Body, Peer, each, peer};
use p3_symmetric::CryptographicHasher as _;
use sha2::Digest as _;

pub(crate) const PEERS: &[Peer] = &[
    peer("sha256", "sha2", |input, _, out| {
        out.copy_from_slice(&sha2::Sha256::digest(input));
    }),
    peer("sha256", "ring", |input, _, out| {
        out.copy_from_slice(ring::digest::digest(&ring::digest::SHA256, input).as_ref());
    }),
    peer("sha256", "aws-lc-rs", AWS),
    peer("sha256-many", "p3-sha256", |input, _, out| {
        p3_sha256::Sha256.hash_many(input, out.as_chunks_mut().0);
    }),
    peer(
        "sha256-many",
        "aws-lc-rs, one by one",
        |input, messages, out| {
            each(input, messages, out, |message, place| {
                AWS(message, 1, place)
            });
        },
    ),
];

const AWS: Body = |input, _, out| {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, input);
    out.copy_from_slice(digest.as_ref());
};
