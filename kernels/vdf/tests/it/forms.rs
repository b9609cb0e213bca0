//! Forms as bytes.

use crate::support::{discriminant, hex};
use karat_bigint::{Int, Uint};
use karat_vdf::{Discriminant, Error, Form, square_many};

/// A coefficient as the vectors have it.
fn int(text: &str) -> Int<40> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    Int::new(negative, Uint::from_be_bytes(&hex(digits)).unwrap())
}

/// Forms and changed forms, as the chiavdf package reads them or refuses them. It also
/// reads bytes that it would never write; those are refused here, and no others.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn forms_are_read_as_by_chiavdf() {
    let (mut read, mut refused) = (0, 0);
    for line in include_str!("../vectors/forms.txt").lines() {
        let (text, rest) = line.split_once(' ').unwrap();
        let (bytes, expected) = rest.split_once(' ').unwrap();
        let (discriminant, bytes) = (Discriminant::from_hex(text).unwrap(), hex(bytes));
        let found = Form::from_bytes(&bytes, &discriminant);
        match expected.split_once(' ') {
            Some((a, b)) => {
                let expected = Form::new(&int(a), &int(b), &discriminant).unwrap();
                if expected.to_bytes(&discriminant) == bytes {
                    assert_eq!(found, Ok(expected), "{line}");
                    read += 1;
                } else {
                    let strict = [Error::FormNotCanonical, Error::FormNotReduced];
                    assert!(found.is_err_and(|e| strict.contains(&e)), "{line}");
                }
            }
            None => {
                assert!(found.is_err(), "{line}");
                refused += 1;
            }
        }
    }
    assert!(
        read > 160 && refused > 100,
        "{read} read, {refused} refused"
    );
}

#[test]
fn a_form_comes_back_from_its_bytes() {
    for bits in [64, 96, 256, 1024, 1032, 2048] {
        let discriminant = discriminant("forms", bits);
        let mut form = Form::generator(&discriminant);
        for _ in 0..if cfg!(miri) { 5 } else { 300 } {
            let bytes = form.to_bytes(&discriminant);
            assert_eq!(bytes.len(), discriminant.form_bytes());
            assert_eq!(
                Form::from_bytes(&bytes, &discriminant),
                Ok(form),
                "{bits} bits"
            );
            let inverse = form.inverse();
            let bytes = inverse.to_bytes(&discriminant);
            assert_eq!(
                Form::from_bytes(&bytes, &discriminant),
                Ok(inverse),
                "{bits} bits"
            );
            form = square_many(&form, 1, &discriminant);
        }
    }
}

#[test]
fn lengths_are_those_of_chiavdf_and_go_on_above() {
    for (bits, length) in [(64, 100), (1024, 100), (1032, 103), (2048, 196)] {
        let discriminant = discriminant("lengths", bits);
        assert_eq!(discriminant.form_bytes(), length);
        let short = Form::from_bytes(&vec![0; length - 1], &discriminant);
        assert_eq!(
            short,
            Err(Error::Length {
                what: "a form",
                expected: length,
                found: length - 1
            })
        );
    }
}

/// chiavdf reads these as the generator and the neutral element; see
/// [`Form::from_bytes`].
#[test]
fn bytes_after_a_flag_must_be_zero() {
    let discriminant = discriminant("flags", 512);
    for (flag, form) in [
        (8, Form::generator(&discriminant)),
        (4, Form::identity(&discriminant)),
    ] {
        let mut bytes = vec![0; 100];
        bytes[0] = flag;
        assert_eq!(Form::from_bytes(&bytes, &discriminant), Ok(form));
        bytes[99] = 1;
        let changed = Form::from_bytes(&bytes, &discriminant);
        assert_eq!(changed, Err(Error::FormNotCanonical));
    }
}

#[test]
fn coefficients_that_are_no_reduced_form_are_refused() {
    let discriminant = discriminant("coefficients", 256);
    let form = square_many(&Form::generator(&discriminant), 20, &discriminant);
    let (a, b, c) = (form.a(), form.b(), form.c());
    let new = |a: &Int<40>, b: &Int<40>| Form::new(a, b, &discriminant);
    assert_eq!(new(a, b), Ok(form));
    assert_eq!(new(c, &-*b), Err(Error::FormNotReduced));
    assert_eq!(new(&-*a, b), Err(Error::FormNotReduced));
    assert_eq!(new(&(a - a), b), Err(Error::FormNotReduced));
    assert_eq!(new(a, &(b + &(a << 1))), Err(Error::FormNotReduced));
    assert_eq!(new(&(a + &(a - b)), b), Err(Error::FormNotInGroup));
    let other = self::discriminant("another", 256);
    assert!(Form::new(a, b, &other).is_err());
}
