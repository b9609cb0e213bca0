//! What is wrong is told, and nothing is touched.

use crate::support::{Rng, all};
use karat_erasure::{Code, Codec, Error, Shards};

#[test]
fn shapes_that_a_code_does_not_have_are_refused() {
    for code in Code::ALL {
        for (data, parity) in [
            (0, 1),
            (1, 0),
            (0, 0),
            (usize::MAX, 1),
            (1, usize::MAX),
            (65536, 1),
        ] {
            let refused = Codec::new(code, data, parity).unwrap_err();
            assert_eq!(refused, Error::Shape { code, data, parity });
            let told = refused.to_string();
            assert!(
                told.contains(&format!("{data} data")) && told.contains("it takes"),
                "{told}"
            );
        }
    }
    for (code, data, parity, fits) in [
        (Code::A, 255, 1, true),
        (Code::A, 156, 100, true),
        (Code::A, 157, 100, false),
        (Code::D, 1, 255, true),
        (Code::B, 128, 100, true),
        (Code::B, 128, 129, false),
        (Code::B, 129, 100, false),
        (Code::C, 32768, 32768, true),
        (Code::C, 32769, 32768, false),
        (Code::C, 65535, 1, true),
    ] {
        assert_eq!(code.fits(data, parity), fits, "{code} {data}+{parity}");
    }
}

#[test]
fn lists_and_lengths_that_do_not_fit_are_told() {
    for code in Code::ALL {
        let codec = Codec::new(code, 3, 2).unwrap();
        let shards = |lengths: &[usize]| -> Vec<Vec<u8>> {
            lengths.iter().map(|length| vec![7; *length]).collect()
        };
        let encode = |data: &[usize], parity: &[usize]| {
            let mut parity = shards(parity);
            let before = parity.clone();
            let found = codec.encode(&shards(data), &mut parity).unwrap_err();
            assert_eq!(parity, before, "nothing is written");
            found
        };
        let count = |shards, expected, found| Error::Count {
            shards,
            expected,
            found,
        };
        assert_eq!(encode(&[4, 4], &[4, 4]), count(Shards::Data, 3, 2));
        assert_eq!(encode(&[4; 3], &[4]), count(Shards::Parity, 2, 1));
        assert_eq!(encode(&[0; 3], &[0; 2]), Error::Empty);
        let length = |index, expected, found| Error::Length {
            index,
            expected,
            found,
        };
        assert_eq!(encode(&[4, 6, 4], &[4, 4]), length(1, 4, 6));
        assert_eq!(encode(&[4, 4, 4], &[4, 2]), length(4, 4, 2));
        if code == Code::C {
            assert_eq!(encode(&[5; 3], &[5; 2]), Error::Odd { length: 5 });
        }
        let verify = codec.verify(&shards(&[4; 3]), &shards(&[4; 3]));
        assert_eq!(verify, Err(count(Shards::Parity, 2, 3)));
        assert_eq!(
            codec.locate(&shards(&[4; 4])),
            Err(count(Shards::All, 5, 4))
        );
        assert_eq!(
            codec.locate(&shards(&[4, 4, 4, 4, 0])),
            Err(length(4, 4, 0))
        );
    }
}

#[test]
fn losses_that_cannot_be_made_good_are_told() {
    for code in Code::ALL {
        let codec = Codec::new(code, 3, 2).unwrap();
        let good = all(&codec, &Rng(1).shards(3, 6));
        let mut shards = good.clone();
        let flags = [true, false, false, false, true];
        let few = Error::TooFew {
            needed: 3,
            present: 2,
        };
        assert_eq!(codec.reconstruct(&mut shards, &flags), Err(few.clone()));
        assert!(few.to_string().contains("find 1 more"));
        assert_eq!(
            codec.reconstruct(&mut shards, &flags[1..]),
            Err(Error::Count {
                shards: Shards::Flags,
                expected: 5,
                found: 4
            })
        );
        shards[1].pop();
        let flags = [true, false, true, true, true];
        assert!(matches!(
            codec.reconstruct(&mut shards, &flags),
            Err(Error::Length { index: 1, .. })
        ));
        shards[1].clone_from(&good[1]);
        assert_eq!(shards, good, "nothing is written");

        let given: Vec<(usize, &[u8])> = (0..3).map(|i| (i, &good[i][..])).collect();
        let mut place = vec![9; 6];
        let mut asked = |given: &[(usize, &[u8])], index| {
            codec.reconstruct_from(given, &mut [(index, &mut place[..])])
        };
        assert_eq!(asked(&given, 2), Err(Error::Duplicate { index: 2 }));
        assert_eq!(asked(&given, 5), Err(Error::Unknown { index: 5, count: 5 }));
        let twice = [given[0], given[1], given[0]];
        assert_eq!(asked(&twice, 4), Err(Error::Duplicate { index: 0 }));
        assert_eq!(asked(&given[1..], 4), Err(few));
        assert_eq!(asked(&given, 4), Ok(()));
        assert_eq!(place, good[4]);
    }
}

#[test]
fn single_shards_are_checked_too() {
    let codec = Codec::new(Code::A, 3, 2).unwrap();
    let mut parity = vec![vec![0; 4]; 2];
    let unknown = Error::Unknown { index: 3, count: 3 };
    assert_eq!(
        codec.update(3, &[0; 4], &[1; 4], &mut parity),
        Err(unknown.clone())
    );
    assert!(matches!(
        codec.update(1, &[0; 4], &[1; 5], &mut parity),
        Err(Error::Length { index: 1, .. })
    ));
    let mut incremental = codec.incremental();
    assert_eq!(incremental.add(3, &[1; 4], &mut parity), Err(unknown));
    assert_eq!(parity, [[0; 4]; 2]);
    incremental.add(1, &[1; 4], &mut parity).unwrap();
    let before = parity.clone();
    assert_eq!(
        incremental.add(1, &[1; 4], &mut parity),
        Err(Error::Duplicate { index: 1 })
    );
    assert_eq!(parity, before);
}
