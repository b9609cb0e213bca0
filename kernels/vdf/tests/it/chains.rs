//! Many chains at once against one after the other.

use crate::support::discriminant;
use karat_bigint::gcd::gcd;
use karat_bigint::{Int, Uint};
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

/// Chains of one group whose discriminants are of all lengths, the shortest first.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn chains_of_different_sizes_agree() {
    let sizes = [64, 512, 1024, 2048, 1000, 1904, 448, 600, 2040];
    let discriminants = sizes.map(|bits| discriminant("different sizes", bits));
    for first in 0..sizes.len() {
        let mut chains: Vec<_> = discriminants.iter().map(generator).collect();
        chains.rotate_left(first);
        agree(chains, 300, 2);
    }
}

/// Some chains from the generator leave lanes and come back: one form in some hundred is too
/// short for them.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn forms_that_lanes_are_not_for_agree() {
    let discriminant = discriminant("in and out", 1024);
    let mut chains = vec![generator(&discriminant); 24];
    for i in 1..24 {
        let before = &chains[i - 1].form;
        chains[i].form = square_many(before, 40, &discriminant);
    }
    chains[7].form = Form::identity(&discriminant);
    chains[9].form = chains[10].form.inverse();
    agree(chains, 1500, 3);
}

/// A discriminant with small divisors, as lanes have them: every third form has an `a` and
/// a `b` that share one.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn forms_with_common_divisors_agree() {
    for bits in [512, 1024, 2048] {
        // 3 * 5 * 7 = 1 modulo 8.
        let rest = discriminant("common divisors", bits - 8);
        let discriminant = negative(&rest.magnitude().mul_u64(105));
        let mut chains = vec![generator(&discriminant); 16];
        for i in 1..16 {
            let before = &chains[i - 1].form;
            chains[i].form = square_many(before, bits as u64 / 16, &discriminant);
        }
        let mut shared = 0;
        for chain in &chains {
            shared += usize::from(
                gcd(chain.form.a().magnitude(), chain.form.b().magnitude()) > Uint::ONE,
            );
        }
        assert!(
            shared > 2,
            "{bits} bits: {shared} forms with a common divisor"
        );
        agree(chains, 50, 3);
    }
}

/// Forms of order two on the edge of being reduced: those with `b = a` and with `c = a`,
/// and what they are composed to.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn ambiguous_forms_agree() {
    for bits in [512, 1024, 2048] {
        let p: Uint<40> = &(&Uint::ONE << (bits / 2 - 2)) + &Uint::ONE;
        let q = &p.mul_u64(3) + &Uint::from_u64(4);
        // (p, p, p + 1), of discriminant -p (3 p + 4).
        on_the_edge(&p, &p, &(&p * &q));
        // (2 m, 4 m - p, 2 m), of discriminant -p (8 m - p).
        let m = (&Uint::ONE << (bits / 2 - 5)).mul_u64(3);
        let (b, q) = (&(&m << 2) - &p, &(&m << 3) - &p);
        on_the_edge(&(&m << 1), &b, &(&p * &q));
    }
}

fn negative(magnitude: &Uint<40>) -> Discriminant {
    let mut bytes = [0; 320];
    magnitude.to_be_bytes(&mut bytes).unwrap();
    Discriminant::from_be_bytes(&bytes).unwrap()
}

fn on_the_edge(a: &Uint<40>, b: &Uint<40>, magnitude: &Uint<40>) {
    let discriminant = negative(magnitude);
    let form = Form::new(&Int::from(*a), &Int::from(*b), &discriminant).unwrap();
    assert!(square_many(&form, 1, &discriminant).is_identity());
    let bits = discriminant.bits() as u64;
    let mut other = square_many(&Form::generator(&discriminant), bits, &discriminant);
    let mut forms = vec![form, other, form.inverse()];
    for _ in 0..9 {
        forms.push(other.compose(&form, &discriminant));
        other = square_many(&other, 1, &discriminant);
    }
    let chain = |form| Chain {
        form,
        discriminant: &discriminant,
    };
    agree(forms.into_iter().map(chain).collect(), 1, 5);
}

/// A million squarings of eight chains, which takes a minute.
#[test]
#[ignore = "takes a minute: cargo test --release -p karat-vdf -- --ignored"]
fn a_million_squarings_of_a_batch_equal_single_ones() {
    let discriminant = Discriminant::from_hex(include_str!("../vectors/bench.txt").trim());
    let discriminant = discriminant.unwrap();
    let mut chains = vec![generator(&discriminant); 8];
    for i in 1..8 {
        let before = &chains[i - 1].form;
        chains[i].form = square_many(before, 25, &discriminant);
    }
    agree(chains, 1_000_000, 1);
}
