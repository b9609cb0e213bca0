//! Squares, roots and samples from anywhere: what a square gives back is the square, and a
//! good one cannot be accused.
#![no_main]

use karat_nmt::Proof;
use karat_nmt::eds::{Axis, BadEncoding, Leopard, Partial, Roots, Sample, Square};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<u8>, Vec<(u8, u8, bool, u8)>, Vec<u8>)| {
    let (log, mut bytes, marks, wire) = input;
    let k = 1 << (log % 4);
    let mut code = Leopard::new(k).expect("a small square");

    // Any bytes: refused or extended.
    if let Ok(square) = Square::extend(&bytes, k, &mut code) {
        let _ = square.roots();
    }
    let roots: Vec<&[u8]> = bytes.chunks(90).take(8).collect();
    if let Ok(roots) = Roots::new(&roots, &roots) {
        let _ = roots.data_root();
        let proof = Proof::from_protobuf(&wire).unwrap_or_default();
        let (row, column, axis) = (0, 0, Axis::Row);
        let share = wire.clone();
        let sample = Sample {
            row,
            column,
            axis,
            share,
            proof,
        };
        let _ = sample.verify(&roots);
    }

    // A good square: one namespace, any data.
    bytes.resize(k * k * 64, 0);
    bytes.chunks_mut(64).for_each(|share| share[..29].fill(1));
    let square = Square::extend(&bytes, k, &mut code).expect("shares of 64 bytes");
    let roots = square.roots().expect("one namespace");
    let mut partial = square.partial();
    let (mut samples, mut accused) = (Vec::new(), (Axis::Row, 0));
    for (row, column, is_row, change) in marks {
        let (row, column) = (usize::from(row), usize::from(column));
        partial.lose(row, column);
        let axis = if is_row { Axis::Row } else { Axis::Column };
        let Ok(mut sample) = square.sample(row % (2 * k), column % (2 * k), axis) else {
            panic!("the place exists");
        };
        sample.share[31] ^= change;
        assert_eq!(sample.verify(&roots).is_ok(), change == 0);
        accused = (
            axis.other(),
            if is_row { sample.column } else { sample.row },
        );
        samples.push(sample);
    }
    let (axis, index) = accused;
    let proof = BadEncoding {
        axis,
        index,
        samples,
    };
    assert!(proof.verify(&roots, &mut code).is_err());
    if let Ok(repaired) = partial.repair(&roots, &mut code) {
        assert_eq!(repaired, square);
    }
    let _ = Partial::new(usize::from(log), wire.len());
});
