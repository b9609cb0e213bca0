//! SHA-2 after prefixes. The tests of many messages call it, for every implementation.

use crate::support::{Rng, few};
use karat_hash::sha256::{self, sha224};
use karat_hash::sha512::{self, sha384, sha512_256};

/// Messages after prefixes, one by one, many and in pieces, against whole messages.
macro_rules! prefixes {
    ($hash:ident) => {{
        const BLOCK: usize = $hash::Prefix::BLOCK;
        let mut rng = Rng(7);
        let data = rng.bytes(3000);
        for count in (0..few(40, 5)).step_by(few(1, 4)) {
            for equal in [true, false] {
                let blocks = rng.below(3);
                let length = rng.below(300);
                let prefixes: Vec<Vec<u8>> =
                    (0..count).map(|_| rng.bytes(blocks * BLOCK)).collect();
                let messages: Vec<&[u8]> = (0..count)
                    .map(|_| {
                        let length = if equal { length } else { rng.below(400) };
                        &data[rng.below(2000)..][..length]
                    })
                    .collect();
                let states: Vec<_> = prefixes.iter().map(|p| $hash::Prefix::new(p)).collect();
                let states: Vec<_> = states.iter().collect();
                let mut out = vec![$hash::hash(b""); count];
                $hash::Prefix::hash_many(&states, &messages, &mut out);
                for i in 0..count {
                    let expected = $hash::hash(&[&prefixes[i], messages[i]].concat());
                    assert_eq!(out[i], expected, "{i} of {count}");
                    assert_eq!(states[i].hash(messages[i]), expected);
                    let mut hasher = states[i].to_hasher();
                    assert_eq!(hasher.update(messages[i]).finalize(), expected);
                }
            }
        }
    }};
}

pub fn sha256() {
    prefixes!(sha256);
    prefixes!(sha224);
}

pub fn sha512() {
    prefixes!(sha512);
    prefixes!(sha384);
    prefixes!(sha512_256);
}
