//! BLAKE3.

use crate::{Peer, each, peer};
use blake3::Hasher;
use p3_symmetric::CryptographicHasher as _;

pub(crate) const PEERS: &[Peer] = &[
    peer("blake3", "blake3", |input, out| one(&input.bytes, out)),
    peer("blake3-block", "blake3", |input, out| {
        one(&input.bytes, out)
    }),
    peer("blake3-xof", "blake3", |input, out| {
        Hasher::new().update(&input.bytes).finalize_xof().fill(out);
    }),
    peer("blake3-many", "p3-blake3", |input, out| {
        p3_blake3::Blake3.hash_many(&input.bytes, out.as_chunks_mut().0);
    }),
    peer("blake3-many", "blake3, one by one", |input, out| {
        each(input, out, one);
    }),
    peer("blake3-threads", "blake3, update_rayon", |input, out| {
        let mut hasher = Hasher::new();
        out.copy_from_slice(hasher.update_rayon(&input.bytes).finalize().as_bytes());
    }),
];

fn one(input: &[u8], out: &mut [u8]) {
    out.copy_from_slice(blake3::hash(input).as_bytes());
}
