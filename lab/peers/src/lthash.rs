//! LtHash: no crate has kernels for it; what users do is BLAKE3's extended output
//! and a loop of additions.

use crate::{Peer, compiled};
use karat_kit::Input;

pub(crate) const PEERS: &[Peer] = &[
    compiled("lthash", "blake3 and a loop", sum),
    compiled("lthash-many", "blake3 and a loop", sum),
];

/// Adds all elements to the empty set's hash.
fn sum(input: &Input, out: &mut [u8]) {
    let mut sum = [0_u16; 1024];
    let mut element = [0; 2048];
    for message in input.each_item() {
        let mut hasher = blake3::Hasher::new();
        hasher.update(message).finalize_xof().fill(&mut element);
        for (word, bytes) in sum.iter_mut().zip(element.as_chunks().0) {
            *word = word.wrapping_add(u16::from_le_bytes(*bytes));
        }
    }
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(sum) {
        *bytes = word.to_le_bytes();
    }
}
