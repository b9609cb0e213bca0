//! Every implementation says what the crate `sha2` says, for one message in any
//! pieces and for many messages of any lengths.
#![no_main]

use karat_hash::sha256::{self, sha224};
use libfuzzer_sys::fuzz_target;
use sha2::Digest;

/// The rest of the input cut up: each piece's length is in front of it.
fn pieces(mut input: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while let [length, rest @ ..] = input {
        let (piece, rest) = rest.split_at(rest.len().min(usize::from(*length)));
        pieces.push(piece);
        input = rest;
    }
    pieces
}

fuzz_target!(|input: (u8, bool, Vec<u8>)| {
    let (choice, equal, bytes) = input;
    for kernel in karat_hash::kernels() {
        if kernel.name().starts_with("sha256") {
            let name = kernel.info(usize::from(choice) % kernel.len()).name;
            // What this CPU lacks is refused, and the choice stays as it was.
            let _ = kernel.force(Some(name));
        }
    }
    let messages: Vec<&[u8]> = if equal {
        let length = usize::from(bytes.first().copied().unwrap_or(0) % 130);
        bytes
            .windows(length.max(1))
            .take(usize::from(choice))
            .collect()
    } else {
        pieces(&bytes)
    };

    let mut whole = sha2::Sha256::new();
    let mut hasher = sha256::Hasher::new();
    let mut hasher224 = sha224::Hasher::new();
    let mut joined = Vec::new();
    for piece in &messages {
        Digest::update(&mut whole, piece);
        hasher.update(piece);
        hasher224.update(piece);
        joined.extend_from_slice(piece);
    }
    let expected: [u8; 32] = whole.finalize().into();
    assert_eq!(sha256::Hasher::finalize(&hasher), expected);
    assert_eq!(sha256::hash(&joined), expected);
    let expected: [u8; 28] = sha2::Sha224::digest(&joined).into();
    assert_eq!(sha224::Hasher::finalize(&hasher224), expected);

    let mut out = vec![[0; 32]; messages.len()];
    sha256::hash_many(&messages, &mut out);
    let mut out224 = vec![[0; 28]; messages.len()];
    sha224::hash_many(&messages, &mut out224);
    for ((message, digest), digest224) in messages.iter().zip(out).zip(out224) {
        assert_eq!(digest[..], sha2::Sha256::digest(message)[..]);
        assert_eq!(digest224[..], sha2::Sha224::digest(message)[..]);
    }
});
