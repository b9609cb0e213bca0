//! Lost shards of every kind are made again.

use crate::support::{Rng, all, few};
use karat_erasure::{Code, Codec, Workspace};

/// Loses `lost` and makes it again.
fn restored(codec: &Codec, shards: &[Vec<u8>], lost: &[usize], workspace: &mut Workspace) {
    let mut left = shards.to_vec();
    let mut present = vec![true; shards.len()];
    for index in lost {
        present[*index] = false;
        left[*index].fill(0x55);
    }
    let plan = codec.plan(&present).unwrap();
    plan.reconstruct_with(workspace, &mut left).unwrap();
    let (k, m) = (codec.data(), codec.parity());
    assert!(left == shards, "{} {k}+{m} without {lost:?}", codec.code());
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn random_losses_are_made_again_in_random_shapes() {
    let mut workspace = Workspace::new();
    for (seed, code) in Code::ALL.into_iter().enumerate() {
        let mut rng = Rng(seed as u64);
        for round in 0..few(1500, 40) {
            let (k, m) = rng.shape(code, if round % 50 == 0 { 512 } else { 64 });
            let codec = Codec::new(code, k, m).unwrap();
            let length = rng.length(code);
            let shards = all(&codec, &rng.shards(k, length));
            // Every second time exactly k shards are left.
            let count = if round % 2 == 0 { m } else { rng.below(m + 1) };
            let lost = rng.choose(count, k + m);
            restored(&codec, &shards, &lost, &mut workspace);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn every_set_of_k_survivors_is_enough() {
    let mut workspace = Workspace::new();
    for code in Code::ALL {
        for (k, m) in [(4, 3), (3, 5), (1, 4), (6, 2), (5, 5)] {
            let codec = Codec::new(code, k, m).unwrap();
            let shards = all(&codec, &Rng(9).shards(k, 66));
            for set in 0_u32..1 << (k + m) {
                if set.count_ones() as usize == m {
                    let lost: Vec<usize> = (0..k + m).filter(|i| set >> i & 1 == 1).collect();
                    restored(&codec, &shards, &lost, &mut workspace);
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn thousands_of_random_sets_of_large_shapes() {
    let mut workspace = Workspace::new();
    for (code, k, m) in [
        (Code::A, 64, 32),
        (Code::A, 100, 156),
        (Code::B, 64, 32),
        (Code::B, 128, 128),
        (Code::B, 180, 50),
        (Code::C, 64, 32),
        (Code::C, 300, 100),
        (Code::D, 64, 32),
        (Code::D, 200, 56),
    ] {
        let codec = Codec::new(code, k, m).unwrap();
        let mut rng = Rng(4);
        let shards = all(&codec, &rng.shards(k, 2));
        for _ in 0..few(1500, 15) {
            let lost = rng.choose(m, k + m);
            restored(&codec, &shards, &lost, &mut workspace);
        }
    }
}

/// The worst case of the reference's figures, and no loss at all.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn the_first_shards_parity_alone_and_nothing() {
    let mut workspace = Workspace::new();
    for (code, k, m) in [
        (Code::A, 10, 4),
        (Code::B, 10, 4),
        (Code::B, 128, 128),
        (Code::C, 512, 512),
        (Code::C, 1000, 30),
        (Code::C, 30, 1000),
        (Code::D, 128, 128),
    ] {
        let codec = Codec::new(code, k, m).unwrap();
        let shards = all(&codec, &Rng(5).shards(k, 640));
        let first: Vec<usize> = (0..k.min(m)).collect();
        let parity: Vec<usize> = (k..k + m).collect();
        let mixed: Vec<usize> = (k - k.min(m) / 2..k + m / 2).collect();
        for lost in [first, parity, mixed, vec![k], vec![]] {
            restored(&codec, &shards, &lost, &mut workspace);
        }
    }
}

/// Where parity is a block of points by itself, data comes from it by two transforms; with one
/// parity shard less, or one data shard more, another way is taken.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn all_data_from_parity_alone() {
    let mut workspace = Workspace::new();
    for (code, k, m) in [
        (Code::A, 64, 64),
        (Code::A, 64, 100),
        (Code::A, 60, 64),
        (Code::B, 32, 32),
        (Code::B, 90, 128),
        (Code::B, 128, 128),
        (Code::B, 60, 63),
        (Code::C, 100, 128),
        (Code::C, 256, 256),
        (Code::C, 20, 32),
        (Code::D, 64, 64),
    ] {
        let codec = Codec::new(code, k, m).unwrap();
        for length in [64, 130, 5000] {
            let shards = all(&codec, &Rng(11).shards(k, length));
            let data: Vec<usize> = (0..k).collect();
            restored(&codec, &shards, &data, &mut workspace);
            restored(&codec, &shards, &data[1..], &mut workspace);
            if m > k {
                let and_last: Vec<usize> = data.iter().copied().chain([k + m - 1]).collect();
                restored(&codec, &shards, &and_last, &mut workspace);
                let and_first: Vec<usize> = data.iter().copied().chain([k]).collect();
                restored(&codec, &shards, &and_first, &mut workspace);
            }
        }
    }
}

#[test]
fn only_what_is_wanted_is_made() {
    let mut rng = Rng(6);
    for code in Code::ALL {
        for _ in 0..few(100, 10) {
            let (k, m) = rng.shape(code, 64);
            let codec = Codec::new(code, k, m).unwrap();
            let length = rng.length(code);
            let shards = all(&codec, &rng.shards(k, length));
            let order = rng.choose(k + m, k + m);
            let (present, lost) = order.split_at(k + rng.below(m + 1));
            let wanted = &lost[..rng.below(lost.len() + 1)];
            let given: Vec<(usize, &[u8])> =
                present.iter().map(|i| (*i, &shards[*i][..])).collect();
            let mut made = vec![vec![0; length]; wanted.len()];
            let mut asked: Vec<(usize, &mut [u8])> = wanted
                .iter()
                .copied()
                .zip(made.iter_mut().map(|m| &mut m[..]))
                .collect();
            codec.reconstruct_from(&given, &mut asked).unwrap();
            for (index, made) in wanted.iter().zip(made) {
                assert!(
                    made == shards[*index],
                    "{code} {k}+{m} {present:?} {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn parity_follows_data_shards_one_by_one_and_changes() {
    let mut rng = Rng(7);
    for code in Code::ALL {
        for _ in 0..few(50, 5) {
            let (k, m) = rng.shape(code, 64);
            let codec = Codec::new(code, k, m).unwrap();
            let length = rng.length(code);
            let mut data = rng.shards(k, length);
            let mut parity = vec![vec![0; length]; m];
            let mut incremental = codec.incremental();
            for index in rng.choose(k, k) {
                assert!(!incremental.is_complete());
                incremental.add(index, &data[index], &mut parity).unwrap();
            }
            assert!(incremental.is_complete());
            assert_eq!(codec.verify(&data, &parity), Ok(true), "{code} {k}+{m}");
            let (index, new) = (rng.below(k), rng.bytes(length));
            codec
                .update(index, &data[index], &new, &mut parity)
                .unwrap();
            assert_eq!(codec.verify(&data, &parity), Ok(data[index] == new));
            data[index] = new;
            assert_eq!(codec.verify(&data, &parity), Ok(true), "{code} {k}+{m}");
        }
    }
}

#[test]
fn a_wrong_byte_anywhere_is_seen() {
    let mut rng = Rng(8);
    for code in Code::ALL {
        for _ in 0..few(100, 10) {
            let (k, m) = rng.shape(code, 64);
            let codec = Codec::new(code, k, m).unwrap();
            let length = rng.length(code);
            let mut shards = all(&codec, &rng.shards(k, length));
            let (shard, at) = (rng.below(k + m), rng.below(length));
            shards[shard][at] ^= 1 << rng.below(8);
            let (data, parity) = shards.split_at(k);
            assert_eq!(
                codec.verify(data, parity),
                Ok(false),
                "{code} {k}+{m} {shard} {at}"
            );
        }
    }
}
