//! ISA-L gives the bytes of this crate's own functions.

use crate::support::{Rng, all, few};
use karat_erasure::isal::NoIsal;
use karat_erasure::{Code, Codec, Error};

#[test]
#[cfg_attr(miri, ignore = "opens a library")]
fn shards_are_those_of_the_system_library() {
    let mut rng = Rng(40);
    for code in [Code::A, Code::D] {
        for _ in 0..few(200, 10) {
            let (k, m) = rng.shape(code, 64);
            let codec = Codec::new(code, k, m).unwrap();
            let isal = match codec.isal() {
                Ok(isal) => isal,
                Err(error) => {
                    println!("SKIPPED: {error}");
                    return;
                }
            };
            let length = rng.length(code);
            let shards = all(&codec, &rng.shards(k, length));
            let mut parity = vec![vec![0; length]; m];
            isal.encode(&shards[..k], &mut parity).unwrap();
            assert!(parity == shards[k..], "{code} {k}+{m} of {length} bytes");
            let mut left = shards.clone();
            let mut present = vec![true; k + m];
            let lost = rng.below(m + 1);
            for index in rng.choose(lost, k + m) {
                present[index] = false;
                left[index].fill(0x55);
            }
            isal.reconstruct(&mut left, &present).unwrap();
            assert!(left == shards, "{code} {k}+{m} without {present:?}");
        }
        let codec = Codec::new(code, 3, 2).unwrap();
        let mut shards = all(&codec, &rng.shards(3, 40));
        let before = shards.clone();
        let few = Error::TooFew {
            needed: 3,
            present: 2,
        };
        let flags = [true, false, false, false, true];
        let refused = codec.isal().unwrap().reconstruct(&mut shards, &flags);
        assert_eq!(refused, Err(few));
        assert_eq!(shards, before, "nothing is written");
    }
}

#[test]
fn codes_that_it_does_not_have_are_refused() {
    for code in [Code::B, Code::C] {
        let codec = Codec::new(code, 3, 2).unwrap();
        assert_eq!(codec.isal().unwrap_err(), NoIsal::Code { code });
    }
}
