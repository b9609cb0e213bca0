//! Discriminants that are refused.

use karat_vdf::{Discriminant, Error};

#[test]
fn sizes_and_seeds_out_of_range_are_refused() {
    for bits in [0, 8, 56, 65, 1023, 2056, usize::MAX] {
        let found = Discriminant::from_seed(b"seed", bits);
        assert_eq!(found, Err(Error::DiscriminantSize(bits)));
    }
    assert_eq!(Discriminant::from_seed(b"", 512), Err(Error::EmptySeed));
}

/// A counter of one byte has 256 values; none of these seeds' hashes is prime. chiavdf
/// never ends here.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_seed_without_a_prime_is_refused() {
    let short =
        (0..=255).filter(|seed| Discriminant::from_seed(&[*seed], 1024) == Err(Error::ShortSeed));
    assert!(short.count() > 0);
}

#[test]
fn text_that_is_no_discriminant_is_refused() {
    let prime = "0xffffffffffffffffffffffffffffff61";
    for text in [
        "", "-", "0x", "-0x", "-12", "-0xfg", "-0x-1", "--0x7", "-0x 7",
    ] {
        assert_eq!(
            Discriminant::from_hex(text),
            Err(Error::DiscriminantText),
            "{text}"
        );
    }
    assert_eq!(Discriminant::from_hex(prime), Err(Error::DiscriminantSign));
    // 2^128 - 159 is prime and congruent to 1 modulo 8.
    let minus = format!("-{prime}");
    assert_eq!(
        Discriminant::from_hex(&minus),
        Err(Error::DiscriminantResidue)
    );
    assert_eq!(
        Discriminant::from_hex("-0x7"),
        Err(Error::DiscriminantSize(3))
    );
    let long = format!("-0x{}", "f".repeat(513));
    assert_eq!(
        Discriminant::from_hex(&long),
        Err(Error::DiscriminantSize(2052))
    );
}

#[test]
fn a_composite_is_told_from_a_prime() {
    let prime = Discriminant::from_seed(b"prime", 256).unwrap();
    assert_eq!(prime.check_prime(), Ok(()));
    // 2^128 - 1 is congruent to 7 modulo 8, and divisible by 3.
    let composite = Discriminant::from_be_bytes(&[0xff; 16]).unwrap();
    assert_eq!(composite.check_prime(), Err(Error::DiscriminantComposite));
}
