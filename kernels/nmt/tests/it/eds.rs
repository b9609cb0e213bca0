//! Extended squares.

use crate::support::{Rng, hex};
use karat_nmt::eds::{
    Axis, BadEncoding, Erasure, Leopard, NotShown, Partial, RepairError, Roots, Sample, Square,
    SquareError, verify_root,
};

/// Celestia's code by the crate of its light node.
struct LeopardCodec;

impl Erasure for LeopardCodec {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) -> Result<(), String> {
        let mut shards: Vec<Vec<u8>> = data.iter().map(|d| d.to_vec()).collect();
        shards.extend(parity.iter().map(|p| p.to_vec()));
        leopard_codec::encode(&mut shards, data.len()).map_err(|e| e.to_string())?;
        for (to, from) in parity.iter_mut().zip(&shards[data.len()..]) {
            to.copy_from_slice(from);
        }
        Ok(())
    }

    fn reconstruct(&mut self, shares: &mut [&mut [u8]], present: &[bool]) -> Result<(), String> {
        let mut shards: Vec<Vec<u8>> = (shares.iter().zip(present))
            .map(|(s, present)| if *present { s.to_vec() } else { Vec::new() })
            .collect();
        leopard_codec::reconstruct(&mut shards, shares.len() / 2).map_err(|e| e.to_string())?;
        // The crate makes data shards, and parity again only by encoding.
        let k = shares.len() / 2;
        leopard_codec::encode(&mut shards, k).map_err(|e| e.to_string())?;
        for (to, from) in shares.iter_mut().zip(&shards) {
            to.copy_from_slice(from);
        }
        Ok(())
    }
}

/// Random shares in the order of their namespaces.
fn shares(rng: &mut Rng, k: usize, len: usize) -> Vec<u8> {
    let mut last = 1;
    let mut bytes = Vec::new();
    for _ in 0..k * k {
        last = (last + rng.below(2)).min(255);
        let mut share = rng.bytes(len);
        share[..28].fill(0);
        share[28] = last as u8;
        bytes.extend(share);
    }
    bytes
}

fn square(rng: &mut Rng, k: usize) -> Square {
    let bytes = shares(rng, k, 64);
    Square::extend(&bytes, k, &mut Leopard::new(k).unwrap()).unwrap()
}

/// In the place of another square, of its size or not, comes the same.
#[test]
fn a_square_takes_the_place_of_another() {
    let mut rng = Rng(77);
    let mut place = square(&mut rng, 4);
    for (k, len) in [(4, 64), (4, 64), (2, 256), (8, 64), (1, 64)] {
        let bytes = shares(&mut rng, k, len);
        let code = &mut Leopard::new(k).unwrap();
        let expected = Square::extend(&bytes, k, code).unwrap();
        place.extend_again(&bytes, k, code).unwrap();
        assert_eq!(place, expected);
        let refused = place.extend_again(&bytes[1..], k, code);
        assert!(matches!(refused, Err(SquareError::Len { .. })));
        assert_eq!(place, expected);
    }
}

/// celestia-app, pkg/da/data_availability_header_test.go (Apache-2.0).
#[test]
fn data_roots_of_celestia_app() {
    let tail = [&[0xff; 28][..], &[0xfe, 1], &[0; 482]].concat();
    let typical = [&[0; 19][..], &[1; 10], &[0xff; 483]].concat().repeat(4);
    let known = [
        (
            1,
            tail,
            "3d96b7d238e7e0456f6af8e7cdf0a67bd6cf9c2089ecb559c659dcaa1f880353",
        ),
        (
            2,
            typical,
            "b56e4d251ac266f4b91cc5464b3fc7efcbdc888064647496d13133f0dc65ac25",
        ),
    ];
    for (k, bytes, data_root) in known {
        let square = Square::extend(&bytes, k, &mut Leopard::new(k).unwrap()).unwrap();
        assert_eq!(hex(&square.roots().unwrap().data_root()), data_root);
        let other = Square::extend(&bytes, k, &mut LeopardCodec).unwrap();
        assert_eq!(square, other);
    }
}

