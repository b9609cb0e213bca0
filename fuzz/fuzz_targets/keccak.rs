//! Every implementation, one message or many, whole or in pieces, gives what the
//! portable one gives.
#![no_main]

use karat_hash::keccak::{keccak256, sha3_224, sha3_512, shake128};
use libfuzzer_sys::fuzz_target;

/// Forces the implementation that `pick` gives for a kernel's name and number of
/// implementations, in both kernels of Keccak.
fn force(pick: impl Fn(&str, usize) -> usize) {
    for kernel in karat_hash::kernels() {
        if kernel.name().starts_with("keccak") {
            let name = kernel.info(pick(kernel.name(), kernel.len())).name;
            // What this CPU lacks is refused, and the choice stays as it was.
            let _ = kernel.force(Some(name));
        }
    }
}

fuzz_target!(|input: (Vec<u16>, u8, Vec<u8>)| {
    let (cuts, choice, bytes) = input;
    let choice = usize::from(choice);
    // Messages are stretches of one input, so that long ones are cheap to find.
    let messages: Vec<&[u8]> = cuts
        .chunks(2)
        .take(40)
        .map(|cut| {
            let from = usize::from(cut[0]) % (bytes.len() + 1);
            let length = cut.get(1).map_or(0, |l| usize::from(*l)) % (bytes.len() - from + 1);
            &bytes[from..from + length]
        })
        .collect();
    let all = || {
        let mut a = vec![[0; 32]; messages.len()];
        let mut b = vec![[0; 28]; messages.len()];
        let mut c = vec![[0; 64]; messages.len()];
        let mut d = vec![[0; 100]; messages.len()];
        keccak256::hash_many(&messages, &mut a);
        sha3_224::hash_many(&messages, &mut b);
        sha3_512::hash_many(&messages, &mut c);
        shake128::hash_many(&messages, &mut d);
        let mut pieces = keccak256::Hasher::new();
        for message in &messages {
            pieces.update(message);
        }
        (a, b, c, d, pieces.finalize(), sha3_512::hash(&bytes))
    };
    // The last one is portable.
    force(|_, count| count - 1);
    let expected = all();
    force(|name, count| match name {
        "keccak" => choice % count,
        _ => choice / 8 % count,
    });
    assert_eq!(all(), expected);
});
