//! The laws of the group, and all of a small group.

use crate::support::discriminant;
use karat_vdf::{Discriminant, Form, square_many};

/// Composition against repeated squaring: `x^(2^n) x^(2^n) = x^(2^(n+1))`, whatever way.
#[test]
fn a_square_is_the_product_with_itself() {
    for bits in [64, 72, 128, 256, 512, 1024, 2048] {
        let discriminant = discriminant("squares", bits);
        let mut form = Form::generator(&discriminant);
        for _ in 0..if cfg!(miri) { 3 } else { 200 } {
            let square = square_many(&form, 1, &discriminant);
            assert_eq!(form.compose(&form, &discriminant), square, "{form:?}");
            form = square;
        }
    }
}

#[test]
fn the_laws_of_a_group_hold() {
    for bits in [64, 80, 256, 1024] {
        let discriminant = discriminant("laws", bits);
        let d = &discriminant;
        let identity = Form::identity(d);
        let mut forms = vec![identity, Form::generator(d)];
        for times in [1, 2, 3, 30, 31, 100] {
            forms.push(square_many(&forms[1], times, d));
        }
        forms.push(forms[4].compose(&forms[6], d));
        forms.push(forms[8].inverse());
        for f in &forms {
            assert_eq!(f.compose(&identity, d), *f);
            assert_eq!(f.compose(&f.inverse(), d), identity, "{f:?}");
            assert_eq!(f.inverse().inverse(), *f);
            assert!(identity.is_identity() && (*f == identity || !f.is_identity()));
            for g in &forms {
                let product = f.compose(g, d);
                assert_eq!(product, g.compose(f, d), "{f:?} {g:?}");
                assert_eq!(Form::new(product.a(), product.b(), d), Ok(product));
                let third = &forms[7];
                let left = product.compose(third, d);
                assert_eq!(left, f.compose(&g.compose(third, d), d), "{f:?} {g:?}");
            }
        }
    }
}

/// Forms with a common divisor of `a` and `b`, and of both `a` of a product, which random
/// large forms never have: all forms with a small `a`.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn forms_with_common_divisors_are_composed() {
    // 231 is congruent to 7 modulo 8, the other factor to 1. So the discriminant has small
    // divisors, and there are forms of order two.
    let magnitude = 3 * 7 * 11 * ((1u128 << 57) + 9);
    let discriminant = Discriminant::from_be_bytes(&magnitude.to_be_bytes()).unwrap();
    let mut found = 0;
    let mut forms = vec![];
    for a in 1..200i64 {
        for b in -a + 1..=a {
            let form = Form::new(&int(a), &int(b), &discriminant);
            forms.extend(form.ok());
        }
    }
    let identity = Form::identity(&discriminant);
    for f in &forms {
        let square = square_many(f, 1, &discriminant);
        assert_eq!(f.compose(f, &discriminant), square, "{f:?}");
        found += usize::from(square == identity);
        for g in &forms {
            let product = f.compose(g, &discriminant);
            let back = product.compose(&g.inverse(), &discriminant);
            assert_eq!(back, *f, "{f:?} {g:?}");
        }
    }
    assert!(
        forms.len() > 50 && found >= 4,
        "{} forms, {found} of order two",
        forms.len()
    );
}

fn int<const N: usize>(value: i64) -> karat_bigint::Int<N> {
    karat_bigint::Int::from_i64(value)
}
