//! Corrupt shards are found.

use crate::support::{Rng, all, few};
use karat_erasure::{Code, Codec, Error};

#[test]
fn up_to_half_of_the_parity_in_corrupt_shards_is_found() {
    let mut rng = Rng(1);
    for code in Code::ALL {
        for _ in 0..few(150, 10) {
            let (k, m) = rng.shape(code, 64);
            let codec = Codec::new(code, k, m).unwrap();
            let length = rng.length(code);
            let mut shards = all(&codec, &rng.shards(k, length));
            let count = rng.below(m / 2 + 1);
            let mut corrupt = rng.choose(count, k + m);
            for shard in &corrupt {
                // Few bytes, so that places differ.
                for _ in 0..1 + rng.below(3) {
                    let at = rng.below(length);
                    shards[*shard][at] = shards[*shard][at].wrapping_add(1);
                }
            }
            corrupt.sort_unstable();
            assert_eq!(
                codec.locate(&shards),
                Ok(corrupt),
                "{code} {k}+{m} {length}"
            );
        }
    }
}

#[test]
fn what_is_lost_is_left_out_of_the_vote() {
    let mut rng = Rng(4);
    for code in Code::ALL {
        let codec = Codec::new(code, 12, 6).unwrap();
        let good = all(&codec, &rng.shards(12, 70));
        for _ in 0..few(100, 10) {
            let (mut shards, mut present) = (good.clone(), vec![true; 18]);
            let chosen = rng.choose(4, 18);
            for lost in &chosen[..2] {
                shards[*lost].fill(1);
                present[*lost] = false;
            }
            let mut corrupt = chosen[2..].to_vec();
            for shard in &corrupt {
                shards[*shard][rng.below(70)] ^= 0x11;
            }
            corrupt.sort_unstable();
            assert_eq!(codec.locate_present(&shards, &present), Ok(corrupt));
        }
        let few = codec.locate_present(&good, &[false; 18]);
        assert_eq!(
            few,
            Err(Error::TooFew {
                needed: 12,
                present: 0
            })
        );
    }
}

/// With 256 shards every point has one, point 0 among them.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn a_full_field_has_all_its_points_found() {
    for code in [Code::A, Code::B, Code::D] {
        let codec = Codec::new(code, 128, 128).unwrap();
        let good = all(&codec, &Rng(2).shards(128, 5));
        for first in 0..256 {
            let mut shards = good.clone();
            let mut corrupt = vec![first, (first + 128) % 256, (first + 5) % 256];
            for shard in &corrupt {
                shards[*shard][first % 5] ^= 0x80;
            }
            corrupt.sort_unstable();
            assert_eq!(codec.locate(&shards), Ok(corrupt), "{code}");
        }
    }
}

#[test]
fn too_many_corrupt_shards_are_told() {
    let mut rng = Rng(3);
    for code in Code::ALL {
        let codec = Codec::new(code, 20, 5).unwrap();
        let mut shards = all(&codec, &rng.shards(20, 64));
        for shard in rng.choose(7, 25) {
            shards[shard] = rng.bytes(64);
        }
        assert_eq!(
            codec.locate(&shards),
            Err(Error::TooManyCorrupt { limit: 2 })
        );
        let single = Codec::new(code, 4, 1).unwrap();
        let mut shards = all(&single, &rng.shards(4, 64));
        shards[2][9] ^= 4;
        assert_eq!(
            single.locate(&shards),
            Err(Error::TooManyCorrupt { limit: 0 })
        );
    }
}
