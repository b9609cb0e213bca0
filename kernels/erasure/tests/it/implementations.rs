//! Every implementation computes what the portable one does.

use crate::support::{Rng, few};
use karat_cpu::{AnyKernel, IsaSet};
use karat_erasure::{Code, Codec};

/// Runs `test` once for each implementation of the kernel that this CPU has, and says
/// which it skips.
fn each_implementation(kernel: &dyn AnyKernel, mut test: impl FnMut(&str)) {
    for index in 0..kernel.len() {
        let info = kernel.info(index);
        if info.missing != IsaSet::EMPTY {
            println!(
                "SKIPPED: {} {}: this CPU lacks {}",
                kernel.name(),
                info.name,
                info.missing
            );
            continue;
        }
        kernel.force(Some(info.name)).unwrap();
        test(info.name);
    }
    kernel.force(None).unwrap();
}

/// Parity and the first lost shards, of shards that begin `skew` bytes from a boundary.
fn computed(codec: &Codec, length: usize, skew: usize, seed: u64) -> Vec<Vec<u8>> {
    let (k, m) = (codec.data(), codec.parity());
    let mut memory = Rng(seed).shards(k + m, skew + length);
    let mut shards: Vec<&mut [u8]> = memory.iter_mut().map(|s| &mut s[skew..]).collect();
    let (data, parity) = shards.split_at_mut(k);
    codec.encode(data, parity).unwrap();
    let mut present = vec![true; k + m];
    for index in 0..m {
        present[(7 * index) % (k + m)] = false;
        shards[(7 * index) % (k + m)].fill(0);
    }
    codec.reconstruct(&mut shards, &present).unwrap();
    shards.into_iter().map(|s| s.to_vec()).collect()
}

/// One test, because implementations are forced in the whole process. What other tests
/// compute is right with any.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn all_agree_with_the_portable_one_at_all_lengths_and_places() {
    for kernel in karat_erasure::kernels() {
        let codes: &[Code] = match kernel.name() {
            "rs-gf8" => &[Code::A, Code::B, Code::D],
            _ => &[Code::C],
        };
        let mut cases = Vec::new();
        let mut rng = Rng(3);
        for code in codes {
            for round in 0..few(300, 30) {
                // 1 to 20 outputs meet every size of a group of outputs.
                let (k, m) = match round {
                    0..20 => (3 + round, 1 + round),
                    _ => rng.shape(*code, if round % 20 == 0 { 256 } else { 64 }),
                };
                let length = match round % 4 {
                    0 => rng.length(*code),
                    _ => (1 + 13 * round % 700).next_multiple_of(code.symbol()),
                };
                let codec = Codec::new(*code, k, m).unwrap();
                cases.push((codec, length, rng.below(65), rng.next()));
            }
        }
        let mut expected: Option<Vec<Vec<Vec<u8>>>> = None;
        let results = || -> Vec<Vec<Vec<u8>>> {
            let all = cases.iter();
            all.map(|(codec, length, skew, seed)| computed(codec, *length, *skew, *seed))
                .collect()
        };
        kernel.force(Some("portable")).unwrap();
        expected.replace(results());
        each_implementation(*kernel, |name| {
            for (i, (found, should)) in results().iter().zip(expected.as_ref().unwrap()).enumerate()
            {
                let (codec, length, skew, _) = &cases[i];
                let (k, m) = (codec.data(), codec.parity());
                assert!(
                    found == should,
                    "{name} {} {k}+{m} {length} {skew}",
                    codec.code()
                );
            }
        });
    }
}
