//! A test by Lucas sequences.

use crate::{LIMBS, Uint};
use karat_bigint::{Montgomery, Residue};

/// Largest discriminant of a sequence that is tried, as in chiavdf. Only squares have none
/// below.
const LARGEST: i64 = 1000;

/// Whether `V(n + 1)` of a Lucas sequence is congruent to `2 Q` modulo `n`, as it is for
/// primes. The sequence is that of Selfridge's method A*: the first discriminant of 5, -7,
/// 9, -11, ... that is no quadratic residue, with `P = 1, Q = (1 - D) / 4`, or
/// `P = Q = 5` for 5.
pub(super) fn passes(field: &Montgomery<LIMBS>) -> bool {
    let n = field.modulus();
    let signed = |d: i64| if d % 4 == 1 { d } else { -d };
    let tried = (5..LARGEST).step_by(2).map(signed);
    let Some(d) = tried.into_iter().find(|d| jacobi(*d, n) == -1) else {
        return false;
    };
    let (p, q) = if d == 5 { (5, 5) } else { (1, (1 - d) / 4) };
    value(field, p, q) == times(field, &field.one(), 2 * q)
}

/// A residue times a small number, by doubling and adding: both take a fraction of a product.
fn times(field: &Montgomery<LIMBS>, residue: &Residue<LIMBS>, factor: i64) -> Residue<LIMBS> {
    let zero = field.sub(residue, residue);
    let magnitude = factor.unsigned_abs();
    let mut product = zero;
    for bit in (0..u64::BITS - magnitude.leading_zeros()).rev() {
        product = field.double(&product);
        if magnitude >> bit & 1 == 1 {
            product = field.add(&product, residue);
        }
    }
    if factor < 0 {
        product = field.sub(&zero, &product);
    }
    product
}

/// `V(n + 1)` of the sequence with these parameters. `V(k)`, `V(k + 1)` and `Q^k` go along
/// the bits of the index (Crandall and Pomerance, "Prime numbers", 3.6.7).
fn value(field: &Montgomery<LIMBS>, p: i64, q: i64) -> Residue<LIMBS> {
    let index = field.modulus() + &Uint::ONE;
    let one = field.one();
    let (mut low, mut high) = (field.double(&one), times(field, &one, p));
    let mut power = one;
    for bit in (0..index.bits()).rev() {
        let less = |product, subtrahend| field.sub(&product, &subtrahend);
        let middle = less(field.mul(&low, &high), times(field, &power, p));
        let square = field.square(&power);
        if index.bit(bit) {
            let odd = times(field, &power, q);
            low = middle;
            high = less(field.square(&high), field.double(&odd));
            power = times(field, &square, q);
        } else {
            high = middle;
            low = less(field.square(&low), field.double(&power));
            power = square;
        }
    }
    low
}

/// The Jacobi symbol `(d / n)` for odd `d` and `n`, by the law of reciprocity.
fn jacobi(d: i64, n: &Uint) -> i32 {
    let n_mod_4 = n.low() % 4;
    let mut sign = if d < 0 && n_mod_4 == 3 { -1 } else { 1 };
    let d = d.unsigned_abs();
    if d % 4 == 3 && n_mod_4 == 3 {
        sign = -sign;
    }
    let (mut a, mut m) = (n.rem(&Uint::from_u64(d)).low(), d);
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if twos % 2 == 1 && matches!(m % 8, 3 | 5) {
            sign = -sign;
        }
        if a % 4 == 3 && m % 4 == 3 {
            sign = -sign;
        }
        (a, m) = (m % a, a);
    }
    if m == 1 { sign } else { 0 }
}
