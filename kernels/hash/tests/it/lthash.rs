//! LtHash: Firedancer's values, BLAKE3's extended output by the crate `blake3`
//! as oracle, and the laws of sums.

use crate::support::{Rng, each_implementation, unhex};
use karat_hash::lthash::{LEN, LtHash, LtHasher};

const VECTORS: &str = include_str!("../vectors/lthash.txt");
const SMALL: bool = cfg!(miri);

fn known(name: &str) -> LtHash {
    let line = VECTORS.lines().find_map(|l| l.strip_prefix(name)).unwrap();
    LtHash::from_bytes(&unhex(line.trim()).try_into().unwrap())
}

fn oracle(input: &[u8]) -> [u8; LEN] {
    let mut out = [0; LEN];
    let mut reader = blake3::Hasher::new().update(input).finalize_xof();
    reader.fill(&mut out);
    out
}

fn oracle_sum(inputs: &[Vec<u8>]) -> Vec<u16> {
    let mut sum = vec![0u16; LEN / 2];
    for input in inputs {
        for (s, pair) in sum.iter_mut().zip(oracle(input).chunks(2)) {
            *s = s.wrapping_add(u16::from_le_bytes([pair[0], pair[1]]));
        }
    }
    sum
}

fn all() {
    let (hello, world) = (LtHash::of(b"hello"), LtHash::of(b"world!"));
    assert_eq!(hello, known("hello"));
    assert_eq!(world, known("world!"));

    let mut set = LtHash::new();
    assert!(set.is_zero());
    set.add(&hello).add(&world);
    assert_eq!(set, *LtHash::new().add_all(&[b"world!", b"hello"]));
    assert!(!set.is_zero());
    assert_eq!(set.checksum(), *blake3::hash(&set.to_bytes()).as_bytes());
    assert_eq!(set.clone().sub(&world), &hello);
    assert!(set.sub_all(&[b"hello", b"world!"]).is_zero());

    let mut rng = Rng(4);
    let counts: &[usize] = if SMALL {
        &[0, 3]
    } else {
        &[0, 1, 2, 16, 31, 32, 33, 100]
    };
    for &count in counts {
        let inputs: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let bound = [1, 64, 65, 66, 200, 1025, 1026, 9000, 40_000];
                let bound = bound[rng.below(if SMALL { 5 } else { 9 })];
                let len = rng.below(bound);
                rng.bytes(len)
            })
            .collect();
        let slices: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let mut sum = LtHash::new();
        sum.add_all(&slices);
        let expected: Vec<u8> = oracle_sum(&inputs)
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect();
        assert_eq!(sum.to_bytes()[..], expected, "{count} inputs");
        // To and from a sum that is not zero.
        let half = count / 2;
        let mut more = sum.clone();
        more.add_all(&slices[..half]).sub_all(&slices);
        let mut rest = sum.clone();
        rest.sub_all(&slices[half..]);
        assert_eq!(more, rest, "{count} inputs");
        for input in &inputs {
            let (a, b) = input.split_at(rng.below(input.len() + 1));
            let hash = LtHasher::new().update(a).update(b).finalize();
            assert_eq!(hash.to_bytes(), oracle(input));
            sum.sub(&hash);
        }
        assert!(sum.is_zero());
    }
}

/// Elements of up to a block and a bit more, between pages that cannot be read: alone,
/// and before and behind longer ones.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn short_elements() {
    let (mut rng, mut fenced) = (Rng(5), crate::fenced::Fenced::new());
    let long = rng.bytes(200);
    for len in 0..=130 {
        for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
            let element = place(&mut fenced, len);
            element.copy_from_slice(&rng.bytes(len));
            let element: &[u8] = element;
            assert_eq!(LtHash::of(element).to_bytes(), oracle(element), "{len}");
            for inputs in [&[element, &long, element][..], &[element; 3]] {
                let mut sum = LtHash::new();
                sum.add_all(inputs);
                let owned: Vec<Vec<u8>> = inputs.iter().map(|i| i.to_vec()).collect();
                let expected = oracle_sum(&owned).into_iter().flat_map(u16::to_le_bytes);
                assert!(sum.to_bytes().into_iter().eq(expected), "{len}");
                assert!(sum.sub_all(inputs).is_zero(), "{len}");
            }
        }
    }
}

#[test]
fn every_implementation_agrees_with_known_values_and_oracle() {
    each_implementation("lthash", |_| {
        all();
        #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
        short_elements();
    });
}

/// An element is extended output of a message that is there in one piece: trees of few chunks
/// have ways of their own, in each implementation of BLAKE3.
#[test]
fn elements_of_several_chunks_are_extended_output_of_every_implementation() {
    let mut rng = Rng(6);
    let chunks = if SMALL { 2..=3 } else { 1..=18 };
    let mut elements = Vec::new();
    for chunks in chunks {
        let more = rng.below(1023) + 1;
        for len in [1024 * chunks, 1024 * chunks + 1, 1024 * chunks + more] {
            let element = rng.bytes(len);
            let expected = oracle(&element);
            elements.push((element, expected));
        }
    }
    each_implementation("blake3", |blake3| {
        each_implementation("lthash", |lthash| {
            for (element, expected) in &elements {
                let ours = LtHash::of(element).to_bytes();
                assert_eq!(
                    &ours,
                    expected,
                    "{} bytes, {blake3}, {lthash}",
                    element.len()
                );
            }
        });
    });
}
