//! Every implementation, one message or many, whole or in pieces, gives what the
//! portable one gives.
#![no_main]

use karat_hash::keccak::{KERNEL, MANY, keccak256, sha3_224, sha3_512, shake128};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// What this CPU can run.
static NAMES: LazyLock<[Vec<&str>; 2]> = LazyLock::new(|| {
    let one = KERNEL.implementations().iter().map(|i| i.name());
    let many = MANY.implementations().iter().map(|i| i.name());
    [
        one.filter(|n| KERNEL.implementation(n).is_ok()).collect(),
        many.filter(|n| MANY.implementation(n).is_ok()).collect(),
    ]
});

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
    KERNEL.force(Some("portable")).unwrap();
    MANY.force(Some("portable")).unwrap();
    let expected = all();
    let [one, many] = &*NAMES;
    KERNEL.force(Some(one[choice % one.len()])).unwrap();
    MANY.force(Some(many[choice / 8 % many.len()])).unwrap();
    assert_eq!(all(), expected);
});
