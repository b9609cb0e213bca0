//! Other crates' parity is the same, for random shapes and lengths.

use crate::support::{Rng, few, parity};
use karat_erasure::{Code, Codec};
use reed_solomon_simd::engine::NoSimd;
use reed_solomon_simd::rate::{HighRateEncoder, RateEncoder};

/// Shapes with special cases in some libraries, then random ones.
fn shapes(code: Code, rng: &mut Rng, largest: usize) -> Vec<(usize, usize)> {
    let mut shapes = vec![
        (1, 1),
        (1, 2),
        (1, 7),
        (2, 1),
        (3, 1),
        (9, 1),
        (2, 5),
        (5, 17),
        (10, 4),
        (16, 16),
        (17, 16),
        (16, 17),
        (20, 9),
    ];
    shapes.extend((0..few(150, 10)).map(|_| rng.shape(code, largest)));
    shapes
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn code_a_is_that_of_reed_solomon_erasure() {
    let mut rng = Rng(1);
    for (k, m) in shapes(Code::A, &mut rng, 128) {
        let codec = Codec::new(Code::A, k, m).unwrap();
        let length = rng.length(Code::A);
        let data = rng.shards(k, length);
        let mut expected = vec![vec![0; length]; m];
        let peer = reed_solomon_erasure::galois_8::ReedSolomon::new(k, m).unwrap();
        peer.encode_sep(&data, &mut expected).unwrap();
        assert!(parity(&codec, &data) == expected, "{k}+{m}, {length} bytes");
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn code_b_is_that_of_leopard_codec() {
    let mut rng = Rng(2);
    let mut compared = 0;
    for (k, m) in shapes(Code::B, &mut rng, 128) {
        // leopard-codec takes no more parity shards than data shards, and multiples of 64.
        if m > k {
            continue;
        }
        let codec = Codec::new(Code::B, k, m).unwrap();
        let length = rng.length(Code::B).next_multiple_of(64);
        let data = rng.shards(k, length);
        let mut expected = [data.clone(), vec![vec![0; length]; m]].concat();
        leopard_codec::encode(&mut expected, k).unwrap();
        assert!(
            parity(&codec, &data) == expected[k..],
            "{k}+{m}, {length} bytes"
        );
        // What is more than a multiple of 64 is coded byte by byte.
        let short: Vec<Vec<u8>> = data.iter().map(|d| d[..length - 27].to_vec()).collect();
        for (short, long) in parity(&codec, &short).iter().zip(&expected[k..]) {
            assert!(short[..] == long[..length - 27], "{k}+{m}");
        }
        compared += 1;
    }
    assert!(compared > 10);
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn code_c_is_that_of_reed_solomon_simd() {
    let mut rng = Rng(3);
    for (k, m) in shapes(Code::C, &mut rng, 1024) {
        let codec = Codec::new(Code::C, k, m).unwrap();
        let length = rng.length(Code::C);
        let data = rng.shards(k, length);
        let found = parity(&codec, &data);
        let mut peer = HighRateEncoder::new(k, m, length, NoSimd::new(), None).unwrap();
        for shard in &data {
            peer.add_original_shard(shard).unwrap();
        }
        let expected: Vec<Vec<u8>> = (peer.encode().unwrap().recovery_iter())
            .map(<[u8]>::to_vec)
            .collect();
        assert!(found == expected, "{k}+{m}, {length} bytes");
        // What its plain function chooses is the same unless parity is the larger part.
        if m.next_power_of_two() <= k.next_power_of_two() {
            let plain = reed_solomon_simd::encode(k, m, &data).unwrap();
            assert!(plain == expected, "{k}+{m}, {length} bytes");
        }
    }
}