#[test]
fn squares_are_those_of_another_code_of_celestia() {
    let mut rng = Rng(20);
    for k in [1, 2, 4, 16] {
        let bytes = shares(&mut rng, k, 128);
        let ours = Square::extend(&bytes, k, &mut Leopard::new(k).unwrap()).unwrap();
        assert_eq!(ours, Square::extend(&bytes, k, &mut LeopardCodec).unwrap());
    }
}

/// Above 128 shares a side the code has symbols of two bytes, as in the Go library that
/// rsmt2d calls. reed-solomon-simd makes the same bytes.
#[test]
fn large_squares_are_those_of_another_code_with_two_bytes() {
    let (mut rng, k) = (Rng(25), 256);
    let code = &mut Leopard::new(k).unwrap();
    let square = Square::extend(&shares(&mut rng, k, 64), k, code).unwrap();
    // Rows and columns of data, and some that are parity of parity.
    for (axis, index) in [
        (Axis::Row, 0),
        (Axis::Row, 300),
        (Axis::Column, 255),
        (Axis::Column, 511),
    ] {
        let share = |place| match axis {
            Axis::Row => square.share(index, place).unwrap(),
            Axis::Column => square.share(place, index).unwrap(),
        };
        let data: Vec<&[u8]> = (0..k).map(share).collect();
        let parity = reed_solomon_simd::encode(k, k, &data).unwrap();
        for (place, parity) in (k..).zip(&parity) {
            assert_eq!(share(place), parity, "{axis:?} {index}, share {place}");
        }
        let mut left: Vec<Vec<u8>> = (0..k).map(|_| vec![0; 64]).collect();
        left.extend(parity);
        let mut places: Vec<&mut [u8]> = left.iter_mut().map(|s| &mut s[..]).collect();
        let present: Vec<bool> = (0..2 * k).map(|place| place >= k).collect();
        code.reconstruct(&mut places, &present).unwrap();
        assert!(left[..k] == data, "{axis:?} {index}");
    }
}

/// Leaf hashes that both axes share give the roots of single trees.
#[test]
fn roots_are_those_of_single_trees() {
    let mut rng = Rng(21);
    for k in [1, 2, 8, 32] {
        let square = square(&mut rng, k);
        let roots = square.roots().unwrap();
        #[cfg(feature = "rayon")]
        assert_eq!(square.roots_parallel().unwrap(), roots);
        for axis in [Axis::Row, Axis::Column] {
            for index in 0..2 * k {
                let tree = square.tree(axis, index).unwrap();
                assert_eq!(tree.root(), roots.root(axis, index).unwrap());
            }
        }
        let all = |axis| (0..2 * k).map(move |i| (axis, i));
        let root = roots.data_root();
        for (axis, index) in all(Axis::Row).chain(all(Axis::Column)) {
            let (one, proof) = (
                roots.root(axis, index).unwrap(),
                roots.prove(axis, index).unwrap(),
            );
            verify_root(&root, k, axis, index, one, &proof).unwrap();
            verify_root(&root, k, axis.other(), index, one, &proof).unwrap_err();
            verify_root(&root, k, axis, index, &one[1..], &proof).unwrap_err();
        }
        let rows: Vec<&[u8]> = (0..2 * k)
            .map(|i| roots.root(Axis::Row, i).unwrap())
            .collect();
        let columns: Vec<&[u8]> = (0..2 * k)
            .map(|i| roots.root(Axis::Column, i).unwrap())
            .collect();
        assert_eq!(Roots::new(&rows, &columns).unwrap(), roots);
        assert!(Roots::new(&rows[1..], &columns[1..]).is_err());
        assert!(Roots::new(&rows, &columns[1..]).is_err());
    }
}

