//! BLAKE2b.

use crate::{Peer, compiled, each, peer};
use blake2::Digest as _;
use blake2b_simd::many::{HashManyJob, hash_many};
use blake2b_simd::{Params, blake2b};
use karat_kit::Input;

pub(crate) const PEERS: &[Peer] = &[
    peer("blake2b", "blake2b_simd", |input, out| {
        out.copy_from_slice(blake2b(&input.bytes).as_bytes());
    }),
    compiled("blake2b", "blake2", |input, out| {
        out.copy_from_slice(&blake2::Blake2b512::digest(&input.bytes));
    }),
    peer("blake2b-many", "blake2b_simd", many),
    compiled("blake2b-many", "blake2, one by one", |input, out| {
        each(input, out, |message, place| {
            place.copy_from_slice(&blake2::Blake2b512::digest(message));
        });
    }),
];

/// Jobs at once; their states are on the stack.
const JOBS: usize = 16;

fn many(input: &Input, out: &mut [u8]) {
    let length = input.bytes.len() / input.items;
    let params = Params::new();
    let (digests, _) = out.as_chunks_mut::<64>();
    for (group, places) in digests.chunks_mut(JOBS).enumerate() {
        let mut jobs: [HashManyJob<'_>; JOBS] = core::array::from_fn(|i| {
            let at = (group * JOBS + i.min(places.len() - 1)) * length;
            HashManyJob::new(&params, &input.bytes[at..at + length])
        });
        let jobs = &mut jobs[..places.len()];
        hash_many(jobs.iter_mut());
        for (job, place) in jobs.iter().zip(places) {
            *place = *job.to_hash().as_array();
        }
    }
}
