//! Any shape, any losses and any damage: what is lost comes back, what is corrupt is found or
//! told, and no input panics. Every implementation of this CPU takes part.
#![no_main]

use karat_erasure::{Code, Codec};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, u8, Vec<bool>, Vec<u8>, Vec<u8>)| {
    let (choice, code, data, parity, lost, corrupt, bytes) = input;
    for kernel in karat_erasure::kernels() {
        let name = kernel.info(usize::from(choice) % kernel.len()).name;
        // What this CPU lacks is refused, and the choice stays as it was.
        let _ = kernel.force(Some(name));
    }
    let code = Code::ALL[usize::from(code) % 4];
    let (k, m) = (usize::from(data), usize::from(parity));
    let Ok(codec) = Codec::new(code, k, m) else {
        assert!(!code.fits(k, m));
        return;
    };
    let length = bytes.len().div_ceil(k).next_multiple_of(code.symbol());
    let shard = |i: usize| {
        let all = bytes.iter().skip(i * length);
        let mut shard: Vec<u8> = all.take(length).copied().collect();
        shard.resize(length, i as u8);
        shard
    };
    let given: Vec<Vec<u8>> = (0..k).map(shard).collect();
    let mut made = vec![vec![0; length]; m];
    if codec.encode(&given, &mut made).is_err() {
        assert_eq!(length, 0);
        return;
    }
    let all = [given, made].concat();

    let present: Vec<bool> = (0..k + m).map(|i| !lost.get(i).unwrap_or(&false)).collect();
    let count = present.iter().filter(|p| **p).count();
    let mut shards = all.clone();
    for (shard, _) in shards
        .iter_mut()
        .zip(&present)
        .filter(|(_, present)| !**present)
    {
        shard.fill(0xee);
    }
    match codec.reconstruct(&mut shards, &present) {
        Ok(()) => assert!(count >= k && shards == all),
        Err(_) => assert!(count < k),
    }

    let mut shards = all.clone();
    for place in corrupt.iter().take(m) {
        let place = usize::from(*place);
        shards[place % (k + m)][place % length] ^= 0x40;
    }
    let wrong: Vec<usize> = (0..k + m).filter(|i| shards[*i] != all[*i]).collect();
    match codec.locate(&shards) {
        Ok(found) => assert!(wrong.len() > m / 2 || found == wrong),
        Err(_) => assert!(wrong.len() > m / 2),
    }
});