#[test]
fn a_square_is_extended_with_its_roots_in_one_step() {
    let mut rng = Rng(24);
    // In the place of another one. Columns go side by side by the length of shares.
    let mut again = square(&mut rng, 4);
    for (k, len) in [(1, 64), (2, 64), (8, 512), (32, 64), (16, 4096), (64, 128)] {
        let shares = shares(&mut rng, k, len);
        let code = &mut Leopard::new(k).unwrap();
        let square = Square::extend(&shares, k, code).unwrap();
        let roots = again.extend_with_roots(&shares, k, code).unwrap();
        assert_eq!(roots, square.roots().unwrap(), "{k} shares of {len} bytes");
        assert_eq!(again, square);
    }
    let mut wrong = shares(&mut rng, 4, 64);
    wrong[28] = 255;
    let code = &mut Leopard::new(4).unwrap();
    let (axis, index) = (Axis::Row, 0);
    let order = Err(SquareError::Order { axis, index });
    assert_eq!(again.extend_with_roots(&wrong, 4, code), order);
    let found = Err(SquareError::Len { found: 4 });
    assert_eq!(again.extend_with_roots(&wrong[..64], 4, code), found);
}

#[test]
fn samples_hold_at_their_place_only() {
    let mut rng = Rng(22);
    let square = square(&mut rng, 4);
    let roots = square.roots().unwrap();
    for row in 0..8 {
        for column in 0..8 {
            for axis in [Axis::Row, Axis::Column] {
                let sample = square.sample(row, column, axis).unwrap();
                sample.verify(&roots).unwrap();
                let forged = [
                    Sample {
                        row: (row + 1) % 8,
                        ..sample.clone()
                    },
                    Sample {
                        column: (column + 3) % 8,
                        ..sample.clone()
                    },
                    Sample {
                        row: row + 8,
                        ..sample.clone()
                    },
                    Sample {
                        axis: axis.other(),
                        ..sample.clone()
                    },
                    Sample {
                        share: sample.share[1..].to_vec(),
                        ..sample.clone()
                    },
                    Sample {
                        share: vec![],
                        ..sample.clone()
                    },
                ];
                for forged in forged {
                    forged.verify(&roots).unwrap_err();
                }
            }
        }
    }
    assert_eq!(square.sample(8, 0, Axis::Row), Err(SquareError::Place));
}

#[test]
fn lost_shares_come_back() {
    let mut rng = Rng(23);
    for (k, times) in [(1, 20), (2, 20), (4, 20), (8, 20), (32, 2)] {
        let square = square(&mut rng, k);
        let roots = square.roots().unwrap();
        let side = 2 * k;
        // Any quarter that is a rectangle, and random losses.
        for _ in 0..times {
            let mut partial = Partial::new(k, 64).unwrap();
            let rows: Vec<usize> = some(&mut rng, side, k);
            let columns: Vec<usize> = some(&mut rng, side, k);
            for &row in &rows {
                for &column in &columns {
                    let share = square.share(row, column).unwrap();
                    partial.insert(row, column, share).unwrap();
                }
            }
            let one_less = {
                let mut less = partial.clone();
                less.lose(rows[0], columns[0]);
                less.repair(&roots, &mut Leopard::new(k).unwrap())
            };
            if k > 1 {
                assert!(
                    matches!(one_less, Err(RepairError::TooFew { .. })),
                    "{one_less:?}"
                );
            }
            let repaired = partial.repair(&roots, &mut Leopard::new(k).unwrap());
            assert_eq!(repaired.as_ref(), Ok(&square));

            let mut partial = square.partial();
            for _ in 0..side * side / 3 {
                partial.lose(rng.below(side), rng.below(side));
            }
            match partial.repair(&roots, &mut LeopardCodec) {
                Ok(repaired) => assert_eq!(repaired, square),
                Err(error) => assert!(matches!(error, RepairError::TooFew { .. })),
            }
        }
    }
}

