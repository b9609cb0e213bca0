//! BLAKE2b and BLAKE2s: every implementation, in pieces and in batches, against
//! blake2b_simd and blake2s_simd.
#![no_main]

use karat_hash::{blake2b, blake2s};
use libfuzzer_sys::fuzz_target;

/// Takes a length below `bound` off the front of the bytes.
fn number(data: &mut &[u8], bound: usize) -> usize {
    let (head, rest) = data.split_at(data.len().min(2));
    *data = rest;
    head.iter().fold(0, |n, byte| n << 8 | usize::from(*byte)) % bound
}

fn part<'a>(data: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (head, rest) = data.split_at(data.len().min(length));
    *data = rest;
    head
}

macro_rules! check {
    ($karat:ident, $peer:ident, $parallel:ident, $longest:literal, $data:expr) => {{
        let mut data: &[u8] = $data;
        for kernel in karat_hash::kernels() {
            // One that this CPU lacks is refused; the choice stays.
            let which = number(&mut data, kernel.len());
            let _ = kernel.force(Some(kernel.info(which).name));
        }
        let length = number(&mut data, $longest + 1);
        let key = part(&mut data, length);
        let mut peer = $peer::Params::new();
        peer.key(key);
        let params = $karat::Params::<$longest>::new().key(key);

        let mut hasher = params.to_hasher();
        let mut rest = data;
        while !rest.is_empty() {
            let length = number(&mut rest, 700);
            hasher.update(part(&mut rest, length));
        }
        let mut rest = data;
        let mut messages = Vec::new();
        let mut joined = Vec::new();
        while !rest.is_empty() {
            let length = number(&mut rest, 700);
            messages.push(part(&mut rest, length));
            joined.extend_from_slice(messages[messages.len() - 1]);
        }
        assert_eq!(hasher.finalize()[..], *peer.hash(&joined).as_bytes());
        assert_eq!(params.hash(&joined)[..], *peer.hash(&joined).as_bytes());
        let plain: [u8; $longest] = $karat::hash(&joined);
        assert_eq!(plain[..], *$peer::Params::new().hash(&joined).as_bytes());
        let mut out = vec![[0; $longest]; messages.len()];
        params.hash_many(&messages, &mut out);
        for (message, digest) in messages.iter().zip(&out) {
            assert_eq!(digest[..], *peer.hash(message).as_bytes());
        }

        let mut hasher = $karat::parallel::Hasher::<$longest>::new();
        for message in &messages {
            hasher.update(message);
        }
        let expected = $peer::$parallel::$parallel(&joined);
        assert_eq!(hasher.finalize()[..], *expected.as_bytes());
    }};
}

fuzz_target!(|data: &[u8]| {
    check!(blake2b, blake2b_simd, blake2bp, 64, data);
    check!(blake2s, blake2s_simd, blake2sp, 32, data);
});
