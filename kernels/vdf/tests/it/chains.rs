//! Many chains at once against one after the other.

use crate::support::discriminant;
use karat_vdf::{Chain, Discriminant, Form, square_all, square_many};

/// Squares by both ways, and compares after every `stride` squarings.
fn agree(mut chains: Vec<Chain<'_>>, stride: u64, strides: usize) {
    for stretch in 0..strides {
        let single = chains.clone();
        square_all(&mut chains, stride);
        for (lane, (one, many)) in single.iter().zip(&chains).enumerate() {
            let expected = square_many(&one.form, stride, one.discriminant);
            assert_eq!(many.form, expected, "chain {lane}, stretch {stretch}");
        }
    }
}

fn generator(discriminant: &Discriminant) -> Chain<'_> {
    Chain {
        form: Form::generator(discriminant),
        discriminant,
    }
}

/// From the generator on, where lanes are not for the first forms, with each of its own.
#[test]
fn chains_of_all_sizes_agree_with_single_ones() {
    for bits in [
        64, 440, 448, 512, 608, 616, 864, 1000, 1016, 1024, 1904, 2048,
    ] {
        let discriminants: Vec<_> = ["first chain", "second chain", "third chain"]
            .map(|seed| discriminant(seed, bits))
            .into();
        for count in if cfg!(miri) { 2..3 } else { 1..20 } {
            let chain = |i: usize| generator(&discriminants[i % 3]);
            let (stride, strides) = if cfg!(miri) {
                (3, 1)
            } else {
                (1 + bits as u64 / 8, 2)
            };
            agree((0..count).map(chain).collect(), stride, strides);
        }
    }
}