/// Of no row half is known, but of half of the columns: rows and columns go in turn.
#[test]
fn lost_shares_come_back_from_columns() {
    let mut rng = Rng(27);
    for k in [4, 8, 32] {
        let square = square(&mut rng, k);
        let roots = square.roots().unwrap();
        let mut partial = Partial::new(k, 64).unwrap();
        for column in 0..k {
            for row in (0..k).map(|row| (2 * column + row) % (2 * k)) {
                let share = square.share(row, 2 * column).unwrap();
                partial.insert(row, 2 * column, share).unwrap();
            }
        }
        let repaired = partial.repair(&roots, &mut Leopard::new(k).unwrap());
        assert_eq!(repaired.as_ref(), Ok(&square));
    }
}

/// Wherever a share is wrong, a repair says so, and keeps it for the proof.
#[test]
fn a_wrong_share_is_no_part_of_a_square() {
    let (mut rng, k) = (Rng(28), 8);
    let square = square(&mut rng, k);
    let roots = square.roots().unwrap();
    let code = &mut Leopard::new(k).unwrap();
    for _ in 0..60 {
        let (row, column) = (rng.below(2 * k), rng.below(2 * k));
        let mut wrong = square.share(row, column).unwrap().to_vec();
        wrong[rng.below(64)] ^= 1 << rng.below(8);
        // All are known, or half of the rows and one share more, or a quarter and one.
        for left in 0..3 {
            let mut partial = square.partial();
            for lost_row in k..2 * k {
                if left > 0 {
                    (0..2 * k).for_each(|column| partial.lose(lost_row, column));
                }
            }
            for lost_column in k..2 * k {
                if left > 1 {
                    (0..2 * k).for_each(|row| partial.lose(row, lost_column));
                }
            }
            partial.insert(row, column, &wrong).unwrap();
            let found = partial.repair_in_place(&roots, code);
            assert!(
                matches!(found, Err(RepairError::BadEncoding { .. })),
                "{row} {column} {left}: {found:?}"
            );
            assert_eq!(partial.share(row, column), Some(&wrong[..]));
        }
    }
}

fn some(rng: &mut Rng, of: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    (0..count)
        .map(|_| all.swap_remove(rng.below(all.len())))
        .collect()
}

/// A square with one wrong share, and the roots of that square.
fn badly_encoded(rng: &mut Rng, k: usize, row: usize, column: usize) -> (Square, Roots) {
    let bytes = shares(rng, k, 64);
    let mut code = Wrong {
        code: Leopard::new(k).unwrap(),
        calls: 0,
        // The left half's columns come first, in one call whose shares are rows, then all rows.
        at: if column < k { 0 } else { 1 + row },
        share: if column < k { row - k } else { column - k },
        byte: if column < k { column * 64 + 5 } else { 5 },
    };
    let square = Square::extend(&bytes, k, &mut code).unwrap();
    let roots = square.roots().unwrap();
    (square, roots)
}

/// A code that makes one wrong share.
struct Wrong {
    code: Leopard,
    calls: usize,
    at: usize,
    share: usize,
    byte: usize,
}

impl Erasure for Wrong {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) -> Result<(), String> {
        self.code.encode(data, parity)?;
        if self.calls == self.at {
            parity[self.share][self.byte] ^= 1;
        }
        self.calls += 1;
        Ok(())
    }

    fn reconstruct(&mut self, _: &mut [&mut [u8]], _: &[bool]) -> Result<(), String> {
        Err("not asked for".to_owned())
    }
}

