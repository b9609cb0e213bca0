//! BLAKE3 and LtHash against the crate `blake3`: any input, any split, any
//! place of the output, and the input cut into many messages.
#![no_main]

use karat_hash::blake3::{self, Hasher};
use karat_hash::lthash::LtHash;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&[split, cut, repeat, place], input)) = data.split_first_chunk() else {
        return;
    };
    // Short inputs repeated reach the wide kernels.
    let input = input.repeat(1 + usize::from(repeat));
    let input = &input[..input.len().min(1 << 18)];
    let expected = ::blake3::hash(input);
    assert_eq!(blake3::hash(input), *expected.as_bytes());

    let step = 1 + usize::from(split) * 37;
    let mut hasher = Hasher::new();
    for piece in input.chunks(step) {
        hasher.update(piece);
    }
    assert_eq!(hasher.finalize(), *expected.as_bytes());

    let (mut a, mut b) = ([0; 3000], [0; 3000]);
    let mut ours = hasher.finalize_xof();
    let mut theirs = ::blake3::Hasher::new().update(input).finalize_xof();
    let place = (1 << 38) - 100 * u64::from(place);
    ours.set_position(place);
    theirs.set_position(place);
    ours.fill(&mut a);
    theirs.fill(&mut b);
    assert_eq!(a, b);

    let messages: Vec<&[u8]> = input.chunks(1 + usize::from(cut) * 5).take(200).collect();
    let mut hashes = vec![[0; 32]; messages.len()];
    blake3::hash_many(&messages, &mut hashes);
    let mut sum = LtHash::new();
    sum.add_all(&messages);
    for (message, hash) in messages.iter().zip(&hashes) {
        assert_eq!(hash, ::blake3::hash(message).as_bytes());
        sum.sub(&LtHash::of(message));
    }
    assert!(sum.is_zero());
});
