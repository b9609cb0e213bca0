//! The partial Euclidean algorithm of the format.

use crate::{Int, Uint};

/// Two remainders and their cofactors, the older one first.
struct State {
    r: [Int; 2],
    co: [Int; 2],
}

/// The cofactor of `b` at about the first remainder of `(a, b)` that is not above `limit`.
///
/// Which remainder that is decides about the bytes, so this follows chiavdf's
/// `mpz_xgcd_partial` (by William Hart, for FLINT) step by step: it looks at 63 leading
/// bits, and now and then goes on by a step more than the whole numbers would.
pub(super) fn cofactor(a: &Uint, b: &Uint, limit: &Uint) -> Int {
    let mut state = State {
        r: [Int::from(*a), Int::from(*b)],
        co: [Int::ZERO, -Int::ONE],
    };
    let limit = Int::from(*limit);
    while !state.r[1].is_zero() && state.r[1] > limit {
        let [x, y] = &state.r;
        let shift = x.bits().max(y.bits()).saturating_sub(63);
        let [x, y, l] = [x, y, &limit].map(|n| leading(n, shift));
        match steps(x, y, l) {
            Some(matrix) => state.apply(&matrix),
            None => state.divide(),
        }
    }
    -state.co[1]
}

/// What is left of a number after a shift that leaves 63 bits or fewer.
fn leading(number: &Int, shift: usize) -> i64 {
    (number.magnitude() >> shift).low() as i64
}

/// Cofactors of some steps: a remainder is `p x + q y` for its row `[p, q]`.
struct Steps {
    older: [i64; 2],
    newer: [i64; 2],
}

/// As many steps as the leading bits tell, and none beyond `limit`. `None` when they do
/// not tell the first.
fn steps(x: i64, y: i64, limit: i64) -> Option<Steps> {
    let (mut older, mut newer) = ((x, [1, 0]), (y, [0, 1]));
    let mut odd = false;
    while newer.0 != 0 && newer.0 > limit {
        let quotient = older.0 / newer.0;
        let less = |a: i64, b: i64| a.wrapping_sub(quotient.wrapping_mul(b));
        let rest = less(older.0, newer.0);
        let row = [less(older.1[0], newer.1[0]), less(older.1[1], newer.1[1])];
        // Signs of cofactors take turns. Collins' condition wants the one below zero and
        // the one above it.
        let (below, above) = if odd { (0, 1) } else { (1, 0) };
        let distance = row[above].wrapping_sub(newer.1[above]);
        if rest < row[below].wrapping_neg() || newer.0 - rest < distance {
            break;
        }
        (older, newer) = (newer, (rest, row));
        odd = !odd;
    }
    (newer.1 != [0, 1]).then_some(Steps {
        older: older.1,
        newer: newer.1,
    })
}

impl State {
    /// The steps, on the whole numbers. A remainder that comes out below zero is turned,
    /// with its cofactor.
    fn apply(&mut self, steps: &Steps) {
        let rows = [steps.older, steps.newer].map(|row| row.map(Int::from_i64));
        let both = |[p, q]: &[Int; 2], [x, y]: &[Int; 2]| &(p * x) + &(q * y);
        self.r = [both(&rows[0], &self.r), both(&rows[1], &self.r)];
        self.co = [both(&rows[0], &self.co), both(&rows[1], &self.co)];
        for (r, co) in self.r.iter_mut().zip(&mut self.co) {
            if r.is_negative() {
                r.negate();
                co.negate();
            }
        }
    }

    /// One step, whose quotient may be of any size.
    fn divide(&mut self) {
        let [x, y] = &self.r;
        let (quotient, rest) = x.magnitude().div_rem(y.magnitude());
        let product = &Int::from(quotient) * &self.co[1];
        self.r = [*y, Int::from(rest)];
        self.co = [self.co[1], &self.co[0] - &product];
    }
}