#[test]
fn bad_encoding_is_found_and_proved() {
    let mut rng = Rng(24);
    let k = 4;
    let code = &mut Leopard::new(k).unwrap();
    for (row, column) in [(0, 4), (3, 7), (5, 1), (7, 7)] {
        let (square, roots) = badly_encoded(&mut rng, k, row, column);
        let mut partial = square.partial();
        let Err(RepairError::BadEncoding { axis, index }) = partial.repair_in_place(&roots, code)
        else {
            panic!("{row} {column}");
        };
        assert!(index == if axis == Axis::Row { row } else { column });
        let proof = partial.bad_encoding(axis, index, &roots).unwrap();
        proof.verify(&roots, code).unwrap();

        // What is well encoded cannot be accused.
        let honest = if axis == Axis::Row {
            (index + 1) % k
        } else {
            (index + 1) % 8
        };
        if let Some(wrong) = partial.bad_encoding(axis, honest, &roots) {
            assert_eq!(wrong.verify(&roots, code), Err(NotShown::WellEncoded));
        }
        let changed = |change: &dyn Fn(&mut BadEncoding)| {
            let mut changed = proof.clone();
            change(&mut changed);
            changed.verify(&roots, &mut Leopard::new(k).unwrap())
        };
        assert!(matches!(
            changed(&|p| p.index = 9),
            Err(NotShown::Square(_))
        ));
        assert_eq!(
            changed(&|p| p.index = (p.index + 1) % 8),
            Err(NotShown::Place)
        );
        assert_eq!(changed(&|p| p.axis = p.axis.other()), Err(NotShown::Place));
        assert_eq!(
            changed(&|p| p.samples[1] = p.samples[0].clone()),
            Err(NotShown::Place)
        );
        assert_eq!(
            changed(&|p| drop(p.samples.pop())),
            Err(NotShown::Count { found: 3 })
        );
        assert!(matches!(
            changed(&|p| p.samples[0].share[0] ^= 1),
            Err(NotShown::Share(_))
        ));
    }
}

/// Of a good square no row or column can be accused, whichever shares are taken.
#[test]
fn a_good_square_cannot_be_accused() {
    let mut rng = Rng(25);
    let k = 4;
    let square = square(&mut rng, k);
    let roots = square.roots().unwrap();
    for axis in [Axis::Row, Axis::Column] {
        for index in 0..8 {
            let places = some(&mut rng, 8, k + index % 4);
            let samples = places.iter().map(|place| match axis {
                Axis::Row => square.sample(index, *place, Axis::Column).unwrap(),
                Axis::Column => square.sample(*place, index, Axis::Row).unwrap(),
            });
            let proof = BadEncoding {
                axis,
                index,
                samples: samples.collect(),
            };
            let found = proof.verify(&roots, &mut Leopard::new(k).unwrap());
            assert_eq!(found, Err(NotShown::WellEncoded));
        }
    }
}

#[test]
fn malformed_squares() {
    let code = &mut Leopard::new(2).unwrap();
    for (len, k) in [
        (0, 2),
        (255, 2),
        (4 * 63, 2),
        (64 * 9, 3),
        (64, 0),
        (64, usize::MAX),
    ] {
        assert!(Square::extend(&vec![0; len], k, code).is_err(), "{len} {k}");
    }
    assert!(Partial::new(3, 64).is_err() && Partial::new(4, 0).is_err());
    assert!(Partial::new(1 << 15, usize::MAX - 63).is_err());
    let mut partial = Partial::new(2, 64).unwrap();
    assert_eq!(partial.insert(4, 0, &[0; 64]), Err(SquareError::Place));
    assert_eq!(
        partial.insert(0, 0, &[0; 65]),
        Err(SquareError::Len { found: 65 })
    );
    partial.lose(7, 7);

    // Out of order in a row, and in a column only.
    for (wrong, axis, index) in [
        ([1, 0, 2, 2], Axis::Row, 0),
        ([1, 2, 0, 3], Axis::Column, 0),
    ] {
        let mut bytes = vec![0; 256];
        for (share, last) in bytes.chunks_mut(64).zip(wrong) {
            share[28] = last;
        }
        let square = Square::extend(&bytes, 2, code).unwrap();
        assert_eq!(square.roots(), Err(SquareError::Order { axis, index }));
        assert_eq!(
            square.tree(axis, index),
            Err(SquareError::Order { axis, index })
        );
    }
    let square = square(&mut Rng(26), 2);
    let roots = square.roots().unwrap();
    let other = Partial::new(4, 64).unwrap().repair(&roots, code);
    assert_eq!(other, Err(RepairError::Square(SquareError::Roots)));
}
